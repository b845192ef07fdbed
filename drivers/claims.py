"""What a board's description promises, held against the parts that would have to keep it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from drivers.description import BoardDescription, Leds, Mechanics, TagReaders

BUTTONS = ("white", "black", "adjust", "pause", "draw", "declare", "hint")
"""The names of buttons that mean something."""
_WIRED = frozenset({"pico", "pi-header"})
"""Controllers whose board is wired by its description; others feel and shine by themselves."""
_COLOURS = {"ws2812": "rgb", "max7219": "single", "ht16k33": "single"}
_LAMPS = {"ht16k33": 128, "max7219": 512}
"""LEDs that fit on one line of these drivers: one chip, or eight."""
_CORNERS = 4
"""LEDs of a cell lie in its corners."""
_DARKEST = 0.02
"""Below this share of its power a light shows no dim signal: its level is rounded to 0."""
_LIT_AT_ONCE, _WHITE_MA = 8, 60
"""Cells that one turn may light, and what one colour light draws in white at full power."""
_FOIL_MM, _RIM_MM = 31.4, 1.6
"""The recess of a disc's foil, and the wall around it (`hardware/printables/disc.scad`)."""


def broken_claims(description: BoardDescription) -> Iterator[str]:
    """Yield one sentence for every promise that no part keeps: key, what, what to do.

    Example:
        "tier: face needs a tag reader under every cell, and there is no [tags] section; ..."
    """
    if not description.built:
        yield "grid.absent: no cell is left; a board has at least one."
    if description.wiring.cells and description.wiring.order != "rows":
        yield "wiring.order: wiring.cells names the order already; leave one of both out."
    yield from _buttons(description)
    if description.controller in _WIRED:
        yield from _senses(description)
    else:
        yield from _unwired(description)
    if description.leds:
        yield from _lights(description, description.leds)
    if description.tags:
        yield from _choosing(description.tags)


def _buttons(description: BoardDescription) -> Iterator[str]:
    names = description.button_names
    for name in names:
        if name not in BUTTONS:
            near = get_close_matches(name, BUTTONS, 1, 0.5)
            meant = f'; is "{near[0]}" meant?' if near else f"; there are {', '.join(BUTTONS)}."
            yield f'buttons: a button called "{name}" does nothing{meant}'
    if ("white" in names) != ("black" in names):
        present, lacking = ("white", "black") if "white" in names else ("black", "white")
        yield f"buttons: there is {present}, but no {lacking}; a clock needs both."


def _senses(description: BoardDescription) -> Iterator[str]:
    tier, tags, reeds = description.tier, description.tags, description.reeds
    if reeds is None:
        yield (
            "reeds: this section is missing; without contacts the board feels nothing. Describe "
            'them, or write controller = "own" where the board needs no wiring from here.'
        )
    elif reeds.addresses and reeds.kind != "mcp23017":
        yield f"reeds.addresses: a {reeds.kind} has no bus address; leave this key out."
    if tags is None and tier != "occupancy":
        yield (
            f"tier: {tier} needs a tag reader under every cell, and there is no [tags] section; "
            'describe the readers, or write "occupancy".'
        )
    if tags and tier == "occupancy":
        yield 'tier: the board has tag readers, so write "identity" or "face", or leave [tags] out.'
    sizes = description.mechanics
    if tags is None and sizes.reader_mm:
        yield "mechanics.reader_mm: there are no readers ([tags]); leave this key out."
    least = _FOIL_MM + 2 * _RIM_MM
    if tier == "face" and sizes.disc_mm <= least:
        yield (
            f"mechanics.disc_mm: a disc of {sizes.disc_mm:g} mm has no room for its foil; it must "
            f"be wider than {least:g} mm."
        )


def _unwired(description: BoardDescription) -> Iterator[str]:
    controller = description.controller
    if controller == "own":
        yield from _finished(description)
    if changed := _changed(description.mechanics):
        yield (
            f"mechanics.{changed[0]}: nothing is built from the sizes of a board with controller = "
            f'"{controller}"; leave this section out.'
        )
    for section in ("reeds", "tags"):
        if getattr(description, section):
            yield (
                f'{section}: a board with controller = "{controller}" is not wired from here; '
                'leave this section out, or write controller = "pico" or "pi-header".'
            )
    named = [f"buttons.{b.name}.pin" for b in description.buttons if b.pin is not None]
    named += ["buzzer.pin"] if description.buzzer and description.buzzer.pin is not None else []
    named += ["leds.pins"] if description.leds and description.leds.pins else []
    for key in named:
        yield f'{key}: a board with controller = "{controller}" has no pins; leave this key out.'


def _finished(description: BoardDescription) -> Iterator[str]:
    """Say what is claimed of a finished board that only one built from here could keep."""
    if description.tier == "face":
        yield "tier: no finished board tells the faces of a piece; write identity or occupancy."
    leds = description.leds
    if leds is None:
        return
    if leds.driver != "own":
        yield f"leds.driver: a finished board drives its lights itself: own, not {leds.driver}."
    for key in _changed(leds, "brightness", "per_cell"):
        yield f"leds.{key}: a finished board's lights are as they are; leave this key out."


def _changed(section: Mechanics | Leds, *keys: str) -> list[str]:
    """Return the keys, or those of these, that are not what they are by themselves."""
    return [
        key
        for key, field in type(section).model_fields.items()
        if key in (keys or (key,)) and getattr(section, key) != field.default
    ]


def _lights(description: BoardDescription, leds: Leds) -> Iterator[str]:
    driver, wired = leds.driver, description.controller in _WIRED
    if wired and driver == "own":
        yield "leds.driver: own lights are those of finished boards; name the driving part."
    if (colours := _COLOURS.get(driver, leds.colours)) != leds.colours:
        yield f'leds.colours: the lights of a {driver} are "{colours}", not "{leds.colours}".'
    dark = [cell for cell in description.squares if leds.cells and cell not in leds.cells]
    if dark:
        yield (
            f"leds.cells: {len(dark)} squares, {dark[0]} among them, have no light to show what is "
            "wrong there; name them all."
        )
    if leds.reserves and not description.reserves:
        yield "leds.reserves: the board has no reserve cells ([reserve]) to light; leave it out."
    for key in _changed(leds, "reserves", "order") if leds.cells else ():
        yield f"leds.{key}: leds.cells names the lit cells already; leave one of both out."
    if leds.address is not None and driver != "ht16k33":
        yield f"leds.address: {driver} has no bus address; leave this key out."
    if leds.per_cell > _CORNERS:
        yield f"leds.per_cell: {leds.per_cell} LEDs, but a cell has four corners for them."
    lamps = leds.per_cell * sum(at is not None for at in description.led_positions)
    if lamps > (most := _LAMPS.get(driver, lamps)):
        yield f"leds: {lamps} LEDs; {driver} drives {most} at most. Light fewer cells (leds.cells)."
    yield from _light(leds)


def _light(leds: Leds) -> Iterator[str]:
    """Say where brightness and current do not fit each other."""
    if leds.brightness < _DARKEST:
        yield f"leds.brightness: below {_DARKEST:g} dim signals are dark; take more."
    if leds.driver == "ws2812":
        least = _LIT_AT_ONCE * leds.per_cell * _WHITE_MA * leds.brightness
        if 0 < leds.limit_ma < least:
            yield (
                f"leds.limit_ma: {leds.limit_ma} mA would dim eight lit cells, which need "
                f"{least:.0f} mA at this brightness; allow more, or lower leds.brightness."
            )
    elif leds.limit_ma:
        yield f"leds.limit_ma: ws2812 alone keeps to one, {leds.driver} does not; leave it out."


def _choosing(tags: TagReaders) -> Iterator[str]:
    """Say which pins of the readers' selection nothing would ever move."""
    decoded, switched = "enable" in tags.pins, tags.multiplexing == "antenna"
    for name, used, instead in (
        ("select", not decoded, "enable and address choose the reader"),
        ("address", decoded, "there is no enable pin"),
        ("antenna", switched and not decoded, "readers here have one antenna each"),
    ):
        if not used and any(pin.startswith(name) for pin in tags.pins):
            yield f"tags.pins.{name}0: nothing uses it, since {instead}; leave these pins out."
    if switched and decoded:
        yield (
            'tags.multiplexing: readers behind enable and address have one antenna each; "antenna" '
            "needs a select pin a reader."
        )
    if decoded and tags.multiplexing == "none":
        yield 'tags.multiplexing: readers behind enable and address are "chip-select", not "none".'
