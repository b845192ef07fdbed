"""The parts on the head circuit, as their data sheets draw them; those of ranks are beside."""

from __future__ import annotations

from hardware.tools.netlist import pinouts
from hardware.tools.pcb.components import SMALL, soic_pads
from hardware.tools.pcb.copper import Box, Component, Footprint, Pad, Point, Role

PITCH = 2.54
"""Of the Pico's legs."""
_ROWS = 17.78
_XH = 2.5


def _row(count: int, pitch: float, width: float, height: float, drill: float) -> tuple[Pad, ...]:
    return tuple(Pad(str(n + 1), pitch * n, 0, width, height, drill) for n in range(count))


_SOIC14 = Footprint(
    "SOIC-14_3.9x8.7mm",
    soic_pads(14, 3.81),
    Box(-3.7, -4.6, 3.7, 4.6),
    ((Point(-3.45, -4.4), Point(-1.7, -4.4)),),  # the long end is at pin 1
)
_PICO = Footprint(
    "Raspberry_Pi_Pico_in_sockets",
    tuple(
        Pad(str(n + 1), 0, PITCH * n, 1.7, 1.7, 1.02)
        if n < 20
        else Pad(str(n + 1), _ROWS, PITCH * (39 - n), 1.7, 1.7, 1.02)
        for n in range(40)
    ),
    Box(-1.7, -2.9, _ROWS + 1.7, 51.2),
)


def pico(used: dict[int, str]) -> Component:
    """Return a Pico with a role for each leg: what is used and ground lead somewhere."""
    pins: dict[str, tuple[str, Role]] = {}
    for pin in pinouts()["pico"].pins:
        name = pin.name if pin.kind != "g" else f"{pin.name} {pin.number}"
        joined = pin.number in used or pin.kind == "g"
        pins[str(pin.number)] = (name, "source" if joined else "unused")
    return Component("Pico", "Raspberry Pi", "SC0917", _PICO, pins, assembled=False)


def _shifter() -> Component:
    """Return the 74AHCT125: one of its gates is used, the others' inputs lie at ground."""
    pins: dict[str, tuple[str, Role]] = {}
    for pin in pinouts()["74ahct125"].pins:
        idle: Role = "output" if pin.name == "1Y" else "unused"
        role: Role = {"i": "input", "t": idle}.get(pin.kind, "supply")
        pins[str(pin.number)] = (pin.name, role)
    return Component("74AHCT125D", "Nexperia", "74AHCT125D,118", _SOIC14, pins)


def plug(poles: int, order: str) -> Component:
    """Return a plug for cables to what lies beside the circuit; it stands on the upper side."""
    footprint = Footprint(
        f"JST_XH_1x{poles:02}_upright_top",
        _row(poles, _XH, 1.5, 1.95, 0.95),
        Box(-2.95, -2.85, _XH * (poles - 1) + 2.95, 3.9),
    )
    pins: dict[str, tuple[str, Role]] = {str(n + 1): (str(n + 1), "source") for n in range(poles)}
    return Component(f"XH {poles}", "JST", order, footprint, pins, assembled=False)


def _two(
    value: str, bought: tuple[str, str], pads: tuple[Pad, Pad], room: Box, lcsc: str = ""
) -> Component:
    footprint = Footprint(value.replace(" ", "_"), pads, room)
    return Component(
        value,
        *bought,
        footprint,
        {"1": ("1", "passive"), "2": ("2", "passive")},
        assembled=pads[0].drill == 0,
        lcsc=lcsc,
    )


SHIFTER = _shifter()
BUZZER_OHM = Component(
    "100R",
    "Yageo",
    "RC0805FR-07100RL",
    SMALL,
    {"1": ("1", "passive"), "2": ("2", "passive")},
    lcsc="C105577",
)
STORE = _two(
    "1000u 10V",
    ("Panasonic", "ECA-1AM102"),
    (Pad("1", -2.5, 0, 1.8, 1.8, 0.9), Pad("2", 2.5, 0, 1.8, 1.8, 0.9)),
    Box(-5.6, -5.6, 5.6, 5.6),
)
FUSE = _two(
    "T 2.5A",
    ("Littelfuse", "021802.5MXP"),
    (Pad("1", -11.3, 0, 2.6, 2.6, 1.4), Pad("2", 11.3, 0, 2.6, 2.6, 1.4)),
    Box(-13.5, -4.5, 13.5, 4.5),
)
GUARD = _two(
    "SMBJ5.0A",
    ("Littelfuse", "SMBJ5.0A"),
    (Pad("1", -2.15, 0, 2.5, 2.3), Pad("2", 2.15, 0, 2.5, 2.3)),
    Box(-3.7, -2.3, 3.7, 2.3),
    "C83333",
)
"""Its cathode at 1: a supply that is turned round, or gives more, blows the fuse."""
TERMINAL = Component(
    "terminal 5V",
    "Phoenix Contact",
    "1935161",
    Footprint(
        "terminal_2x5mm",
        (Pad("1", 0, 0, 2.6, 2.6, 1.3), Pad("2", 5, 0, 2.6, 2.6, 1.3)),
        Box(-2.8, -4.4, 7.8, 4.4),
    ),
    {"1": ("+", "source"), "2": ("-", "source")},
    assembled=False,
)
