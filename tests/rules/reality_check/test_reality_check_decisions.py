"""What the published rules left open, decided: one test for each decision, named by it."""

import pytest

from rules.games.reality_check import GAME
from rules.interface import InvalidPosition, Outcome


def turns(position):
    return {str(turn) for turn in position.turns()}


def play(position, *texts):
    for text in texts:
        position = position.play(position.parse_turn(text))
    return position


LONE = "1/3/5/7/RR6/7/5/3/nn w -/- {frozen} - - 5"
"""White's RR on a5, Black's NN on d1."""

MATCHING = "1/prnr1/ppnnbbrr1/7/7/7/PPNN3/3/RN w -/{hand} - - - 9"
"""Black's PR on c8 and NR on d8 hide the same face; Black has four true pieces, so limit three."""

OVERRUN = "1/3/5/7/7/PP6/pppnpbprnn/nbnrbb/br w {hand}/- - {awaited} - 20"
"""Black stands on all of White's home squares; White's only true piece in play is on a4."""


def test_a_free_setup_uses_the_own_half_of_the_basic_board():
    game = GAME(flexible=True)
    pieces = ("PP", "NP", "PB", "RP", "NN", "BN", "NR", "BB", "RB")
    home = dict(zip(("a4", "g4", "b4", "f4", "d4", "d1", "c2", "b3", "e3"), pieces, strict=True))
    far = dict(zip(("a6", "g6", "b6", "f6", "d6", "d9", "c8", "b7", "e7"), pieces, strict=True))
    assert turns(game.start(white=home, black=far))
    for square in ("a5", "d5", "a6", "d9"):
        moved = {**home, square: home["a4"]}
        del moved["a4"]
        with pytest.raises(InvalidPosition) as caught:
            game.start(white=moved, black=far)
        assert [(p.code, p.squares) for p in caught.value.problems] == [
            ("not-a-home-square", (square,))
        ]


def test_the_advanced_board_implies_a_free_setup():
    position = GAME(board="advanced").start()
    assert str(position).split()[5].startswith("d1,e1,e2")
    assert {"d1c1", "d1c1/d7"} <= turns(position)


def test_a_move_stands_without_a_flip_when_no_piece_may_be_flipped():
    game = GAME(memory=True)
    assert "a5b5" in turns(game.parse(LONE.format(frozen="a5,d1")))
    assert not any("/" in text for text in turns(game.parse(LONE.format(frozen="a5,d1"))))
    assert turns(game.parse(LONE.format(frozen="a5"))) >= {"a5b5/d1"}
    assert "a5b5" not in turns(game.parse(LONE.format(frozen="a5")))


def test_a_piece_is_dropped_with_either_face_up():
    position = GAME().parse("rr/nrbnnn/prpbbbpnpp/7/7/7/PPPNBRPBPR/NBBB1/RN w NN,RR/br - - - 2")
    assert {"NN@e2", "RR@e2"} <= turns(position)
    position = GAME().parse("rr/nrbnnn/prpbbbpnpp/7/7/7/PPPNBRPBPR/NNBB1/RN w NB,RR/br - - - 2")
    assert {"NB@e2", "BN@e2", "RR@e2"} <= turns(position)


def test_showing_a_piece_is_not_flipping_it():
    position = GAME().parse("1/rrnnbb/5/7/7/7/5/RRNNBB/1 w -/- - - - 2")
    after = play(position, "c2xc8!")
    assert str(after).split()[3] == "-"
    assert "c8" in {str(turn)[-2:] for turn in after.turns() if "/" in str(turn)}


def test_a_reality_check_of_two_true_pieces_removes_the_captured_one():
    position = GAME().parse("1/rrnnbb/5/7/7/7/5/RRNNBB/1 w -/- - - - 2")
    assert str(play(position, "c2xc8!")) == "1/RRnnbb/5/7/7/7/5/1NNBB/1 b -/- - - - 2"
    assert str(play(position, "c2xc8")) == "1/RRnnbb/5/7/7/7/5/1NNBB/1 b -/rr - - - 2"


def test_a_reality_check_of_a_piece_that_is_not_true_is_a_capture_that_shows():
    position = GAME().parse("1/rnnnbb/5/7/7/7/5/RRNNBB/1 w -/- - - - 2")
    check = position.parse_turn("c2xc8!")
    assert str(position.play(check)) == str(play(position, "c2xc8"))
    assert position.revealed(check) == {"c8": "wRR:R", "c2": "bNR:N"}
    assert position.revealed(position.parse_turn("c2xc8")) == {}


def test_whites_first_turn_has_no_flip_and_no_capture():
    assert all(len(text) == 4 for text in turns(GAME().start()))


def test_whites_first_turn_may_have_a_flip_with_a_free_setup():
    found = turns(GAME(flexible=True).start())
    assert {"e3e4", "e3e4/e4", "e3e4/d9"} <= found
    assert not any("x" in text or "@" in text for text in found)


@pytest.mark.parametrize("dice", [1, 2])
def test_whites_first_turn_has_no_roll_with_a_free_setup_either(dice):
    position = GAME(flexible=True, dice=dice).start()
    assert turns(position) == turns(GAME().start())
    assert play(position, "e3e4").side == "black"


def test_no_turn_and_room_in_the_hand_is_a_draw():
    position = GAME().parse("PP/1rr1/5/7/7/7/5/3/1 w -/- - - - 5")
    assert turns(position) == set()
    assert position.outcome == Outcome(None, "no-turn")


def test_who_must_drop_and_cannot_has_lost_whoever_stands_there():
    blacks = GAME().parse(OVERRUN.format(hand="PN", awaited="-"))
    assert blacks.outcome == Outcome("black", "cannot-drop")
    both = "1/3/5/7/7/7/PPPNPBPRrr/pnpbpr/nn w NB/- - - - 20"
    assert GAME().parse(both).outcome == Outcome("black", "cannot-drop")


def test_keeping_is_legal_even_when_it_loses():
    position = GAME().parse(OVERRUN.format(hand="-", awaited="hand:PN"))
    assert turns(position) == {"keep:PN", "refuse:PN"}
    assert play(position, "keep:PN").outcome == Outcome("black", "cannot-drop")
    assert play(position, "refuse:PN").outcome is None


def test_refusing_the_last_true_piece_is_legal_and_loses():
    position = GAME().parse("1/rrnnbb/5/7/7/7/5/RN2/1 w -/- - hand:NN - 5")
    assert play(position, "refuse:NN").outcome == Outcome("black", "no-true-pieces")


def test_sacrificing_the_last_true_piece_is_legal_and_loses():
    position = GAME(memory=True).parse("1/rrnnbb/5/7/7/7/5/RNRR1/1 w -/- c8,d8 sacrifice - 5")
    assert turns(position) == {"sacrifice:RR"}
    assert play(position, "sacrifice:RR").outcome == Outcome("black", "no-true-pieces")


def test_a_true_piece_may_be_sacrificed_from_the_hand():
    position = GAME(memory=True).parse("1/rrnnbb/5/7/7/7/5/RNRR1/1 w NN/- c8,d8 sacrifice - 5")
    turn = position.parse_turn("sacrifice:NN")
    assert str(position.play(turn)) == "1/rrnnbb/5/7/7/7/5/RNRR1/1 b -/- c8,d8 - - 5"
    assert position.revealed(turn) == {"": "wNN:N"}
    assert not position.deed(turn).physical


def test_two_captured_pieces_without_room_for_both_are_decided_one_after_the_other():
    position = play(GAME(memory=True).parse(MATCHING.format(hand="pn,pb")), "?c8,d8")
    assert str(position).split()[1:5] == ["b", "-/pn,pb", "-", "hand:PR,NR"]
    for first in ("keep:PR", "refuse:PR"):
        assert turns(play(position, first)) == {"keep:NR", "refuse:NR"}
    both = play(position, "keep:PR", "keep:NR")
    assert all("@" in text for text in turns(both))
    assert not all("@" in text for text in turns(play(position, "keep:PR", "refuse:NR")))


def test_two_captured_pieces_with_room_for_both_go_to_the_hand():
    position = play(GAME(memory=True).parse(MATCHING.format(hand="pn")), "?c8,d8")
    assert str(position).split()[1:5] == ["b", "-/pn,pr,nr", "-", "-"]


def test_memory_may_look_under_frozen_pieces():
    text = MATCHING.format(hand="pn").replace("- - - 9", "c8,d8 - - 9")
    assert "?c8,d8" in turns(GAME(memory=True).parse(text))


def test_pieces_flipped_by_a_failed_memory_are_frozen_for_the_next_turn():
    position = play(GAME(memory=True).parse(MATCHING.format(hand="pn")), "?b7,c7", "sacrifice:PP")
    assert str(position).split()[3] == "b7,c7"
    assert not any(text.endswith(("/b7", "/c7")) for text in turns(position))


def test_being_frozen_travels_with_the_piece_until_the_turn_is_over():
    position = GAME(dice=1).parse(LONE.format(frozen="a5"))
    moved = play(position, "a5b5")
    assert str(moved).split()[3:5] == ["b5", "roll"]
    assert turns(play(moved, "roll:6")) == {"flip:d1"}


def test_the_dice_are_rolled_even_when_every_piece_is_frozen():
    position = play(GAME(dice=2, memory=True).parse(LONE.format(frozen="a5,d1")), "a5b5")
    assert len(turns(position)) == 36
    assert play(position, "roll:5,6").side == "black"


def test_a_die_that_nothing_meets_is_skipped():
    position = play(GAME(dice=2).parse(LONE.format(frozen="-")), "a5b5")
    assert str(play(position, "roll:1,2")).split()[4] == "flip:2"
    assert str(play(position, "roll:4,1", "flip:b5")).split()[1:5] == ["b", "-/-", "b5", "-"]


def test_the_second_die_never_flips_the_piece_just_flipped():
    position = play(GAME(dice=2).parse(LONE.format(frozen="-")), "a5b5", "roll:5,5")
    assert str(play(position, "flip:b5")).split()[1] == "b"


def test_the_second_die_is_judged_after_the_first_flip():
    position = GAME(dice=2).parse("1/3/5/7/RR6/7/5/3/nr w -/rr - - - 5")
    position = play(position, "a5b5", "roll:6,4", "flip:d1")
    assert str(position).split()[4] == "flip:4/d1"
    assert turns(position) == {"flip:b5"}


def test_a_retreat_needs_room_in_the_hand_and_has_no_reality_check():
    text = "1/rrnnbb/5/7/7/7/5/RRNN1/RN w {hand}/- - - - 2"
    assert "c2xd2" in turns(GAME(retreat=True).parse(text.format(hand="-")))
    assert "c2xd2" not in turns(GAME(retreat=True).parse(text.format(hand="PP,PN")))
    assert "c2xd2" not in turns(GAME().parse(text.format(hand="-")))
    assert "c2xd2!" not in turns(GAME(retreat=True).parse(text.format(hand="-")))


def test_there_are_672_arrangements_of_the_fixed_setup():
    game = GAME()
    start = game.start()
    squares = [s for s, piece in start.shown.items() if piece.side == "white"]
    faces = [start.shown[square].kind for square in squares]
    names = ("PP", "PN", "PB", "PR", "NN", "NB", "NR", "BB", "BR", "RR")

    def fill(left, wanted):
        if not wanted:
            yield ()
            return
        for name in (name for name in left if wanted[0] in name):
            rest = tuple(other for other in left if other != name)
            up = name if name[0] == wanted[0] else name[::-1]
            yield from ((up, *more) for more in fill(rest, wanted[1:]))

    arrangements = list(fill(names, faces))
    assert len(arrangements) == 672
    starts = {str(game.start(white=dict(zip(squares, a, strict=True)))) for a in arrangements}
    assert len(starts) == 672


def test_a_position_without_any_true_piece_is_none():
    with pytest.raises(InvalidPosition) as caught:
        GAME().parse("1/rn2/5/7/7/7/5/RN2/1 w -/- - - - 2")
    assert [problem.code for problem in caught.value.problems] == ["no-true-pieces"]


def test_captured_pieces_are_listed_in_the_order_of_the_list():
    GAME(memory=True).parse("1/rrnnbb/5/7/7/7/5/RN2/1 w -/- - hand:PR,NN - 5")
    with pytest.raises(InvalidPosition):
        GAME(memory=True).parse("1/rrnnbb/5/7/7/7/5/RN2/1 w -/- - hand:NR,PR - 5")
