"""Makes the recordings that come with the project: `python -m firmware_bridge.bench.shipped`.

Simulated hands make legal turns in all their styles, with and without a clock, in every game, on
every tier. `fit` replays them with what it fitted.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from random import Random

from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import ROWS
from firmware_bridge.bench.harness import Harness, agreed
from firmware_bridge.bench.reconcile import legal
from firmware_bridge.recordings.format import write

TURNS = 14
"""How many turns a recording holds."""


def main() -> None:
    """Write one recording for every game, tier and set of options, with and without a clock."""
    folder = Path(str(files("firmware_bridge.recordings"))) / "shipped"
    folder.mkdir(exist_ok=True)
    for row in ROWS:
        for clock in (True, False):
            dice = Random(f"shipped/{row.name}/{row.tier}/{clock}")  # noqa: S311 - no secret
            figures = Figures()
            board = Harness(agreed(row, clock=clock), row.tier, row.load().start())
            for _ in range(TURNS):
                legal(board, figures, dice, clock=clock)
            assert figures.clean, (row, figures.failures)  # noqa: S101 - nothing to ship then
            name = f"{row.name} {row.tier} {'clock' if clock else 'bare'}.jsonl".replace(" ", "-")
            lines = write(board.recording())
            (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
