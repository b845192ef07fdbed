"""The simulated board: the hands' pieces, the sensors with their faults, and protocol v1. Pure."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from drivers.link import codec
from drivers.link.board_session import BoardSession, Identity
from drivers.signals import SIGNALS
from drivers.simulator.orders import Faults
from drivers.simulator.table_top import NoSuchThingError, TableTop

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.link.codec import Reading
    from drivers.piece_set import PieceSet

FIRMWARE = (1, 0, 0)
_BOUNCE = (0, 2, 4)
"""Milliseconds after a contact at which a bouncing one closes, opens and closes again."""
_SIGNAL_NAMES = {signal.number: signal.id for signal in SIGNALS.values()}


class SimulatedBoard:
    """A board as its host knows it, moved by hands that are told what to do.

    All times are milliseconds of one steady clock of the caller's.

    Attributes:
        sounds: names of all sounds played since power-on.
    """

    def __init__(self, description: BoardDescription, pieces: PieceSet, now: int = 0) -> None:
        self.description = description
        self.top = TableTop(pieces, description.cells)
        self.faults = Faults()
        self.sounds: list[str] = []
        self._boot = 0
        self._chatter: list[tuple[int, int, int, Reading]] = []
        self._chatters = 0
        self.session = self._power_on(now)

    def _power_on(self, now: int) -> BoardSession:
        description = self.description
        self._boot += 1
        self._chatter.clear()
        return BoardSession(_identity(description), self._boot, now % codec.CLOCK_WRAP)

    @property
    def lights(self) -> dict[str, tuple[str, int]]:
        """Cell -> signal and its place in a chase, as the LEDs show them now."""
        return {
            cell: (_SIGNAL_NAMES[light & 31], light >> 5)
            for cell, light in zip(self.description.cells, self.session.lights, strict=True)
            if light & 31 in _SIGNAL_NAMES
        }

    def reset(self, now: int) -> None:
        """Restart the controller as after a loss of power: it knows only what it feels now."""
        self.session = self._power_on(now)
        self.feel(now)

    def set_faults(self, faults: Faults, now: int) -> None:
        """Break and mend sensors."""
        known = set(self.description.cells)
        if strange := sorted((faults.stuck | faults.dead | faults.missed) - known):
            raise NoSuchThingError(f"There are no such cells: {', '.join(strange)}.")
        self.faults = faults
        self.feel(now)

    def feel(self, now: int) -> None:
        """Let the sensors look at the table; call it after every change there."""
        for number, cell in enumerate(self.description.cells):
            if cell in self.faults.stuck:
                continue
            reading = self._reading(cell)
            before = self._settling(number)
            if reading == before:
                continue
            if self.faults.bounce:
                for delay, bounced in zip(_BOUNCE, (reading, before, reading), strict=True):
                    self._chatters += 1
                    item = (now + delay, self._chatters, number, bounced)
                    heapq.heappush(self._chatter, item)
            else:
                self.session.feel(number, reading, now % codec.CLOCK_WRAP)
        self._let_chatter(now)

    def press(self, button: str, now: int) -> None:
        """Press a button of the board."""
        if button not in self.description.button_names:
            raise NoSuchThingError(f'This board has no button "{button}".')
        number = self.description.button_names.index(button)
        self.session.press(number, now % codec.CLOCK_WRAP)

    def receive(self, data: bytes, now: int) -> None:
        """Take bytes from the host."""
        self.session.receive(data, now % codec.CLOCK_WRAP)

    def transmit(self, now: int) -> bytes:
        """Return the bytes that go to the host now; sounds and self-tests happen here."""
        self._let_chatter(now)
        while self.session.commands:
            self._obey(self.session.commands.pop(0), now)
        return self.session.transmit(now % codec.CLOCK_WRAP)

    def _obey(self, command: int, now: int) -> None:
        if command < len(codec.SOUNDS):
            self.sounds.append(codec.SOUNDS[command])
        elif command == codec.SELF_TEST:
            broken = sorted(self.faults.stuck | self.faults.dead | self.faults.missed)
            code = "self-test-failed" if broken else "self-test-passed"
            numbers = tuple(self.description.numbers[cell] for cell in broken)
            self.session.notice(code, numbers, now % codec.CLOCK_WRAP)

    def _reading(self, cell: str) -> Reading:
        tag = self.top.tag_on(cell)
        if tag is None or cell in self.faults.dead:
            return None
        if self.description.tier == "occupancy" or cell in self.faults.missed:
            return True
        return bytes.fromhex(tag)

    def _settling(self, number: int) -> Reading:
        """Return what a cell reads, or will once it has stopped chattering."""
        pending = [item for item in self._chatter if item[2] == number]
        return max(pending)[3] if pending else self.session.readings[number]

    def _let_chatter(self, now: int) -> None:
        while self._chatter and self._chatter[0][0] <= now:
            t, _, number, reading = heapq.heappop(self._chatter)
            self.session.feel(number, reading, t % codec.CLOCK_WRAP)


def _identity(description: BoardDescription) -> Identity:
    capabilities = codec.HAS_SELF_TEST
    if description.leds:
        capabilities |= codec.HAS_LIGHTS
        capabilities |= codec.HAS_COLOUR if description.leds.colours == "rgb" else 0
    capabilities |= codec.HAS_SOUND if description.buzzer else 0
    capabilities |= codec.HAS_TAGS if description.tier != "occupancy" else 0
    return Identity(
        description.name,
        description.fingerprint,
        codec.TIERS.index(description.tier),
        len(description.cells),
        len(description.buttons),
        capabilities,
        FIRMWARE,
        id=b"simulate",
        description=description.canonical.encode(),
    )
