"""Laws that hold in every game as in every position."""

import random

import orthodox_oracle
import pytest
import random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.orthodox import OrthodoxGame
from tests.nightly import few

GAMES = [name for name, game in rules.games().items() if issubclass(game, OrthodoxGame)]
anywhere = settings(max_examples=few(50))
seeds = st.integers(0, 10**9)


def position_of(game_id, seed):
    source = random.Random(seed)
    make = random_positions.played if source.random() < 0.5 else random_positions.thrown
    return make(rules.load(game_id), source)


def mirrored(text):
    """The position text with the colours exchanged and the ranks turned over."""
    fields = text.split(" ")
    fields[0] = "/".join(row.swapcase() for row in reversed(fields[0].split("/")))
    fields[1] = orthodox_oracle.other(fields[1])
    swapped = fields[2].swapcase()
    fields[2] = "".join(right for right in "KQkq" if right in swapped) or "-"
    fields[3] = upside_down(fields[3])
    if len(fields) == 7:
        fields[6] = ",".join(sorted(map(upside_down, fields[6].split(","))))
    return " ".join(fields[:4] + fields[6:])


def upside_down(text):
    """A square list or turn text seen from the other side."""
    ranks = str.maketrans("12345678", "87654321")
    return text.translate(ranks)


@anywhere
@given(st.sampled_from(GAMES), seeds)
def test_position_texts_and_turn_texts_go_there_and_back(game_id, seed):
    position = position_of(game_id, seed)
    assert position.game.parse(str(position)) == position
    assert hash(position.game.parse(str(position))) == hash(position)
    turns = list(position.turns())
    assert len(set(map(str, turns))) == len(turns)
    for turn in turns:
        assert position.parse_turn(str(turn)) == turn


@anywhere
@given(st.sampled_from(GAMES), seeds)
def test_a_turn_is_legal_if_and_only_if_it_is_listed(game_id, seed):
    position = position_of(game_id, seed)
    listed = {str(turn) for turn in position.turns()}
    source = random.Random(seed)
    squares = source.sample(orthodox_oracle.SQUARES, 12)
    tails = ["", "", "q", "n"] + [f"~{square}" for square in squares]
    for origin in squares:
        for target in squares:
            text = origin + target + source.choice(tails)
            if origin == target or (game_id != "reversi" and "~" in text):
                continue
            try:
                legal = str(position.parse_turn(text)) == text
            except rules.IllegalTurn as illegal:
                legal = illegal.reason not in position.game.reasons
            assert legal == (text in listed), text


@anywhere
@given(st.sampled_from(GAMES), seeds)
def test_the_colours_are_mirror_images(game_id, seed):
    position = position_of(game_id, seed)
    fields = mirrored(str(position)).split(" ")
    image = position.game.parse(" ".join([*fields[:4], "0", "1", *fields[4:]]))
    assert {upside_down(str(t)) for t in position.turns()} == {str(t) for t in image.turns()}
    for turn in list(position.turns())[:5]:
        reflected = image.play(image.parse_turn(upside_down(str(turn))))
        assert mirrored(str(position.play(turn))) == " ".join(
            str(reflected).split(" ")[:4] + str(reflected).split(" ")[6:]
        )
    assert image.in_check == position.in_check


@anywhere
@given(st.sampled_from(GAMES), seeds)
def test_hands_that_do_the_deed_make_the_next_placement(game_id, seed):
    position = position_of(game_id, seed)
    for turn in position.turns():
        board = dict(position.placement)
        for square, label in position.deed(turn).changes(position.placement).items():
            board.pop(square, None)
            if label is not None:
                board[square] = label
        assert board == dict(position.play(turn).placement)


@anywhere
@given(st.sampled_from(GAMES), seeds)
def test_playing_changes_nothing_that_was(game_id, seed):
    position = position_of(game_id, seed)
    before = str(position), dict(position.placement)
    for turn in position.turns():
        position.play(turn)
        position.deed(turn)
    assert (str(position), dict(position.placement)) == before


@anywhere
@given(st.sampled_from(GAMES), seeds)
def test_there_is_an_outcome_exactly_when_there_is_no_turn(game_id, seed):
    position = position_of(game_id, seed)
    assert (position.outcome is None) == any(True for _ in position.turns())


@anywhere
@given(seeds)
def test_a_conversion_never_touches_kings(seed):
    position = position_of("reversi", seed)
    for turn in position.turns():
        becomes = position.deed(turn).becomes
        assert all(label[1] != "K" for _, label in becomes)
        kings = [x for x in position.play(turn).placement.values() if x[1] == "K"]
        assert sorted(kings) == ["bK", "wK"]


@anywhere
@given(seeds)
def test_an_invisible_piece_is_never_captured(seed):
    position = position_of("mockery", seed)
    for turn in position.turns():
        assert not set(position.deed(turn).taken) & set(position.invisible)


@anywhere
@given(seeds)
def test_who_has_moved_is_never_left_in_check(seed):
    for game_id in ("indistinguishable", "reversi"):
        position = position_of(game_id, seed)
        for turn in position.turns():
            state = orthodox_oracle.parse(str(position.play(turn)))
            assert orthodox_oracle.safe(state, position.side[0])


TEXTS = st.one_of(
    st.text(),
    st.text(alphabet="abcdefgh12345678qrbn~xKQ-+=", max_size=9),
    st.from_regex(r"[a-h][1-8][a-h][1-8][qrbn]?(~[a-h][1-8])?", fullmatch=True),
)


@pytest.mark.parametrize("game_id", list(rules.games()))
@settings(max_examples=few(150))
@given(text=TEXTS)
def test_turn_parsers_raise_the_documented_error_and_nothing_else(game_id, text):
    start = rules.load(game_id).start()
    for parse in (start.parse_turn, start.understand):
        try:
            start.play(parse(text))
        except rules.IllegalTurn as illegal:
            assert_documented(illegal, start.game)


def assert_documented(illegal, game):
    assert illegal.reason in game.reasons
    assert str(illegal)


FIELDS = st.lists(st.text(alphabet="KQRBNPkqrbnp12345678/wb-, abcdefgh", max_size=30), max_size=8)


@pytest.mark.parametrize("game_id", list(rules.games()))
@settings(max_examples=few(150))
@given(data=st.data())
def test_position_parsers_raise_the_documented_error_and_nothing_else(game_id, data):
    game = rules.load(game_id)
    text = data.draw(st.one_of(st.text(), FIELDS.map(" ".join), mangled(str(game.start()))))
    try:
        assert str(game.parse(text)) == text
    except rules.InvalidPosition as invalid:
        assert_reported(invalid)


def assert_reported(invalid):
    assert str(invalid)
    assert invalid.problems


@st.composite
def mangled(draw, text):
    """A position text with a few characters changed."""
    characters = list(text)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(characters) - 1))
        characters[place] = draw(st.sampled_from("KkQqRPpNn18/ w-b,3a"))
    return "".join(characters)
