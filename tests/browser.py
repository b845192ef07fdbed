"""How the tests start Chromium: without a sandbox and without errands of its own.

Where Debian's headless shell is installed, it is taken: the same engine at half the processor time.
"""

import shutil

CHROMIUM = (
    shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
