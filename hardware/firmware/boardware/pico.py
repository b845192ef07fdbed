"""The Raspberry Pi Pico's own part: PIO for the LEDs, flash for a counter of starts."""

import json

import machine
import rp2

from boardware import ticks
from boardware.board import Board, Maintenance
from boardware.parts import Parts, identity
from boardware.usb import UsbWire
from drivers.link.board_session import BoardSession

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from boardware.edge import Wire

CONFIG, BOOTS, STAY = "config.json", "boots.txt", "stay"
WATCHDOG_MS = 4000

# fmt: off


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=8
)
def _ws2812() -> None:
    """One bit in ten cycles of 125 ns: high for three (a zero) or seven (a one)."""
    wrap_target()
    label("bit")
    out(x, 1)             .side(0) [2]
    jmp(not_x, "zero")    .side(1) [2]
    jmp("bit")            .side(1) [3]
    label("zero")
    nop()                 .side(0) [3]
    wrap()

# fmt: on


class PioLine:
    """A WS2812 data line fed by DMA and PIO, so that nothing waits for it.

    Frames begin 20 ms apart and last 3 ms: the gap that latches them is always there.
    """

    def __init__(self, pin: int) -> None:
        self._machine = rp2.StateMachine(
            0, _ws2812, freq=8_000_000, sideset_base=machine.Pin(pin, machine.Pin.OUT, value=0)
        )
        self._machine.active(1)
        self._dma = rp2.DMA()
        # Bytes, to one address, paced by PIO 0, state machine 0 (transfer request 0).
        self._control = self._dma.pack_ctrl(size=0, inc_write=False, treq_sel=0)

    def busy(self) -> bool:
        """Whether bytes are still on their way."""
        return bool(self._dma.active())

    def send(self, data: bytearray) -> None:
        """Begin to send; `data` must not change until it is out."""
        self._dma.config(
            read=data, write=self._machine, count=len(data), ctrl=self._control, trigger=True
        )


def count_boot() -> int:
    """Return how many times the board has started, this one included."""
    try:
        with open(BOOTS) as file:
            boots = int(file.read()) + 1
    except (OSError, ValueError):
        boots = 1
    with open(BOOTS, "w") as file:
        file.write(str(boots))
    return boots


def main(wire: "Wire | None" = None) -> None:
    """Build the board from its configuration and run it until someone loads another program.

    Args:
        wire: the link to the host; USB unless given.
    """
    with open(CONFIG) as file:
        config = json.load(file)
    parts = Parts(config, machine, PioLine)
    session = BoardSession(identity(config, machine.unique_id()), count_boot(), ticks.ms())
    board = Board(parts, session, wire or UsbWire(), machine.WDT(timeout=WATCHDOG_MS))
    try:
        board.run()
    except Maintenance:
        with open(STAY, "w"):
            pass
        machine.reset()  # the watchdog cannot be stopped any other way
