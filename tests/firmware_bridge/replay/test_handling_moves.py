"""The kinds of handling that belong to a single move, on every tier and in the chess games."""

import pytest

CHESS = ("indistinguishable", "reversi", "mockery", "realm")
ONE_MOVE = ("indistinguishable", "reversi", "mockery")
TIERS = ("occupancy", "identity")
TAIL = {"mockery": " -"}

all_four = pytest.mark.parametrize(
    ("game", "tier"), [(game, tier) for game in CHESS for tier in TIERS]
)


def fen(game, text):
    return text + TAIL.get(game, "")


# 2. Sliding


# 3. Captures

CAPTURE = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"


LIFTED = {
    "one that can take": "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
    "one that can take either": CAPTURE,
    "one that can take nothing": "4k3/8/3p4/8/4P3/8/8/4K3 w - - 0 1",
    "the opponent's": "4k3/8/8/3P4/4p3/8/8/4K3 w - - 0 1",
}


@pytest.mark.parametrize("sealed", [False, True])
def test_where_owners_are_secret_a_press_with_one_in_the_air_tells_nothing_of_it(board, sealed):
    """Owned by whom, and whatever it could take: the same lines, and nothing is taken or ruled."""
    boards = [
        board("indistinguishable", position, clock=True, sealed=sealed)
        for position in LIFTED.values()
    ]
    told = [b.off("e4").press("white").press("white").end().replay() for b in boards]
    assert all(one.lines == told[0].lines for one in told)
    assert told[0].said == ["Set it down once more."] * 2
    assert told[0].verdicts == ["in-progress"]
    assert not told[0].lights()


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("of", ["b1", "c3"])
def test_putting_one_of_two_back_does_not_tell_its_owner(board, of, sealed):
    rows = {"b1": "4k3/8/8/8/8/2p5/8/1N2K3 w - - 0 1", "c3": "4k3/8/8/8/8/2P5/8/1N2K3 w - - 0 1"}
    told = []
    for position in rows.values():
        b = board("indistinguishable", position, clock=True, sealed=sealed)
        told.append(b.off("b1").off("c3").put(of, of).end(20).replay())
    assert told[0].lines == told[1].lines
    assert not told[0].lights()


@pytest.mark.parametrize("game", ["reversi", "mockery"])
def test_of_two_victims_that_may_be_meant_the_players_are_asked(board, game):
    b = board(game, fen(game, CAPTURE), clock=True).off("e4").press("white")
    found = b.answer("e4f5").replay()
    choice = [line for line in found.of("verdict") if line["verdict"] == "choice"]
    assert set(choice[0]["turns"]) == {"e4d5", "e4f5"}
    assert found.taken == ["e4f5"]
    assert found.quiet


@pytest.mark.parametrize("game", ONE_MOVE)
def test_without_a_clock_a_capture_that_nobody_felt_may_have_been_answered(board, game):
    position = fen(game, "4k3/p7/8/3p4/4P3/8/8/4K3 w - - 0 1")
    b = board(game, position).off("e4").wait(1).carry("a7", "a6").end(2)
    asked = b.replay()
    assert asked.last == {**asked.last, "verdict": "choice", "turns": ["e4d5"]}
    assert asked.quiet
    found = b.answer("e4d5").end(1).replay()
    assert found.taken == ["e4d5", "a7a6"]
    assert found.quiet


# 5. Promotion

PROMOTION = "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1"


@all_four
def test_a_pawn_left_standing_asks_for_its_piece(board, game, tier):
    b = board(game, fen(game, PROMOTION), tier, clock=True).carry("b7", "b8").press("white")
    b.answer("b7b8n").end()
    found = b.replay()
    choice = next(line for line in found.of("verdict") if line["verdict"] == "choice")
    assert {"b7b8q", "b7b8r", "b7b8b", "b7b8n"} <= set(choice["turns"])
    assert found.taken == ["b7b8n"]
    assert found.last["verdict"] == "settled"
    assert found.quiet
