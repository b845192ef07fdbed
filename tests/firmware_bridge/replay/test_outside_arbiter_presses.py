"""Presses and late contacts, take-backs, guidance and rulings, judged from outside.

Steps, 0.4 s apart: `e2-` lifts, `e4+e2` sets down there what was lifted from e2 (or the piece of
that tag), `W` and `B` press, `?e7e8q` answers, `~0.02` makes the next step follow after so long,
`@2` waits.
"""

import pytest

ONE_MOVE = ("indistinguishable", "mockery", "reversi")
OPEN_TO_SIGHT = ("mockery", "reversi")
TAKING = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
ROOK = "4k3/8/8/8/1p6/8/8/1R2K3 w - - 0 1"
CLEARED = "4k2r/pp6/8/8/8/8/PP5P/4K3 b k - 0 1"
LAST_RANK = "3r2k1/4P3/8/8/8/8/8/K7 w - - 0 1"


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


@pytest.mark.parametrize("game", ["chess", *ONE_MOVE])
def test_a_press_counts_what_has_just_been_lifted_as_lifted(board, game):
    """A victim was set aside and taken off again; the press comes as the other piece leaves."""
    steps = "d5- d6+d5 ~0.3 d6- ~0.1 e4- ~0 W ~0.2 d5+e4 W"
    seen = told(board, game, steps, TAKING, "identity")
    assert seen.stand == ("e4d5",)
    assert not seen.of("ruling")


@pytest.mark.parametrize("game", ONE_MOVE)
@pytest.mark.parametrize(
    ("steps", "position", "turn"),
    [
        pytest.param("e4+T-e2 ~0.05 W ~0.05 e2-", None, "e2e4", id="origin-opens-after-press"),
        pytest.param("b1- @0.5 W ~0.02 c1+b1", ROOK, "b1c1", id="contact-closes-after-press"),
    ],
)
def test_a_press_waits_for_the_last_contact(board, game, steps, position, turn):
    seen = told(board, game, steps, position)
    assert seen.stand == (turn,)
    assert seen.quiet


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("game", OPEN_TO_SIGHT)
@pytest.mark.parametrize(
    ("steps", "turns"),
    [
        pytest.param("e2- e4+e2 W @0.5 e4- e2+e4 d2- d4+d2 W", ("e2e4", "d2d4"), id="at-once"),
        pytest.param(
            "e2- e4+e2 W e7- e5+e7 B e5- e4- e7+e5 e2+e4 @2 d2- d4+d2 W",
            ("e2e4", "e7e5", "d2d4"),
            id="two-turns-together",
        ),
    ],
)
def test_what_is_undone_on_the_board_is_taken_back(board, game, tier, steps, turns):
    seen = told(board, game, steps, tier=tier, take_backs=True)
    assert seen.stand == turns
    assert "The last turn is taken back." in seen.said
    assert seen.last["verdict"] == "settled"


def test_a_turn_undone_with_the_pieces_exchanged_is_not_taken_back(board):
    steps = "d5- e4- d5+e4 W d5- e4+T-d5 d5+T-e4"
    seen = told(board, "reversi", steps, TAKING, "identity", take_backs=True)
    assert "The last turn is taken back." not in seen.said
    assert seen.last["verdict"] == "illegal"


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


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
def test_pieces_gone_for_long_are_told_though_owners_are_secret(board, clock):
    made = hands(board("indistinguishable", clock=clock), "a2- b8- g7- h1-")
    seen = made.end(10).replay()
    assert seen.last["verdict"] == "illegal"
    assert seen.last["cells"] == ["a2", "b8", "g7", "h1"]


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_no_reason_tells_whose_piece_stands_on_the_square(board, tier):
    told_of = []
    for knight in "nN":
        position = f"4k3/8/8/3{knight}4/8/8/8/R3K3 w - - 0 1"
        seen = told(board, "indistinguishable", "d5- a1- d5+a1 W", position, tier)
        told_of.append(seen.lines)
    assert told_of[0] == told_of[1]
    assert any("ruling" in line for line in told_of[0])


@pytest.mark.parametrize("piece", ["wR", "wQ", "wN"])
def test_a_spare_piece_that_is_read_is_not_asked_about(board, piece):
    steps = f"d8- e7- d8+S-{piece} W"
    seen = told(board, "indistinguishable", steps, LAST_RANK, "identity")
    assert seen.stand == (f"e7d8{piece[1].lower()}",)
    assert "choice" not in seen.verdicts


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


@pytest.mark.parametrize("game", ONE_MOVE)
def test_an_answer_given_while_the_pawn_is_in_the_air_comes_too_early(board, game):
    seen = told(board, game, "e7- ?e7e8q e8+e7 @0.5 ?e7e8q", LAST_RANK)
    assert seen.said[0] == "That cannot be played now."
    assert seen.stand == ("e7e8q",)


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
def test_a_start_set_up_again_is_another_game(board, clock):
    steps = "e2- e4+e2 W e7- e5+e7 B g1- f3+g1 W @1 f3- g1+f3 e5- e7+e5 e4- e2+e4 @2 W d2- d4+d2 W"
    if not clock:
        steps = " ".join(step for step in steps.split() if step not in ("W", "B"))
    seen = told(board, "reversi", steps, clock=clock)
    assert seen.taken == ["e2e4", "e7e5", "g1f3", "d2d4"]
    assert "illegal" not in seen.verdicts


def test_a_game_that_is_over_says_so_at_once(board):
    seen = told(board, "reversi", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert seen.of("outcome")[0]["outcome"] == {"winner": None, "reason": "bare-kings"}


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize("game", ONE_MOVE)
def test_a_strange_tag_that_stood_there_before_is_captured_by_no_lift(board, game, clock):
    position = "r3k3/8/8/8/8/8/P3P3/4K3 w - - 0 1"
    steps = "a2- a2+strange @1 e2- e3+e2 W @1 a8- @3 a3+a8 B"
    if not clock:
        steps = " ".join(step for step in steps.split() if step not in ("W", "B"))
    seen = told(board, game, steps, position, "identity", clock)
    assert seen.taken == ["e2e3", "a8a3"]
    assert seen.quiet


@pytest.mark.parametrize("game", ONE_MOVE)
def test_a_tag_read_strangely_once_is_its_own_again(board, game):
    position = "r3k3/8/8/8/8/8/P3P3/4K3 w - - 0 1"
    steps = "a2- a2+strange e2- e3+e2 W a2- a2+T-a2 a8- a7+a8 B"
    seen = told(board, game, steps, position, "identity")
    assert seen.stand == ("e2e3", "a8a7")
    assert seen.quiet


def test_a_question_about_a_capture_nobody_felt_stays_open(board):
    position = "3R4/3n3k/3p4/3p4/4P3/8/8/4K3 w - - 0 1"
    seen = told(board, "reversi", "e4- @0.5 d8- d8+d8 W @6 ?e4d5~d8", position)
    assert seen.stand == ("e4d5~d8",)
    assert seen.quiet


def test_pieces_alone_in_the_air_one_after_the_other_are_told_apart_without_tags(board):
    seen = told(board, "reversi", "f2- h4+f2 e1- f2+e1")
    way = [(step["from"], step["to"]) for step in seen.last["restore"]]
    assert way == [("f2", "e1"), ("h4", "f2")]


def test_a_spare_piece_set_on_the_board_accuses_no_cell(board):
    made = board("reversi", clock=True)
    made.on["hw1"] = "S-wQ"
    made.header["on"] = {"hw1": True}
    seen = hands(made, "hw1- e4+hw1").end(3).replay()
    assert seen.last["reason"] == "not-in-hand"
    assert not any("sensor" in said for said in seen.said)


def test_a_press_takes_the_capture_that_was_felt(board):
    position = "4k3/8/2r5/8/8/8/1qN4P/1RB1K3 b - - 0 1"
    seen = told(board, "reversi", "b2- c2- @0.6 c2+b2 B", position)
    assert seen.stand == ("b2c2",)
    assert seen.quiet


def test_a_press_declines_the_conversion_once_a_tag_answered_the_promotion(board):
    position = "r7/1P6/8/p7/8/7k/8/R3K3 w - - 0 1"
    seen = told(board, "reversi", "a8- b7- a8+S-wQ @1 W", position, "identity")
    assert seen.stand == ("b7a8q",)


@pytest.mark.parametrize("game", OPEN_TO_SIGHT)
def test_a_spare_piece_in_place_of_ones_own_is_not_in_hand(board, game):
    seen = told(board, game, "d1- d1+S-wR @1 W", tier="identity")
    assert seen.last["reason"] == "not-in-hand"
