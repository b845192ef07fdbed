"""Whether catalogue, pinouts and builds agree with each other; each by itself is read strictly."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import get_args

from drivers.description import load_description
from hardware.tools.bill import COUNTED, bill
from hardware.tools.catalogue import Build, Part
from hardware.tools.circuits import netlist
from hardware.tools.needs import lacking, needs, unmet
from hardware.tools.netlist import Kind, Pinout

_MEN, _DISCS = 34, 20
"""Pieces of a game that begins as chess does, a second queen for each side among them, and discs of
Reality Check."""
_MINUTES = (1, 6)
"""What an end of a wire takes at least and at most, all work on the board included: cut, stripped,
put in its place, soldered, looked at."""
_SINGLE = frozenset({"pi", "sd-card", "supply-5v3a", "display", "speaker", "case", "board-top"})
"""Parts of which a board has one."""


def contradictions(
    parts: Mapping[str, Part], pinouts: Mapping[str, Pinout], builds: Mapping[str, Build]
) -> Iterator[str]:
    """Yield a sentence for everything that two of these files say differently."""
    for name, pinout in pinouts.items():
        yield from _pins(name, pinout)
        if name in parts:
            yield from _wired(parts[name], pinout, parts)
        else:
            yield f"{name}: has pins, but is not in the catalogue."
    for part in parts.values():
        if part.id in needs():
            yield from unmet(part, needs()[part.id])
        else:
            yield f"{part.id}: hardware/needs.toml does not say what it has to be."
        if part.gives and part.id not in pinouts and part.id != "supply-5v3a":
            yield f"{part.id}: gives a current, but has no pins."
    for build in builds.values():
        yield from _build(build, parts)


def _pins(name: str, pinout: Pinout) -> Iterator[str]:
    legs = re.fullmatch(r"DIP-(\d+)", pinout.housing)
    if legs and int(legs[1]) != len(pinout.pins):
        yield f"{name}: a {pinout.housing} has no {len(pinout.pins)} pins."
    if not legs and pinout.housing not in {"module", "leads"}:
        yield f"{name}: there is no housing {pinout.housing}."
    for pin in pinout.pins:
        if pin.kind not in get_args(Kind):
            yield f"{name} {pin.name}: there is no kind {pin.kind!r} of pin."
    for called, times in Counter(pin.name for pin in pinout.pins if pin.kind in "iotx").items():
        if times > 1:
            yield f"{name} {called}: {times} pins have this name."
    kinds = {pin.kind for pin in pinout.pins}
    powered = kinds & set("iot") or ("p" in kinds and len(pinout.pins) > 2)
    if powered and not ("g" in kinds and "p" in kinds):
        yield f"{name}: a chip has a ground and a supply."
    heard = needs()[name].off | needs()[name].rest if name in needs() else {}
    for pin in pinout.pins:
        if pin.name in heard and pin.kind != "i":
            yield f"{name} {pin.name}: what has to be high or low there is an input."


def _wired(part: Part, pinout: Pinout, parts: Mapping[str, Part]) -> Iterator[str]:
    given = {pin.name for pin in pinout.pins if pin.kind == "s"}
    if given != set(part.gives):
        yield f"{part.id}: gives at {sorted(part.gives)}, its pins say {sorted(given)}."
    takes = any(pin.kind == "p" for pin in pinout.pins)
    if takes and not part.gives and not part.most:
        yield f"{part.id}: takes a supply, but most says that it draws nothing."
    if not takes and part.most and not part.gives and pinout.housing != "leads":
        yield f"{part.id}: draws {part.most:g} mA, but has no pin that takes a supply."
    if pinout.housing.startswith("DIP-"):
        said = re.search(r"DIP-\d+", part.spec)
        if said and said[0] != pinout.housing:
            yield f"{part.id}.spec: a {said[0]}, but its pins are those of a {pinout.housing}."
        if f"socket-{pinout.housing.removeprefix('DIP-')}" not in parts:
            yield f"{part.id}: there is no socket for a {pinout.housing}."


def _build(build: Build, parts: Mapping[str, Part]) -> Iterator[str]:
    named = {"extras": tuple(build.extras), "at_hand": build.at_hand}
    strange = [(key, name) for key in named for name in named[key] if name not in parts]
    for key, name in strange:
        yield f"{build.name}.{key}: there is no part {name}."
    for name in COUNTED & set(build.extras):
        yield f"{build.name}.extras: {name} is counted from the board; leave it out."
    tier = load_description(build.name).tier
    if (tier == "face") != (build.discs > 0):
        yield f"{build.name}.discs: {build.discs}, but the board feels {tier}."
    if "reality-check" in build.games and tier != "face":
        yield f"{build.name}.games: reality-check needs a board that feels faces, not {tier}."
    if "reality-check" in build.games and build.discs < _DISCS:
        yield f"{build.name}.discs: reality-check is played with {_DISCS}, not {build.discs}."
    least = _MEN if build.games else 1
    if build.pieces_with_magnets < least:
        yield f"{build.name}.pieces_with_magnets: {build.pieces_with_magnets}, not {least} or more."
    yield from _hours(build)
    if not strange:
        yield from _bought(build, parts)


def _hours(build: Build) -> Iterator[str]:
    wired = netlist(load_description(build.name))
    ends = sum(bool(net) for component in wired.components for net in component.nets)
    least, most = (ends * minutes / 60 for minutes in _MINUTES)
    if not math.floor(least) <= build.hours[0] <= build.hours[1] <= most:
        yield (
            f"{build.name}.hours: {build.hours[0]} to {build.hours[1]}, but {ends} ends of wires "
            f"take {least:.0f} to {most:.0f}."
        )


def _bought(build: Build, parts: Mapping[str, Part]) -> Iterator[str]:
    """Hold everything that is bought for a build against what it promises, and needs."""
    bought = dict.fromkeys(build.at_hand, 1)
    bought |= {line.part.id: line.quantity for line in bill(load_description(build.name), build)}
    for sentence in lacking(bought):
        yield f"{build.name}.extras: {sentence}"
    promised = set(re.findall(r"[\w-]+", build.summary.lower())) & parts.keys()
    promised |= {"pieces", "board-top", "pi"} if build.games else set()
    promised |= {"screw"} if build.case else set()
    for name in sorted(promised - bought.keys()):
        yield f"{build.name}.extras: {parts[name].name} ({name}) is promised, and not in the list."
    for name in sorted(_SINGLE & build.extras.keys()):
        if build.extras[name] > 1:
            yield f"{build.name}.extras: one {name} serves a board, not {build.extras[name]}."
