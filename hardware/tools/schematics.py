"""Circuits in symbols: one contact or the whole matrix, and the panel; chips: `sheets.py`."""

from __future__ import annotations

import schemdraw
from schemdraw import elements as elm

from drivers.description import BoardDescription, Reeds
from hardware.tools.pins import controller

schemdraw.use("svg")
_STEP = 3.4
"""Drawing units from one cell of the matrix to the next."""


def schematics(description: BoardDescription) -> dict[str, str]:
    """Return the drawings of a board: name -> SVG."""
    drawn = {"panel": _panel(description)} if description.buttons or description.buzzer else {}
    if description.reeds and description.reeds.kind == "diode-matrix":
        drawn["contact"] = _matrix(description, description.reeds)
    elif description.reeds:
        drawn["contact"] = _contact(description.reeds)
    return drawn


def _svg(drawing: schemdraw.Drawing) -> str:
    text: str = drawing.get_imagedata("svg").decode()
    return text if text.endswith("\n") else text + "\n"


def _drawing(title: str) -> schemdraw.Drawing:
    drawing = schemdraw.Drawing(show=False, fontsize=11, unit=2)
    drawing.config(bgcolor="white", margin=1)
    drawing += elm.Label().label(title, fontsize=13, halign="left").at((-4.5, 2.2))
    return drawing


def _contact(reeds: Reeds) -> str:
    drawing = _drawing("One contact, of which every input has one")
    if reeds.kind == "74hc165":
        drawing += elm.Vdd().at((0, 0)).label("3.3 V")
        drawing += elm.Resistor().at((0, 0)).down().label("10k", "bottom")
        name = "input D7 ... D0 of a 74HC165"
    else:
        name = "input of an MCP23017, which has the pull-up"
        drawing += elm.Line().at((0, -2)).up().length(0)
    drawing += (dot := elm.Dot().at((0, -2)))
    drawing += elm.Line().at(dot.center).right().length(2)
    drawing += elm.Dot(open=True).label(name, "right")
    drawing += elm.SwitchReed().at(dot.center).down().label("reed of the cell", "bottom")
    drawing += elm.Ground()
    return _svg(drawing)


def _matrix(description: BoardDescription, reeds: Reeds) -> str:
    """Columns are pulled up in the controller; a row is pulled low, so diodes point to the rows."""
    cells = description.built
    rows = sorted((int(name[3:]), gpio) for name, gpio in reeds.pins.items() if name != "column0")
    drawing = _drawing(
        "Reed contacts: a reed and a diode 1N4148 at every crossing; the bar at the row"
        if len(rows) > 1
        else "Reed contacts: one row, so that no diodes are needed"
    )
    last = -_STEP * len(rows)
    for column in range(8):
        gpio, x = reeds.pins["column0"] + 7 - column, _STEP * column
        drawing += elm.Dot(open=True).at((x, 1)).label(_leg(description, gpio), "top")
        drawing += elm.Line().at((x, 1)).down().toy(last + _STEP - 0.2)
    for row, gpio in rows:
        y = -_STEP * row - 1.8
        drawing += elm.Dot(open=True).at((-2, y)).label(_leg(description, gpio), "left")
        drawing += elm.Line().at((-2, y)).right().tox(_STEP * 8 - 1)
        for column, cell in enumerate(cells[row * 8 : row * 8 + 8]):
            x = _STEP * column
            drawing += elm.Dot().at((x, y + 1.6))
            drawing += elm.SwitchReed().at((x, y + 1.6)).right().length(1.8).label(cell)
            down = elm.Diode() if len(rows) > 1 else elm.Line()
            drawing += down.at((x + 1.8, y + 1.6)).down().length(1.6)
            drawing += elm.Dot().at((x + 1.8, y))
    return _svg(drawing)


def _panel(description: BoardDescription) -> str:
    drawing = _drawing("Buttons, pulled up in the controller, and buzzer")
    at = 0.0
    for button in description.buttons:
        drawing += elm.Dot(open=True).at((-3, at)).label(_leg(description, button.pin), "left")
        drawing += elm.Button().at((-3, at)).right().label(button.name, "top")
        drawing += elm.Ground()
        at -= 2
    if description.buzzer and description.buzzer.pin is not None:
        drawing += (
            elm.Dot(open=True).at((-3, at)).label(_leg(description, description.buzzer.pin), "left")
        )
        drawing += elm.Line().at((-3, at)).right().length(1.5)
        drawing += elm.Speaker().right().label("piezo, over 100 Ohm to ground", "right")
    return _svg(drawing)


def _leg(description: BoardDescription, gpio: int | None) -> str:
    legs = controller(description).legs
    return f"GP{gpio}, leg {legs.get(gpio, '-')}" if gpio is not None else "-"
