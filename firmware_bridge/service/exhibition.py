"""What a kiosk shows while nobody plays: two computers play a game, then the game is explained.

It is another game each time. Between two turns nobody thinks for at least as long as the last one
took, so that no more than half of one core is ever used.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import replace

import rules
from firmware_bridge.games.shelf import usable
from firmware_bridge.opponents import protocol
from firmware_bridge.service.demonstration import (
    READ_SECONDS,
    TURN_SECONDS,
    Frame,
    after_turn,
    explained,
    played,
    published,
)
from firmware_bridge.service.seat_process import Attempt, Fault, Opponent, Start
from rules import draws
from rules.interface import Position, Side, Turn
from rules.values import SIDES

LEVELS = (1, 3, 4)
"""Strengths that play in a show: those above think long on a small machine, and look no better."""
LONGEST = 80
"""Turns after which a game is left undecided: nobody who passes by stays for more."""
TRIES = 5
"""So often somebody may try what is ruled upon before the game is left."""

_CHANCE = secrets.SystemRandom()


async def exhibition(start: Start = Opponent.start) -> AsyncGenerator[Frame]:
    """Yield the show, without end; it begins with what was published of the games.

    Closing it ends the processes that play. Where no process can be had, the turns of the game's
    data file are shown instead.
    """
    for name in usable():
        for frame in published(name):
            yield frame
    for name in _drawn():
        turns = 0
        async with aclosing(_game(name, start)) as frames:
            async for frame in frames:
                turns += bool(frame.turn)
                yield frame
        if not turns:
            for frame in played(name):
                yield frame
        for frame in explained(name):
            yield frame


def _drawn() -> Iterator[str]:
    """Yield games, never one twice in a row where there is another."""
    last = ""
    while True:
        last = _CHANCE.choice([name for name in usable() if name != last] or [last])
        yield last


async def _game(name: str, start: Start) -> AsyncGenerator[Frame]:
    """Yield a game of two computers of different levels; it ends early when one of them fails."""
    game = rules.load(name)
    position = game.start()
    levels: dict[Side, int] = dict(zip(SIDES, _CHANCE.sample(LEVELS, len(SIDES)), strict=True))
    yield Frame(game, position.shown, seconds=READ_SECONDS, levels=levels)
    with suppress(Fault):
        async with AsyncExitStack() as closing:  # all, whatever comes between
            opponents: dict[Side, Opponent] = {}
            for side, level in levels.items():
                seating = protocol.Seating(name, game.options, level, secrets.token_hex(8))
                opponents[side] = await start(seating, ())
                closing.push_async_callback(opponents[side].close)
            turns = aclosing(_turns(position, opponents))
            async for frame in await closing.enter_async_context(turns):
                yield replace(frame, levels=levels)


async def _turns(position: Position, opponents: Mapping[Side, Opponent]) -> AsyncGenerator[Frame]:
    """Yield turn after turn from a start whose secrets are dealt."""
    for side in SIDES:
        position = await asyncio.to_thread(_dealt, position, side)
    for side, opponent in opponents.items():
        opponent.tell(protocol.knows(position.knowledge(side)))
    met: list[Position] = []
    outcome = None
    while outcome is None and len(met) < LONGEST:
        began = time.monotonic()
        thought = await _thought(position, opponents[position.side])
        if thought is None:
            return
        position, turn = thought
        frame = after_turn(position, turn)
        for side, opponent in opponents.items():
            opponent.tell(protocol.saw(position.seen(turn, side)))
        met.append(position)
        position = position.play(turn)
        outcome = position.outcome or draws.drawn(met, position)
        least = READ_SECONDS if outcome else TURN_SECONDS
        yield replace(frame, seconds=max(least, time.monotonic() - began), outcome=outcome)


async def _thought(position: Position, opponent: Opponent) -> tuple[Position, Turn] | None:
    """Return the turn of the side to act, and the position that it is made in.

    The game's own referee may have owed somebody something before. `None` when nothing comes of it.
    """
    if position.awaits_dice:
        return position, _CHANCE.choice(tuple(position.turns()))
    for _ in range(TRIES):
        chosen = await opponent.think(position)
        if not isinstance(chosen, Attempt):
            return position, chosen
        referee = position.game.referee(position, 0)
        if referee is None:
            break
        position = referee.attempt(chosen.move)[0].position
        opponent.tell(protocol.ruled(chosen.move))
    return None


def _dealt(position: Position, side: Side) -> Position:
    """Return the position with the opponent's secrets drawn from all that they may be."""
    return _CHANCE.choice(position.game.believe(side, position.knowledge(side)).worlds())
