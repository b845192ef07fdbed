"""What can be configured, with defaults. Every key is explained in `docs/configuration.md`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Port = Annotated[int, Field(ge=0, le=65535)]
Pin = Annotated[str, Field(pattern=r"^[0-9]{4,12}$")]
Name = Annotated[str, Field(max_length=40)]


class Section(BaseModel):
    """A table of the file: unknown keys are mistakes, values never change after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class BoardConfig(Section):
    """The board: how it is reached, what it is, and which pieces belong to it.

    Attributes:
        driver: name of an installed driver.
        settings: what the driver needs to know, such as `port`.
        description: a board file, or the name of one that comes with the project.
        pieces: the piece set's file; not needed where the board feels no tags.
    """

    driver: str = "serial"
    settings: dict[str, bool | int | float | str] = Field(default_factory=dict)
    description: str = "full"
    pieces: Annotated[Path | None, Field(strict=False)] = None


class GameConfig(Section):
    """The game that is offered when the service starts without one to resume."""

    id: str = "indistinguishable"
    options: dict[str, bool | int | str] = Field(default_factory=dict)
    settings: dict[str, bool | int | float | str] = Field(default_factory=dict)


class PlayersConfig(Section):
    """Names for the pages and the record."""

    white: Name = ""
    black: Name = ""


class PagesConfig(Section):
    """The web server.

    Attributes:
        host: the address to listen on; anything but loopback is a choice to be reachable.
        port: 0 lets the system choose.
        names: host names under which the pages may be asked for, besides the address itself.
        referee_pin: four to twelve digits; empty: a new one is made at every start and printed.
        kiosk: large targets, an attract loop, and a way back to it when nobody plays.
        idle_minutes: how long nothing must happen in kiosk mode before the game is given up.
    """

    host: str = "127.0.0.1"
    port: Port = 8321
    names: tuple[str, ...] = Field(default=(), strict=False)
    referee_pin: Pin | None = None
    kiosk: bool = False
    idle_minutes: Annotated[float, Field(gt=0, le=120, strict=False)] = 3.0


class SoundConfig(Section):
    """What is heard: tones of the board, and words through espeak-ng where it is installed."""

    tones: bool = True
    speech: bool = True
    volume: Annotated[int, Field(ge=0, le=200)] = 100


def default_data_folder() -> Path:
    """Return where games are kept: what systemd says, else the user's state folder."""
    if folder := os.environ.get("STATE_DIRECTORY"):
        return Path(folder.split(":")[0])
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "firmware-bridge"


class Config(Section):
    """The whole file."""

    language: Annotated[str, Field(pattern=r"^[a-z]{2}(-[A-Za-z]+)?$")] = "en"
    data: Annotated[Path, Field(strict=False)] = Field(default_factory=default_data_folder)
    board: BoardConfig = BoardConfig()
    game: GameConfig = GameConfig()
    players: PlayersConfig = PlayersConfig()
    pages: PagesConfig = PagesConfig()
    sound: SoundConfig = SoundConfig()
