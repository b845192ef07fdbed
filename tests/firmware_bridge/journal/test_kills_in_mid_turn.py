"""A process killed while it weighs what hands do: what it wrote down stands, nobody is charged."""

import os
import signal
from contextlib import closing

import pytest

from drivers.port import Snapshot
from firmware_bridge.journal import Journal
from firmware_bridge.messages.outputs import Ruled
from tests.firmware_bridge.journal.killing import Writing, forked, heard_until_ended
from tests.firmware_bridge.table.driving import Driven

PARKING = "4k3/1p6/8/8/2B5/8/8/4K3 w - - 0 1 -"


def killed_after(folder, hands, **kinds):
    """Let a process write down what hands do, and kill it; return the table found after it.

    The board stands as the hands have left it.
    """

    def written(pipe):
        hands(Writing("mockery", Journal(folder), **kinds))
        os.write(pipe, b"done")
        signal.pause()

    child, reader = forked(folder, written)
    assert os.read(reader, 4) == b"done", (folder / "error").read_text()
    heard_until_ended(folder, child, reader)
    found = Driven("mockery", **kinds)
    hands(found)  # so that its cells read what hands have left
    with closing(Journal(folder)) as journal:
        _, records = journal.last_game()
    found.come_back(records, found.readings)
    found.feed(Snapshot(found.t, dict(found.readings)))
    return found


def parked(driven):
    """Let the victim stand for a while on a square to which it could have gone itself."""
    driven.carry("c4", "a6")
    driven.wait(1)
    driven.carry("a6", "b5", 0.4)
    driven.wait(1)


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_which_of_several_readings_is_true_is_what_was_written_down(tier, tmp_path):
    settings = {"time": "untimed"}
    kinds = {"tier": tier, "position": PARKING, "buttons": False, "settings": settings}
    unharmed = Driven("mockery", **kinds)
    parked(unharmed)
    found = killed_after(tmp_path, parked, **kinds)
    assert found.turns == unharmed.turns == ["c4b5"]
    for driven in (unharmed, found):
        driven.cell("b5", None)
        driven.carry("b7", "a6")
        driven.wait(9)
        assert not driven.gave(Ruled)
    assert unharmed.turns == ["c4a6", "b7a6"]
    assert found.turns == ["c4b5"]
    found.carry("a6", "b7")
    found.cell("b5", found.reading("wB"))
    found.wait(1)
    found.carry("e8", "e7")
    found.wait(1)
    assert found.turns == ["c4b5", "e8e7"]
    assert not found.gave(Ruled)


def pressed(driven):
    """Press with the piece in the hand."""
    driven.cell("e2", None)
    driven.press("white", 0.1)
    driven.wait(0.4)
    assert not driven.table.state.played


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_press_that_waited_for_a_piece_is_gone_and_the_next_one_takes_the_turn_once(
    tier, tmp_path
):
    kinds = {"tier": tier, "settings": {"time": "5m"}}
    found = killed_after(tmp_path, pressed, **kinds)
    held = Driven("mockery", **kinds).readings["e2"]
    found.cell("e4", held, 0.4)
    found.wait(2)
    assert found.turns == []
    found.press("white")
    found.wait(1)
    assert found.turns == ["e2e4"]
    assert found.position.side == "black"
    assert not found.gave(Ruled)
