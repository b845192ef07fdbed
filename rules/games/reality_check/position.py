"""A position of the game, secrets included, behind the interface that every game offers."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from rules.belief import Knowledge
from rules.explain import TableExplainer
from rules.games.reality_check import believing, legal, text
from rules.games.reality_check.discs import hand_label, owner, placed_label
from rules.games.reality_check.effects import deed, revealed
from rules.games.reality_check.explaining import FlippingExplainer
from rules.games.reality_check.notation import read, written
from rules.games.reality_check.rearranging import with_discs
from rules.games.reality_check.refusals import arrival_refused, flips_refused, refusal
from rules.games.reality_check.successor import after
from rules.games.reality_check.turns import AnyTurn, parse
from rules.interface import Decision, IllegalTurn, Position, Shown
from rules.values import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from rules.explain import Explainer
    from rules.games.reality_check.fields import State
    from rules.games.reality_check.game import RealityCheck
    from rules.interface import Deed, Label, Outcome, Side, Square, Turn

_FROZEN = frozenset({"frozen"})
_NO_MARKS: frozenset[str] = frozenset()
_DECISIONS = {
    decision.kind: decision
    for decision in (
        Decision("hand", secret=True),
        Decision("sacrifice", secret=True),
        Decision("roll", chance=True),
        Decision("flip", on_board=True),
    )
}


class RealityCheckPosition(Position):
    """One position; everything in it follows from the game and the `state`."""

    def __init__(self, game: RealityCheck, state: State) -> None:
        self._game = game
        self.state = state

    @property
    def game(self) -> RealityCheck:
        """The game, with its options, that this position belongs to."""
        return self._game

    @property
    def side(self) -> Side:
        """Who acts now."""
        return self.state.side

    @property
    def fullmove_number(self) -> int:
        """The number of the full move."""
        return self.state.number

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or `None` while it goes on."""
        return legal.outcome(self._game.rules, self.state)

    @cached_property
    def placement(self) -> Mapping[Square, Label]:
        """What stands where, undersides included. Never show this to players."""
        return MappingProxyType(
            {square: placed_label(cell) for square, cell in self.state.board.items()}
        )

    @property
    def shown(self) -> Mapping[Square, Shown]:
        """The up-face, owner and frozenness of every piece on the board."""
        frozen = self.state.frozen
        return {
            square: Shown(
                kind=cell[0].upper(),
                side=owner(cell),
                marks=_FROZEN if square in frozen else _NO_MARKS,
            )
            for square, cell in self.state.board.items()
        }

    @property
    def hands(self) -> Mapping[Side, tuple[Label, ...]]:
        """Pieces in hand by owner. What is in a hand is its owner's secret, how many is not."""
        return {
            side: tuple(hand_label(name, side) for name in self.state.hands[side]) for side in SIDES
        }

    def rearranged(self, placement: Mapping[Square, Label]) -> RealityCheckPosition:
        """Return this position with other discs of the same faces; the rest is as it was.

        Whichever disc a board disc takes the place of, in a hand or awaiting a decision, is
        replaced there by one that stood on the board.
        """
        return RealityCheckPosition(self._game, with_discs(self.state, placement))

    @property
    def decision(self) -> Decision | None:
        """The decision awaited: `hand`, `sacrifice`, `roll` or `flip`."""
        return _DECISIONS[self.state.awaited.kind] if self.state.awaited else None

    @property
    def due(self) -> str | None:
        """What a turn is made of now: `drop`, `turn`, `roll`, `flip-3` for a die, ..."""
        rules = self._game.rules
        if awaited := self.state.awaited:
            if awaited.dice:
                return f"flip-{awaited.dice[0]}"
            return awaited.kind if awaited.kind in ("roll", "sacrifice") else None
        if self.state.over_limit:
            return "drop"
        if self.state.first_turn:
            return "first-turn-with-flip" if rules.first_flip else "first-turn"
        return "turn-with-dice" if rules.dice else "turn"

    def turns(self) -> Iterator[AnyTurn]:
        """Yield every legal turn, each once, lazily."""
        if self.outcome is None:
            yield from legal.turns(self._game.rules, self.state)

    def parse_turn(self, text: str) -> AnyTurn:
        """Return the legal turn of a canonical text; raise `IllegalTurn` saying why it is none."""
        return self._checked(parse(text))

    def play(self, turn: Turn) -> RealityCheckPosition:
        """Return the next position; raise `IllegalTurn` when the turn is not legal here."""
        return RealityCheckPosition(
            self._game, after(self._game.rules, self.state, self._checked(turn))
        )

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do on the board to make this legal turn."""
        return deed(self.state, self._own(turn))

    def revealed(self, turn: Turn) -> Mapping[Square, Label]:
        """Return the pieces that a legal turn shows to all for a moment; see `effects.revealed`."""
        return revealed(self.state, self._checked(turn))

    def written(self, turn: Turn) -> str:
        """Return the turn as people write it, as everyone may see it."""
        return written(self.state, self._checked(turn))

    def understand(self, text: str) -> AnyTurn:
        """Return the legal turn that people wrote; raise `IllegalTurn` as `parse_turn` does."""
        return self._checked(read(text))

    def knowledge(self, side: Side) -> Knowledge:
        """Return what the player of a side may know of this position; see `believing`."""
        return Knowledge(side, believing.known(self._game.rules, self.state, self._text, side))

    def shown_as(self, text: str) -> Iterator[AnyTurn]:
        """Yield the legal turns that a player may know by this text: his own, or a public text."""
        for one in believing.readings(self.state, text):
            with suppress(IllegalTurn):
                yield self.parse_turn(one)

    def against_arrival(self, square: Square, label: Label) -> str:
        """Return the reason against a disc set down from beside the board."""
        return arrival_refused(self._game.rules, self.state, square, label)

    def against_exchange(
        self, moves: Sequence[tuple[Square, Square]], squares: Collection[Square]
    ) -> str:
        """Return the reason against discs that were turned over."""
        return flips_refused(self._game.rules, self.state, moves, squares)

    def explainer(self) -> Explainer:
        """Return the prepared search from what a board shows to the turns that explain it."""
        if self.outcome is None and legal.has_free_flips(self._game.rules, self.state):
            return FlippingExplainer(self)
        return TableExplainer(self)

    def _own(self, turn: Turn) -> AnyTurn:
        if not isinstance(turn, AnyTurn):
            raise IllegalTurn("syntax", f"{turn} is no turn of this game.")
        return turn

    def _checked(self, turn: Turn) -> AnyTurn:
        own = self._own(turn)
        if self.outcome is not None:
            raise IllegalTurn("game-over", "The game is over.")
        if wrong := refusal(self._game.rules, self.state, own):
            raise wrong
        return own

    def __str__(self) -> str:
        """Return the canonical position text."""
        return self._text

    def __repr__(self) -> str:
        return f"<RealityCheckPosition {self}>"

    @cached_property
    def _text(self) -> str:
        return text.show(self._game.rules, self.state)
