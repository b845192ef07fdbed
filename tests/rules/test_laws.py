"""Laws that hold in every game as in every position."""

import random
from itertools import islice

import orthodox_oracle
import pytest
from anywhere import FAMILIES, position_of, some_turns
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.explain import Seen
from tests.nightly import few

anywhere = settings(max_examples=few(50))
seeds = st.integers(0, 10**9)
MOST = 1000
"""Turns of a position that are all looked at."""
of_all_games = pytest.mark.parametrize("family", FAMILIES)


def law_of_all_games(test):
    """Try a law on positions of each family of games."""
    return of_all_games(anywhere(given(seed=seeds)(test)))


def drawn(family, seed):
    """Return a position, and some of its turns."""
    source = random.Random(seed)
    position = position_of(family, source)
    return position, some_turns(position, source)


@law_of_all_games
def test_position_texts_and_turn_texts_go_there_and_back(family, seed):
    position, turns = drawn(family, seed)
    again = position.game.parse(str(position))
    assert (again, hash(again), str(again)) == (position, hash(position), str(position))
    assert len(set(map(str, turns))) == len(set(turns))
    for turn in turns:
        assert position.parse_turn(str(turn)) == turn
        assert str(position.parse_turn(str(turn))) == str(turn)
        after = position.play(turn)
        assert str(again.play(turn)) == str(after)
        assert position.game.parse(str(after)) == after


@law_of_all_games
def test_turns_are_understood_as_people_write_them(family, seed):
    position, turns = drawn(family, seed)
    for turn in turns:
        assert position.understand(str(turn)) == turn
        if turn.public == str(turn):
            assert position.understand(position.written(turn)) == turn, position.written(turn)


@law_of_all_games
def test_hands_that_do_the_deed_make_the_next_placement(family, seed):
    position, turns = drawn(family, seed)
    for turn in turns:
        deed = position.deed(turn)
        board = {**position.placement, **deed.changes(position.placement)}
        placement = {square: label for square, label in board.items() if label is not None}
        assert placement == dict(position.play(turn).placement)
        assert all(source != target for source, target in deed.moves)


@law_of_all_games
def test_the_board_after_a_turn_explains_it(family, seed):
    position, turns = drawn(family, seed)
    for turn in random.Random(seed).sample(turns, min(len(turns), 5)):
        after, explainer = position.play(turn).placement, position.explainer()
        if position.deed(turn).physical:
            assert turn in explainer.fitting(Seen(frozenset(after), after))
        if position.game.traits.least_tier == "occupancy":
            assert turn in explainer.fitting(Seen(frozenset(after)), 10**6)


@law_of_all_games
def test_playing_changes_nothing_that_was(family, seed):
    position, turns = drawn(family, seed)
    before = str(position), dict(position.placement)
    for turn in turns:
        position.play(turn)
        position.deed(turn)
    assert (str(position), dict(position.placement)) == before


@law_of_all_games
def test_there_is_an_outcome_exactly_when_there_is_no_turn(family, seed):
    position, turns = drawn(family, seed)
    assert (position.outcome is None) == bool(turns)


TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="abcdefgh123456789@/!?,:~-+=xPNBRQKhandkeprfusilocw \n", max_size=40),
    st.from_regex(r"[a-h][1-8][a-h][1-8][qrbn]?(~[a-h][1-8])?", fullmatch=True),
    st.from_regex(r"([DCRP]-[a-h]{2}\d\d:)?([a-h]\d){2,9}", fullmatch=True),
    st.from_regex(
        r"([KQRBNP]?[a-h]?[1-8]?[x-]?([a-h][1-8]|[QRBNP])[+#]? ){1,5}(\([DCRP]-[a-h]{2}\d\d\))?",
        fullmatch=True,
    ),
)


@of_all_games
@settings(max_examples=few(300))
@given(seed=seeds, text=TEXTS)
def test_turn_parsers_raise_the_documented_error_and_nothing_else(family, seed, text):
    position = position_of(family, random.Random(seed))
    for parse in (position.parse_turn, position.understand):
        try:
            turn = parse(text)
        except rules.IllegalTurn as illegal:
            assert_documented(illegal, position.game)
        else:
            assert position.parse_turn(str(turn)) == turn
            position.play(turn)


def assert_documented(illegal, game):
    assert illegal.reason in game.reasons
    assert str(illegal)
    assert set(illegal.squares) <= game.squares


@st.composite
def mangled(draw, text):
    """A position text with a few characters changed."""
    characters = list(text)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(characters) - 1))
        characters[place] = draw(st.sampled_from([*"KkQqRrBbPpNn123789/ wgdb-,:a", ""]))
    return "".join(characters)


FENS = st.from_regex(
    r"([KQRBNPkqrbnp1-8]{1,8}/){7}[Kk1-8]{1,8} [wb] [KQkq-]+ [a-h-][1-8]? 0 1", fullmatch=True
)
FIELDS = st.lists(st.text(alphabet="KQRBNPkqrbnp12345678/wb-, abcdefgh", max_size=30), max_size=8)


@of_all_games
@settings(max_examples=few(300))
@given(seed=seeds, data=st.data())
def test_position_parsers_raise_the_documented_error_and_nothing_else(family, seed, data):
    position = position_of(family, random.Random(seed))
    text = data.draw(st.one_of(st.text(), FENS, FIELDS.map(" ".join), mangled(str(position))))
    try:
        parsed = position.game.parse(text)
    except rules.InvalidPosition as invalid:
        assert_reported(invalid)
    else:
        assert str(parsed) == text
        for turn in some_turns(parsed, random.Random(seed)):
            parsed.play(turn)


def assert_reported(invalid):
    assert str(invalid)
    assert invalid.problems


def in_chess(seed):
    """Return a position of a game that moves as in chess."""
    return position_of("orthodox", random.Random(seed))


@anywhere
@given(seeds)
def test_a_turn_is_legal_if_and_only_if_it_is_listed(seed):
    position = in_chess(seed)
    listed = {str(turn) for turn in position.turns()}
    source = random.Random(seed)
    squares = source.sample(orthodox_oracle.SQUARES, 12)
    tails = ["", "", "q", "n"] + [f"~{square}" for square in squares]
    for origin in squares:
        for target in squares:
            text = origin + target + source.choice(tails)
            if origin == target or (position.game.id != "reversi" and "~" in text):
                continue
            try:
                legal = str(position.parse_turn(text)) == text
            except rules.IllegalTurn as illegal:
                legal = illegal.reason not in position.game.reasons
            assert legal == (text in listed), text


def mirrored(text):
    """The position text with the colours exchanged and the ranks turned over."""
    fields = text.split(" ")
    fields[0] = "/".join(row.swapcase() for row in reversed(fields[0].split("/")))
    fields[1] = orthodox_oracle.other(fields[1])
    swapped = fields[2].swapcase()
    fields[2] = "".join(right for right in "KQkq" if right in swapped) or "-"
    ranks = str.maketrans("12345678", "87654321")
    for squares in (3, *range(6, len(fields))):  # passed by pawns, and what is invisible
        fields[squares] = ",".join(sorted(fields[squares].translate(ranks).split(",")))
    return " ".join(fields)


def countless(text):
    """The position text without its counters, of which one grows after Black's turns alone."""
    fields = text.split(" ")
    return fields[:4] + fields[6:]


@pytest.mark.parametrize("family", ["orthodox", "realm"])
@anywhere
@given(seed=seeds)
def test_the_colours_are_mirror_images(family, seed):
    position = position_of(family, random.Random(seed))
    turns = list(islice(position.turns(), MOST))
    if len(turns) == MOST or position.game.options.get("balanced"):  # which counts from the start
        return
    image = position.game.parse(mirrored(str(position)))
    after = [countless(str(image.play(turn))) for turn in image.turns()]
    reflected = [countless(mirrored(str(position.play(turn)))) for turn in turns]
    assert sorted(after) == sorted(reflected)
    assert (image.in_check, image.outcome is None) == (position.in_check, position.outcome is None)
