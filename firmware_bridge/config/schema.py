"""What can be configured, with defaults. Every key is explained in `docs/tables/settings.md`."""

from __future__ import annotations

import ipaddress
import json
import os
import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationInfo,
    field_validator,
    model_validator,
)

from firmware_bridge.config.game_settings import Language
from firmware_bridge.config.players import Name, computers
from firmware_bridge.games import USUAL

Port = Annotated[int, Field(ge=0, le=65535)]


def _written(pattern: str, as_what: str) -> AfterValidator:
    """Return the demand that a text is written so; the mistake is told in the words `as_what`."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"must be {as_what}")
        return text

    return AfterValidator(check)


def _address(text: str) -> str:
    if text:
        try:
            ipaddress.ip_address(text)
        except ValueError:
            raise ValueError("must be an address in numbers, such as 192.168.1.5") from None
    return text


LEAST_KEY = 16
"""Characters of a key: nobody guesses one of this length."""
Pin = Annotated[str, _written(r"[0-9]{4,12}", "4 to 12 digits")]
Topic = Annotated[
    str,
    Field(max_length=120),
    _written(r"[^+#/\x00]+(/[^+#/\x00]+)*", "levels with a / between them, without + and #"),
]


class Section(BaseModel):
    """A table of the file: unknown keys are mistakes, values never change after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class BoardConfig(Section):
    """The board: how it is reached, what it is, and which pieces belong to it.

    Attributes:
        driver: name of an installed driver.
        settings: what the driver needs to know; without a `port` it looks for the one board there.
        description: a board file, or the name of one that comes with the project; without it the
            board that the driver is for, where it is for one.
        pieces: the piece set's file, for boards that feel tags; one learnt on a page goes first.
        habits: the file that `firmware-bridge fit` wrote of this board and its hands.
    """

    driver: str = "serial"
    settings: dict[str, bool | int | float | str] = Field(default_factory=dict)
    description: str = "full"
    pieces: Annotated[Path | None, Field(strict=False)] = None
    habits: Annotated[Path | None, Field(strict=False)] = None


class GameConfig(Section):
    """The game that is offered when the service starts without one to resume.

    Attributes:
        id: the game; `firmware-bridge rules list` names all.
        options: its options, by name.
        settings: what players agree on, by name.
    """

    id: str = USUAL
    options: dict[str, bool | int | str] = Field(default_factory=dict)
    settings: dict[str, bool | int | float | str] = Field(default_factory=dict)


class PlayersConfig(Section):
    """Names for the pages and the record.

    Attributes:
        white: White's name; `computer 1` to `computer 7` let a computer play.
        black: the same for Black.
    """

    white: Name = ""
    black: Name = ""

    @model_validator(mode="after")
    def _levels(self) -> PlayersConfig:
        computers({"white": self.white, "black": self.black})
        return self


class PagesConfig(Section):
    """The web server.

    Attributes:
        host: the address to listen on; anything but loopback is a choice to be reachable.
        port: 0 lets the system choose.
        names: names under which the pages may be asked for, besides addresses in numbers,
            `localhost`, the machine's name and `<name>.local`.
        referee_pin: four to twelve digits; without it this installation makes one for itself.
        board_page: address of the page on which a simulated board is played, or a port of this
            machine as ":8322"; pages lead to it.
        kiosk: large targets, an attract loop, and a way back to it when nobody plays.
        idle_minutes: how long nothing must happen in kiosk mode before the game is given up.
        attract_seconds: how long nobody must touch a board at rest before the kiosk's show begins.
    """

    host: str = "127.0.0.1"
    port: Port = 8321
    names: tuple[str, ...] = Field(default=(), strict=False)
    referee_pin: Pin | None = None
    board_page: Annotated[str, Field(pattern=r"^(https?://[^\s\"'<>]+|:\d{1,5})?$")] = ""
    kiosk: bool = False
    idle_minutes: Annotated[float, Field(gt=0, le=120, strict=False)] = 3.0
    attract_seconds: Annotated[float, Field(gt=0, le=3600, strict=False)] = 20.0


class MetricsConfig(Section):
    """Who may read the metrics besides this machine itself.

    Attributes:
        address: the one other address, in numbers, from which they may be read.
        token: what must be sent from there: `Authorization: Bearer <token>`.
    """

    address: Annotated[str, AfterValidator(_address)] = ""
    token: str = Field(default="", repr=False, validate_default=True)

    @field_validator("token")
    @classmethod
    def _an_address_needs_a_token(cls, token: str, others: ValidationInfo) -> str:
        if len(token) < LEAST_KEY and (token or others.data.get("address")):
            raise ValueError(f"metrics.address needs a token of at least {LEAST_KEY} characters")
        return token


class SoundConfig(Section):
    """What is heard.

    Attributes:
        tones: whether the board makes tones.
        speech: whether announcements are spoken: by espeak-ng, else by the display.
        volume: of speech, 0 to 200; a browser's ends at 100.
    """

    tones: bool = True
    speech: bool = True
    volume: Annotated[int, Field(ge=0, le=200)] = 100


class BrokerConfig(Section):
    """How an MQTT broker is reached; without a host none is.

    Attributes:
        host: name or address of the broker.
        port: without one 1883, or 8883 with TLS.
        username: who we are to the broker.
        password: our password there; better in a file of its own.
        password_file: a file that holds the password alone.
        tls: whether the line is encrypted and the broker must prove who it is.
        ca: the certificate to check the broker's with; the system's own if not given.
        certificate: our certificate, for brokers that ask for one.
        certificate_key: its private key.
    """

    host: str = ""
    port: Port | None = None
    username: str = ""
    password: str = Field(default="", repr=False)
    password_file: Annotated[Path | None, Field(strict=False)] = None
    tls: bool = False
    ca: Annotated[Path | None, Field(strict=False)] = None
    certificate: Annotated[Path | None, Field(strict=False)] = None
    certificate_key: Annotated[Path | None, Field(strict=False)] = None


class DistanceConfig(BrokerConfig):
    """What carries sealed letters between friends' hosts; both name the same broker.

    Attributes:
        carrier: `mqtt`, or an installed carrier's name.
        settings: what that one needs to know.
        base: where all topics of letters begin; both hosts have the same.
        name: what friends call this board; the machine's name if not given, and the pages' port
            where it is not the usual one.
    """

    carrier: str = "mqtt"
    settings: dict[str, bool | int | float | str] = Field(default_factory=dict)
    base: Topic = "firmware-bridge-distance"
    name: Name = ""

    @property
    def named(self) -> bool:
        """Whether anything is named that carries letters."""
        return bool(self.host) or self.carrier != "mqtt"


class MqttConfig(BrokerConfig):
    """The MQTT broker that is told how the board is.

    Attributes:
        base: where all topics begin; boards on one wall share it.
        id: names this board in topics; the machine's name if not given.
        name: what people call this board; its `id` if not given, else as in `distance.name`.
        discovery: where Home Assistant looks for devices; empty: it is not told.
        command_key: what a command must carry to be obeyed.
        commands: whether commands are taken.
    """

    base: Topic = "firmware-bridge"
    id: Annotated[str, _written(r"[A-Za-z0-9_-]{0,60}", "up to 60 letters, digits, - and _")] = ""
    name: Name = ""
    discovery: Topic | Annotated[str, Field(max_length=0)] = "homeassistant"
    command_key: str = Field(default="", repr=False)
    commands: bool = False

    @field_validator("commands")
    @classmethod
    def _commands_have_a_key(cls, commands: bool, others: ValidationInfo) -> bool:
        if commands and len(others.data.get("command_key", "")) < LEAST_KEY:
            raise ValueError(f"needs a command_key of at least {LEAST_KEY} characters")
        return commands


def default_data_folder() -> Path:
    """Return where games are kept: what systemd says, else the user's state folder."""
    if folder := os.environ.get("STATE_DIRECTORY"):
        return Path(folder.split(":")[0])
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "firmware-bridge"


class UpdatesConfig(Section):
    """Where this machine's updater, which runs as root, tells how an update stands.

    Attributes:
        status: the file that the updater writes.
        wishes: the folder in which the updater looks for what people ask for.
        fetched: the file that tells how it went with the address that is asked for updates.
        offered: the file that tells what may be put in place.
    """

    status: Annotated[Path, Field(strict=False)] = Path("/opt/firmware-bridge/update.json")
    wishes: Annotated[Path, Field(strict=False)] = Path("/var/spool/firmware-bridge/wishes")
    fetched: Annotated[Path, Field(strict=False)] = Path(
        "/var/spool/firmware-bridge/fetched/fetch.json"
    )
    offered: Annotated[Path, Field(strict=False)] = Path(
        "/var/spool/firmware-bridge/offered/offer.json"
    )

    @property
    def trying(self) -> bool:
        """Whether this version is on trial: where it fails, the one before runs again."""
        trial = self.status.with_name("trial.json")
        return trial.exists() and json.loads(trial.read_bytes())["why"] is None


class Config(Section):
    """The whole file.

    Attributes:
        language: of what the service says and shows; where none is named each browser is answered
            in its own.
        data: the folder of the journal, this installation's secret and the keys of its friends, for
            one service alone; without it `$STATE_DIRECTORY`, else `~/.local/state/firmware-bridge`.
        indicators: by the name of an installed one: what it takes.
    """

    language: Language = "en"
    data: Annotated[Path, Field(strict=False)] = Field(default_factory=default_data_folder)
    board: BoardConfig = BoardConfig()
    game: GameConfig = GameConfig()
    players: PlayersConfig = PlayersConfig()
    pages: PagesConfig = PagesConfig()
    metrics: MetricsConfig = MetricsConfig()
    sound: SoundConfig = SoundConfig()
    indicators: dict[str, dict[str, bool | int | float | str]] = Field(default_factory=dict)
    mqtt: MqttConfig = MqttConfig()
    distance: DistanceConfig = DistanceConfig()
    updates: UpdatesConfig = UpdatesConfig()
    _read_from: tuple[tuple[str, str], ...] = PrivateAttr(())

    @property
    def read_from(self) -> tuple[tuple[str, str], ...]:
        """Where it is written: a section, empty for all, and the place, without any value."""
        return self._read_from

    def as_read_from(self, *places: tuple[str, str]) -> Self:
        """Return the same, read from these places."""
        self._read_from = places
        return self
