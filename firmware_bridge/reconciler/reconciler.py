"""The reconciler: from what is felt on the board to verdicts, and to exactly one turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import CellEvent, Reading, Snapshot
    from firmware_bridge.reconciler.findings import Finding
    from firmware_bridge.reconciler.settings import Sensing, Settings
    from firmware_bridge.verdict import Verdict
    from rules.interface import Position, Side


class Reconciler:
    """Judges one board against one position, and goes on to the next when a turn is taken.

    It is deterministic: what it says depends on the position, the events and their times alone.
    Every method first lets the time up to its `t` pass, so that findings carry their exact times;
    times must not run backwards. The events of one instant may come in any number of calls.

    Args:
        position: the position agreed on.
        sensing: what the board can feel.
        settings: how play is conducted.
        standing: what every cell reads now (empty cells may be left out); `None` when the board
            is taken to show the position.
        now: the time in seconds.
    """

    def __init__(
        self,
        position: Position,
        sensing: Sensing,
        settings: Settings,
        standing: Mapping[str, Reading] | None = None,
        now: float = 0.0,
    ) -> None:
        raise TypeError

    @property
    def position(self) -> Position:
        """The position that the board is judged against."""
        raise TypeError

    @property
    def verdict(self) -> Verdict:
        """The verdict in force."""
        raise TypeError

    @property
    def standing(self) -> Mapping[str, Reading]:
        """What every cell reads now; empty cells are left out."""
        raise TypeError

    @property
    def wake_at(self) -> float | None:
        """When `tick` is due next, or `None` when time alone changes nothing."""
        raise TypeError

    def feel(self, event: CellEvent | Snapshot) -> tuple[Finding, ...]:
        """Take in what the board felt."""
        raise TypeError

    def press(self, t: float, side: Side) -> tuple[Finding, ...]:
        """Take in a clock button; the press of a player who is not to move means nothing."""
        raise TypeError

    def answer(self, t: float, text: str) -> tuple[Finding, ...]:
        """Take the turn `text`: the answer to a choice, or to a decision that needs no hands."""
        raise TypeError

    def declare(self, t: float, what: str) -> tuple[Finding, ...]:
        """Take in a declaration (`reality-check`): the turn being made says more than hands do."""
        raise TypeError

    def adjust(self, t: float, *, on: bool) -> tuple[Finding, ...]:
        """Begin or end a declared adjustment, during which nothing is judged."""
        raise TypeError

    def tick(self, t: float) -> tuple[Finding, ...]:
        """Let time pass."""
        raise TypeError

    def agree(self, position: Position, t: float) -> tuple[Finding, ...]:
        """Go on from another position: a new game, a correction, a die, an obligation.

        Where it has the placement that the board is judged against already, what the hands have
        begun goes on; otherwise the board is judged afresh.
        """
        raise TypeError

    def distrust(self, cell: str, t: float) -> tuple[Finding, ...]:
        """Judge this cell by what the others say: people see that it does not tell the truth."""
        raise TypeError

    def prepare(self) -> None:
        """Do now, while there is time, what the next event would have to wait for."""
        raise TypeError
