"""Reality Check: every piece has two faces, and only what is the same on both is true.

By Andrew Juell, 1998: two boards of 39 squares, ten flippable pieces a side, no kings. Who has no
true piece left has lost. Nobody knows for certain what lies under a piece until it is flipped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar

from rules.belief import Knowledge
from rules.explain import Explainer, TableExplainer
from rules.games.reality_check import believing, legal
from rules.games.reality_check import text as position_text
from rules.games.reality_check.discs import owner, placed_label
from rules.games.reality_check.effects import deed, opened, revealed
from rules.games.reality_check.explaining import FlippingExplainer
from rules.games.reality_check.fields import State
from rules.games.reality_check.geometry import BOARDS
from rules.games.reality_check.notation import parse, read, written
from rules.games.reality_check.rearranging import with_discs
from rules.games.reality_check.refusals import arrival_refused, flips_refused, refusal
from rules.games.reality_check.ruleset import Ruleset
from rules.games.reality_check.secret_setup import demonstration, opening
from rules.games.reality_check.successor import after
from rules.games.reality_check.turns import AnyTurn
from rules.interface import (
    Decision,
    Deed,
    Game,
    IllegalTurn,
    Label,
    OptionValue,
    Outcome,
    Position,
    Shown,
    Side,
    Square,
    Traits,
    Turn,
)
from rules.values import SIDES, faces_up, opponent

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
        self._legal: AnyTurn | None = None

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
    def progress(self) -> tuple[int, ...]:
        """How many true pieces either has in play."""
        return tuple(map(self.state.true_pieces, SIDES))

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
        return {side: tuple(side[0] + name for name in self.state.hands[side]) for side in SIDES}

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
        return deed(self.state, self._own(turn), self._game.tokens)

    def revealed(self, turn: Turn) -> Mapping[Square, Label]:
        """Return the pieces that a legal turn shows to all for a moment; see `effects.revealed`."""
        return revealed(self.state, self._checked(turn))

    def opened(self, turn: Turn) -> Mapping[Square, Label]:
        """Return the pieces whose both sides a legal turn shows; see `Position.opened`."""
        return opened(self.state, self._checked(turn))

    def told_of(self, side: Side) -> str:
        """Return what everybody may know of a side's pieces; see `believing.told`."""
        return believing.told(self._game.rules, self.state, side)

    def written(self, turn: Turn) -> str:
        """Return the turn as people write it, as everyone may see it."""
        return written(self.state, self._checked(turn))

    def understand(self, text: str) -> AnyTurn:
        """Return the legal turn that people wrote; raise `IllegalTurn` as `parse_turn` does."""
        return self._checked(read(text))

    def knowledge(self, side: Side) -> Knowledge:
        """Return what the player of a side may know of this position; see `believing`."""
        return Knowledge(side, believing.known(self.state, self._text, self.outcome, side))

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
            return FlippingExplainer(self, self._game.rules, self.state)
        return TableExplainer(self)

    def _own(self, turn: Turn) -> AnyTurn:
        if not isinstance(turn, AnyTurn):
            raise IllegalTurn("syntax", f"{turn} is no turn of this game.")
        return turn

    def _checked(self, turn: Turn) -> AnyTurn:
        # What was legal here stays so: a belief asks three times about each of its turns.
        if self._legal is not None and turn is self._legal:
            return self._legal
        own = self._own(turn)
        if self.outcome is not None:
            raise IllegalTurn("game-over", "The game is over.")
        if wrong := refusal(self._game.rules, self.state, own):
            raise wrong
        self._legal = own
        return own

    def __str__(self) -> str:
        """Return the canonical position text."""
        return self._text

    def __repr__(self) -> str:
        return f"<RealityCheckPosition {self}>"

    @cached_property
    def _text(self) -> str:
        return position_text.show(self._game.rules, self.state)


class RealityCheck(Game):
    """The game with its options fixed."""

    id = "reality-check"
    name = "Reality Check"
    allowed: ClassVar[Mapping[str, tuple[OptionValue, ...]]] = MappingProxyType(
        {
            "retreat": (False, True),
            "memory": (False, True),
            "flexible": (False, True),
            "board": tuple(BOARDS),
            "dice": (0, 1, 2),
        }
    )
    own_reasons = MappingProxyType(
        {
            "no-such-square": "That square does not belong to the board.",
            "first-turn": "The first turn captures nothing and turns nothing over.",
            "must-drop": "A piece from the hand must be dropped.",
            "flip-forbidden": "That piece may not be turned over now.",
            "die-not-met": "The die does not allow that piece.",
            "hand-limit": "The hand would be too full.",
            "not-a-home-square": "That is not a home square.",
            "must-decide": "A decision comes first.",
        }
    )
    traits = Traits(least_tier="face", records_forbidden=True)

    def __init__(self, **options: OptionValue) -> None:
        super().__init__(**options)
        chosen = self.options
        self.rules = Ruleset(
            board=BOARDS[str(chosen["board"])],
            retreat=bool(chosen["retreat"]),
            memory=bool(chosen["memory"]),
            flexible=bool(chosen["flexible"]) or chosen["board"] == "advanced",
            dice=int(chosen["dice"]),
        )

    @property
    def squares(self) -> frozenset[Square]:
        """The 39 squares of the board in use."""
        return self.rules.board.squares

    def with_tokens(self, sides: Collection[Side]) -> RealityCheck:
        """Return this game with the discs of some sides as one-faced tokens."""
        game = RealityCheck(**self.options)
        game.tokens = frozenset(sides)
        return game

    @property
    def chosen(self) -> Mapping[str, OptionValue]:
        """The options that make it another game: the advanced board is flexible by itself."""
        chosen = super().chosen
        if "board" not in chosen:
            return chosen
        return {name: value for name, value in chosen.items() if name != "flexible"}

    @property
    def free_start(self) -> bool:
        """Whether players choose which faces are up on which squares."""
        return self.rules.flexible

    def start(
        self,
        white: Mapping[Square, str] | None = None,
        black: Mapping[Square, str] | None = None,
    ) -> RealityCheckPosition:
        """Return the starting position of two secret arrangements.

        Args:
            white: square -> two letters, up-face first (`{"d1": "RN", ...}`), for nine pieces; the
                tenth, the one not named, is in hand. Without one, White's pieces stand in an
                arrangement that everybody knows, good for trying the game out and no more:
                true pieces on b3, c2 and d2 (on the advanced board d1, e1 and f2), RR in hand.
            black: the same for Black; without one, the mirror image of that arrangement.

        Raises:
            InvalidPosition: with everything that is wrong with either arrangement.
        """
        arrangements: dict[Side, Mapping[Square, str]] = {
            "white": demonstration(self.rules, "white") if white is None else white,
            "black": demonstration(self.rules, "black") if black is None else black,
        }
        return RealityCheckPosition(self, opening(self.rules, arrangements))

    def parse(self, text: str) -> RealityCheckPosition:
        """Return the position of a canonical text; raise `InvalidPosition` with all problems."""
        return RealityCheckPosition(self, position_text.read(self.rules, text))

    def agreeing(self, knowledge: Knowledge, *, spread: bool = False) -> Iterator[Position]:
        """Yield every position that gives a player exactly this knowledge; see `believing`."""
        side, text = knowledge.side, knowledge.text
        for state in believing.agreeing(self.rules, text, side, spread=spread):
            yield RealityCheckPosition(self, state)

    def start_told(self, start: Position, side: Side, told: str) -> Position:
        """Return a start that fits what is told of a side's pieces; see `Game.start_told`."""
        arrangements: dict[Side, dict[Square, str]] = {opponent(side): {}, side: {}}
        for square, label in start.placement.items():
            if label[0] != side[0]:
                arrangements[opponent(side)][square] = faces_up(label)
        arrangements[side] = believing.some_beneath(told)
        return super().start_told(self.start(**arrangements), side, told)

    def face(self, label: Label) -> Label:
        """Return whose disc it is and the face that is up: `wP?` of `wPN:N`."""
        return f"{label[0]}{faces_up(label)[0]}?" if ":" in label else label

    def set_up(self, placement: Mapping[Square, Label], agreed: Position | None = None) -> Position:
        """Return the start that eighteen pieces placed on the board make.

        Raises:
            InvalidPosition: as `start` does; nothing in it tells what lies under a piece.
        """
        if agreed is not None:
            return super().set_up(placement, agreed)
        arrangements: dict[Side, dict[Square, str]] = {"white": {}, "black": {}}
        for square, label in placement.items():
            arrangements["white" if label.startswith("w") else "black"][square] = faces_up(label)
        return self.start(**arrangements)
