"""What makers' order numbers say of a part, to be held against the words beside them.

A number that names another value is bought without anybody noticing. Makers write values into their
numbers: three digits for capacitors and for many resistors (two that count, one for the zeros), a
letter in place of the decimal point for others. What is not known of a series says nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Figures = dict[str, float]
"""Unit -> value: Ohm, F, V, A, legs."""


def _pico(digits: str, zeros: str) -> float:
    return float(f"{digits}e{zeros}") * 1e-12


def _letter(text: str) -> float:
    """Return a value whose letter stands for the point: 3K3 is 3300, 330R is 330."""
    found = re.fullmatch(r"(\d+)([RKM])(\d*)", text)
    if not found:
        return float("nan")
    return float(f"{found[1]}.{found[3] or 0}") * {"R": 1, "K": 1e3, "M": 1e6}[found[2]]


_VOLTS = {"A": 10, "C": 16, "E": 25, "H": 50}  # of electrolytics, by the letter of JIS C 5101
_PICO_EXPONENT = {
    r"\bC320C(\d\d)(\d)[KJM]",  # Kemet
    r"\bK(\d\d)(\d)K15",  # Vishay
    r"\bCC0805[KJM][RN]X7R9BB(\d\d)(\d)\b",  # Yageo
    r"\bCL31A(\d\d)(\d)K",  # Samsung
}
_READ: tuple[tuple[str, str, Callable[[re.Match[str]], float]], ...] = (
    *((pattern, "F", lambda m: _pico(m[1], m[2])) for pattern in sorted(_PICO_EXPONENT)),
    (r"\bECA-1[ACEH]M(\d\d)(\d)\b", "F", lambda m: _pico(m[1], m[2]) * 1e6),  # Panasonic
    (r"\bECA-1([ACEH])M\d{3}\b", "V", lambda m: _VOLTS[m[1]]),
    (r"\bUVR1[ACEH](\d\d)(\d)", "F", lambda m: _pico(m[1], m[2]) * 1e6),  # Nichicon
    (r"\bUVR1([ACEH])\d{3}", "V", lambda m: _VOLTS[m[1]]),
    (r"\bMFR-25FBF52-(\w+)", "Ohm", lambda m: _letter(m[1])),  # Yageo
    (r"\bRC0805FR-07(\w+)L\b", "Ohm", lambda m: _letter(m[1])),
    (r"\bMBB02070C(\d{3})(\d)F", "Ohm", lambda m: float(f"{m[1]}e{m[2]}")),  # Vishay
    (r"\b110-43-[36](\d\d)-", "legs", lambda m: float(m[1])),  # Mill-Max
    (r"\bA (\d\d)-LC-TT", "legs", lambda m: float(m[1])),  # Assmann
    (r"\bGST25[AE](\d\d)", "V", lambda m: float(m[1])),  # Mean Well
    (r"\bD36V28F(3|5)\b", "V", lambda m: {"3": 3.3, "5": 5.0}[m[1]]),  # Pololu
    (r"\b021[78]0?(\d+\.\d|\d\.\d+)", "A", lambda m: float(m[1])),  # Littelfuse
    (r"\bB(\d)B-XH-A\b", "legs", lambda m: float(m[1])),  # JST
    (r"([\d.]+) kOhm", "Ohm", lambda m: float(m[1]) * 1e3),
    (r"([\d.]+) Ohm", "Ohm", lambda m: float(m[1])),
    (r"([\d.]+) nF", "F", lambda m: float(m[1]) * 1e-9),
    (r"([\d.]+) uF", "F", lambda m: float(m[1]) * 1e-6),
    (r"([\d.]+) A\b", "A", lambda m: float(m[1])),
    (r"\bDIP-(\d+)", "legs", lambda m: float(m[1])),
)


def figures(text: str) -> Figures:
    """Return what a text says; of several figures with one unit the last, as in "5 V to 3.3 V"."""
    found: Figures = {}
    for pattern, unit, value in _READ:
        for match in re.finditer(pattern, text):
            found[unit] = value(match)
    volts = re.findall(r"([\d.]+) V\b", text)
    if volts and "V" not in found:
        found["V"] = float(volts[-1])
    return found


def differences(words: str, order: str) -> Iterator[str]:
    """Yield the units in which an order says something else than a part's words do."""
    here, there = figures(words), figures(order)
    for unit in sorted(here.keys() & there.keys()):
        least_volts = unit == "V" and here.keys() >= {"F"}  # a capacitor may bear more
        same = abs(here[unit] - there[unit]) <= 0.02 * here[unit]
        if not same and not (least_volts and there[unit] > here[unit]):
            yield unit
