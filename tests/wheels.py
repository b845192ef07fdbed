"""Wheels built as for a release, and environments that hold them and nothing of the checkout."""

import subprocess
import sys
import sysconfig

QUIET = ("--quiet", "--no-index", "--no-deps", "--disable-pip-version-check")
PIP = (sys.executable, "-m", "pip")
LIBRARIES = sysconfig.get_path("purelib")


def build(source, folder):
    """Return the wheel that pip builds of a source tree, written into a folder."""
    subprocess.run(
        [*PIP, "wheel", *QUIET, "--no-build-isolation", "-w", folder, source], check=True
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(wheel, *paths):
    """Return the Python of a new environment with this wheel, and with these folders to import."""
    made = wheel.parent / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", made], check=True)
    inside = made / "bin" / "python"
    (site,) = made.glob("lib/python*/site-packages")
    (site / "outside.pth").write_text("".join(f"{path}\n" for path in paths))
    subprocess.run([*PIP, "--python", inside, "install", *QUIET, "--no-compile", wheel], check=True)
    return inside
