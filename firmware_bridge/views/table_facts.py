"""What views are made from: everything, secrets included. It never leaves the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler.reports import Handling
from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.referee.openings import both_bound
from firmware_bridge.views.types import Announcement, PublicView, Revealed
from rules.interface import Label, Position, Side, Square, Turn


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
        terms: what holds throughout the game.
        state: where it stands.
        fixed: what of the public view follows from the two alone.
        verdict: what the board shows.
        judged_in: the position that the verdict's turns belong to.
        begun: the turns that explained the board before hands went on with them.
        t_ms: table time.
        handling: what hands have carried since the position was agreed.
        set_up: what the set-up check found last.
        faults: cells that cannot be relied on.
        unread: cells that feel something and do not tell what.
        revealed: pieces shown to all at this moment.
        declared: whether the turn being made was declared to say more than hands do.
        new_start: whether the start stands there again, and a press begins another game.
        players: names by side.
        score: what each side has won in this row of rematches.
        quiet: few words, please.
        failed: whether the game could not be written down.
        doubt: what is being asked about the turn that stands on the board.
        progress: how far hands have come with what a computer plays, as in the public view.
    """

    terms: Terms
    state: State
    fixed: PublicView
    verdict: Verdict
    judged_in: Position
    t_ms: int
    begun: tuple[Turn, ...] = ()
    handling: Handling = field(default_factory=Handling)
    set_up: SetUp = SetUp(None)
    faults: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()
    revealed: tuple[Revealed, ...] = ()
    declared: bool = False
    new_start: bool = False
    players: Mapping[Side, str] = field(default_factory=dict)
    score: Mapping[Side, float] = field(default_factory=dict)
    quiet: bool = False
    failed: bool = False
    progress: tuple[int, int] | None = None
    doubt: Announcement | None = None

    @property
    def start_is_chosen(self) -> bool:
        """Whether players lay the start as they like: far apart until both are bound to it."""
        return self.terms.game.free_start and not both_bound(self.state)
