"""The search that takes moves and flips apart, against the plain table of all turns."""

from itertools import islice
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from reality_check_walks import OPTION_SETS, walk

from rules.explain import Seen, TableExplainer
from rules.games.reality_check import GAME
from rules.games.reality_check.explaining import FlippingExplainer
from tests.nightly import few

games = st.sampled_from([GAME(**o) for o in OPTION_SETS if o["dice"] == 0])
ALL = 10_000


def reached(game, seed, plies):
    """A position in which moves come with a free flip."""
    for position in islice(walk(game, seed, plies=plies + 40), plies, None):
        if isinstance(position.explainer(), FlippingExplainer):
            return position
    return None


def somewhere(position, random):
    """What the board may show: a turn made in part, pieces in the air, labels unread, accidents."""
    before = dict(position.placement)
    turns = list(position.turns())
    after = dict(position.play(random.choice(turns)).placement)
    shown = dict(before)
    for square in sorted(before.keys() | after.keys()):
        if before.get(square) != after.get(square) and random.random() < 0.75:
            shown.pop(square, None)
            if square in after:
                shown[square] = after[square]
    for _ in range(random.choice((0, 0, 1, 2))):
        shown.pop(random.choice(sorted(shown)))
    if random.random() < 0.2:
        square = random.choice(sorted(position.game.squares))
        shown[square] = random.choice(sorted(set(before.values())))
    unread = random.choice((0.0, 0.0, 0.1, 1.0))
    known = {square: label for square, label in shown.items() if random.random() >= unread}
    return Seen(frozenset(shown), known)


@settings(max_examples=few(150))
@given(games, st.integers(0, 10**9), st.integers(0, 60), st.integers(0, 10**9))
def test_it_finds_what_the_plain_table_finds(game, seed, plies, chance):
    position = reached(game, seed, plies)
    if position is None:
        return
    random = Random(chance)
    quick, plain = position.explainer(), TableExplainer(position)
    for _ in range(12):
        seen = somewhere(position, random)
        assert set(quick.fitting(seen, ALL)) == set(plain.fitting(seen, ALL)), seen
        for handling in ((), position.placement.keys() - seen.occupied):
            found = quick.leading_to(seen, ALL, handling=handling)
            assert len(found) == len(set(found))
            assert set(found) == set(plain.leading_to(seen, ALL, handling=handling)), seen
            one = quick.leading_to(seen, 1, handling=handling)
            assert len(one) == min(1, len(found))
        assert set(quick.lacking(seen, ALL)) == set(plain.lacking(seen, ALL)), seen


def test_no_board_shows_what_is_given_up_from_a_hand():
    fen = "rr/nbbrnr/prppbbpbpn/7/7/1RN5/PPPNBNPRBP/1BBNN/RR b BR/nn b4,f3 sacrifice - 1"
    position = GAME(retreat=True, memory=True, dice=2).parse(fen)
    lying = position.placement
    assert "sacrifice:NN" in map(str, position.turns())
    assert not position.explainer().fitting(Seen(frozenset(lying), lying))


def test_a_flip_may_be_of_what_was_not_read_or_of_a_true_piece_that_looks_the_same():
    position = GAME().parse("rn/nnbbnb/pppnbrpbpr/7/7/7/PPPNBRPBPR/NNBBNB/RN w RR/rr d8 - - 5")
    moved = dict(position.play(position.parse_turn("d3e4/e4")).placement)
    unread = {square: label for square, label in moved.items() if square not in {"e4", "d9"}}
    fits = position.explainer().fitting(Seen(frozenset(moved), unread))
    unread, true = {"e4", "d9"}, {"b3", "c2", "d2", "b7", "c8"}
    assert {turn.flip for turn in fits} == unread | true
