"""What the rules of Realm Chess decide where the inventor is silent."""

import pytest
from refusals import refused

import rules
from rules.explain import Seen

STANDARD = rules.load("realm")
BALANCED = rules.load("realm", balanced=True)


def test_a_board_that_names_pieces_shows_a_queen_making_room_for_another():
    position = STANDARD.parse("1Q6/1P6/8/8/8/8/8/K6k w - - 0 1")
    turn = position.parse_turn("R-ab78:b7b8q,b8a7")
    shown = position.play(turn).placement
    seen = Seen(frozenset(shown), shown)
    explainer = position.explainer()
    assert explainer.fitting(seen) == (turn,)
    assert turn in explainer.leading_to(seen, limit=64)


@pytest.mark.parametrize(("ply", "fen"), [(1, "w {} 1"), (2, "b {} 1"), (3, "w {} 2")])
def test_balanced_lets_as_many_pieces_move_as_plies_have_come(ply, fen):
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR "
    position = BALANCED.parse(board + fen.format("- - 0"))
    assert max(len(turn.moves) for turn in position.turns()) == min(ply, 4)


def test_play_refuses_as_parsing_does():
    start = STANDARD.start()
    elsewhere = STANDARD.parse(str(start).replace(" w ", " b ")).parse_turn("e7e5")
    assert refused(start.play, elsewhere) == ("not-your-piece", ("e7",))
