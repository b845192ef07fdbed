"""What views are made from: everything, secrets included. It never leaves the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler.reports import Handling
from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.referee.openings import both_bound
from firmware_bridge.views.types import PublicView
from rules.interface import Label, Position, Square, Turn


@dataclass(frozen=True, slots=True)
class SetUp:
    """What is still wrong before a game can start.

    Attributes:
        position: the position that the game starts from, once nothing is wrong.
        missing: squares on which another piece must stand.
        surplus: squares that must be empty.
        bare: whether nothing stands on the board.
        placed: labels of the pieces that stand on it, where tags tell.
    """

    position: Position | None
    missing: tuple[Square, ...] = ()
    surplus: tuple[Square, ...] = ()
    bare: bool = False
    placed: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """A table at one instant.

    Attributes:
        view: what of the public view needs no look at the board or the clocks.
        judged_in: the position that the verdict's turns belong to.
        begun: the turns that explained the board before hands went on with them.
        handling: what hands have carried since the position was agreed.
        set_up: what the set-up check found last.
        unread: cells that feel something and do not tell what.
        failed: whether the game could not be written down.
    """

    terms: Terms
    state: State
    view: PublicView
    verdict: Verdict
    judged_in: Position
    t_ms: int
    begun: tuple[Turn, ...] = ()
    handling: Handling = field(default_factory=Handling)
    set_up: SetUp = SetUp(None)
    unread: frozenset[str] = frozenset()
    failed: bool = False

    @property
    def start_is_chosen(self) -> bool:
        """Whether players lay the start as they like: far apart until both are bound to it."""
        return self.terms.game.free_start and not both_bound(self.state)
