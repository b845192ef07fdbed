"""What the buttons of a board mean, by the names that board descriptions give them."""

from __future__ import annotations

from firmware_bridge.games import metadata
from firmware_bridge.table.game_log import Moment
from firmware_bridge.table.play import Play
from rules.values import SIDES, opponent

BUTTONS = (*SIDES, "adjust", "pause", "draw", "declare", "hint")
"""The names of buttons that mean something."""


def pressed(play: Play, button: str, at: Moment) -> None:
    """Do what a button besides the clock's stands for; one of another name stands for nothing.

    `adjust` begins and ends an adjustment, `pause` a pause. `draw` offers a draw for the player to
    move, or accepts the opponent's offer. `declare` declares that the turn being made says more
    than the hands do. `hint` asks for a hint for the player to move.
    """
    state = play.log.state
    side = state.position.side
    if button == "adjust":
        play.call("adjust", None, {}, at)
    elif button == "pause":
        play.call("resume" if state.paused else "pause", None, {}, at)
    elif button == "draw":
        offered = state.offer == ("draw", opponent(side))
        play.call("accept-draw" if offered else "offer-draw", side, {}, at)
    elif button == "hint":
        play.call("hint", side, {}, at)
    elif button == "declare":
        for what in metadata.of(play.log.terms.game.id).declarations:
            play.declare(what, None, at)
