"""A computer for somebody who has nobody to play with: whether and how it sits down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules
from firmware_bridge.messages import Call
from firmware_bridge.service.compatibility import hides, obstacles
from firmware_bridge.service.ladder import level_after
from rules.values import SIDES

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from firmware_bridge.service.controller import Controller
    from firmware_bridge.views import PublicView
    from rules.interface import Side

SEATED_AT_ANY_TIME = {"waiting", "set-up", "ready", "over"}
"""Phases in which nobody is in the middle of a game."""


def may_join(view: PublicView, board: BoardDescription) -> bool:
    """Return whether a computer may sit down: nobody does yet, and at most one turn was made.

    Where its pieces would be tokens, none was made: what they hide must be drawn first.
    """
    game = rules.load(view.game, **view.options)
    begun = view.phase == "playing" and view.judged.kind == "settled" and not hides(game)
    return (
        not view.elsewhere
        and len(view.seated) < len(SIDES)
        and (view.phase in SEATED_AT_ANY_TIME or (begun and view.number == 1))
        and not obstacles(board, game)
    )


async def sit_down(controller: Controller, side: Side = "black") -> None:
    """Let a computer take a seat that nobody has, in the game on the table.

    Args:
        controller: where the game goes on.
        side: the seat.
    """
    state = controller.table.state
    level = level_after(await controller.archive.finished())
    begun = str(state.position) if state.stage == "playing" else None
    await controller.begin(
        controller.agreement.with_computer(side, level, controller.game_id, begun, controller.seats)
    )
    ready = controller.table.state.stage == "ready"
    if ready and not controller.table.state.position.game.free_start:
        await controller.submit(Call(controller.now(), "start"))  # to ask for it is to begin
