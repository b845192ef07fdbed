"""Why a board is there or is not: a code with values, that people are told in their language.

The English sentences stand here, for logs and the command line; other languages have theirs in
their own word catalogues, under `board-<code>`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

__all__ = ["SENTENCES", "Reason"]

SENTENCES = {
    "told": "{text}",
    "on-wire": "{wire}:",
    "found": "{board} found.",
    "connected": 'The board "{board}" is connected (firmware {firmware}).',
    # a port or a radio
    "port-missing": "There is no port {port}. Is the board plugged in and switched on?",
    "port-forbidden": (
        "No permission to use {port}. Run: sudo usermod -aG {group} {user}  and log in again."
    ),
    "port-busy": ("{port} is in use by another program. Close that one; two cannot share a board."),
    "port-not-serial": "{port} is not a serial port.",
    "port-unusable": "Cannot open {port}: {error}",
    "port-vanished": (
        "The port {port} has disappeared. Is the cable still in? Trying again by itself."
    ),
    "no-port": "No board is plugged in. Plug it in, or say where it is: board.settings.port.",
    "many-ports": "Several boards may be meant: {ports}. Say which: board.settings.port.",
    "usb-missing": "No such board on USB. Is it plugged in and switched on?",
    "usb-forbidden": (
        "No permission to use {port}. Add a udev rule for it, as the page about boards shows, and "
        "plug the board in again."
    ),
    "radio-off": (
        "Bluetooth is off or missing. Run: sudo rfkill unblock bluetooth && "
        "sudo systemctl start bluetooth"
    ),
    "radio-silent": (
        "{board} does not answer. Is it switched on and near, and not connected to a phone?"
    ),
    "radio-failed": "Cannot connect to {board}: {error}",
    "radio-other-kind": "{board} is no board of the kind expected: {error}",
    "radio-deaf": "{board} does not take commands any more: {error}",
    "address-unusable": '"{address}" is no address: {error}',
    "program-missing": "{program} does not answer at {address}. Is it running there?",
    "connection-lost": "The connection to {board} is lost. Trying again by itself.",
    "header-library": "The Pi's header needs a library: {error}. Install firmware-bridge[pi].",
    "header-missing": "This machine has no Raspberry Pi header. Choose another board.driver.",
    "header-bus-off": (
        "The board on the Pi's header does not work: {error}. Switch its bus on: sudo "
        "raspi-config, Interface Options, SPI and I2C."
    ),
    "header-forbidden": (
        "The board on the Pi's header does not work: {error}. Join the groups that may: sudo "
        "usermod -aG gpio,spi,i2c $USER, then log in again."
    ),
    "header-failed": (
        "The board on the Pi's header does not work: {error}. Are its wires and its supply "
        "connected?"
    ),
    "driver-failed": (
        "What speaks with the board has failed ({error}), and is begun again by itself. If it goes "
        "on failing, `firmware-bridge support` packs what helps to find the fault."
    ),
    # what answers there
    "nothing-answers": "Nothing answers here. Is the {board} switched on?",
    "another-device": "Something answers here, but not like a {board}. Is it another device?",
    "gone-silent": "The {board} has gone silent. Is it still switched on?",
    "reports-error": "It reports an error: {error}",
    "no-firmware": "Nothing answers here. Is it the board, and does it run the firmware?",
    "no-board": (
        "Something answers here, but not like a board ({bytes} bytes made no sense). Is it "
        "another device?"
    ),
    "unpowered": "The board has gone silent. Is it still powered?",
    "blind": "The board greets, but never says what stands on it. Load its firmware again.",
    "restarted": "The board has restarted.",
    "prompt-left": (
        "The board stood at MicroPython's prompt instead of running its firmware. It has been "
        "restarted; this goes on by itself."
    ),
    "prompt-stays": (
        "The board stands at MicroPython's prompt and its firmware does not start. Load it again: "
        "`firmware-bridge firmware install`, with the service stopped."
    ),
    "older-firmware": (
        "The board speaks protocol version {theirs}, this program speaks {ours}: update the "
        "firmware."
    ),
    "older-program": (
        "The board speaks protocol version {theirs}, this program speaks {ours}: update the "
        "program."
    ),
    "another-board": 'This is board "{board}", not the one that the board file "{file}" describes.',
    "differs-cells": "It has {theirs} cells, the file says {ours}.",
    "differs-buttons": "It has {theirs} buttons, the file says {ours}.",
    "differs-tier": "It feels {theirs}, the file says {ours}.",
    "differs-wiring": "Its cells are wired in another order.",
    "differs-leds": "Its lights are of another kind.",
    "differs-sound": "One of them has a buzzer and the other has none.",
    "differs-button-names": "Its buttons have other names.",
    "differs-somehow": "They were made from different files.",
    "choose-file": (
        "Choose the board file that its firmware was built from, or build the firmware anew."
    ),
    "livechess-refuses": "LiveChess refuses what it was asked: {error}",
    "livechess-state": (
        "LiveChess says of the board {serial}: {state}. Is it connected and switched on?"
    ),
    "livechess-empty": "LiveChess has no board. Is one connected and switched on?",
    "livechess-unusable": "No board at LiveChess is in order. Is one connected and switched on?",
    "livechess-others": "LiveChess has no board {serial}; it has {others}.",
}
"""Code -> sentence with gaps. `told` is for drivers of other packages: what they say, as it is."""


NOTICE_TEXTS = {
    "overflow": "More happened than the board could keep; it has sent its whole state instead.",
    "self-test-passed": "The board has tested itself: all is well.",
    "self-test-failed": "The board has tested itself and found something wrong.",
    "tag-reader-fault": "A tag reader of the board does not answer.",
    "sensor-stuck": "A sensor of the board does not change any more.",
    "contacts-broken": "The board cannot read its contacts: their chain is interrupted.",
    "light-fault": "The lights of the board do not answer.",
    "mended": "What did not answer on the board works again.",
    "low-power": "The board's power supply is weak.",
    "board-reset": "The board has restarted by itself; the game goes on from what it shows now.",
}
"""Code of a `BoardNotice` -> sentence for people."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a board is there or is not; as text, its English sentences.

    Attributes:
        code: one of `SENTENCES`.
        values: what fills the gaps of its sentence: names, numbers, what a device or Linux says.
        more: what is to be said after it.

    Example:
        >>> str(Reason("port-missing", {"port": "/dev/ttyACM0"}))
        'There is no port /dev/ttyACM0. Is the board plugged in and switched on?'
    """

    code: str
    values: Mapping[str, str] = field(default_factory=dict)
    more: tuple[Reason, ...] = ()

    def sentences(self) -> Iterator[Reason]:
        """Yield this and all that follows it, in the order in which they are told."""
        yield self
        for reason in self.more:
            yield from reason.sentences()

    def __str__(self) -> str:
        """Return the English sentences."""
        return " ".join(
            SENTENCES[reason.code].format_map(reason.values) for reason in self.sentences()
        )
