"""A disc that was turned over lies anew."""

import rules
from firmware_bridge.reconciler import Reconciler, Sensing, Settings, TurnTaken
from firmware_bridge.reconciler.seats import Seats
from tests.firmware_bridge.reconciler.feeling import feel

TO_FLIP = "br/nn1rr/pp1nbpnnr/5pb1/bb6/1rp4PB/PPNP1BB1/NRPRNN/RB b NB,RR/- d2 flip:1,2 - 10"


def discs(position):
    """Return by which tag each disc lies, and what all their tags tell."""
    tags, standing = {}, {}
    for square, label in position.placement.items():
        up, down = f"04:{square}:0", f"04:{square}:1"
        tags[up], tags[down] = label, f"{label[:4]}{label[1:3].replace(label[-1], '', 1)}"
        standing[square] = up
    return standing, tags


def test_a_board_that_is_right_again_is_cleared_no_more():
    """Else a disc that is turned over now would be none of those that stand there."""
    position = rules.load("reality-check", dice=2, memory=True).parse(TO_FLIP)
    standing, tags = discs(position)
    square = next(s for s, up in standing.items() if tags[up][1] != tags[up][2])
    seats = Seats(position, tags, cleared=True)
    for cell, up in standing.items():
        seats.note(cell, up)
    lay = dict(seats.of)
    seats.note(square, None)
    seats.note(square, f"04:{square}:1")
    assert seats.turned()[square] == f"04:{square}:1"
    assert seats.of == lay


def test_a_true_disc_that_was_turned_over_lies_anew():
    """It looks as before, but its other tag is now the one by which a next turning is known."""
    position = rules.load("reality-check", dice=2, memory=True).parse(TO_FLIP)
    standing, tags = discs(position)
    reconciler = Reconciler(position, Sensing("face", tags), Settings(), standing)
    feel(reconciler, (1.0, "b7", None), (1.5, "b7", "04:b7:1"))
    taken = [f.turn for f in reconciler.press(3.0, "black") if isinstance(f, TurnTaken)]
    assert [str(turn) for turn in taken] == ["flip:b7"]
    scene = reconciler._course.scene
    assert not scene.turned()
    feel(reconciler, (4.0, "b7", None), (4.5, "b7", "04:b7:0"))
    assert scene.turned() == {"b7"}
