"""Sheets to wire from: every chip as seen from above, with the net at each of its pins.

What hangs on a net beside its other chips stands with its name: a pull-up, a capacitor, a reed to
ground. Everything is read from the netlist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from drivers.description import BoardDescription
from hardware.tools.catalogue import parts
from hardware.tools.circuits import netlist
from hardware.tools.netlist import GROUND, SUPPLIES, Component, Netlist, pinouts
from hardware.tools.pins import controller
from hardware.tools.svg import box, drawing, path, text

_ROW, _BODY, _SIDE, _HEAD, _GAP = 20, 130, 255, 46, 26
"""Pixels: a pin, the width of a chip, the room for a net's name, a chip's title, between chips."""
_ACROSS = 2
"""Chips beside each other."""
_SHORT = {"resistor-10k": "10k", "resistor-330": "330R", "resistor-27k": "27k", "reed": "reed"}
_BIG_SIDE = 10
"""Pins, from which on a module has two sides."""
_PAPER = "#f4f1e8"
_MANY = 8
"""Modules of a kind, from which on one is drawn and all are listed."""
_TITLES = {
    "reeds": "Reed contacts",
    "readers": "Tag readers",
    "lights": "Lights",
    "supply": "Supplies",
}


def sheets(description: BoardDescription) -> dict[str, str]:
    """Return a drawing of the chips of every part of the board: name -> SVG."""
    wired = netlist(description)
    found: dict[str, list[Component]] = {}
    for component in wired.components:
        if _drawn(component) and component.sheet in _TITLES:
            found.setdefault(component.sheet, []).append(component)
    return {
        name: _Sheet(description, wired, _TITLES[name], chips).svg()
        for name, chips in found.items()
    }


def _drawn(component: Component) -> bool:
    return component.part == "led-single" or pinouts()[component.part].housing != "leads"


class _Sheet:
    """One drawing as it grows."""

    def __init__(
        self, description: BoardDescription, wired: Netlist, title: str, chips: list[Component]
    ) -> None:
        self._wired = wired
        self._chips = chips
        self._title = title
        legs = controller(description).legs
        self._legs = {f"GP{gpio}": leg for gpio, leg in legs.items()}
        self._name = controller(description).name
        self._said: set[str] = set()
        self._shapes: list[str] = []

    def svg(self) -> str:
        """Return the drawing."""
        wide = _ACROSS * (_BODY + 2 * _SIDE + _GAP) + _GAP
        top: float = 70
        kinds = Counter(chip.part for chip in self._chips)
        listed = [part for part, count in kinds.items() if count > _MANY and not _dual(part)]
        drawn = [chip for chip in self._chips if chip.part not in listed]
        for first in range(0, len(drawn), _ACROSS):
            row = drawn[first : first + _ACROSS]
            for n, chip in enumerate(row):
                self._chip(chip, _GAP + n * (_BODY + 2 * _SIDE + _GAP), top)
            top += max(map(_height, row)) + _GAP
        for part in listed:
            top = self._table([chip for chip in self._chips if chip.part == part], top)
        for loose in self._loose():
            self._shapes.append(text(_GAP, top, loose))
            top += _ROW
        note = (
            "Chips from above, the notch up. What stands at a pin is one net: join all pins with "
            f"the same name. GP names are pins of the {self._name}, with the leg."
        )
        titles = [text(_GAP, 28, self._title, font_size=18), text(_GAP, 50, note)]
        return drawing(wide, top, [*titles, *self._shapes])

    def _loose(self) -> Iterable[str]:
        """Yield the capacitors of this part of the board that sit beside no chip."""
        here = self._chips[0].sheet
        for found in self._wired.components:
            if found.sheet == here and found.part.startswith("capacitor") and not found.at:
                ends = " to ".join(self._plain(net) for net in found.nets)
                yield f"{found.ref}: {parts()[found.part].name}, {ends}; {found.why}"

    def _table(self, chips: list[Component], top: float) -> float:
        """List modules that are wired alike, a line each; return where the list ends."""
        pins = [pin for pin, _ in chips[0].pins]
        step = (_ACROSS * (_BODY + 2 * _SIDE) - 130) // len(pins)
        self._shapes.append(text(_GAP, top + 16, f"{_model(chips[0].part)}: pin and net of each"))
        top += 2 * _ROW
        heads = [f"{pin.number} {pin.name}" for pin in pins]
        lines = [["", *heads], *([c.ref, *(self._plain(net) for net in c.nets)] for c in chips)]
        for n, line in enumerate(lines):
            if n % 2:
                wide = 130 + step * len(pins)
                self._shapes.append(box(_GAP, top - 14, wide, _ROW, fill=_PAPER))
            for column, words in enumerate(line):
                x = _GAP + (130 + step * (column - 1) if column else 4)
                bold = "bold" if not n or not column else "normal"
                self._shapes.append(text(x, top, words, font_weight=bold))
            top += _ROW
        return top + _GAP

    def _chip(self, chip: Component, x: float, y: float) -> None:
        pins = list(chip.pins)
        both = _two_sided(chip)
        half = len(pins) // 2 if both else len(pins)
        left = x + _SIDE
        tall = half * _ROW + 12
        name = f"{chip.ref}: {_model(chip.part)}"
        self._shapes += [
            text(left + _BODY / 2, y + 16, name, "middle", font_weight="bold"),
            text(left + _BODY / 2, y + 32, self._beside(chip), "middle", font_size=11),
            box(left, y + _HEAD - 6, _BODY, tall, fill=_PAPER, stroke="black"),
        ]
        if both:
            middle = left + _BODY / 2
            notch = f"M{middle - 8:g} {y + _HEAD - 6:g}a8 8 0 0 0 16 0"
            self._shapes.append(path(notch, fill="white"))
        for (number, pin, _), net in pins:
            side = number > half
            row = 2 * half - number if side else number - 1
            self._pin(chip, (number, pin, net), left, y + _HEAD + 10 + row * _ROW, side=side)

    def _pin(
        self, chip: Component, what: tuple[int, str, str], left: float, y: float, *, side: bool
    ) -> None:
        number, pin, net = what
        edge, out = (left + _BODY, 1) if side else (left, -1)
        near, far = ("end", "start") if side else ("start", "end")
        self._shapes += [
            path(f"M{edge:g} {y:g}h{out * 14}"),
            text(edge - out * 6, y + 4, f"{pin} {number}" if side else f"{number} {pin}", near),
            text(edge + out * 19, y + 4, self._label(chip, net), far, fill=_colour(net)),
        ]

    def _label(self, chip: Component, net: str) -> str:
        """Return a net's name with the small parts that hang on it."""
        hanging = [] if net in SUPPLIES or net in {GROUND, ""} else self._hanging(chip, net)
        return ", ".join([self._plain(net), *hanging])

    def _plain(self, net: str) -> str:
        if not net:
            return "open"
        return f"{net}, leg {self._legs[net]}" if net in self._legs else SUPPLIES.get(net, net)

    def _hanging(self, chip: Component, net: str) -> Iterable[str]:
        """Yield the small parts on a net, where it is named first."""
        if net in self._said:
            return
        self._said.add(net)
        for end in self._wired.nets[net]:
            component = end.component
            if component is chip or _drawn(component):
                continue
            other = next((n for n in component.nets if n != net), GROUND)
            what = component.ref if component.part == "reed" else _SHORT.get(component.part, "")
            if what and component.part != "reed":
                what = f"{component.ref} {what}"
            if what:
                yield f"{what} to {SUPPLIES.get(other, other)}"

    def _beside(self, chip: Component) -> str:
        """Return the capacitors that sit at a chip's supply pins."""
        caps = [c for c in self._wired.components if c.at == chip.ref]
        if not caps:
            return chip.why
        names = " and ".join(f"{c.ref} {_model(c.part)}" for c in caps)
        pins = [p.number for p, net in chip.pins if p.kind in "pg" and net]
        return f"{names} across pins {', '.join(map(str, pins))}"


def _height(chip: Component) -> float:
    pins = len(chip.nets)
    return _HEAD + 12 + (pins // 2 if _two_sided(chip) else pins) * _ROW


def _two_sided(chip: Component) -> bool:
    return _dual(chip.part) or len(chip.nets) >= _BIG_SIDE


def _dual(part: str) -> bool:
    return pinouts()[part].housing.startswith("DIP-")


def _model(part: str) -> str:
    return parts()[part].name.removeprefix("Capacitor ")


def _colour(net: str) -> str:
    if net in SUPPLIES:
        return "#b00000"
    return "#000000" if net == GROUND or not net else "#003f9a"
