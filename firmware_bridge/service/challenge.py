"""A computer for somebody who has nobody to play with: whether and how it sits down."""

from __future__ import annotations

import rules
from drivers.description import BoardDescription
from firmware_bridge.messages import Call
from firmware_bridge.service.compatibility import hides, obstacles
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.ladder import level_after
from firmware_bridge.views import PublicView
from rules.interface import Side
from rules.values import SIDES, opponent

SEATED_AT_ANY_TIME = {"waiting", "set-up", "ready", "over"}
"""Phases in which nobody is in the middle of a game."""


def may_join(view: PublicView, board: BoardDescription) -> bool:
    """Return whether a computer may sit down: nobody does yet, and at most one turn was made.

    Who has offered something waits for a person's answer.
    Where its pieces would be tokens, none was made: what they hide must be drawn first.
    """
    game = rules.load(view.game, **view.options)
    begun = view.phase == "playing" and view.judged.kind == "settled" and not hides(game)
    return (
        not view.elsewhere
        and not view.puzzle
        and not view.offer
        and len(view.seated) < len(SIDES)
        and (view.phase in SEATED_AT_ANY_TIME or (begun and view.number == 1))
        and not obstacles(board, game)
    )


async def sit_down(controller: Controller, side: Side = "black") -> None:
    """Let a computer take a seat that nobody has, in the game on the table."""
    state = controller.table.state
    level = level_after(await controller.archive.finished())
    begun = str(state.position) if state.stage == "playing" else None
    await _play_against(controller, side, level, begun)


def exchangeable(view: PublicView, mine: Side | None = None) -> Side | None:
    """Return the side whose player may be exchanged, which begins the game anew.

    That is a computer, or at the board itself whoever has no seat with a phone; a phone exchanges
    nobody in mid-game but a computer.

    `mine` is the side of the phone that wants it; `None` at the board.
    """
    if view.puzzle or view.away or view.phase == "storage-failed" or len(view.computers) > 1:
        return None
    if view.computers:
        return next(iter(view.computers))
    if mine is not None:
        side = opponent(mine)
        return None if view.begun or side in view.seated else side
    return next((side for side in ("black", "white") if side not in view.seated), None)


async def exchange(controller: Controller, side: Side, level: int) -> None:
    """Begin the game on the table anew with another player on one side; level 0 is a person."""
    await _play_against(controller, side, level, None)


async def _play_against(
    controller: Controller, side: Side, level: int, position: str | None
) -> None:
    agreed, seats = controller.agreement, controller.seats
    await controller.begin(agreed.with_opponent(side, level, controller.game_id, position, seats))
    if not level:
        return
    ready = controller.table.state.stage == "ready"
    if ready and not controller.table.state.position.game.free_start:
        await controller.submit(Call(controller.now(), "start"))  # to ask for it is to begin
