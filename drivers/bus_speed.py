"""How fast a board's buses may be, and how fast they are made.

Over SPI an answer must be there half a clock after it was asked for; an I2C line must be lifted by
its pull-ups in time. Nanoseconds at 3.3 V, typical and at worst; gates from the data sheets'
figures for 4.5 V, scaled.
"""

from __future__ import annotations

from typing import NamedTuple

from drivers.description import BoardDescription

MOST_LOADS = 10
"""Pins of about 10 pF that one output moves at 4 MHz over half a metre."""
BANK = 8
"""Readers behind one 74HC138, contacts on one 74HC165."""


class Delay(NamedTuple):
    """How long an answer takes, typically and at worst."""

    typical: float
    worst: float


class Bus(NamedTuple):
    """What a bus of a board runs at, in hertz, and why not faster."""

    what: str
    hz: int
    why: str


GATE = Delay(12, 32)
"""One 74HC125 or 74HC08."""
_CHIP = {
    "mfrc522": Delay(25, 25),
    "pn532": Delay(25, 65),
    "74hc165": Delay(25, 60),
    "max7219": Delay(25, 50),  # to the next one, which wants its bit 25 ns before the edge
}
"""From a clock's edge to the answer (data sheets)."""
_METRE, _SAMPLED = Delay(12, 20), Delay(24, 24)
"""A metre of wire there and back; and before the Pico looks (three of its clocks)."""
_RIBBON_M = 0.6
"""The harness, and what wires are longer than their way where they rise and bend."""
_WISHED = {"74hc165": 2_000_000, "mfrc522": 4_000_000, "pn532": 1_000_000, "max7219": 4_000_000}
"""Nothing gains by more."""
_KEPT = 0.75
"""The share of what is possible at worst that is used."""
_STEP = 100_000
_PIN_PF, _WIRE_PF = 10, 50
"""Of each chip on an I2C line, and of half a metre of wire."""
_RISE_NS = {400_000: 300, 100_000: 1000}
"""I2C speed -> how long its lines may take to rise (NXP, UM10204)."""
_PI_OHM, _BOARD_OHM = 1_800, 10_000
"""Pull-ups of a Pi's header, and of an LED driver's board or a level shifter."""


def banks(readers: int) -> int:
    """Return into how many banks of eight that many readers are decoded."""
    return -(-readers // BANK)


def answer(description: BoardDescription, kind: str) -> Delay:
    """Return how long after its clock's edge a chip's answer is known.

    `kind` is what answers: that of its contacts, of its readers, or of its lights' driver.

    Example:
        `answer(load_description("full"), "mfrc522").worst` is 223: four gates lie on that way.
    """
    metres = wire(description)
    lines = Delay(_METRE.typical * metres, _METRE.worst * metres)
    steps = (*(GATE,) * _gates(description, kind), _CHIP[kind], lines, _SAMPLED)
    return Delay(sum(step.typical for step in steps), sum(step.worst for step in steps))


def wire(description: BoardDescription) -> float:
    """Return how many metres of wire a clock's line has at most, with all that branches off."""
    grid, cell_mm = description.grid, description.mechanics.cell_mm
    return 2 * (grid.files + grid.ranks) * cell_mm / 1000 + _RIBBON_M


def _gates(description: BoardDescription, kind: str) -> int:
    """Count the gates that a clock and its answer pass: what drives many is shared out."""
    if kind == "74hc165":
        return int(len(description.built) > BANK * MOST_LOADS)
    if kind != "max7219" and description.tags and "enable" in description.tags.pins:
        return 2 + 2 * (banks(description.tags.count) > MOST_LOADS)
    return 0


def buses(description: BoardDescription) -> dict[str, Bus]:
    """Return, for every kind of part that a board may have, what its bus is made to run at."""
    found = {kind: _spi(description, kind) for kind in _CHIP}
    for kind in ("ht16k33", "mcp23017"):
        found[kind] = _i2c(description)
    return found


def _spi(description: BoardDescription, kind: str) -> Bus:
    wished, late = _WISHED[kind], answer(description, kind).worst
    possible = int(_KEPT * 1e9 / (2 * late)) // _STEP * _STEP
    if possible >= wished:
        return Bus("SPI", wished, "more would gain nothing")
    gates = _gates(description, kind)
    way = f"through {gates} gates " if gates else ""
    return Bus(
        "SPI",
        possible,
        f"its answer comes {way}after up to {late:.0f} ns and must be there after half a clock",
    )


def _i2c(description: BoardDescription) -> Bus:
    """Return the speed at which the pull-ups lift the line of all chips on the bus in time.

    Linux runs a Pi's header at 100 kHz, whatever its pull-ups could do.
    """
    rise = line_rise(description)
    if description.controller == "pi-header":
        return Bus("I2C", 100_000, f"Linux sets it so; its lines rise in {rise:.0f} ns")
    hz = max((hz for hz, most in _RISE_NS.items() if rise <= most), default=0)
    return Bus("I2C", hz, f"its pull-ups lift a line in {rise:.0f} ns; 400 kHz wants 300")


def line_rise(description: BoardDescription) -> float:
    """Return how long a line of the I2C bus takes to rise, in nanoseconds: 30 to 70 % of 3.3 V."""
    reeds, leds = description.reeds, description.leds
    lamps = leds is not None and leds.driver == "ht16k33"
    chips = 1 + lamps + len(reeds.addresses if reeds else ())
    pulls = [_BOARD_OHM] * lamps + [_PI_OHM] * (description.controller == "pi-header")
    ohm = 1 / sum(1 / each for each in pulls) if pulls else _BOARD_OHM
    return 0.8473 * ohm * (_WIRE_PF + _PIN_PF * chips) * 1e-3
