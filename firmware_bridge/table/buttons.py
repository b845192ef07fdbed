"""What the buttons of a board mean, by the names that board descriptions give them."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.games import metadata
from firmware_bridge.table.game_log import Moment
from firmware_bridge.table.play import Play
from rules.interface import Side
from rules.values import opponent

_CLOCK_BUTTONS: Mapping[str, Side] = {"white": "white", "black": "black"}
BUTTONS = (*_CLOCK_BUTTONS, "adjust", "pause", "draw", "declare", "hint")
"""The names of buttons that mean something."""


def pressed(play: Play, button: str, at: Moment) -> None:
    """Do what a button stands for; a button of another name is none of the table's business.

    `white` and `black` end that player's turn. `adjust` begins and ends an adjustment, `pause` a
    pause. `draw` offers a draw for the player to move, or accepts the opponent's offer. `declare`
    declares that the turn being made says more than the hands do. `hint` asks for a hint for the
    player to move.
    """
    if button in _CLOCK_BUTTONS:
        play.press(_CLOCK_BUTTONS[button], at)
        return
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
