"""Half a conversion is no conversion: of some exchanged pieces nobody says that all are."""

import pytest

TIERS = ["occupancy", "identity", "face"]
TWO = "4k3/8/8/8/R1nb1p2/6P1/8/4K3 w - - 0 1"
FOUR = "4k3/8/8/8/Rnrqbp2/6P1/8/4K3 w - - 0 1"
ROWS = [
    pytest.param((TWO, "g3", ["c4", "d4"]), id="two"),
    pytest.param((FOUR, "g3", ["b4", "c4", "d4", "e4"]), id="four"),
]
rows = pytest.mark.parametrize("row", ROWS)
tiers = pytest.mark.parametrize("tier", TIERS)
clocks = pytest.mark.parametrize("clock", [True, False])


def white(label):
    return f"X-{label}"


def set_out(board, position, tier, clock):
    b = board("reversi", position, tier, clock)
    if tier != "occupancy":
        for square in list(b.on):
            label = b.header["tags"][f"T-{square}"]
            b.header["tags"][white(square)] = "w" + label[1]
    return b


def exchange(b, square):
    b.off(square).put(square, white(square))


def finish(b, clock):
    return (b.press("white") if clock else b).end(1)


@tiers
@clocks
@rows
@pytest.mark.parametrize("when", ["before it lands", "after it has landed"])
def test_some_exchanged_and_others_not_is_on_its_way(board, tier, clock, row, when):
    position, pawn, segment = row
    b = set_out(board, position, tier, clock).off("f4").off(pawn)
    if when == "before it lands":
        exchange(b, segment[-1])
    b.put("f4", pawn)
    if when != "before it lands":
        exchange(b, segment[0])
    waiting = b.end(1).replay()
    assert waiting.last["verdict"] == "in-progress"
    for square in segment:
        if b.on[square] != white(square):
            exchange(b, square)
    found = finish(b, clock).replay()
    assert found.stand == (f"{pawn}f4~a4",)
    assert found.quiet


@tiers
@rows
@pytest.mark.parametrize("presses", [1, 2])
def test_a_press_asks_and_takes_neither(board, tier, row, presses):
    position, pawn, segment = row
    b = set_out(board, position, tier, clock=True).off("f4").carry(pawn, "f4")
    exchange(b, segment[1])
    for _ in range(presses):
        b.press("white")
    found = b.end(1).replay()
    assert found.taken == []
    assert found.last["verdict"] == "choice"
    assert found.last["turns"] == [f"{pawn}f4", f"{pawn}f4~a4"]
    answered = b.answer(f"{pawn}f4~a4").end(1).replay()
    assert answered.stand == (f"{pawn}f4~a4",)
    assert answered.last["verdict"] == "settled"


@tiers
@rows
def test_without_a_clock_the_players_are_asked_in_the_end(board, tier, row):
    position, pawn, segment = row
    b = set_out(board, position, tier, clock=False).off("f4").carry(pawn, "f4")
    exchange(b, segment[0])
    found = b.end(6).replay()
    assert found.taken == []
    assert found.last["turns"] == [f"{pawn}f4", f"{pawn}f4~a4"]
    assert found.quiet


@pytest.mark.parametrize("tier", ["identity", "face"])
def test_who_declines_half_way_is_told_to_put_back_what_was_exchanged(board, tier):
    b = set_out(board, TWO, tier, clock=True).off("f4").carry("g3", "f4")
    exchange(b, "c4")
    found = b.press("white").answer("g3f4").end(2).replay()
    assert found.stand == ("g3f4",)
    assert found.last["verdict"] == "disturbed"
    assert found.last["cells"] == ["c4"]
    assert not found.of("ruling")
    found = b.off("c4").put("c4", "T-c4").carry("e8", "e7").press("black").end(1).replay()
    assert found.stand == ("g3f4", "e8e7")


@tiers
@clocks
@rows
@pytest.mark.parametrize("half", [False, True])
def test_the_anchor_counts_from_the_lift_of_the_capturing_piece_on(board, tier, clock, row, half):
    position, pawn, segment = row
    b = set_out(board, position, tier, clock).off("f4").off(pawn)
    if half:
        exchange(b, segment[0])
    b.adjust("a4").put("f4", pawn)
    found = finish(b, clock).replay()
    assert found.stand == (f"{pawn}f4~a4",)
    assert found.quiet


@tiers
def test_the_anchor_touched_before_that_is_only_adjusted(board, tier):
    b = set_out(board, TWO, tier, clock=True).off("f4").adjust("a4").carry("g3", "f4")
    assert b.press("white").end(1).replay().stand == ("g3f4",)


@tiers
def test_whether_the_anchor_was_touched_in_a_row_of_adjusted_pieces_is_asked(board, tier):
    """Whichever was the last of the row."""
    b = set_out(board, TWO, tier, clock=True).off("f4").carry("g3", "f4").adjust("a4").adjust("e1")
    assert b.replay().last["verdict"] == "choice"
    b.adjust("a4").press("white").end(1)
    assert b.replay().last["verdict"] == "choice"
    assert not b.replay().stand
    assert b.answer("g3f4~a4").press("white").end(1).replay().stand == ("g3f4~a4",)
