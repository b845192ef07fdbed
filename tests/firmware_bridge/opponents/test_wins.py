"""Wins that are there are found, and none is left to the other that can be denied."""

import json

import pytest
from twins import TWINS

import rules
from firmware_bridge.opponents import level_of
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.match import settled
from firmware_bridge.opponents.seat import Seat
from tests.firmware_bridge.opponents import wins
from tests.nightly import NIGHTLY, at_night

KNOWN = json.loads(wins.KEPT.read_text(encoding="utf-8"))
OWN_SEARCH = "indistinguishable without programs"
FEW = slice(None) if NIGHTLY else slice(6)
ASKED = LEVELS[1:] if NIGHTLY else (2, 4)
PROOFS = {"one": wins.winning, "two": wins.winning_in_two, "avoid": wins.avoidable}


@pytest.fixture
def game_id(request, monkeypatch):
    if request.param == OWN_SEARCH:
        monkeypatch.setattr(external, "PROGRAMS", ())
    return request.param.partition(" ")[0]


games = pytest.mark.parametrize("game_id", [*KNOWN, OWN_SEARCH], indirect=True)


def chosen(game_id, text, number):
    position = rules.load(game_id).parse(text)
    seat = Seat(position.game, level_of(game_id, number), "1")
    seat.know(position.knowledge(position.side))
    turn, choice, _ = settled(seat, position)
    return str(turn), choice


@pytest.mark.chess_programs
@games
@pytest.mark.parametrize("level", ASKED)
def test_a_win_in_one_is_always_found(game_id, level):
    for there in KNOWN[game_id]["one"][FEW]:
        turn, _ = chosen(game_id, there["position"], level)
        assert turn in there["turns"], there["position"]


@pytest.mark.chess_programs
@games
@pytest.mark.parametrize("level", [level for level in ASKED if level > 3])
def test_a_win_in_two_is_nearly_always_found(game_id, level):
    known = KNOWN[game_id]["two"][FEW]
    found = sum(wins_in_two(game_id, there, level) for there in known)
    assert found >= 0.9 * len(known)


def wins_in_two(game_id, there, level):
    """Whether the turn is one of those known, or another, quiet one that wins as quickly."""
    turn, _ = chosen(game_id, there["position"], level)
    twin = TWINS[game_id]
    return turn in there["turns"] or wins.lost_next(twin, twin.turns(there["position"])[turn])


@pytest.mark.chess_programs
@games
@pytest.mark.parametrize("level", [level for level in ASKED if level > 3])
def test_a_win_in_one_is_hardly_ever_left_to_the_other(game_id, level):
    known = KNOWN[game_id]["avoid"][FEW]
    left = sum(chosen(game_id, there["position"], level)[0] in there["turns"] for there in known)
    assert left <= 0.05 * len(known)


@at_night("slow searches")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", PROOFS)
@pytest.mark.parametrize("game_id", list(KNOWN))
def test_the_slow_twins_prove_what_is_known(game_id, kind):
    for there in KNOWN[game_id][kind]:
        assert PROOFS[kind](TWINS[game_id], there["position"]) == there["turns"]


@pytest.mark.parametrize(
    ("game_id", "text"),
    [
        ("realm", "8/8/8/3k4/8/8/2Q5/K7 w - - 0 1"),
        ("indistinguishable", "8/8/8/3k4/8/8/2R5/K7 w - - 0 1"),
    ],
)
def test_a_king_who_is_alone_is_mated_at_level_3(game_id, text):
    game, kings = rules.load(game_id), {}
    position = game.parse(text)
    for side, level in (("white", 3), ("black", 2)):
        kings[side] = Seat(game, level_of(game_id, level), "1")
        kings[side].know(position.knowledge(side))
    for _ in range(99):
        if position.outcome is not None:
            break
        turn, _, _ = settled(kings[position.side], position)
        for side, seat in kings.items():
            seat.see(position.seen(turn, side))
        position = position.play(turn)
    assert position.outcome
    assert position.outcome.reason == "checkmate"
