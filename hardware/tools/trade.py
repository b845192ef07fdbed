"""Whether what is wired can work: the rules of the trade, for any list of connections.

What each part does and needs at its pins stands in `pinouts.toml` and `needs.toml`; that the wires
mean what the description says is followed in `meaning.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from drivers.description import BoardDescription
from hardware.tools.logic import Levels
from hardware.tools.meaning import misread
from hardware.tools.needs import Need, needs
from hardware.tools.netlist import (
    GROUND,
    SUPPLIES,
    Component,
    End,
    Netlist,
    Pin,
    overloads,
    pinouts,
)
from hardware.tools.power import HEADROOM, budget

_CONTROLLERS = frozenset({"pico", "pi"})
_ITS_OWN = "3V3"
"""The supply that a controller feeds."""
_LOGIC_V = 3.3
"""What a controller's pins give."""
_BUFFERS = frozenset({"74hc125", "74ahct125"})
_SWITCHES = frozenset({"reed", "button"})
_KEPT = 0.95
"""The share of its supply that an output's high level has at least, little loaded."""
_OVER = 0.3
"""Volts that a pin may have above its chip's supply."""


def broken(description: BoardDescription, wired: Netlist) -> Iterator[str]:
    """Yield one sentence for everything that cannot work as it is wired."""
    yield from floating(wired)
    yield from quarrels(wired)
    rest = Levels(wired, {})
    for component in wired.components:
        yield from _unsupplied(wired, component)
        yield from _past(wired, component)
        yield from _at_rest(wired, component, rest)
        yield from _pointless(component)
        yield from _turned(wired, component)
        yield from _switched_off(wired, component)
        yield from _levels(wired, component)
    yield from _unfused(wired)
    yield from _unstored(wired)
    yield from _overdrawn(description, wired)
    names = Counter(component.ref for component in wired.components)
    yield from (f"{name} stands twice." for name, times in names.items() if times > 1)
    yield from overloads(wired)
    yield from misread(description, wired)


def _need(component: Component) -> Need:
    return needs()[component.part]


def _called(component: Component, pin: Pin) -> str:
    return f"{component.ref} ({component.part}) {pin.name}"


def floating(wired: Netlist) -> Iterator[str]:
    """Say which inputs have no level while nothing drives them.

    A controller's pins are enough for chips that it feeds; others go on without it.
    """
    for component in wired.components:
        fed = component.supply == _ITS_OWN
        for pin, net in component.pins:
            fixed = net in SUPPLIES or net == GROUND
            holding = (_holds(end, controller=fed) for end in wired.nets.get(net, ()))
            if pin.kind == "i" and not fixed and not any(holding):
                yield f"{_called(component, pin)}: {net!r} has no level of its own."


def _holds(end: End, *, controller: bool) -> bool:
    """Whether something gives its net a level at all times, a controller's pin among it or not."""
    component = end.component
    if component.part == "resistor-10k":
        return any(net in SUPPLIES or net == GROUND for net in component.nets)
    if component.part in _CONTROLLERS:
        return controller
    # The LEDs' data line comes out of a buffer.
    return _pushes(end) or component.part in {"resistor-330", "i2c-shifter"}


def quarrels(wired: Netlist) -> Iterator[str]:
    """Say where outputs push against each other or a supply, and which nets lead nowhere."""
    for net, ends in wired.nets.items():
        pushing = [end for end in ends if _pushes(end)]
        letting = [end for end in ends if end.pin.kind == "t" and end not in pushing]
        if net in SUPPLIES or net == GROUND:
            for end in pushing:
                yield f"{_called(*end)} pushes against {net}."
            if sum(end.pin.kind == "s" for end in ends) > 1:
                yield f"{net}: two supplies feed it."
        elif len(pushing) > 1 or (pushing and letting):
            yield f"{net}: two outputs push against each other."
        switches = [end for end in ends if end.component.part in _SWITCHES]
        if switches and (pushing or letting):
            yield f"{_called(*switches[0])}: shorts {_called(*(pushing or letting)[0])}."
        if len(ends) < 2:
            yield f"{net} leads nowhere from {_called(*ends[0])}."


def _pushes(end: End) -> bool:
    """Whether an output never lets go: by its kind, or since what lets it go is on for good."""
    component, pin = end
    gate = component.part in _BUFFERS and pin.kind == "t"
    return pin.kind == "o" or (gate and component.net(f"{pin.name[0]}OE") == GROUND)


def _unsupplied(wired: Netlist, component: Component) -> Iterator[str]:
    need = _need(component)
    for pin, net in component.pins:
        if pin.kind == "n" and net:
            yield f"{_called(component, pin)}: has to stay open; {net} hangs on it."
        if pin.kind == "g" and net != GROUND:
            yield f"{_called(component, pin)}: its ground, GND, is not joined to the others'."
        if pin.kind == "p" and net not in SUPPLIES:
            yield f"{_called(component, pin)}: no supply at pin {pin.number}."
        elif pin.kind == "p":
            least, most = need.supply.get(pin.name, (0, 0))
            if not least <= (volts := _volts(wired, net)) <= most:
                yield (
                    f"{_called(component, pin)}: a supply of {volts:g} V, but it works with "
                    f"{least:g} to {most:g} V."
                )
    if pinouts()[component.part].housing.startswith("DIP-"):
        beside = [c for c in wired.components if c.at == component.ref]
        wanted = {component.supply, GROUND}
        if not any(c.part == "capacitor-100n" and set(c.nets) == wanted for c in beside):
            yield f"{component.ref} ({component.part}) has no capacitor of 100 nF."


def _past(wired: Netlist, component: Component) -> Iterator[str]:
    """Say which pin has nothing of what has to lie between it and what feeds or drives it."""
    need = _need(component)
    for name, part in (need.over | need.behind).items():
        ends = wired.nets.get(component.net(name), ())
        between = [end.component for end in ends if end.component.part == part]
        if name in need.over and not any(component.supply in each.nets for each in between):
            yield f"{component.ref} ({component.part}) {name}: no {part} leads to its supply."
        fellow = _fed_by_fellow(wired, component, component.net(name))
        leads = any(wired.leads(net) for each in between for net in each.nets
                    if net != component.net(name))  # fmt: skip
        if name in need.behind and not leads and not fellow:
            yield f"{component.ref} ({component.part}) {name}: no {part} leads to it."


def _fed_by_fellow(wired: Netlist, component: Component, net: str) -> bool:
    """Whether a net comes from a part of the same kind, as in a chain."""
    return any(end.component.part == component.part and end.pin.kind == "o"
               for end in wired.nets.get(net, ()))  # fmt: skip


def _at_rest(wired: Netlist, component: Component, rest: Levels) -> Iterator[str]:
    """Say which input is not where it has to be while the controller starts or is unplugged.

    What comes from a part of the same kind is that one's to hold, and what is fixed is meant.
    """
    for name, level in _need(component).rest.items():
        net = component.net(name)
        meant = net in {GROUND, *SUPPLIES} or _fed_by_fellow(wired, component, net)
        if not meant and rest[net] is not (level == "high"):
            yield (
                f"{component.ref} ({component.part}) {name}: has to be {level} while the "
                "controller starts."
            )


def _unstored(wired: Netlist) -> Iterator[str]:
    """Say which supply lacks the capacitors that the parts on it need to draw in bursts."""
    drawing = Counter((c.part, c.supply) for c in wired.components)
    for (part, supply), many in drawing.items():
        for store, each in needs()[part].store.items():
            there = sum(
                c.part == store and set(c.nets) == {supply, GROUND} for c in wired.components
            )
            if there * each < many:
                yield f"{part}: {many} at {supply} need a {store} for every {each}, not {there}."


def _volts(wired: Netlist, net: str) -> float:
    """Return what stands on a net when it is high."""
    if net == GROUND:
        return 0.0
    if net in SUPPLIES:
        return wired.gives[net]
    return max((_lifts(wired, end, net) for end in wired.nets.get(net, ())), default=0.0)


def _lifts(wired: Netlist, end: End, net: str) -> float:
    """Return to how many volts a pin lifts its net; 0 for those that only listen."""
    component, pin = end
    if component.part in _CONTROLLERS:
        return _LOGIC_V
    if component.part == "i2c-shifter" and pin.kind == "x":
        return _volts(wired, component.net("LV" if pin.name.startswith("LV") else "HV"))
    if pin.kind in "ot":
        return _volts(wired, component.supply)
    if component.part.startswith("resistor"):
        other = next((n for n in component.nets if n != net), "")
        return _volts(wired, other) if other in SUPPLIES else 0.0
    return 0.0


def _levels(wired: Netlist, component: Component) -> Iterator[str]:
    """Say which pin gets too little to take for high, or more than it bears."""
    need = _need(component)
    for pin, net in component.pins:
        if pin.kind not in "iotx" or not net or not (need.share or need.high):
            continue
        own = _volts(wired, component.supply) if component.supply else _LOGIC_V
        high, bears = need.high or need.share * own, need.bears or own + _OVER
        fixed = net in SUPPLIES or net == GROUND
        volts = _heard(wired, net)
        if volts > bears:
            yield f"{_called(component, pin)}: {volts:g} V, but it bears {bears:g} V."
        elif pin.kind == "i" and not fixed and 0 < volts * _KEPT < high:
            yield f"{_called(component, pin)}: {volts:g} V are not high for it, {high:.1f} V are."


def _heard(wired: Netlist, net: str) -> float:
    """Return a net's volts; behind a resistor alone, those of what is before it."""
    if volts := _volts(wired, net):
        return volts
    for end in wired.nets.get(net, ()):
        if end.component.part == "resistor-330":
            return max(_volts(wired, other) for other in end.component.nets if other != net)
    return 0.0


def _pointless(component: Component) -> Iterator[str]:
    """Say which part with two ends has both on one net, and which switch can switch nothing."""
    nets = [net for pin, net in component.pins if pin.kind in "xps"]
    two_ended = pinouts()[component.part].housing == "leads" or component.part == "fuse"
    if two_ended and len(nets) == 2 and nets[0] == nets[1]:
        yield f"{component.ref} ({component.part}): both ends are on {nets[0]}; it is bridged."
    if component.part in _SWITCHES and (fed := SUPPLIES.keys() & set(component.nets)):
        yield (
            f"{component.ref} ({component.part}): leads to {', '.join(fed)}, to which its line is "
            "pulled anyway; it has to lead to ground."
        )


def _turned(wired: Netlist, component: Component) -> Iterator[str]:
    """Say which part with a plus is the wrong way round.

    LEDs shine from what gives current (segments, outputs) to what takes it (digits, commons).
    """
    if component.part == "led-single":
        for own, gives in (("A", "SEG|A"), ("K", "DIG|C")):
            ends = wired.nets.get(component.net(own), ())
            if not any(re.match(rf"({gives})\w+", end.pin.name) for end in ends):
                yield f"{component.ref} ({component.part}) {own}: the light is turned round."
    names = {pin.name: net for pin, net in component.pins}
    if "+" in names and _volts(wired, names["+"]) <= _volts(wired, names["-"]):
        yield f"{component.ref} ({component.part}): its + is on {names['+']}; it is turned round."


def _switched_off(wired: Netlist, component: Component) -> Iterator[str]:
    """Say which chip, or which gate of one, is off for good although something hangs on it."""
    for name, level in _need(component).off.items():
        net = component.net(name)
        never = net in SUPPLIES if level == "high" else net == GROUND
        gate = re.fullmatch(r"(\d)OE", name)
        used = component.net(f"{gate[1]}Y") if gate else "the chip"
        free = net and net not in {GROUND, *SUPPLIES} and not wired.leads(net)
        if used and free:
            yield f"{component.ref} ({component.part}) {name}: {net} does not say when it is on."
        if never and used:
            yield f"{component.ref} ({component.part}) {name}: is {level}, which switches it off."


def _unfused(wired: Netlist) -> Iterator[str]:
    """Say what hangs before the fuse."""
    sources = {component.net("5V") for component in wired.components
               if component.part == "supply-5v4a"}  # fmt: skip
    for net in sources:
        for end in wired.nets.get(net, ()):
            if end.component.part not in {"supply-5v4a", "fuse"}:
                yield f"{_called(*end)}: has no fuse between it and the supply."


def _overdrawn(description: BoardDescription, wired: Netlist) -> Iterator[str]:
    """Say which supply would have to give more than it can, with a fifth to spare."""
    given = {net for net, ends in wired.nets.items() if any(end.pin.kind == "s" for end in ends)}
    if SUPPLIES.keys() & wired.nets.keys() - given:
        return  # said already, of whatever has no supply
    allowed = description.leds.limit_ma if description.leds else 0
    for load in budget(description, wired):
        spared = load.limit * HEADROOM
        if load.rail == "LED" and allowed > spared:
            yield (
                f"leds.limit_ma: {allowed} mA keep nothing safe: {load.supply} gives "
                f"{spared:.0f} mA with a fifth to spare; allow less."
            )
        if load.peak > spared:
            yield (
                f"{load.rail}: up to {load.peak:.0f} mA, more than four fifths of the "
                f"{load.limit} mA of {load.supply}."
            )
