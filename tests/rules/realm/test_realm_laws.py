"""What holds in every position of Realm Chess."""

import random
from itertools import islice

import realm_walks
from anywhere import position_of, some_turns
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from tests.nightly import few

seeds = st.integers(0, 10**9)
option_sets = st.sampled_from(realm_walks.OPTIONS)


@settings(max_examples=few(40))
@given(seeds)
def test_a_turn_moves_the_movers_pieces_and_takes_no_king(seed):
    source = random.Random(seed)
    position = position_of("realm", source)
    before, own = position.placement, position.side[0]
    for turn in some_turns(position, source):
        assert len(position.deed(turn).region) == (4 if turn.realm else 0)
        following = position.play(turn)
        after = following.placement
        assert following.side != position.side
        assert after != before
        assert sorted(x for x in after.values() if x[1] == "K") == ["bK", "wK"]
        assert count(after, own) == count(before, own)
        other = {s: x for s, x in after.items() if x[0] != own}
        assert other.items() <= before.items()
        assert not in_check(following, own)


def count(placement, side):
    return sum(label[0] == side for label in placement.values())


def in_check(position, side):
    fields = str(position).split()
    fields[1:4] = [side, "-", "-"]
    return position.game.parse(" ".join(fields)).in_check


@settings(max_examples=few(40))
@given(seeds, option_sets)
def test_a_turn_is_legal_if_and_only_if_it_is_listed(seed, options):
    source = random.Random(seed)
    position = rules.load("realm", **options).parse(realm_walks.thrown(source, most=6))
    listed = {str(turn) for turn in position.turns()}
    results = {str(position.play(position.parse_turn(text))) for text in listed}
    assert len(results) == len(listed)
    for _ in range(200):
        text = some_description(position, source)
        try:
            assert str(position.parse_turn(text)) in listed
        except rules.IllegalTurn:
            assert text not in listed


def some_description(position, source):
    """A description of any kind, of moves that begin with own pieces and stay near."""
    own = sorted(s for s, label in position.placement.items() if label[0] == position.side[0])
    moves = []
    for start in source.sample(own, min(len(own), source.randint(1, 3))):
        file, rank = "abcdefgh".index(start[0]), int(start[1])
        file, rank = file + source.randint(-2, 2), rank + source.randint(-2, 2)
        if 0 <= file < 8 and 1 <= rank <= 8:
            moves.append(f"{start}{'abcdefgh'[file]}{rank}{source.choice(['', '', '', 'q'])}")
    kind = source.choice("SDCRP")
    realm = source.choice(position.game.division.realms).name
    moves = moves or ["e2e4"]
    return moves[0] if kind == "S" else f"{kind}-{realm}:{','.join(moves)}"


def test_turns_come_lazily():
    crowded = "QQQQ4/QQQQ4/8/k7/8/8/QQQQ4/KQQQ4 w - - 0 9"
    position = rules.load("realm", power=True, free=True).parse(crowded)
    assert len(list(islice(position.turns(), 100))) == 100


def test_a_pawn_of_black_becomes_a_piece_of_black():
    position = rules.load("realm").parse("4k3/8/8/8/8/8/p7/4K3 b - - 0 9")
    assert position.deed(position.parse_turn("a2a1n")).becomes == (("a1", "bN"),)
