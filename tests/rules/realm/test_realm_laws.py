"""What holds in every position of Realm Chess."""

import random
from itertools import islice

import pytest
import realm_walks
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from tests.nightly import few

seeds = st.integers(0, 10**9)
option_sets = st.sampled_from(realm_walks.OPTIONS)
START = rules.load("realm").start()


def some_position(seed, options, most=8):
    """A thrown position, or one of a random game."""
    source = random.Random(seed)
    game = rules.load("realm", **options)
    if source.random() < 0.5:
        return game.parse(realm_walks.thrown(source, most)), source
    return source.choice(list(realm_walks.walk(game, source, turns=25))), source


def some_turns(position, source, count=12):
    """A few turns: the first ones, and some of realms drawn at random."""
    found = list(islice(position.turns(), count))
    if found:
        found += [realm_walks.random_turn(position, source) for _ in range(count)]
    return found


@settings(max_examples=few(40))
@given(seeds, option_sets)
def test_texts_say_all_there_is(seed, options):
    position, source = some_position(seed, options)
    again = position.game.parse(str(position))
    assert again == position
    assert hash(again) == hash(position)
    assert str(again) == str(position)
    for turn in some_turns(position, source):
        assert position.parse_turn(str(turn)) == turn
        assert str(position.parse_turn(str(turn))) == str(turn)
        assert str(again.play(turn)) == str(position.play(turn))


@settings(max_examples=few(40))
@given(seeds, option_sets)
def test_a_turn_moves_the_movers_pieces_and_takes_no_king(seed, options):
    position, source = some_position(seed, options)
    before, own = position.placement, position.side[0]
    text = str(position)
    for turn in some_turns(position, source):
        following = position.play(turn)
        after = following.placement
        assert str(position) == text
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
def test_the_deed_leads_to_the_next_placement(seed, options):
    position, source = some_position(seed, options)
    for turn in some_turns(position, source):
        board = dict(position.placement)
        for square, label in position.deed(turn).changes(board).items():
            board.pop(square, None)
            if label is not None:
                board[square] = label
        assert board == position.play(turn).placement
        realm = position.deed(turn).region
        assert len(realm) == (4 if turn.realm else 0)


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
        turn, refusal = tried(position.parse_turn, text)
        if refusal is None:
            assert str(turn) in listed
        else:
            assert text not in listed
            assert refusal.reason in position.game.reasons
            assert set(refusal.squares) <= set(realm_walks.SQUARES)


def tried(read, text):
    """What reading `text` gives, and the error that the interface documents, or `None`."""
    try:
        return read(text), None
    except (rules.IllegalTurn, rules.InvalidPosition) as refusal:
        return None, refusal


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


@settings(max_examples=few(40))
@given(seeds, st.booleans(), st.booleans())
def test_black_plays_as_white_does(seed, power, free):
    source = random.Random(seed)
    game = rules.load("realm", power=power, free=free)
    text = realm_walks.thrown(source, most=6)
    position, mirrored = game.parse(text), game.parse(mirror(text))
    assert {turnless(mirror(str(position.play(turn)))) for turn in position.turns()} == {
        turnless(str(mirrored.play(turn))) for turn in mirrored.turns()
    }
    assert position.in_check == mirrored.in_check
    assert (position.outcome is None) == (mirrored.outcome is None)


def mirror(text):
    """The position with colours exchanged and the board turned upside down."""
    placement, side, castling, passed, *counters = text.split()
    rows = "/".join(row.swapcase() for row in reversed(placement.split("/")))
    rights = "".join(sorted(castling.swapcase()))
    squares = ",".join(s[0] + str(9 - int(s[1])) if s != "-" else s for s in passed.split(","))
    return " ".join((rows, "b" if side == "w" else "w", rights, squares, *counters))


def turnless(text):
    """The text without the number of the full move, which grows only after Black's turns."""
    return text.rsplit(" ", 1)[0]


@settings(max_examples=few(300))
@given(st.one_of(st.text(max_size=60), st.from_regex(r"([DCRP]-[a-h]{2}\d\d:)?([a-h]\d){2,9}")))
def test_turn_texts_are_read_or_refused(text):
    for read in (START.parse_turn, START.understand):
        turn, refusal = tried(read, text)
        assert refusal.reason in START.game.reasons if refusal else START.play(turn)


NOTATION = st.lists(
    st.from_regex(r"[KQRBNP]?[a-h]?[1-8]?[x-]?([a-h][1-8]|[QRBNP])[+#]?", fullmatch=True),
    min_size=1,
    max_size=5,
)


@settings(max_examples=few(150))
@given(NOTATION, st.sampled_from(["", " (D-gh12)", " (C-cd34)", " (R-ef12)", " (P-ab12)"]))
def test_notation_is_read_or_refused(words, bracket):
    turn, refusal = tried(START.understand, " ".join(words) + bracket)
    if refusal is None:
        assert START.parse_turn(str(turn)) == turn
    else:
        assert refusal.reason in START.game.reasons


@settings(max_examples=few(200))
@given(
    st.one_of(
        st.text(max_size=80),
        st.from_regex(r"([KQRBNPkqrbnp1-8]{1,8}/){7}[Kk1-8]{1,8} [wb] [KQkq-]+ [a-h-][1-8]? 0 1"),
    )
)
def test_position_texts_are_read_or_refused(text):
    position, refusal = tried(rules.load("realm").parse, text)
    assert refusal.problems if refusal else str(position) == text


@pytest.mark.parametrize("options", [{"power": 1}, {"free": "yes"}, {"speed": True}])
def test_other_options_are_unknown(options):
    with pytest.raises(rules.UnknownGame):
        rules.load("realm", **options)


def test_equal_options_make_equal_games_and_others_do_not():
    assert rules.load("realm", power=True).start() == rules.load("realm", power=True).start()
    assert rules.load("realm", power=True).start() != START


def test_turns_come_lazily():
    crowded = "QQQQ4/QQQQ4/8/k7/8/8/QQQQ4/KQQQ4 w - - 0 9"
    position = rules.load("realm", power=True, free=True).parse(crowded)
    assert len(list(islice(position.turns(), 100))) == 100
