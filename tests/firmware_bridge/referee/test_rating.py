"""Rated is who plays, how, and at what clock; it is kept with the game, and alone counts."""

import io
from dataclasses import replace

import chess.pgn
import pytest

from firmware_bridge.journal import Summary
from firmware_bridge.pages.game_search import Search
from firmware_bridge.recordings import export
from firmware_bridge.referee import rating
from firmware_bridge.referee.game_state import Hint
from firmware_bridge.table import Agreement
from tests.firmware_bridge.table.driving import Driven


@pytest.mark.parametrize(
    ("how", "counts"),
    [
        ({}, True),
        ({"computers": {"black": 1}}, False),
        ({"settings": {"practice": True}}, False),
        ({"settings": {"coach": True}}, False),
    ],
    ids=str,
)
def test_rated_is_what_two_people_play_without_help_and_is_kept_with_the_game(how, counts):
    driven = Driven("reversi", **how)
    assert driven.view.unrated is not counts
    driven.say("resign", "white")
    assert driven.records[-1].data == {
        "winner": "black",
        "reason": "resignation",
        "rated": counts,
    }
    assert export.to_json(driven.table)["rated"] is counts
    pgn = chess.pgn.read_game(io.StringIO(export.to_pgn(driven.table)))
    assert pgn.headers["Rated"] == ("yes" if counts else "no")


def test_a_hint_that_was_given_ends_the_rating():
    state = Driven("reversi").table.state
    terms = Agreement("reversi").terms()
    asked = Hint("white", 0, private=False)
    assert rating.rated(terms, replace(state, hints=(asked,)))
    assert not rating.rated(terms, replace(state, hints=(replace(asked, turn="e2e4"),)))


def test_only_rated_games_count_in_a_players_record():
    players = {"players": {"white": "Anna", "black": "Bo"}}
    ends = [
        {"winner": "white", "rated": True},
        {"winner": "black", "rated": False},
        {"winner": None},
    ]
    games = [Summary(str(number), "", players, last) for number, last in enumerate(ends)]
    assert Search(player="anna").records(games) == {"Anna": {"won": 1}}
