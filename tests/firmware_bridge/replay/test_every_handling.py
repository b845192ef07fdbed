"""Every kind of handling, in every game, through the shipped `replay`; at night on every tier."""

import itertools

import pytest

from tests.firmware_bridge.replay.handlings.overview import ANY, HANDLINGS, KINDS, WITH_CLOCK
from tests.firmware_bridge.replay.handlings.seat import ALL, DISCS, Came, Seat
from tests.nightly import NIGHTLY

CANNOT = {
    (4, "reality-check"): "there is no castling and no passing",
    (5, "reality-check"): "nothing is promoted",
    (9, "indistinguishable"): "no record may be kept, so nothing is taken back",
    (9, "reality-check"): "no record may be kept, so nothing is taken back",
    (14, "indistinguishable"): "every turn is one move",
    (14, "mockery"): "every turn is one move",
}


def can_referee(game, tier):
    return tier == "face" or game not in DISCS


def clocks(play, game, tier):
    """With and without buttons; chessmen on a board for discs are those of any board with tags."""
    both = (True, False) if tier != "face" or game in DISCS else (True,)
    return (True,) if play in WITH_CLOCK else both


def test_every_kind_is_played_where_it_can_happen():
    can = [(game, tier) for game in ALL for tier in ANY if can_referee(game, tier)]
    for (game, tier), kind in itertools.product(can, KINDS):
        played = [
            words
            for k, words, _, games, tiers in HANDLINGS
            if k == kind and game in games and tier in tiers
        ]
        assert bool(played) != ((kind, game) in CANNOT), (kind, game, tier)


def boards_for(place, play, game, tiers):
    """The tiers, with and without buttons, on which a handling is played in a game.

    At night all of them; by day one, which changes from handling to handling and from game to game,
    so that each handling meets each game, each tier and both kinds of clock.
    """
    boards = [
        (tier, clock)
        for tier in tiers
        if can_referee(game, tier)
        for clock in clocks(play, game, tier)
    ]
    turn = place + ALL.index(game)
    return boards if NIGHTLY or not boards else [boards[turn % len(boards)]]


@pytest.mark.parametrize(
    ("play", "game", "tier", "clock"),
    [
        pytest.param(play, game, tier, clock, id=f"{kind}-{words}-{game}-{tier}-{clock}")
        for place, (kind, words, play, games, tiers) in enumerate(HANDLINGS)
        for game in games
        for tier, clock in boards_for(place, play, game, tiers)
    ],
)
def test_what_comes_of_it(board, play, game, tier, clock):
    seat = Seat(board, game, tier, clock=clock)
    came = play(seat)
    found = seat.b.replay()
    assert found.stand == came.turns
    last = found.last if found.of("verdict") else {"verdict": "settled"}
    assert last["verdict"] == came.verdict
    assert came.reason in (None, last.get("reason"))
    assert came.cells in (None, tuple(last.get("cells", ())))
    assert found.quiet == came.quiet
    assert came.said is None or any(came.said in text for text in found.said)
    assert [line["outcome"]["winner"] for line in found.of("outcome")] == list(came.winners)
    if came.goes_on:
        goes_on(seat, came)


def goes_on(seat: Seat, came: Came):
    """Put right what is wrong as told, and see that the game goes on from there."""
    turns = came.turns
    if came.verdict != "settled":
        seat.b.put_right()
        seat.b.end(1)
        assert seat.b.replay().last["verdict"] == "settled"
    if not turns:
        seat.b.carry(*seat.move)
        turns = seat.quiet().turns
    turns += seat.answered_by_black()
    assert seat.b.replay().stand == turns
