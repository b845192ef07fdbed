"""Where a board speaks: the topics of one board under a common base.

| topic | retained | holds |
|---|---|---|
| `<base>/<id>/availability` | yes | `online` or `offline`; `offline` is also the last will |
| `<base>/<id>/state` | yes | the public view as JSON, see `firmware_bridge.mqtt.published_state` |
| `<base>/<id>/event` | no | one happening as JSON, see `firmware_bridge.mqtt.events` |
| `<base>/<id>/cmd/<name>` | never | a command as JSON, see `firmware_bridge.mqtt.commands` |
"""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass

from firmware_bridge.config import Config
from firmware_bridge.config.schema import PagesConfig

ONLINE, OFFLINE = "online", "offline"


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one board.

    Attributes:
        base: where all boards of a club begin.
        board: names the board; one level.
    """

    base: str
    board: str

    @property
    def hall(self) -> str:
        """The base in letters that Home Assistant takes."""
        return re.sub(r"[^A-Za-z0-9_-]", "__", self.base)

    @property
    def name(self) -> str:
        """One for each place in the topics, in such letters."""
        return f"{self.hall}-{self.board}"

    @property
    def availability(self) -> str:
        """Whether the board's service is there."""
        return f"{self.base}/{self.board}/availability"

    @property
    def state(self) -> str:
        """What everyone may see of it."""
        return f"{self.base}/{self.board}/state"

    @property
    def event(self) -> str:
        """What has just happened."""
        return f"{self.base}/{self.board}/event"

    def command(self, name: str = "+") -> str:
        """What the board is asked to do; without a name, all of it."""
        return f"{self.base}/{self.board}/cmd/{name}"


def name_of(config: Config) -> str:
    """Return what people call the board."""
    return config.mqtt.name or config.mqtt.id or usual_name(config.pages)


def usual_name(pages: PagesConfig) -> str:
    """Return what a board is called that nobody has named.

    It is the machine's name; boards beside each other on one machine have pages at different ports.
    """
    usual = PagesConfig.model_fields["port"].default
    return machine() if pages.port == usual else f"{machine()} {pages.port}"


def machine() -> str:
    """Return what this machine is called, in letters that every topic bears."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname().partition(".")[0])[:60] or "board"
