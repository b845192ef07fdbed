"""What docs/reconciler.md says that the board does with eight recordings is so."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "reconciler.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ((?:no )?clock): (.*) \| (.*) \|$", PAGE, flags=re.MULTILINE)


def test_there_are_eight():
    assert len(ROWS) == 8


@pytest.mark.parametrize(("clock", "hands", "told"), ROWS, ids=[row[1] for row in ROWS])
def test_the_board_does_what_is_told(board, clock, hands, told):
    b = board("reversi", clock=clock == "clock", time="60m", penalty="2m")
    for t, what in (step.split() for step in hands.split(", ")):
        b.t = float(t)
        if what in ("white", "black"):
            b.tell(button=what)
        else:
            b.read(what[:-1], True if what[-1] == "+" else None)
    found = b.end(4).replay()
    assert done(found) == told


def done(found):
    """What the board did, in the words of the page."""
    if not found.lines:
        return "nothing"
    turns = [f"takes {turn}" for turn in found.taken]
    turns += [f"amends it to {turn}" for turn in found.amended]
    if "illegal" in found.verdicts:
        ruled = found.of("ruling")
        turns += ["illegal", f"charges {ruled[0]['ruling']['side'].title() if ruled else 'nobody'}"]
    return ", ".join(turns)
