"""Reality Check: every piece has two faces, and only what is the same on both is true.

By Andrew Juell, 1998: two boards of 39 squares, ten flippable pieces a side, no kings. Who has no
true piece left has lost. Nobody knows for certain what lies under a piece until it is flipped.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from rules.games.reality_check import believing
from rules.games.reality_check import text as position_text
from rules.games.reality_check.discs import faces_up
from rules.games.reality_check.geometry import BOARDS
from rules.games.reality_check.position import RealityCheckPosition
from rules.games.reality_check.ruleset import Ruleset
from rules.games.reality_check.setup import demonstration, opening
from rules.interface import Game, Traits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rules.belief import Knowledge
    from rules.interface import Label, OptionValue, Position, Side, Square


class RealityCheck(Game):
    """The game with its options fixed."""

    id = "reality-check"
    name = "Reality Check"
    defaults: ClassVar[Mapping[str, OptionValue]] = MappingProxyType(
        {"retreat": False, "memory": False, "flexible": False, "board": "basic", "dice": 0}
    )
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
            "first-turn": "The first turn is a move without capture and flip.",
            "must-drop": "A piece from the hand must be dropped.",
            "flip-forbidden": "That piece may not be flipped now.",
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

    def agreeing(self, knowledge: Knowledge) -> Iterator[Position]:
        """Yield every position of which a player may know exactly this; see `believing`."""
        for state in believing.agreeing(self.rules, knowledge.text, knowledge.side):
            yield RealityCheckPosition(self, state)

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
