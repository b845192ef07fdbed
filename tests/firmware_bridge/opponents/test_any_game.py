"""The mind for any game, which a sixth one gets without a line of its own."""

import random
from importlib.metadata import EntryPoint

import pytest

import rules
from firmware_bridge.opponents import Engine, Level, engine_of, finding, level_of, levels, levels_of
from firmware_bridge.opponents.any_game import AnyGame
from firmware_bridge.opponents.engine import WON
from firmware_bridge.opponents.levels import GROUP, LEVELS, NoSuchLevel
from firmware_bridge.opponents.search import _FIRST, Node, Search
from tests.trial_games.breakthrough import Breakthrough
from tests.trial_games.masked_king import MaskedKing


class Known:
    """What a seat believes that is told all there is."""

    def __init__(self, *worlds):
        self._worlds = worlds
        self.count = len(worlds)

    def worlds(self):
        return self._worlds

    def chances(self):
        return {}


def test_a_game_without_an_engine_of_its_own_is_played_by_its_rules():
    assert engine_of("breakthrough") is AnyGame
    assert levels_of("breakthrough") == levels_of("any-game")
    assert [level.number for level in levels_of("breakthrough")] == list(LEVELS)


@pytest.mark.parametrize(
    ("mind", "why"),
    [
        ("nobodys_mind:Mind", "(ModuleNotFoundError: "),
        ("json:JSONDecoder", "is no class of Engine"),
        (f"{Engine.__module__}:{Engine.__name__}", "lacks choose"),
    ],
)
def test_another_packages_mind_that_cannot_be_used_is_named_and_left_out(
    monkeypatch, caplog, mind, why
):
    point = EntryPoint("breakthrough", mind, GROUP)
    monkeypatch.setattr(finding, "entry_points", lambda **_: [point])
    assert engine_of.__wrapped__("breakthrough") is AnyGame
    assert f"A mind of breakthrough is left out: {mind} {why}" in caplog.text


def test_a_game_whose_turns_are_chess_finds_the_mind_that_plays_chess():
    assert engine_of("chess") is engine_of("indistinguishable")
    assert levels_of("chess") != levels_of("any-game")
    assert {level.memory for level in levels_of("chess")} == {1.0}


@pytest.fixture
def told(tmp_path, monkeypatch):
    """A mind in a module of another package, and its file of levels."""
    (tmp_path / "somebodys_mind.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("breakthrough", "somebodys_mind:Mind", GROUP)
    monkeypatch.setattr(levels, "entry_points", lambda **_: [point])
    levels_of.cache_clear()
    yield tmp_path / "breakthrough.levels.toml"
    levels_of.cache_clear()


def test_another_packages_levels_stand_beside_its_module(told):
    told.write_text("[[level]]\nnodes = 9\n" * len(LEVELS))
    assert [level.nodes for level in levels_of("breakthrough")] == [9] * len(LEVELS)


@pytest.mark.parametrize(
    "text", ["[[level]]\nnodes = 9\n", "[[level]]\nnode = 9\n" * 7, "level = 7", "no = = TOML"]
)
def test_another_packages_levels_that_cannot_be_used_are_named_and_left_out(told, text, caplog):
    told.write_text(text)
    assert levels_of("breakthrough") == levels_of("any-game")
    assert "The levels of somebodys_mind:Mind are left out: " in caplog.text


def test_there_are_seven_levels():
    with pytest.raises(NoSuchLevel, match="There is no level 8; levels are 1 to 7"):
        level_of("reversi", LEVELS[-1] + 1)


@pytest.mark.parametrize("game", [Breakthrough(), MaskedKing()], ids=lambda game: game.id)
def test_it_plays_whole_games_with_legal_turns(game):
    position, mind, level = game.start(), AnyGame("1"), Level(1, "quick", nodes=30, depth=2)
    for ply in range(60):
        if position.outcome is not None:
            break
        choice = mind.choose(Known(position), level, random.Random(ply))
        again = AnyGame("1").choose(Known(position), level, random.Random(ply))
        assert choice == again
        position = position.play(position.parse_turn(choice.turn))


def test_it_takes_the_win_that_is_there():
    game = Breakthrough()
    position = game.parse("W:Wa1,c5:Ba6,e4:9")
    choice = AnyGame().choose(Known(position), level_of(game.id, 2), random.Random(1))
    assert position.play(position.parse_turn(choice.turn)).outcome.winner == "white"
    assert choice.score == WON - 1


def test_it_mates_by_the_rules_alone():
    position = rules.load("reversi").parse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    assert AnyGame().choose(Known(position), level_of("x", 2), random.Random(1)).turn == "a1a8"


class AllCaptures(Node):
    """Twenty moves, and each of them takes something, for ever."""

    key, check, stuck, ended, value = (), False, 0, None, 0

    def __init__(self, moves=()):
        self.key, self.side = moves, len(moves) % 2 == 0

    def captures(self):
        return [(100, move) for move in range(20)]

    def quiets(self):
        return []

    def made(self, move):
        return AllCaptures((*self.key, move))

    def passed(self):
        return None


def test_where_every_move_is_a_capture_a_move_is_found_all_the_same():
    search = Search(level_of("any-game", 4), random.Random(1))
    assert search.best(AllCaptures()).line[0] in range(20)
    assert search.nodes <= _FIRST + 1
