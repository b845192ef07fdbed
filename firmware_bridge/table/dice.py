"""The machine's dice at a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_bridge.referee import promised_dice
from firmware_bridge.referee.game_state import State
from firmware_bridge.table.game_log import Moment
from rules.interface import Turn

Dice = Callable[[Sequence[Turn]], Turn]
"""Chooses one of equally likely rolls, such as `secrets.choice`."""


def decide(dice: Dice | None, state: State) -> bool:
    """Return whether the machine's dice decide next, which are rolled for everybody alike."""
    return state.position.awaits_dice and dice is not None


def roll(dice: Dice, state: State, at: Moment) -> Turn:
    """Return what the dice show, which have no choice where it was promised."""
    if promised_dice.are_promised(state):
        return dice((promised_dice.rolled(state, at.ms),))
    return dice(tuple(state.position.turns()))


def typed_instead(dice: Dice | None, state: State) -> str | None:
    """Return why nobody may type in now what dice show, `None` if he may."""
    promised = decide(dice, state) and promised_dice.are_promised(state)
    return "refused-typed-dice" if promised else None
