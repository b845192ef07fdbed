"""The driver `gpio`: a board on the Pi's header, spoken with as with any own board."""

from __future__ import annotations

import secrets
from typing import Any

from drivers.description import BoardDescription, DescriptionError
from drivers.gpio_board.firmware_thread import Controller
from drivers.gpio_board.header import CHIP_SELECTS, DATA_OUT
from drivers.gpio_board.leds import longest_chain
from drivers.link.host_session import HostSession
from drivers.pico.image import config
from drivers.session_board import SessionBoard


def gpio_board(description: BoardDescription) -> SessionBoard[HostSession]:
    """Return the driver of a board whose wires lead to this Pi's header.

    Raises:
        DescriptionError: the board is not made so, or names pins that cannot do what they must.
    """
    settings = _with_idle_pins(config(description, controller="pi-header"))
    if description.reeds:
        settings["reeds"]["addresses"] = description.reeds.addresses
    _check_pins(description)
    session = HostSession(description, nonce=secrets.randbelow(65536))
    return SessionBoard(description, Controller(settings), session)


def _with_idle_pins(settings: dict[str, Any]) -> dict[str, Any]:
    """Name the pins of a bus that a Pico must be told of, while Linux knows them by itself."""
    named = dict(settings)
    for section in ("reeds", "leds"):
        if named[section]:
            pins = {"idle": 0, **named[section]["pins"]}
            named[section] = {**named[section], "pins": pins}
    return named


def _check_pins(description: BoardDescription) -> None:
    """Refuse what cannot work; all other faults of wiring are the wiring tools' business."""
    reeds, leds, tags = description.reeds, description.leds, description.tags
    clocks = [("reeds", reeds.pins["clock"])] if reeds and reeds.kind == "74hc165" else []
    if leds and leds.driver == "max7219":
        clocks.append(("leds", leds.pins["clock"]))
    if tags:
        clocks.append(("tags", tags.pins["clock"]))
    for section, clock in clocks:
        if clock not in CHIP_SELECTS:
            raise DescriptionError(
                f"{section}.pins.clock: on the Pi an SPI clock is GPIO 11 or 21, not {clock}."
            )
    if leds and leds.driver == "ws2812":
        if leds.pins["data"] not in DATA_OUT:
            raise DescriptionError(
                "leds.pins.data: on the Pi WS2812 LEDs hang on an SPI data output, GPIO 10 or 20, "
                f"not {leds.pins['data']}."
            )
        count = sum(leds.per_cell for at in description.led_positions if at is not None)
        if count > longest_chain():
            raise DescriptionError(
                f"leds: a chain of {count} LEDs; the Pi can send to {longest_chain()} at once."
            )
