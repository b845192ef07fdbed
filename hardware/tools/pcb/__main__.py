"""Draw the printed circuits of a board, check them, and make what a fabricator takes.

python -m hardware.tools.pcb printed --out rank
python -m hardware.tools.pcb printed --circuit head --out head
"""

from __future__ import annotations

from pathlib import Path

import click

from drivers.description import load_description
from drivers.port import DriverError
from hardware.tools.pcb.fabrication import fabricate
from hardware.tools.pcb.head import head
from hardware.tools.pcb.rank import rank


@click.command()
@click.argument("board")
@click.option("--out", type=click.Path(path_type=Path), default=Path("rank"), show_default=True)
@click.option("--circuit", type=click.Choice(["rank", "head"]), default="rank", show_default=True)
def main(board: str, out: Path, circuit: str) -> None:
    """Write KiCad's files, gerbers, drill, parts and placement for a rank or the head of BOARD."""
    draw = head if circuit == "head" else rank
    try:
        made = fabricate(draw(load_description(board)), out)
    except DriverError as error:
        raise click.ClickException(str(error)) from error
    for path in made:
        click.echo(path)


if __name__ == "__main__":
    main()
