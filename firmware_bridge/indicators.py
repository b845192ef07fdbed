"""What shows a game besides the pages: the board's own lights and tones, speech, clocks, flags.

An indicator is made from the public view alone, so it can tell no secret. An installed package
offers one as an entry point of the group `firmware_bridge.indicators`, called with its settings:

    [indicators.seven-segments]
    port = "/dev/ttyUSB1"
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self, cast

from drivers.plug_ins import PlugInKind, installed
from firmware_bridge.views import PublicView

__all__ = ["Cue", "Indicator"]

GROUP = "firmware_bridge.indicators"


@dataclass(frozen=True, slots=True)
class Cue:
    """What there is to show now.

    Attributes:
        view: the table as everyone may see it, its clocks as of now.
        lights: cell -> signal id, as the board itself shows them.
        said: sentences announced since the last cue, in the language of the game.
        trouble: what is wrong with the board's connection, empty if nothing is.
        tone: the newest tone since the last cue: `accepted`, `illegal`, `attention` or none.
        sound: whether the players want tones at all.
        language: of the sentences, such as `en`.
    """

    view: PublicView
    lights: Mapping[str, str]
    said: tuple[str, ...] = ()
    trouble: str = ""
    tone: str = ""
    sound: bool = True
    language: str = "en"


class Indicator(ABC):
    """Something that shows the game; opened by `async with`.

    Whatever it raises is logged; it is then closed and, after a pause, opened again. While it is
    busy nothing waits for it: it gets the newest cue next.

    Example:
        >>> class Flag(Indicator):
        ...     async def show(self, cue: Cue) -> None:
        ...         print("up" if cue.view.to_act == "white" else "down")
        >>> Flag().refresh is None  # shown when something happens, not every second
        True
    """

    refresh: ClassVar[float | None] = None
    """Seconds after which it is given the cue again though nothing happened, as a clock needs;
    `None` for never."""

    async def __aenter__(self) -> Self:
        """Open what it shows on."""
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Close it, dark and silent where possible."""
        return

    @abstractmethod
    async def show(self, cue: Cue) -> None:
        """Show this; the newest call wins."""


_KIND = PlugInKind(
    "indicator",
    Indicator,
    '{name} = "..."  under its table [indicators.<name>]',
)


def create(name: str, settings: Mapping[str, object]) -> Indicator:
    """Return an installed indicator, not yet opened.

    Raises:
        DriverError: there is none, it cannot be loaded, or it takes other settings.
    """
    return cast("Indicator", _KIND.make(installed(GROUP), name, settings))
