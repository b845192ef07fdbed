"""From a circuit to the files that a fabricator takes, checked on the way by KiCad itself."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from itertools import chain
from pathlib import Path

from drivers.errors import DriverError
from hardware.tools.pcb.circuit_check import faults
from hardware.tools.pcb.copper import Circuit
from hardware.tools.pcb.diagram import diagram_file
from hardware.tools.pcb.kicad import board_file, project_file
from hardware.tools.pcb.orders import assembly_file, parts_file, placement_file
from hardware.tools.pcb.picture import picture

PYTHON = Path("/usr/bin/python3")
"""The one that Debian's KiCad gives its module to."""
_SCRIPT = Path(__file__).with_name("in_kicad.py")


class FabricationError(DriverError):
    """A circuit cannot be made as it is, or KiCad is missing; the text says what is wrong."""


def fabricate(circuit: Circuit, folder: Path) -> tuple[Path, ...]:
    """Write everything into a folder and return it; raise FabricationError at any fault."""
    if wrong := faults(circuit):
        raise FabricationError("\n".join(wrong))
    gerbers = folder / "gerbers"
    gerbers.mkdir(parents=True, exist_ok=True)
    checked = (
        violations(circuit, folder, gerbers),
        miswired(circuit, folder),
        unlike(circuit, folder),
    )
    if wrong := tuple(chain.from_iterable(checked)):
        raise FabricationError("\n\n".join(wrong))
    for name, text in texts(circuit).items():
        (folder / name).write_text(text, encoding="utf-8")
    packed = folder / "gerbers.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(gerbers.iterdir()):
            archive.write(path, path.name)
    return (_board(circuit, folder), packed, *(folder / name for name in texts(circuit)))


def texts(circuit: Circuit) -> dict[str, str]:
    """Return what is made without KiCad: file name -> contents."""
    return {
        "parts.csv": parts_file(circuit),
        "assembly.csv": assembly_file(circuit),
        "placement.csv": placement_file(circuit),
        "picture.svg": picture(circuit),
    }


def violations(circuit: Circuit, folder: Path, gerbers: Path | None = None) -> tuple[str, ...]:
    """Return what KiCad's design rule check has against a circuit, one text each.

    Args:
        circuit: what is to be checked.
        folder: where its board, project and report are written.
        gerbers: where its gerbers and drill files are written, if anywhere.

    Raises:
        FabricationError: KiCad is not installed, or failed; the text says which.
    """
    board, report = _board(circuit, folder), folder / "report.txt"
    board.write_text(board_file(circuit), encoding="utf-8")
    _project(circuit, folder)
    arguments = [str(path) for path in (PYTHON, _SCRIPT, board, report)]
    if gerbers:
        arguments.append(str(gerbers.resolve()))  # KiCad takes others as beside the board
    # Debian's Python and a script of our own; the paths are not read as options.
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603
    if "No module named 'pcbnew'" in done.stderr:
        raise FabricationError("KiCad is missing: install the Debian package kicad.")
    if done.returncode:
        raise FabricationError(f"KiCad could not check {board}: {done.stderr.strip()}")
    return _found(report.read_text(encoding="utf-8"))


def miswired(circuit: Circuit, folder: Path) -> tuple[str, ...]:
    """Return what KiCad's electrical rules check has against a circuit's diagram, one text each.

    Nothing where KiCad is older than 8, which has no command for it: `faults` says it alone then.

    Args:
        circuit: what is to be checked.
        folder: where its diagram, project and report are written.
    """
    diagram = folder / f"{circuit.name}.kicad_sch"
    diagram.write_text(diagram_file(circuit), encoding="utf-8")
    _project(circuit, folder)
    return _judged(("sch", "erc"), diagram, folder / "diagram.txt")


def unlike(circuit: Circuit, folder: Path) -> tuple[str, ...]:
    """Return how a board differs from its diagram, and what else KiCad 8 or newer has against it.

    Args:
        circuit: what both were drawn of.
        folder: where `violations` has left the board, and `miswired` the diagram.
    """
    return _judged(
        ("pcb", "drc", "--schematic-parity"), _board(circuit, folder), folder / "both.txt"
    )


def _judged(what: tuple[str, ...], drawn: Path, report: Path) -> tuple[str, ...]:
    command = shutil.which("kicad-cli")
    if command is None:
        return ()
    arguments = [command, *what, "--severity-all", "--output", str(report), str(drawn)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise FabricationError(f"KiCad could not check {drawn}: {done.stderr.strip()}")
    return _found(report.read_text(encoding="utf-8"))


def _project(circuit: Circuit, folder: Path) -> None:
    path = folder / f"{circuit.name}.kicad_pro"
    path.write_text(project_file(circuit), encoding="utf-8")


def _board(circuit: Circuit, folder: Path) -> Path:
    return folder / f"{circuit.name}.kicad_pcb"


def _found(report: str) -> tuple[str, ...]:
    """Return the entries of a report: each begins with its kind in brackets."""
    entries: list[list[str]] = []
    for line in report.splitlines():
        if line.startswith("["):
            entries.append([line])
        elif line.startswith(" ") and entries:
            entries[-1].append(line.strip())
    return tuple("\n".join(lines) for lines in entries)
