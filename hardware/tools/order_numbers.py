"""What makers' order numbers stand for, in words, to be held against what is meant.

A number that names another part is bought without anybody noticing. Many makers write values into
their numbers: three digits for capacitors and for many resistors (two that count, one for the
zeros), a letter in place of the decimal point for others. What follows no such scheme stands in
`hardware/order-numbers.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache

from hardware.tools.catalogue import HARDWARE

_VOLTS = {"0G": 4, "0J": 6.3, "1A": 10, "1C": 16, "1E": 25, "1V": 35, "1H": 50}
"""Of electrolytics, by the letters of JIS C 5101."""
_TEXAS = {"N": "DIP", "E": "DIP", "EN": "DIP, narrow"}
"""Housings of Texas Instruments' logic; others are soldered flat."""
_MICROCHIP = {"SP": "DIP-28, 7.62 mm", "P": "DIP-28, 15.24 mm"}
_FLAT = "soldered flat"
_P1J = "plug 5.5 x 2.1 mm, plus inside"


def _farads(digits: str, zeros: str, unit: float = 1e-12) -> str:
    value = float(f"{digits}e{zeros}") * unit
    return f"{value * 1e9:g} nF" if value < 1e-6 else f"{value * 1e6:g} uF"


def _ceramic(m: re.Match[str]) -> str:
    return f"capacitor, ceramic, {_farads(m[1], m[2])}"


def _ohms(text: str) -> str:
    """Return a value whose letter stands for the point: 3K3 is 3300, 330R is 330."""
    found = re.fullmatch(r"(\d+)([RKM])(\d*)", text)
    if not found:
        return f"of unknown value {text}"
    value = float(f"{found[1]}.{found[3] or 0}") * {"R": 1, "K": 1e3, "M": 1e6}[found[2]]
    return f"{value:g} Ohm" if value < 1e3 else f"{value / 1e3:g} kOhm"


def _electrolytic(m: re.Match[str]) -> str:
    volts = _VOLTS.get(m[1])
    bears = f"{volts:g} V" if volts else f"of unknown voltage {m[1]}"
    return f"capacitor, electrolytic, {_farads(m[2], m[3], 1e-6)}, {bears}"


def _logic(m: re.Match[str]) -> str:
    wide = ", wide" if m[2] in {"154", "181"} and m[3] in {"N", "E"} else ""
    return f"74{m[1]}{m[2]}, {_TEXAS.get(m[3], _FLAT)}{wide}"


def _supply(m: re.Match[str]) -> str:
    """Mean Well's series by its size; at 5 V a supply gives less than its watts."""
    volts = int(m[2])
    amperes = {12: 2.0, 18: 3.0, 25: 4.0}.get(int(m[1])) if volts == 5 else int(m[1]) / volts
    return f"supply, {volts} V, {amperes or 0:g} A, {_P1J}"


_SCHEMES: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"Kemet C320C(\d\d)(\d)[KJM]5\w+", lambda m: f"{_ceramic(m)}, 50 V"),
    (r"Vishay K(\d\d)(\d)K15X7RF5\w+", lambda m: f"{_ceramic(m)}, 50 V"),
    (r"(?:Yageo )?CC0805[KJM][RN]X7R9BB(\d\d)(\d)", _ceramic),
    (r"(?:Samsung )?CL31A(\d\d)(\d)K\w+", _ceramic),
    (r"Panasonic ECA-(\d[A-Z])M(\d\d)(\d)", _electrolytic),
    (r"Nichicon UVR(\d[A-Z])(\d\d)(\d)M\w+", _electrolytic),
    (r"Yageo MFR-25FBF52-(\w+)", lambda m: f"resistor, {_ohms(m[1])}, 0.25 W"),
    (r"(?:Yageo )?RC0805FR-07(\w+)L", lambda m: f"resistor, {_ohms(m[1])}"),
    (r"Vishay MBB02070C(\d{3})(\d)F\w+",
     lambda m: f"resistor, {float(m[1] + 'e' + m[2]):g} Ohm, 0.6 W"),
    (r"Mill-Max 110-43-([36])(\d\d)-41-001000",
     lambda m: f"socket DIP-{m[2]}, {'7.62' if m[1] == '3' else '15.24'} mm"),
    (r"Assmann A (\d\d)-LC-TT", lambda m: f"socket DIP-{m[1]}, 7.62 mm"),
    (r"Mean Well GST(\d\d)[AE](\d\d)-P1J", _supply),
    (r"Pololu D36V28F([35])",
     lambda m: "step-down to 3.3 V, 3.6 A" if m[1] == "3" else "step-down to 5 V, 3.2 A"),
    (r"Littelfuse 021([78])0*(\d+\.\d+|\d+\.)MXP",
     lambda m: f"fuse, {'slow' if m[1] == '8' else 'quick'}, {float(m[2]):g} A, 5 x 20 mm"),
    (r"(?:JST )?B(\d)B-XH-A", lambda m: f"{m[1]} poles"),
    (r"Texas Instruments (?:SN|CD)74([A-Z]+)(\d+)([A-Z]*)", _logic),
    (r"Microchip MCP23([0S])(\d\d)-E/(\w+)",
     lambda m: f"MCP23{m[1]}{m[2]}, {_MICROCHIP.get(m[3], _FLAT)}"),
    (r"Analog Devices MAX(\d+)[CE]([A-Z]+)\+?",
     lambda m: f"LED driver MAX{m[1]}, {'DIP-24, 7.62 mm' if m[2] == 'NG' else _FLAT}"),
    (r"Standex-Meder KSK-1A66-(\d\d)(\d\d)",
     lambda m: f"reed switch, normally open, 14 mm glass, {m[1]} to {m[2]} AT"),
)  # fmt: skip


@cache
def known() -> dict[str, str]:
    """Return the numbers that follow no scheme, with what they stand for."""
    text = (HARDWARE / "order-numbers.toml").read_text(encoding="utf-8")
    return {number: str(words) for number, words in tomllib.loads(text).items()}


def in_words(order: str) -> str | None:
    """Return what an order stands for, in the words of the catalogue; None for unknown numbers.

    Example:
        `in_words("Littelfuse 021802.5MXP (holder apart)")` is
        "fuse, slow, 2.5 A, 5 x 20 mm (holder apart)".
    """
    if order.startswith("by name: ") or not re.search(r"\d", order):
        return order.removeprefix("by name: ")
    bare = re.split(r" \(|, ", order)[0]
    rest = order[len(bare) :]
    for pattern, words in _SCHEMES:
        if match := re.fullmatch(pattern, bare):
            return words(match) + rest
    return known()[bare] + rest if bare in known() else None
