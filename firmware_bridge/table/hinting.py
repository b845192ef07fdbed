"""Hints at this table: who waits for one, what was advised, and a piece held up to ask for one."""

from __future__ import annotations

from firmware_bridge.messages import Hinted
from firmware_bridge.table.game_log import Moment
from firmware_bridge.table.play import Play
from rules.interface import IllegalTurn, Square

HELD_UP = 4.0
"""Seconds: longer than hands hover with a piece (`Settings.hovering`), shorter than a piece that no
turn handles may be off the board (`Settings.in_the_air`)."""


class Hints:
    """The hints of one table."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._held: tuple[Square, float] | None = None
        self._asked = False

    @property
    def awaited(self) -> bool:
        """Whether somebody waits for a hint in this position."""
        state = self._play.log.state
        hint = state.hint
        return hint is not None and hint.turn is None and state.stage == "playing"

    @property
    def wake_at(self) -> float | None:
        """When the piece in the air will have been held up long enough, in host seconds."""
        return self._held[1] + HELD_UP if self._held and not self._asked else None

    def give(self, hinted: Hinted, at: Moment) -> None:
        """Take in what is advised, unless the game has gone on."""
        log = self._play.log
        if not self.awaited or hinted.number != log.state.number:
            return
        try:
            turn = log.state.position.parse_turn(hinted.text) if hinted.text else None
        except IllegalTurn:
            turn = None
        log.apply(at, "hinted", turn=None if turn is None else str(turn))

    def feel(self, at: Moment) -> None:
        """See whether a piece of the player to act has been in the air alone, and for how long."""
        square = self._lifted_alone()
        if square is None:
            self._held = None
        elif self._held is None or self._held[0] != square:
            self._held, self._asked = (square, at.t), False
        elif at.t >= self._held[1] + HELD_UP and not self._asked:
            self._asked = True
            self._play.call("hint", self._play.log.state.position.side, {}, at)

    def _lifted_alone(self) -> Square | None:
        """Return the square whose piece is the only one that is not where it belongs."""
        log = self._play.log
        state = log.state
        if not log.terms.lift_for_hint or state.stage != "playing" or state.executing:
            return None
        handling = self._play.reconciler.handling
        if len(handling.vacated) != 1 or handling.carried:
            return None
        (square,) = handling.vacated
        owner = state.position.placement[square][0]
        own = owner == state.position.side[0] or log.terms.game.traits.owners_secret
        return square if own and log.terms.advises(state.position.side) else None
