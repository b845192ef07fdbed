"""What levels stand on the wires when the controller drives its pins so: gates, decoders, pulls.

What remembers (registers, lights, readers) drives nothing here; a reader's answer is put on its
net by whoever asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hardware.tools.netlist import GROUND, SUPPLIES, Component, Netlist

_DECODERS = {"74hc138": (("E1", "E2"), ("E3",), 3), "74hc154": (("E0", "E1"), (), 4)}
"""Decoder -> what has to be low, what high, and its address pins."""


class Levels:
    """The levels on one list of connections; nets that nothing drives have none.

    Example:
        `Levels(wired, {"GP14": True})["SCK 0"]` tells whether the first bank's clock follows.
    """

    def __init__(self, wired: Netlist, driven: Mapping[str, bool]) -> None:
        self._wired = wired
        self._found: dict[str, bool | None] = {GROUND: False, "": None}
        self._decoded: dict[str, str] = {}
        self._found |= dict.fromkeys(SUPPLIES, True) | dict(driven)

    def __getitem__(self, net: str) -> bool | None:
        if net not in self._found:
            self._found[net] = None  # what leads back to itself has no level of its own
            self._found[net] = self._level(net)
        return self._found[net]

    def _level(self, net: str) -> bool | None:
        pulled = None
        for component, pin in self._wired.nets.get(net, ()):
            level = self._output(component, pin.name) if pin.kind in "ot" else None
            if component.part == "resistor-330":
                level = self[_other(component, net)]
            if level is not None:
                return level
            if component.part == "resistor-10k" and (end := _other(component, net)) in {
                GROUND, *SUPPLIES,
            }:  # fmt: skip
                pulled = self[end]
        return pulled

    def _output(self, chip: Component, name: str) -> bool | None:
        if chip.part in {"74hc125", "74ahct125"}:
            return (
                self[chip.net(f"{name[0]}A")] if self[chip.net(f"{name[0]}OE")] is False else None
            )
        if chip.part == "74hc08":
            return self[chip.net(f"{name[0]}A")] is not False is not self[chip.net(f"{name[0]}B")]
        if chip.part in _DECODERS:
            return self._chosen(chip) != name
        return None

    def _chosen(self, decoder: Component) -> str:
        """Return the output of a decoder that is low; empty while it is off."""
        if decoder.ref not in self._decoded:
            low, high, bits = _DECODERS[decoder.part]
            nets = {pin.name: net for pin, net in decoder.pins}
            on = not any(self[nets[pin]] for pin in low) and all(self[nets[pin]] for pin in high)
            number = (
                sum((self[nets[f"A{bit}"]] or False) << bit for bit in range(bits)) if on else 0
            )
            self._decoded[decoder.ref] = f"Y{number}" if on else ""
        return self._decoded[decoder.ref]


def _other(component: Component, net: str) -> str:
    return next((far for far in component.nets if far != net), "")


def follows(
    wired: Netlist, net: str, source: str, others: Mapping[str, bool] = MappingProxyType({})
) -> bool:
    """Whether a net goes high and low with another one, while these others stay as they are."""
    return source not in {"", GROUND, *SUPPLIES} and all(
        Levels(wired, {**others, source: level})[net] is level for level in (False, True)
    )
