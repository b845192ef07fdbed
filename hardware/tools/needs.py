"""Whether a part of the catalogue is the part that is needed: its words, orders and numbers.

What is needed stands in `hardware/needs.toml`. Nothing is held against a list of mistakes: whatever
a part says has to be something that the boards go by, and what they go by has to be said.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from drivers.description import Mechanics
from hardware.tools.catalogue import HARDWARE, Gives, Part
from hardware.tools.magnetics import CLOSES, GRADES
from hardware.tools.order_numbers import in_words
from hardware.tools.said import Figure, figures, qualities, standards, uncovered


class Need(BaseModel):
    """What a part has to be; the file's head says what each key means."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    figures: str = ""
    must: tuple[str, ...] = ()
    spec: tuple[str, ...] = ()
    keys: dict[str, tuple[float, float]] = {}
    beside: tuple[str, ...] = ()
    supply: dict[str, tuple[float, float]] = {}
    share: float = 0
    high: float = 0
    bears: float = 0
    off: dict[str, Literal["high", "low"]] = {}
    over: dict[str, str] = {}
    behind: dict[str, str] = {}
    rest: dict[str, Literal["high", "low"]] = {}
    store: dict[str, int] = {}
    instead: str = ""
    source: str


_SIZES = Mechanics()
_COMPUTED = {
    "magnet": f"{_SIZES.magnet_mm:g} x {_SIZES.magnet_height_mm:g} mm, {', '.join(GRADES)}",
    "reed": f"{CLOSES[0]:g} to {CLOSES[1]:g} AT, {_SIZES.reed_mm:g} mm",
    "felt": "1 mm",
    "tag": "25 mm",
    "ferrite": "30 mm",
    "foil": "31 mm",
    "standoff": "6 mm",
}
"""Part -> figures that drawings and computations of this project go by."""
_NUMBERS = ("typical", "most", "start", "ohm", "coil")
_NUMBER = re.compile(r"\b(?=\w*[A-Z])(?=\w*\d)\w{3,}\b")
"""A part's number as makers write it: 74HCT125, N45."""
_SHORT = 0.1
"""Milliamperes below which a part that nothing bounds may draw what it likes."""


@cache
def needs() -> dict[str, Need]:
    """Return what every part of the catalogue has to be, by part id."""
    text = (HARDWARE / "needs.toml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, Need]).validate_python(tomllib.loads(text))


def unmet(part: Part, need: Need) -> Iterator[str]:
    """Yield a sentence for everything in which a part is not what is needed."""
    bounds = figures(f"{need.figures}, {_COMPUTED.get(part.id, '')}")
    words = f"{part.name}; {part.spec}"
    said = figures(words)
    for one in uncovered(said, [*bounds, *_size(part)]):
        yield f"{part.id}: {one.words} is said of it; {_asked(one, bounds)} ({need.source})."
    for pattern in (*need.must, *need.spec):
        if not re.search(pattern, words):
            yield f"{part.id}: neither name nor spec says {_plain(pattern)} ({need.source})."
    asked = " ".join((*need.must, *need.spec, need.source)).replace("\\", "")
    for quality in qualities(words):
        if quality not in asked:
            yield f'{part.id}: "{quality}" is said of it; it has to be: {need.source}.'
    yield from _instead(part, need, bounds)
    for name in standards(words):
        if name not in need.source:
            yield f"{part.id}: {name} is said of it; it has to be: {need.source}."
    for order in part.orders:
        yield from _order(part, order, need, (said, (*bounds, *_size(part))))
    yield from _keys(part, need, said)


def _instead(part: Part, need: Need, bounds: tuple[Figure, ...]) -> Iterator[str]:
    """Hold what may be bought instead against what may: by its figures and its parts' numbers."""
    for one in uncovered(figures(part.alternatives), [*bounds, *figures(need.instead)]):
        yield f"{part.id}.alternatives: {one.words}; {_asked(one, bounds)}."
    for number in _NUMBER.findall(part.alternatives):
        if not re.search(rf"(?<!\w){re.escape(number)}(?!\w)", f"{need.instead} {need.must}"):
            yield f"{part.id}.alternatives: {number} does not serve; see hardware/needs.toml."


def _order(
    part: Part, order: str, need: Need, known: tuple[tuple[Figure, ...], tuple[Figure, ...]]
) -> Iterator[str]:
    """Hold one way to order against what is needed: by itself it has to name the part."""
    said, bounds = known
    words = in_words(order)
    if words is None:
        yield (
            f'{part.id}.orders: what "{order}" is, is not known; write "by name: ...", or add '
            "the number to hardware/order-numbers.toml."
        )
        return
    told = figures(words)
    for one in told:
        here = [figure for figure in said if figure.unit == one.unit] or bounds
        if uncovered([one], here):
            yield f'{part.id}.orders: "{order}" is {one.words}; {_asked(one, here)}.'
    for unit in sorted({figure.unit for figure in figures(part.name)}):
        if unit not in {figure.unit for figure in told}:
            yield f'{part.id}.orders: "{order}" does not say the name\'s figure in {unit}.'
    for pattern in need.must:
        if not re.search(pattern, words):
            yield f'{part.id}.orders: "{order}" is {words}: that is not {_plain(pattern)}.'


def _keys(part: Part, need: Need, said: tuple[Figure, ...]) -> Iterator[str]:
    """Hold the numbers that are computed with against their bounds, and against the words."""
    numbers = _numbers(part)
    for key in need.keys.keys() - numbers.keys():
        yield f"{part.id}.{key}: this number is missing ({need.source})."
    for key, value in numbers.items():
        least, most = need.keys.get(key, (0, _SHORT))
        if not least <= value <= most:
            yield f"{part.id}.{key}: {value:g} is not within {least:g} to {most:g} ({need.source})."
    for name, given in part.gives.items():
        yield from _given(part, name, given, said)
    sizes = [figure for figure in said if figure.unit == "mm x mm"]
    if part.size and sizes and uncovered(figures(f"{part.size[0]:g} x {part.size[1]:g} mm"), sizes):
        yield f"{part.id}.size: {part.size[0]:g} x {part.size[1]:g}, words say {_list(sizes)}."
    ohms = [figure for figure in said if figure.unit == "Ohm"]
    if part.ohm and uncovered([Figure("Ohm", (part.ohm,), (part.ohm,), "")], ohms):
        yield f"{part.id}.ohm: {part.ohm:g}, but its words say {_list(ohms)}."


def _given(part: Part, pin: str, given: Gives, said: tuple[Figure, ...]) -> Iterator[str]:
    for unit, value in (("A", given.most / 1000), ("V", given.volts)):
        named = [figure for figure in figures(part.name) if figure.unit == unit]
        named = named or [figure for figure in said if figure.unit == unit and unit == "V"]
        if named and uncovered([Figure(unit, (value,), (value,), "")], named):
            yield f"{part.id}.gives.{pin}: {value:g} {unit}, but its words say {_list(named)}."


def _numbers(part: Part) -> dict[str, float]:
    """Return the numbers of a part that are computed with, by key."""
    found = {key: value for key in _NUMBERS if (value := getattr(part, key))}
    if part.at_work:
        found |= {"at_work.typical": part.at_work.typical, "at_work.most": part.at_work.most}
    for pin, given in part.gives.items():
        found |= {f"gives.{pin}.volts": given.volts, f"gives.{pin}.most": given.most}
        found |= {f"gives.{pin}.kept": given.kept} if given.kept != 1 else {}
    return found | ({"depth": part.size[2]} if part.size else {})


def _size(part: Part) -> tuple[Figure, ...]:
    """Return the bounds that a reader's board sets for what is said of its size."""
    if not part.size:
        return ()
    return figures(f"at most {part.size[0]:g} x {part.size[1]:g} mm")


def _asked(one: Figure, bounds: tuple[Figure, ...] | list[Figure]) -> str:
    same = [bound for bound in bounds if bound.unit == one.unit]
    return f"it has to be {_list(same)}" if same else "nothing here goes by that"


def _list(these: list[Figure]) -> str:
    return " or ".join(figure.words for figure in these)


def _plain(pattern: str) -> str:
    """Return a pattern as somebody reads it."""
    return (
        '"'
        + re.sub(r"\\b|\[\w(\w)\]", r"\1", pattern).replace("\\", "").replace("|", '" or "')
        + '"'
    )


def lacking(bought: Mapping[str, int]) -> Iterator[str]:
    """Yield a sentence for every part in a list that lacks the one it needs beside it."""
    for part in bought:
        for other in needs()[part].beside:
            if not bought.get(other):
                yield f"{part} needs {other} beside it."
