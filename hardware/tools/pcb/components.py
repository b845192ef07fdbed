"""The parts on a printed rank, as their data sheets draw them."""

from __future__ import annotations

from hardware.tools.pcb.copper import Box, Component, Footprint, Pad, Point, Role

_TWO: dict[str, tuple[str, Role]] = {"1": ("1", "passive"), "2": ("2", "passive")}
_SWITCH: dict[str, tuple[str, Role]] = {"1": ("1", "switch"), "2": ("2", "switch")}
PLUG_PINS = ("LED", "5V", "LOAD", "CLOCK", "DATA", "3V3", "GND")
"""From the left. The same in both plugs of a rank, so that a straight cable joins two ranks."""
PLUG_PITCH = 2.5


def _frame(left: float, top: float, right: float, bottom: float) -> tuple[tuple[Point, Point], ...]:
    corners = [Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)]
    return tuple(zip(corners, [*corners[1:], corners[0]], strict=True))


def _chip_of_two(name: str, apart: float, wide: float, high: float) -> Footprint:
    """Return a part with two pads on the surface, side by side."""
    half = apart / 2
    room = Box(-half - wide / 2 - 0.2, -high / 2 - 0.2, half + wide / 2 + 0.2, high / 2 + 0.2)
    pads = (Pad("1", -half, 0, wide, high), Pad("2", half, 0, wide, high))
    return Footprint(name, pads, room)


SMALL = _chip_of_two("0805", 1.9, 1.0, 1.45)
LARGE = _chip_of_two("1206", 2.95, 1.15, 1.75)


def soic_pads(legs: int, first: float) -> tuple[Pad, ...]:
    """Return the pads of a narrow SOIC, counted round; the first lies so far above the middle."""
    side = legs // 2
    return tuple(
        Pad(str(n + 1), -2.7, 1.27 * n - first, 1.55, 0.6)
        if n < side
        else Pad(str(n + 1), 2.7, first - 1.27 * (n - side), 1.55, 0.6)
        for n in range(legs)
    )


_SOIC16 = Footprint(
    "SOIC-16_3.9x9.9mm",
    soic_pads(16, 4.445),
    Box(-3.7, -5.2, 3.7, 5.2),
    (
        (Point(-1.7, -5), Point(1.7, -5)),
        (Point(-1.7, 5), Point(1.7, 5)),
        (Point(-3.45, -5), Point(-1.7, -5)),  # the long end is at pin 1
    ),
)
_LED5050 = Footprint(
    "WS2812B_5.0x5.0mm",
    (
        Pad("1", -2.45, -1.6, 1.5, 1.0),
        Pad("2", -2.45, 1.6, 1.5, 1.0),
        Pad("3", 2.45, 1.6, 1.5, 1.0),
        Pad("4", 2.45, -1.6, 1.5, 1.0),
    ),
    Box(-3.45, -2.75, 3.45, 2.75),
    (
        (Point(-2.5, -2.65), Point(2.5, -2.65)),
        (Point(-2.5, 2.65), Point(2.5, 2.65)),
        (Point(-3.35, -2.65), Point(-3.35, -1.6)),  # beside pin 1
    ),
)
_PLUG = Footprint(
    "JST_XH_1x07_upright",
    tuple(Pad(str(n + 1), PLUG_PITCH * n, 0, 1.5, 1.95, drill=0.95) for n in range(len(PLUG_PINS))),
    Box(-2.95, -2.85, 17.95, 3.9),
    _frame(-2.45, -2.35, 17.45, 3.4),
    below=True,  # it is higher than the reeds, which touch the top plate
)

REGISTER = Component(
    "74HC165D",
    "Nexperia",
    "74HC165D,653",
    _SOIC16,
    {
        "1": ("PL", "input"),
        "2": ("CP", "input"),
        "3": ("D4", "input"),
        "4": ("D5", "input"),
        "5": ("D6", "input"),
        "6": ("D7", "input"),
        "7": ("/Q7", "unused"),
        "8": ("GND", "supply"),
        "9": ("Q7", "output"),
        "10": ("DS", "input"),
        "11": ("D0", "input"),
        "12": ("D1", "input"),
        "13": ("D2", "input"),
        "14": ("D3", "input"),
        "15": ("CE", "input"),
        "16": ("VCC", "supply"),
    },
    lcsc="C5613",
)
LIGHT = Component(
    "WS2812B",
    "Worldsemi",
    "WS2812B-B/W",
    _LED5050,
    {
        "1": ("VDD", "supply"),
        "2": ("DOUT", "output"),
        "3": ("VSS", "supply"),
        "4": ("DIN", "input"),
    },
    lcsc="C2761795",
)
PULL = Component("10k", "Yageo", "RC0805FR-0710KL", SMALL, _TWO, lcsc="C84376")
SERIES = Component("330R", "Yageo", "RC0805FR-07330RL", SMALL, _TWO, lcsc="C110440")
DECOUPLING = Component("100n", "Yageo", "CC0805KRX7R9BB104", SMALL, _TWO, lcsc="C49678")
BULK = Component("10u 16V", "Samsung", "CL31A106KOHNNNE", LARGE, _TWO, lcsc="C1849")
PLUG = Component(
    "XH 7",
    "JST",
    "B7B-XH-A",
    _PLUG,
    {str(n + 1): (name, "source") for n, name in enumerate(PLUG_PINS)},
    assembled=False,
)


def reed(glass: float, apart: float) -> Component:
    """Return a reed switch of so long a glass whose leads are soldered so far apart, in mm."""
    half = apart / 2
    pads = tuple(Pad(name, x, 0, 2.0, 2.0, drill=1.0) for name, x in (("1", -half), ("2", half)))
    footprint = Footprint(
        f"Reed_{glass:g}mm",
        pads,
        Box(-half - 1.25, -1.5, half + 1.25, 1.5),
        _frame(-glass / 2, -1.25, glass / 2, 1.25),
    )
    return Component(f"reed {glass:g} mm", "", "", footprint, _SWITCH, assembled=False)
