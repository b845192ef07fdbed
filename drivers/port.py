"""The port between a board and the service: events up, lights and sounds down.

A driver turns whatever its device says into these values and nothing else. It knows no game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from drivers.board_reasons import Reason
from drivers.description import BoardDescription
from drivers.errors import DriverError

__all__ = [
    "BoardEvent",
    "BoardNotice",
    "ButtonEvent",
    "CellEvent",
    "Driver",
    "DriverError",
    "Lights",
    "LinkChanged",
    "Reading",
    "Snapshot",
]

Reading = None | Literal[True] | str
"""What a cell reports: `None` empty, `True` occupied, else a text that says what stands there.

The text is the UID of a tag, in capital hexadecimal digits, or `piece:` and a label (`piece:wN`)
from a board that tells the pieces apart by kind and names no tag.
"""


@dataclass(frozen=True, slots=True)
class CellEvent:
    """One cell changed. `t`: host monotonic time in seconds, fitted from the board's own stamp.

    Example:
        >>> CellEvent(0.4, "e4", True)  # something was put on e4
        CellEvent(t=0.4, cell='e4', reading=True)
    """

    t: float
    cell: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """A button was pressed: `white`, `black` (clock buttons), `adjust`, `draw`, `menu`, ...

    Example:
        >>> ButtonEvent(1.5, "white").button
        'white'
    """

    t: float
    button: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All readings at one instant. Cells that are not named are empty.

    Example:
        >>> Snapshot(0.0, {"e2": True}).readings.get("e4") is None  # e4 is empty
        True
    """

    t: float
    readings: Mapping[str, Reading]


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The link came up or went down, and why.

    Example:
        >>> LinkChanged(0.0, up=True, reason=Reason("found", {"board": "line board"})).text
        'line board found.'
    """

    t: float
    up: bool
    reason: Reason

    @property
    def text(self) -> str:
        """The reason in English, for logs and the command line."""
        return str(self.reason)


@dataclass(frozen=True, slots=True)
class BoardNotice:
    """The board or its link has something to say: overflow, self-test failure, unexpected reset.

    Example:
        >>> BoardNotice(0.0, "self-test", "a3 is not read", ("a3",)).cells
        ('a3',)
    """

    t: float
    code: str
    text: str
    cells: tuple[str, ...] = ()


BoardEvent = CellEvent | ButtonEvent | Snapshot | LinkChanged | BoardNotice


@dataclass(frozen=True, slots=True)
class Lights:
    """What the cells show: cell -> signal id of `drivers.signals`. Cells not named are dark.

    The order in which the cells of a chasing signal are named is the order of the chase.

    Example:
        >>> Lights({"e4": "press-clock"}).cells["e4"]
        'press-clock'
    """

    cells: Mapping[str, str] = field(default_factory=dict)


class Driver(ABC):
    """One board. Opened by `async with`; after that `events` yields until closed.

    A driver never gives up by itself: when the device disappears it says so with `LinkChanged`,
    tries again with growing pauses (0.5 s to 10 s), and sends a `Snapshot` on every return.
    """

    description: BoardDescription

    @abstractmethod
    async def __aenter__(self) -> Driver:
        """Begin to look for the device; raise `DriverError` when it can never work."""

    @abstractmethod
    async def __aexit__(self, *exc: object) -> None:
        """Close the device, lights off where possible. Idempotent."""

    @abstractmethod
    def events(self) -> AsyncIterator[BoardEvent]:
        """Yield what happens on the board, in order, none lost and none twice.

        Where this raises, the board counts as gone, and it is begun again after a pause: a driver
        that does so tells `LinkChanged` first.
        """

    @abstractmethod
    async def show(self, lights: Lights) -> None:
        """Show these lights; the newest call wins. Never raises because the link is down.

        Cells that the board does not have are left out.
        """

    @abstractmethod
    async def sound(self, name: str) -> None:
        """Play `accepted`, `illegal` or `attention`; a board without sound ignores it."""
