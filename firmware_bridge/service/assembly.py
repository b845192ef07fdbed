"""From the configuration to the parts of the service."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.description import BoardDescription, load_description
from drivers.driver_registry import create
from drivers.piece_set import PieceSet, load_piece_set
from drivers.port import Driver, DriverError
from firmware_bridge import puzzles
from firmware_bridge.config import Config
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.config.habits import load_habits
from firmware_bridge.config.loading import written_in
from firmware_bridge.distance.carrier import carrier_of
from firmware_bridge.indicators import Indicator
from firmware_bridge.indicators import create as create_indicator
from firmware_bridge.journal.file import usable
from firmware_bridge.journal.small_file import SECRET_FILE, keep
from firmware_bridge.pages.texts import texts
from firmware_bridge.reconciler import Sensing
from firmware_bridge.reconciler.settings import SHIPPED
from firmware_bridge.service.compatibility import obstacles
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.distant_games import DistantGames
from firmware_bridge.service.friends_desk import FriendsDesk, name_of
from firmware_bridge.service.indicator_runner import BoardIndicator, IndicatorRunner
from firmware_bridge.service.kiosk import KioskManager
from firmware_bridge.service.speaker import Speaker
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules.interface import Side

if TYPE_CHECKING:
    from firmware_bridge.mqtt.bridge import MqttBridge

SECRET_BYTES = 32
"""As long as the digest (SHA-256) that keys are made with; RFC 2104 advises no less."""


@written_in("board")
def board_of(config: Config) -> tuple[BoardDescription, Driver]:
    """Return the board's description and its driver, not yet opened.

    Raises:
        DriverError: one of them cannot be used.
    """
    description = load_description(config.board.description)
    return description, create(config.board.driver, description, config.board.settings)


@written_in("board")
def sensing_of(config: Config, description: BoardDescription) -> Sensing:
    """Return what the board can feel, piece set and habits included.

    Raises:
        DriverError: the piece set cannot be used.
        ConfigError: the habits cannot be used.
    """
    if config.board.pieces:
        pieces = load_piece_set(config.board.pieces)
    elif description.controller == "simulated":
        pieces = simulated_pieces()
    else:
        pieces = PieceSet()
    habits = load_habits(config.board.habits) if config.board.habits else SHIPPED
    cells, unlit = frozenset(description.cells), description.leds is None
    return Sensing(description.tier, pieces.labels, cells, habits, unlit=unlit)


@written_in("game")
def agreement_of(config: Config, description: BoardDescription) -> Agreement:
    """Return what is agreed when the service starts without a game to go on with.

    Raises:
        UnknownGame: there is no such game or option.
        BadSetting: a setting is wrong.
        DriverError: this board cannot carry that game.
    """
    entered: dict[Side, str] = {"white": config.players.white, "black": config.players.black}
    agreement = Agreement(
        config.game.id,
        config.game.options,
        GameSettings.of({"language": config.language, **config.game.settings}),
        {side: name for side, name in entered.items() if name},
        buttons={"white", "black"} <= set(description.button_names),
    )
    game = agreement.terms().game
    puzzles.of(game.id)  # what is wrong with one is named now, and not when somebody wants it
    if why_not := obstacles(description, game):
        words = texts("en", game.id)
        told = " ".join(words.text(reason.key, reason.words) for reason in why_not)
        raise DriverError(
            f"The board {description.name!r} cannot carry game.id = {game.id!r}. {told} "
            "Choose another game, or another board.description."
        )
    return agreement


def speaker_of(config: Config, changed: Callable[[bool], None]) -> Speaker | None:
    """Return speech where it is wanted and installed; `changed` is told whether it is heard."""
    speaker = Speaker(config.sound.volume, changed=changed)
    return speaker if config.sound.speech and speaker.audible else None


@written_in("distance")
def hold_carrier(config: Config) -> None:
    """See that what is to carry letters can be used, where anything is.

    Raises:
        DriverError: it cannot.
    """
    if config.distance.named:
        carrier_of(config.distance)


def friends_of(config: Config, controller: Controller) -> FriendsDesk | None:
    """Return who exchanges letters with friends far away, where anything carries them.

    Raises:
        DriverError: another package's carrier cannot be used.
    """
    hold_carrier(config)
    if not config.distance.named:
        return None
    return FriendsDesk(config, DistantGames(controller, name_of(config)))


def bridge_of(config: Config, controller: Controller, address: str) -> MqttBridge | None:
    """Return what tells a house's broker of the game, where one is named."""
    if not config.mqtt.host:
        return None
    # Only where it is wanted: the library takes a twentieth of a start.
    from firmware_bridge.mqtt.bridge import MqttBridge

    return MqttBridge(controller, config, address)


def kiosk_manager_of(
    config: Config, controller: Controller, agreement: Agreement
) -> KioskManager | None:
    """Return who looks after a kiosk."""
    pages = config.pages
    if not pages.kiosk:
        return None
    return KioskManager(controller, agreement, pages.idle_minutes * 60, pages.attract_seconds)


@written_in("indicators")
def added_indicators(config: Config) -> dict[str, Indicator]:
    """Return the indicators of other packages that the configuration names, not yet opened.

    Raises:
        DriverError: one of them cannot be used.
    """
    return {name: create_indicator(name, chosen) for name, chosen in config.indicators.items()}


def indicators(
    config: Config, controller: Controller, driver: Driver, speaker: Speaker | None
) -> tuple[IndicatorRunner, ...]:
    """Return each indicator with what runs it, the board's own first: it must never be late.

    Raises:
        DriverError: one of another package cannot be used.
    """

    def unheard() -> bool:
        return config.sound.speech and not (speaker and speaker.audible)

    named: dict[str, Indicator] = {
        "board": BoardIndicator(driver, unheard, tones=config.sound.tones),
        **({"speech": speaker} if speaker else {}),
        **added_indicators(config),
    }
    return tuple(IndicatorRunner(name, indicator, controller) for name, indicator in named.items())


def secret_of(folder: Path) -> bytes:
    """Return this installation's secret, made at the first start and kept beside the journal.

    Raises:
        StorageFailed: it cannot be read or written.
    """
    path = folder / SECRET_FILE
    with usable(folder):
        known = path.read_bytes() if path.exists() else b""
        if len(known) == SECRET_BYTES:
            return known
        made = secrets.token_bytes(SECRET_BYTES)
        keep(path, made)
    return made
