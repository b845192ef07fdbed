"""What a host wants of its board: lights and commands, repeated until the board confirms them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.link.codec import MAX_BODY, SELF_TEST, SOUNDS, Command, SetLights
from drivers.signals import SIGNALS

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.link.codec import CommandAck, FromHost, LightsAck
    from drivers.port import Lights

RESEND = 0.06
"""Seconds until a command is sent again: as long as the board waits (`board_session.RESEND_MS`)."""
COMMAND_LIFE = 1.0
"""Seconds after which an unconfirmed command is given up: a late sound is worse than none."""
_PART = MAX_BODY - 3  # without the kind, the revision and the first cell's number
_PHASES = 8  # in the three bits above a signal's number


def encode_lights(description: BoardDescription, lights: Lights) -> bytes:
    """Return one byte a cell: signal number in the low five bits, place in the chase above.

    Cells that the board does not have are left out. The order in which `lights` names the cells of
    a chasing signal is the order in which the chase runs.
    """
    state = bytearray(len(description.cells))
    chased = 0
    for cell, signal_id in lights.cells.items():
        if cell not in description.numbers:
            continue
        signal = SIGNALS[signal_id]
        phase = 0
        if signal.pattern == "chase":
            phase = chased % _PHASES
            chased += 1
        state[description.numbers[cell]] = signal.number | phase << 5
    return bytes(state)


class Outgoing:
    """The newest lights and the pending commands of one session."""

    def __init__(self, cells: int) -> None:
        self._state = bytes(cells)
        self._revision = 0
        self._unconfirmed: set[int] = set()
        self._command_number = 0
        self._commands: list[tuple[float, Command]] = []
        self._sent_at = float("-inf")

    def begin(self) -> None:
        """A session has begun: the board knows nothing yet. Show it the newest lights."""
        self._commands.clear()
        self.show(self._state)

    def show(self, state: bytes) -> None:
        """Have the board show this state; it replaces whatever is still on its way."""
        self._state = state
        self._revision = (self._revision + 1) % 256
        self._unconfirmed = set(range(0, len(state), _PART))
        self._sent_at = float("-inf")

    def command(self, name: str, now: float) -> None:
        """Have the board play a sound of `codec.SOUNDS`, or do its `self-test`, once."""
        what = SELF_TEST if name == "self-test" else SOUNDS.index(name)
        self._command_number = (self._command_number + 1) % 256
        self._commands.append((now, Command(self._command_number, what)))
        self._sent_at = float("-inf")

    def confirm_lights(self, ack: LightsAck) -> None:
        """The board shows this part of that revision."""
        if ack.revision == self._revision:
            self._unconfirmed.discard(ack.first)

    def confirm_command(self, ack: CommandAck) -> None:
        """The board has taken this command."""
        self._commands = [item for item in self._commands if item[1].number != ack.number]

    @property
    def wake_at(self) -> float:
        """When to send again: host time, infinity if all is confirmed."""
        waiting = self._unconfirmed or self._commands
        return self._sent_at + RESEND if waiting else float("inf")

    def due(self, now: float) -> list[FromHost]:
        """Return what must be sent now."""
        self._commands = [item for item in self._commands if item[0] > now - COMMAND_LIFE]
        if now < self.wake_at:
            return []
        self._sent_at = now
        # One command at a time: the board tells a repetition only from the command before it.
        commands = [command for _, command in self._commands[:1]]
        parts = [
            SetLights(self._revision, first, self._state[first : first + _PART])
            for first in sorted(self._unconfirmed)
        ]
        return [*parts, *commands]
