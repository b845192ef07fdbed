"""One board, one game: feeds reconciler and referee, and gives what they conclude.

The table is deterministic: it is told the time and is given its randomness. Whoever owns it writes
`Batch.records` to the journal first and shows `Batch.outputs` afterwards.

    table = Table(agreement, sensing, now=t)
    batch = table.feed(CellEvent(t, "e2", None))
    journal.append(game, batch.records)      # on disk ...
    show(batch.outputs, table.view(t))       # ... before anyone sees it
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firmware_bridge.settings import GameSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from drivers.port import Reading
    from firmware_bridge.messages import Input, Output
    from firmware_bridge.reconciler import Sensing
    from firmware_bridge.records import Record
    from firmware_bridge.views import PlayerView, PublicView, RefereeView
    from rules.interface import OptionValue, Side


@dataclass(frozen=True, slots=True)
class Agreement:
    """What was agreed before the game.

    Attributes:
        game: the game's id.
        options: its options; those not named have their defaults.
        settings: time control and the like.
        players: names by side.
        position: canonical text of another start than the game's own, or `None`.
        buttons: whether the board or the phones have clock buttons.
    """

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    settings: GameSettings = field(default_factory=GameSettings)
    players: Mapping[Side, str] = field(default_factory=dict)
    position: str | None = None
    buttons: bool = True


@dataclass(frozen=True, slots=True)
class Batch:
    """What one input led to: facts to write down first, then what may be shown."""

    outputs: tuple[Output, ...] = ()
    records: tuple[Record, ...] = ()


class Table:
    """A board with a game on it.

    Args:
        agreement: what was agreed before the game.
        sensing: what the board can feel.
        now: the host's monotonic time in seconds.
        standing: what every cell reads now; empty cells may be left out.
        begin: whether play and clocks start at once (recordings, tests) or only after the set-up
            check and the first clock button or turn.
    """

    def __init__(
        self,
        agreement: Agreement,
        sensing: Sensing,
        *,
        now: float,
        standing: Mapping[str, Reading] | None = None,
        begin: bool = False,
    ) -> None:
        raise TypeError

    @classmethod
    def resume(
        cls,
        records: Iterable[Record],
        sensing: Sensing,
        *,
        now: float,
        standing: Mapping[str, Reading] | None = None,
    ) -> Table:
        """Return the table that these records describe, paused until somebody goes on."""
        raise TypeError

    @property
    def wake_at(self) -> float | None:
        """When `feed(Tick(t))` is due next, in the host's monotonic seconds, if at all."""
        raise TypeError

    def feed(self, item: Input) -> Batch:
        """Take in what happened and return what it led to."""
        raise TypeError

    def view(self, t: float) -> PublicView:
        """Return the table as everyone may see it at `t`."""
        raise TypeError

    def seat(self, side: Side, t: float) -> PlayerView:
        """Return the table as one player may see it."""
        raise TypeError

    def referee_view(self, t: float) -> RefereeView:
        """Return everything, for the referee alone."""
        raise TypeError
