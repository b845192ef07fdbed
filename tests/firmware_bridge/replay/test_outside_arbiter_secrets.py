"""Discs whose tags fail, pieces stolen and second thoughts, judged from outside.

Steps, 0.3 s apart: `d7-` lifts, `d7+d7` sets down there what was lifted from d7, `d7+d7/` turned
over, `d7+?d7` with its tag unread; `W` and `B` press, `=d4d5` answers, `@2` waits. A disc is called
after the square it began on; its UID names a side of it and not what is printed there, so that two
worlds that differ in undersides alone send the very same events.
"""

import pytest

UNDERSIDES = (  # the discs on c5 and g4 have exchanged what lies below
    "1/nnrnnb/rr1br1rp/ppbb2bp2/2RR4/1PN1PB2RP/PPBB3/2BN/NR b BR/pn f7 - - 14",
    "1/nnrnnb/rr1br1rp/ppbb2bp2/2RP4/1PN1PB2RR/PPBB3/2BN/NR b BR/pn f7 - - 14",
)
START = "rn/nnbbnb/pppnbrpbpr/7/7/2PN4/PP1BRPBPR/NNBBNB/RN b RR/rr - - - 1"
MATCHING = (  # the discs on b3 and f3 have exchanged what lies below
    "rn/nnbbnb/pppnbrpbpr/7/7/7/PPPNBRPBPR/NNBBNB/RN b RR/rr - - - 2",
    "rn/nnbbnb/pppnbrpbpr/7/7/7/PRPNBRPBPP/NNBBNB/RN b RR/rr - - - 2",
)
LAST_RANK = "7k/4P3/8/8/8/8/p7/4K3 w - - 0 1"


def hands(board, steps, gap=0.3):
    """Let hands do these steps on the board, and tell what came of it."""
    carry_out(board, steps, gap)
    return board.end(6).replay()


def carry_out(board, steps, gap=0.3):
    for step in steps.split():
        if step[0] == "@":
            board.wait(float(step[1:]))
        elif step in ("W", "B"):
            board.press({"W": "white", "B": "black"}[step], gap)
        elif step[0] == "=":
            board.answer(step[1:], gap)
        elif step[-1] == "-":
            board.off(step[:-1], gap)
        else:
            set_down(board, *step.split("+"), gap)


def set_down(board, cell, disc, after):
    tag = board.hand.pop(disc.strip("?/"))
    if disc[-1] == "/":
        tag = ("U" if tag[0] == "T" else "T") + tag[1:]
    board.on[cell] = tag
    board.read(cell, True if disc[0] == "?" or board.tier == "occupancy" else tag, after)


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param("f7- b4- b4+b4/ f3+f7 d7- d7+?d7 B @1 d4- d5+d4 @1 W", id="unread-then-move"),
        pytest.param("g4- g4+?g4 f7- b4- b4+b4/ f3+f7 B @1 g4- g5+g4 @1 W", id="unread-moves"),
        pytest.param("c5- c5+?c5 c5- c5+c5 f7- f6+f7 @4 B @1 c5- c4+c5 W", id="read-again"),
    ],
)
def test_an_unread_tag_tells_nothing_of_what_lies_below(board, steps, clock):
    told = [
        hands(board("reality-check", position, "face", clock), steps).lines
        for position in UNDERSIDES
    ]
    assert told[0] == told[1]
    asked = {turn for line in told[0] for turn in line.get("turns", ())}
    lifted = {step[:2] for step in steps.split() if step[-1] == "-"}
    assert {turn.partition("/")[2] for turn in asked} <= {*lifted, "c4", "d5", "f6", "g5"}


def test_another_disc_of_the_opponents_is_turned_over_instead(board):
    steps = "c7- c6+c7 e3- e3+e3/ @1 e3- e3+e3/ f3- f3+f3/ @1"
    seen = hands(board("reality-check", START, "face", False), steps)
    assert seen.quiet
    assert seen.stand == ("c7c6/f3",)


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
def test_two_discs_put_back_unread_do_not_tell_whether_they_match(board, clock):
    steps = "f3- f3+?f3 d3- d3+?d3 @4" + " B" * clock
    told = [
        hands(board("reality-check", position, "face", clock, {"memory": True}), steps)
        for position in MATCHING
    ]
    assert told[0].lines == told[1].lines
    assert told[0].last["verdict"] == "settled"


@pytest.mark.parametrize("unread", ["", "?"], ids=["read", "unread"])
@pytest.mark.parametrize("game", ["mockery", "realm", "reversi"])
def test_a_pawn_left_standing_is_known_wherever_its_tag_is_read_next(board, game, unread):
    position = f"{LAST_RANK} -" if game == "mockery" else LAST_RANK
    steps = f"e7- e8+{unread}e7 =e7e8q W h8- h7+h8 B e8- b5+e8 @1 W"
    seen = hands(board(game, position, "identity", True), steps)
    assert seen.quiet
    assert seen.stand == ("e7e8q", "h8h7", "e8b5")


@pytest.mark.parametrize(
    ("there", "here"), [("b7", "b6"), ("c7", "c6")], ids=["true-disc", "other-disc"]
)
def test_a_disc_moved_unread_is_turned_over_later(board, there, here):
    moved = f"{there}- {here}+?{there} e7- e7+e7/ B"
    turned = f"c3- c4+c3 {here}- {here}+{here}/ W"
    seen = hands(board("reality-check", MATCHING[0], "face", True), f"{moved} @1 {turned}")
    assert seen.quiet
    assert seen.stand == (f"{there}{here}/e7", f"c3c4/{here}")
