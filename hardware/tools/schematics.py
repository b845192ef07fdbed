"""Schematics of the parts that repeat, with the pins and counts of the board described."""

from __future__ import annotations

from typing import TYPE_CHECKING

import schemdraw
from schemdraw import elements as elm
from schemdraw import logic

from hardware.tools.bill import banks, chain_length

if TYPE_CHECKING:
    from schemdraw.util import Point

    from drivers.description import BoardDescription, Leds, Reeds, TagReaders

schemdraw.use("svg")


def schematics(description: BoardDescription) -> dict[str, str]:
    """Return the drawings of a board: name -> SVG."""
    drawn: dict[str, str] = {}
    if description.reeds and description.reeds.kind == "74hc165":
        drawn["reeds"] = _chain(description.reeds, len(description.built))
    if description.reeds and description.reeds.kind == "diode-matrix":
        drawn["reeds"] = _matrix()
    if description.tags and "enable" in description.tags.pins:
        drawn["readers"] = _bank(description.tags)
    if description.leds and description.leds.driver == "ws2812":
        drawn["lights"] = _ws2812(description.leds, len(description.built))
    if description.leds and description.leds.driver == "max7219":
        drawn["lights"] = _max7219(description.leds)
    drawn["panel"] = _panel(description)
    return drawn


def _svg(drawing: schemdraw.Drawing) -> str:
    text: str = drawing.get_imagedata("svg").decode()
    return text if text.endswith("\n") else text + "\n"


def _drawing(title: str) -> schemdraw.Drawing:
    drawing = schemdraw.Drawing(show=False, fontsize=11, unit=2)
    drawing.config(bgcolor="white", margin=1)
    drawing += elm.Label().label(title, fontsize=13, halign="left").at((-4.5, 3))
    return drawing


def _chip(name: str, left: list[str], right: list[str], width: float) -> elm.Ic:
    """Return a chip whose pins, named from the top, have the anchors L0, L1, ... and R0, ..."""
    rows = max(len(left), len(right))

    def slot(n: int) -> str:
        return f"{rows - n}/{rows}"

    pins = [
        *(elm.IcPin(p, side="left", slot=slot(n), anchorname=f"L{n}") for n, p in enumerate(left)),
        *(
            elm.IcPin(p, side="right", slot=slot(n), anchorname=f"R{n}")
            for n, p in enumerate(right)
            if p
        ),
    ]
    chip = elm.Ic(pins=pins, size=(width, 0.8 * rows + 0.4))
    chip.label(name, "top").right()
    return chip


def _named(drawing: schemdraw.Drawing, at: Point, text: str, side: str) -> None:
    line = elm.Line().at(at).length(0.8)
    drawing += (line.left() if side == "left" else line.right()).label(text, side)


def _chain(reeds: Reeds, cells: int) -> str:
    chips, pins = chain_length(cells), reeds.pins
    drawing = _drawing(f"Reed contacts: {cells} cells, {chips} x 74HC165 in a chain, all at 3.3 V")
    near = _chip("74HC165, nearest the Pico", ["D7", "D6 to D0", "SER"], ["Q7", "CP", "PL"], 4)
    drawing += (first := near.at((0, -2)))
    _named(drawing, first.R0, f"GP{pins['data']}", "right")
    _named(drawing, first.R1, f"GP{pins['clock']}, and every other CP", "right")
    _named(drawing, first.R2, f"GP{pins['load']}, and every other PL", "right")
    _named(drawing, first.L1, "contacts 1 to 7, each like this one", "left")
    _named(drawing, first.L2, "Q7 of the next chip", "left")
    drawing += elm.Line().at(first.L0).left().length(1)
    drawing += (dot := elm.Dot())
    drawing += elm.Resistor().at(dot.center).up().label("10k", "bottom").length(1.6)
    drawing += elm.Vdd().label("3.3 V")
    drawing += elm.SwitchReed().at(dot.center).left().label("reed of contact 0").length(3)
    drawing += elm.Ground()
    last_contact = chips * 8 - 1
    far = _chip("74HC165, farthest", ["D7", "D6 to D0", "SER"], ["Q7", "CP", "PL"], 4)
    drawing += (last := far.at((0, -7)))
    _named(drawing, last.L0, f"contact {last_contact - 7}", "left")
    _named(drawing, last.L1, f"contacts {last_contact - 6} to {last_contact}", "left")
    drawing += elm.Line().at(last.L2).left().length(0.8)
    drawing += elm.Ground().label("proves that the whole chain shifts", "left")
    _named(drawing, last.R0, "SER of the chip before", "right")
    return _svg(drawing)


def _matrix() -> str:
    drawing = _drawing("Reed contacts: one corner of the matrix, a diode at every reed")
    for row in range(2):
        for column in range(2):
            x, y = 4.5 * column, -3 * row
            drawing += elm.Dot().at((x, y))
            drawing += elm.SwitchReed().at((x, y)).right().length(2)
            drawing += elm.Diode().right().length(2).label("1N4148")
            drawing += elm.Dot()
        drawing += elm.Label().label(f"row {row}", "left").at((-0.5, -3 * row))
    return _svg(drawing)


def _bank(tags: TagReaders) -> str:
    pins, count = tags.pins, banks(tags.count)
    drawing = _drawing(f"Tag readers: {tags.count} in {count} banks of eight; bank 0 drawn, 3.3 V")
    low = [name for name in ("address0", "address1", "address2") if name in pins]
    high = sorted(name for name in pins if name.startswith("address") and name not in low)
    names = [f"A{n}" for n in range(len(high))]
    chooser = _chip("74HC154, one", [*names, "E0", "E1"], ["Y0", f"Y1 to Y{count - 1}"], 4)
    drawing += (bank := chooser.at((0, -4)))
    for n, name in enumerate(high):
        _named(drawing, getattr(bank, f"L{n}"), f"GP{pins[name]}", "left")
    enable = getattr(bank, f"L{len(high)}")
    _named(drawing, enable, f"GP{pins['enable']}, 10k to 3.3 V", "left")
    _named(drawing, getattr(bank, f"L{len(high) + 1}"), "ground", "left")
    _named(drawing, bank.R0, "SELECT 0", "right")
    _named(drawing, bank.R1, "the other banks", "right")
    left = ["A0", "A1", "A2", "E1, E2", "E3"]
    decoder = _chip("74HC138, one a bank", left, ["Y0", "Y1 to Y6", "Y7"], 4)
    drawing += (choose := decoder.at((0, -10)))
    ends = [*(f"GP{pins[name]}" for name in low), "SELECT 0", "3.3 V"]
    for n, text in enumerate(ends):
        _named(drawing, getattr(choose, f"L{n}"), text, "left")
    _named(drawing, choose.R0, "NSS of reader 0", "right")
    _named(drawing, choose.R2, "NSS of reader 7", "right")
    left = ["1A", "2A", "1OE, 2OE, 3OE", "3Y"]
    buffer = _chip("74HC125, one a bank", left, ["1Y", "2Y", "", "3A"], 4)
    drawing += (gate := buffer.at((0, -15.2)))
    ends = [f"GP{pins['clock']} clock", f"GP{pins['mosi']} MOSI", "SELECT 0"]
    for n, text in enumerate([*ends, f"GP{pins['miso']} MISO"]):
        _named(drawing, getattr(gate, f"L{n}"), text, "left")
    for n, text in ((0, "SCK"), (1, "MOSI"), (3, "MISO")):
        _named(drawing, getattr(gate, f"R{n}"), f"{text} of eight readers", "right")
    text = f"NRSTPD of all readers: GP{pins.get('reset', '-')}"
    drawing += elm.Label().label(text, halign="left").at((0, -16))
    return _svg(drawing)


def _ws2812(leds: Leds, cells: int) -> str:
    drawing = _drawing(f"Lights: {cells} x WS2812B in one chain")
    drawing += elm.Dot(open=True).at((-3, 0)).label(f"GP{leds.pins['data']}", "left")
    drawing += elm.Line().right().length(1)
    drawing += logic.Buf().right().label("74AHCT125 at 5 V", "bottom")
    drawing += elm.Resistor().right().label("330")
    for name in ("first LED", "second LED"):
        box = elm.Ic(
            pins=[elm.IcPin(name="DIN", side="left"), elm.IcPin(name="DOUT", side="right")],
            size=(2.6, 1.6),
        ).label(name, "top")
        drawing += (led := box.anchor("DIN"))
        drawing += elm.Line().at(led.DOUT).right().length(1)
    drawing += elm.Label().label("and so on", "right")
    drawing += elm.Vdd().at((0, -2.5)).label("5 V, 4 A, fed in at both ends of the chain")
    drawing += elm.Capacitor().at((0, -2.5)).down().label("1000 uF")
    drawing += elm.Ground()
    return _svg(drawing)


def _max7219(leds: Leds) -> str:
    pins = leds.pins
    drawing = _drawing("Lights: 64 LEDs on one MAX7219 at 5 V, its lines through a 74AHCT125")
    left = ["DIN", "CLK", "LOAD", "ISET"]
    chip = _chip("MAX7219", left, ["SEG DP, A to G", "DIG 0 to 7"], 5)
    drawing += (driver := chip.at((0, -3)))
    for n, name in enumerate(("data", "clock", "select")):
        _named(drawing, getattr(driver, f"L{n}"), f"GP{pins[name]}, shifted", "left")
    drawing += elm.Resistor().at(driver.L3).left().label("27k", "bottom")
    drawing += elm.Label().label("5 V", "left")
    _named(drawing, driver.R0, "anodes, files a to h", "right")
    _named(drawing, driver.R1, "cathodes, ranks 1 to 8", "right")
    return _svg(drawing)


def _panel(description: BoardDescription) -> str:
    drawing = _drawing("Buttons and buzzer: pulled up inside the Pico, closed to ground")
    at = 0.0
    for button in description.buttons:
        drawing += elm.Dot(open=True).at((-3, at)).label(f"GP{button.pin}", "left")
        drawing += elm.Button().at((-3, at)).right().label(button.name, "top")
        drawing += elm.Ground()
        at -= 2
    if description.buzzer and description.buzzer.pin is not None:
        drawing += elm.Dot(open=True).at((-3, at)).label(f"GP{description.buzzer.pin}", "left")
        drawing += elm.Line().at((-3, at)).right().length(1.5)
        drawing += elm.Speaker().right().label("piezo, other leg to ground", "right")
    return _svg(drawing)
