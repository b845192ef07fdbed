"""`python -m drivers.simulator`: a simulated board of its own, without any game."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from drivers.description import load_description
from drivers.piece_set import PieceSet, load_piece_set
from drivers.port import DriverError
from drivers.simulator.serving import HOST, default_link, run_simulator


def main() -> int:
    """Run the simulated board; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m drivers.simulator", description=__doc__)
    parser.add_argument("--board", default="simulated", help="board file, or a shipped name")
    parser.add_argument("--pieces", type=Path, help="piece set: a JSON file")
    parser.add_argument("--link", type=Path, default=default_link(), help="where its port appears")
    parser.add_argument("--page-port", type=int, default=0, help="port of its page, 0 for any")
    given = parser.parse_args()
    try:
        pieces = load_piece_set(given.pieces) if given.pieces else PieceSet()
        run_simulator(load_description(given.board), pieces, given.link, (HOST, given.page_port))
    except DriverError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
