"""How a driver's board is found: the driver itself carries its probe.

    @found_by(SerialProbe(patience=1.5))
    def my_board(description: BoardDescription, port: str) -> Driver: ...

`firmware-bridge boards` asks every installed driver so, those of other packages too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from drivers.commercial.ble import Gatt
    from drivers.port import Driver

__all__ = ["RadioProbe", "SerialProbe", "SystemProbe", "found_by", "probe_of"]

Maker = TypeVar("Maker", bound="Callable[..., Driver]")
Manner = Literal["listens", "fragile", "asks"]
MANNERS: tuple[Manner, ...] = ("listens", "fragile", "asks")
"""In this order boards are looked for at a serial port. Whoever only listens comes first. A fragile
board has commands that must never be sent: it comes before anything is said to others at another
speed, which could reach it garbled."""


@dataclass(frozen=True, slots=True)
class SerialProbe:
    """The driver is opened at every serial port, with the setting `port`, and says what it finds.

    Attributes:
        patience: seconds in which its board answers.
        manner: what it says to whatever is there.
        description: the board's description: the name of a shipped one, or the path of a board
            file; empty for the name of the driver.

    Example:
        >>> @found_by(SerialProbe(patience=1.5))
        ... def my_board(description, port): ...
        >>> probe_of(my_board).patience
        1.5
    """

    patience: float
    manner: Manner = "asks"
    description: str = ""


@dataclass(frozen=True, slots=True)
class RadioProbe:
    """Boards make themselves known over Bluetooth; the driver takes the setting `address`.

    Attributes:
        gatt: how they are known.
        description: as in `SerialProbe`.
    """

    gatt: Gatt
    description: str = ""


class SystemProbe(ABC):
    """The system itself knows where such boards are: on USB, in the network."""

    description: str = ""
    """As in `SerialProbe`."""

    @abstractmethod
    def settings(self) -> Sequence[dict[str, str]]:
        """Return the settings with which the driver reaches each board that is there."""


Probe = SerialProbe | RadioProbe | SystemProbe


def found_by(probe: Probe) -> Callable[[Maker], Maker]:
    """Let what makes a driver carry its probe."""

    def carrying(make: Maker) -> Maker:
        make.__dict__["probe"] = probe
        return make

    return carrying


def probe_of(make: object) -> Probe | None:
    """Return the probe that a maker of drivers carries, if any."""
    probe = getattr(make, "probe", None)
    return probe if isinstance(probe, Probe) else None
