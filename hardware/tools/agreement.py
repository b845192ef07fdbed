"""Whether catalogue, pinouts and builds agree with each other; each by itself is read strictly."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, get_args

from drivers.description import Mechanics, load_description
from hardware.tools.magnetics import CLOSES, GRADES
from hardware.tools.netlist import Kind
from hardware.tools.order_numbers import differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hardware.tools.catalogue import Build, Part
    from hardware.tools.netlist import Pinout

_SIZES = Mechanics()
_TAG, _FERRITE, _FOIL, _FELT = "25", "30", "31", "1"
"""Millimetres: as wide as the disc's drawing has them, and as thick as the felt below a piece."""
_COMPUTED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "magnet": (
        (r"([\d.]+ x [\d.]+) mm", (f"{_SIZES.magnet_mm:g} x {_SIZES.magnet_height_mm:g}",)),
        (r"\bN\d\d\b", tuple(GRADES)),
    ),
    "reed": (
        (r"(\d+) mm glass", (f"{_SIZES.reed_mm:g}",)),
        (r"(\d+(?:-| to )\d+)(?: AT| amp)", tuple(f"{CLOSES[0]:g}{to}{CLOSES[1]:g}"
                                             for to in ("-", " to "))),
    ),
    "felt": ((r"([\d.]+) mm", (_FELT,)),),
    "tag": ((r"([\d.]+) mm", (_TAG,)),),
    "ferrite": ((r"([\d.]+) mm wide", (_FERRITE,)),),
    "foil": ((r"([\d.]+) mm wide", (_FOIL,)),),
    "standoff": ((r"M3 x (\d+)", ("6",)),),
}  # fmt: skip
"""Part -> what its words say, and what drawings and computations go by."""
_FEET = 4
"""Standoffs under one stripboard."""
_MEN = 32
"""Pieces of a game that begins as chess does."""


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
        yield from _words(part)
        yield from _orders(part)
        yield from _computed(part)
        if part.gives and part.id not in pinouts and part.id != "supply-5v3a":
            yield f"{part.id}: gives a current, but has no pins."
    for build in builds.values():
        yield from _build(build, parts)
        yield from _beside(build)


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
    if kinds & set("iot") and not ("g" in kinds and "p" in kinds):
        yield f"{name}: a chip has a ground and a supply."


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


def _words(part: Part) -> Iterator[str]:
    """Say where a part's words name another figure than its keys do."""
    board = re.search(r"(\d+) x (\d+) mm", part.spec)
    if part.size and board and (float(board[1]), float(board[2])) != part.size[:2]:
        yield f"{part.id}.size: spec says {board[0]}."
    for given in part.gives.values():
        if (said := re.search(r"([\d.]+) A\b", part.name)) and float(said[1]) * 1000 != given.most:
            yield f"{part.id}.gives: the name says {said[0]}, most {given.most} mA."
        volts = [float(volt) for volt in re.findall(r"([\d.]+) V\b", part.name)]
        if volts and given.volts != volts[-1]:
            yield f"{part.id}.gives: the name says {volts[-1]:g} V, volts {given.volts:g}."


def _orders(part: Part) -> Iterator[str]:
    """Say where what is ordered is something else than what is meant."""
    for order in part.orders:
        for unit in differences(f"{part.name}; {part.spec}", order):
            yield f"{part.id}.orders: {order} has another value ({unit}) than the part's words."
    quick, slow = r"\bquick\b|\bF [\d.]+ A|\b0217", r"\bslow\b|\bT [\d.]+ A|\b0218"
    texts = (part.name, part.spec, *part.orders)
    if any(re.search(quick, one) for one in texts) and any(re.search(slow, one) for one in texts):
        yield f"{part.id}: quick and slow are both said of it."


def _computed(part: Part) -> Iterator[str]:
    """Say where a part's words name another figure than the one that was computed with."""
    for pattern, right in _COMPUTED.get(part.id, ()):
        said = [found for text in (part.name, part.spec, *part.orders)
                for found in re.findall(pattern, text)]  # fmt: skip
        if wrong := [one for one in said if one not in right]:
            yield f"{part.id}: {', '.join(wrong)} is said, computed was with {' or '.join(right)}."


def _build(build: Build, parts: Mapping[str, Part]) -> Iterator[str]:
    for key, named in (("extras", build.extras), ("at_hand", build.at_hand)):
        for name in named:
            if name not in parts:
                yield f"{build.name}.{key}: there is no part {name}."
    tier = load_description(build.name).tier
    if (tier == "face") != (build.discs > 0):
        yield f"{build.name}.discs: {build.discs}, but the board feels {tier}."
    if "reality-check" in build.games and tier != "face":
        yield f"{build.name}.games: reality-check needs a board that feels faces, not {tier}."
    if build.games and build.pieces_with_magnets < _MEN:
        yield f"{build.name}.pieces_with_magnets: a game has {_MEN} pieces."
    if build.games and not {"pieces", "board-top", "pi", "sd-card"} <= set(build.extras):
        yield f"{build.name}.extras: to play, a Pi with card, a top and pieces are needed."
    if build.case and not build.extras.get("screw"):
        yield f"{build.name}.extras: what has a case has screws."


def _beside(build: Build) -> Iterator[str]:
    boards, feet = build.extras.get("stripboard", 0), build.extras.get("standoff", 0)
    if feet != _FEET * boards:
        yield f"{build.name}.extras: {boards} stripboards have {_FEET * boards} standoffs."
    if build.extras.get("display", 0) > 1:
        yield f"{build.name}.extras: one display shows the game."
