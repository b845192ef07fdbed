"""Presses and late contacts, take-backs, guidance and rulings, judged from outside.

Steps, 0.4 s apart: `e2-` lifts, `e4+e2` sets down there what was lifted from e2 (or the piece of
that tag), `W` and `B` press, `?e7e8q` answers, `~0.02` makes the next step follow after so long,
`@2` waits.
"""

import pytest

ONE_MOVE = ("indistinguishable", "mockery", "reversi")
CLEARED = "4k2r/pp6/8/8/8/8/PP5P/4K3 b k - 0 1"


def hands(board, steps):
    after = 0.4
    for step in steps.split():
        if step[0] in "~@":
            board.wait(float(step[1:]) if step[0] == "@" else 0)
            after = float(step[1:]) if step[0] == "~" else after
            continue
        if step in ("W", "B"):
            board.press({"W": "white", "B": "black"}[step], after)
        elif step[0] == "?":
            board.answer(step[1:], after)
        elif step[-1] == "-":
            board.off(step[:-1], after)
        else:
            cell, _, piece = step.partition("+")
            board.put(cell, piece, after)
        after = 0.4
    return board


def at(game, position):
    return f"{position} -" if position and game == "mockery" else position


def told(board, game, steps, position=None, tier="occupancy", clock=True, **settings):
    made = board(game, at(game, position), tier, clock, **settings)
    return hands(made, steps).end(3).replay()


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize("game", ONE_MOVE)
def test_a_board_put_back_takes_nothing_until_the_last_piece_stands(board, game, clock):
    made = board(game, at(game, CLEARED), clock=clock)
    cells = sorted(made.on)
    for cell in cells:
        made.off(cell, 0.2)
    made.wait(2)
    for cell in cells:
        made.wait(5 if cell == "h8" else 0).put(cell, cell, 0.2)
    seen = made.end(3).replay()
    guided = [line for line in seen.of("verdict") if line["verdict"] == "disturbed"][-1]
    assert [(step["from"], step["to"]) for step in guided["restore"]] == [(None, "h8")]
    assert seen.taken == []
    assert seen.last["verdict"] == "settled"


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_no_reason_tells_whose_piece_stands_on_the_square(board, tier):
    told_of = []
    for knight in "nN":
        position = f"4k3/8/8/3{knight}4/8/8/8/R3K3 w - - 0 1"
        seen = told(board, "indistinguishable", "d5- a1- d5+a1 W", position, tier)
        told_of.append(seen.lines)
    assert told_of[0] == told_of[1]
    assert any("ruling" in line for line in told_of[0])


@pytest.mark.parametrize(
    "game",
    [
        "indistinguishable",
        *(game for game in ONE_MOVE if game != "indistinguishable"),
    ],
)
def test_second_thoughts_onto_a_wrong_square_are_the_movers(board, game):
    seen = told(board, game, "e2- e4+e2 @0.6 e4- e5+e4", clock=False)
    assert seen.stand == ("e2e4",)
    assert seen.last["reason"] == "no-such-move"
    assert not any(line["ruling"]["side"] == "black" for line in seen.of("ruling"))


def test_a_game_that_is_over_says_so_at_once(board):
    seen = told(board, "reversi", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert seen.of("outcome")[0]["outcome"] == {"winner": None, "reason": "bare-kings"}


def test_a_spare_piece_set_on_the_board_accuses_no_cell(board):
    made = board("reversi", clock=True)
    made.on["hw1"] = "S-wQ"
    made.header["on"] = {"hw1": True}
    seen = hands(made, "hw1- e4+hw1").end(3).replay()
    assert seen.last["reason"] == "not-in-hand"
    assert not any("sensor" in said for said in seen.said)
