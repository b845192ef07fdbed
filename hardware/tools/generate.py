"""Write everything that follows from the board descriptions; with `--check`, only compare.

python -m hardware.tools.generate            writes hardware/builds/ and the part pictures
python -m hardware.tools.generate --check    fails when what is there is not what would be
python -m hardware.tools.generate my-board.toml --out my-board
"""

from __future__ import annotations

from pathlib import Path

import click

from drivers.description import BoardDescription, load_description, shipped, stages_file
from drivers.port import DriverError
from hardware.tools.agreement import contradictions
from hardware.tools.bill import as_csv, bill
from hardware.tools.case import section
from hardware.tools.catalogue import HARDWARE, Build, builds, parts
from hardware.tools.cell_drawings import cell_drawings
from hardware.tools.checklist import checklist
from hardware.tools.circuits import netlist
from hardware.tools.disc_section import disc_section
from hardware.tools.electrical import problems
from hardware.tools.netlist import as_csv as netlist_csv
from hardware.tools.netlist import pinouts
from hardware.tools.page import page
from hardware.tools.pcb.fabrication import texts
from hardware.tools.pcb.head import head
from hardware.tools.pcb.rank import rank
from hardware.tools.pcb.whole import whole_board
from hardware.tools.printables import PRINTABLES, picture, render
from hardware.tools.schematics import schematics
from hardware.tools.sheets import sheets
from hardware.tools.stages import as_json, as_page, stages
from hardware.tools.template import template
from hardware.tools.wiring import draw, harness

HARNESS = "harness.yml"
BUILT = frozenset({"pico", "pi-header"})
"""Controllers of boards that are built from here; others are finished, or simulated."""


def board_files(description: BoardDescription, build: Build | None) -> dict[str, str]:
    """Return the texts and drawings of one board: file name -> contents."""
    drawings = schematics(description) | sheets(description) | cell_drawings(description)
    files = {
        "README.md": page(description, build, sorted(drawings)),
        "bring-up.md": as_page(description),
        "test-plan.md": checklist(description),
        "parts.csv": as_csv(bill(description, build)),
        HARNESS: harness(description),
        "netlist.csv": netlist_csv(netlist(description)),
        "template.pdf": template(description),
    }
    return files | {f"{name}.svg": drawing for name, drawing in drawings.items()}


def part_pictures(description: BoardDescription) -> dict[str, str]:
    """Return the pictures of the printed parts: file name -> SVG. Needs OpenSCAD."""
    files = {
        "disc-section.svg": disc_section(description.mechanics),
        "case-section.svg": section(description),
    }
    for printable in PRINTABLES:
        if not printable.name.startswith("light-grid-"):  # the whole tile shows them all
            files[f"{printable.name}.svg"] = picture(render(printable, description))
    return files


def everything() -> dict[Path, str]:
    """Return all generated files of the repository but the drawn harnesses: path -> contents."""
    files = {}
    for name, build in builds().items():
        for file, text in board_files(load_description(name), build).items():
            files[HARDWARE / "builds" / name / file] = text
    printed = load_description("printed")
    for file, text in texts(rank(printed)).items():
        files[HARDWARE / "rank" / file] = text
    for file, text in texts(head(printed)).items():
        files[HARDWARE / "rank" / "head" / file] = text
    files[HARDWARE / "rank" / "whole-board.csv"] = whole_board(printed)
    for name in shipped():
        described = load_description(name)
        if described.controller in BUILT:
            files[stages_file(name)] = as_json(stages(described))
    for file, text in part_pictures(load_description("full")).items():
        files[HARDWARE / "printables" / file] = text
    return files


def _write(files: dict[Path, str]) -> None:
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if path.name == HARNESS:
            draw(path)


@click.command()
@click.argument("board", required=False)
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the files of BOARD.")
@click.option("--check", is_flag=True, help="Write nothing; fail when something would change.")
def main(board: str | None, out: Path | None, *, check: bool) -> None:
    """Write wiring, parts lists and pictures for BOARD, or for all three builds."""
    try:
        if board:
            description = load_description(board)
            if description.controller not in BUILT:
                raise click.ClickException(f"{description.name}: this is no board to build.")
            folder = out or Path(description.name)
            wrong = problems(description)
            if not wrong:  # what cannot be wired cannot be drawn
                files = board_files(description, None)
                files[stages_file(board).name] = as_json(stages(description))
                _write({folder / name: text for name, text in files.items()})
                click.echo(f"Wiring, parts and pictures are in {folder.absolute()}")
        elif not (wrong := tuple(contradictions(parts(), pinouts(), builds()))):
            all_files = everything()
            stale = [p for p, text in all_files.items() if not p.exists() or p.read_text() != text]
            wrong = tuple(f"{p} is out of date." for p in stale) if check else ()
            if not check:
                _write(all_files)
    except DriverError as error:
        raise click.ClickException(str(error)) from error
    if wrong:
        raise click.ClickException("\n".join(wrong))


if __name__ == "__main__":
    main()
