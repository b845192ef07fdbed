"""What a slicer makes of a printed part: whether it needs supports, how much plastic it takes."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

STEEPEST = 40
"""Degrees from the plate: flatter undersides than this need supports in Slic3r's eyes."""
BED = 200.0
"""Side of the smallest print bed that is sold widely, in millimetres."""
_OPTIONS = {
    "nozzle-diameter": "0.4",
    "layer-height": "0.2",
    "fill-density": "15%",
    "support-material-threshold": str(STEEPEST),
}
_PLASTIC = re.compile(r"; filament used = [\d.]+mm \(([\d.]+)cm3\)")
_SIZE = re.compile(r"^size_([xyz]) = ([\d.]+)$", flags=re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sliced:
    """A part as it would be printed.

    Attributes:
        supports: moves to places where supports would have to be printed; 0 for a part of ours.
        plastic: cubic centimetres.
        size: millimetres along x, y and z.
        whole: whether it is one closed body that needed no repair.
    """

    supports: int
    plastic: float
    size: tuple[float, float, float]
    whole: bool


def sliced(part: Path) -> Sliced:
    """Return what Slic3r makes of an STL file; raise RuntimeError with its words if it refuses."""
    out = part.with_suffix(".gcode")
    options = [f"--{name}={value}" for name, value in _OPTIONS.items()]
    told = _run("--no-gui", *options, "--support-material", "--gcode-comments", "-o", out, part)
    if not out.exists():
        raise RuntimeError(told)
    code = out.read_text(encoding="utf-8")
    about = _run("--info", part)
    size = {axis: float(length) for axis, length in _SIZE.findall(about)}
    plastic = _PLASTIC.search(code)
    return Sliced(
        supports=code.count("; move to first support material point"),
        plastic=float(plastic[1]) if plastic else 0.0,
        size=(size["x"], size["y"], size["z"]),
        whole="manifold = yes" in about and "number_of_parts =  1\n" in about,
    )


def _run(*arguments: str | Path) -> str:
    # Slic3r is a program of the system; its arguments are fixed options and a file of ours.
    done = subprocess.run(  # noqa: S603
        ["slic3r", *map(str, arguments)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    return done.stdout
