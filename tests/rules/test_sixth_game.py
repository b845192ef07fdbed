"""A sixth game is one new module: nothing else is touched, and everything finds it."""

import importlib
import sys
from textwrap import dedent

import pytest
from click.testing import CliRunner

import rules
from firmware_bridge.cli import main
from rules.registry import ids

GAME = '''
"""Pawns' Race: chess that ends when a pawn arrives."""

from rules.games.reversi import ReversiPosition
from rules.interface import Outcome
from rules.orthodox import OrthodoxGame


class RacePosition(ReversiPosition):
    def _early_end(self):
        arrived = self._board.occupied & (0xFF | 0xFF << 56) & ~self._board.kings
        return Outcome(None, "no-turn") if arrived else None


class Race(OrthodoxGame):
    id = "pawns-race"
    name = "Pawns' Race"
    defaults = {"lanes": 8}
    allowed = {"lanes": (8, 4)}
    position_type = RacePosition


GAME = Race
'''


@pytest.fixture
def sixth_game(tmp_path, monkeypatch):
    (tmp_path / "pawns_race.py").write_text(dedent(GAME), encoding="utf-8")
    shelf = importlib.import_module("rules.games")
    monkeypatch.setattr(shelf, "__path__", [*shelf.__path__, str(tmp_path)])
    ids.cache_clear()
    yield
    ids.cache_clear()
    sys.modules.pop("rules.games.pawns_race", None)


@pytest.mark.usefixtures("sixth_game")
def test_it_is_found_and_played():
    game = rules.load("pawns-race", lanes=4)
    position = game.parse("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    after = position.play(position.understand("a8=Q"))
    assert after.outcome == rules.Outcome(None, "no-turn")
    assert "pawns-race" in rules.games()


@pytest.mark.usefixtures("sixth_game")
def test_the_command_line_knows_it():
    output = CliRunner().invoke(main, ["rules", "list"]).output
    assert "pawns-race: Pawns' Race\n    lanes = 8 | 4\n" in output


def test_it_is_gone_again():
    with pytest.raises(rules.UnknownGame):
        rules.load("pawns-race")
