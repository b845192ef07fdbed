"""`python -m updater.quiet`: succeeds while no game is played, for what must not come into one.

Debian's own security updates ask it before they begin, and otherwise wait for the next night.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .__main__ import Updater

if __name__ == "__main__":
    sys.exit(Updater(Path("/")).service.playing())
