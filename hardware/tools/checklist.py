"""The test plan of one board: every contact, light and reader, where it is and what must happen."""

from __future__ import annotations

from drivers.bus_speed import BANK, banks
from drivers.description import BoardDescription
from hardware.tools.circuits import MCP_INPUTS, chain_length

_HEAD = """\
# Test plan: {name}

Made from the description `{name}` by `python -m hardware.tools.generate`. Tick off while
`firmware-bridge monitor` runs; cells are named as built, before any `orientation`."""


def checklist(description: BoardDescription) -> str:
    """Return the plan as Markdown."""
    sections = [
        _HEAD.format(name=description.name),
        _contacts(description),
        _lights(description),
        _readers(description),
        _panel(description),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def _contacts(description: BoardDescription) -> str:
    reeds, cells = description.reeds, description.built
    if reeds is None:
        return ""
    lines = [
        "## Contacts",
        "",
        "Input to ground, or a magnet on the cell: this cell, no other.",
        "",
    ]
    if reeds.kind == "74hc165":
        head = ("register, from the Pico", *(f"D{7 - bit}" for bit in range(8)), "done")
        rows = [
            (str(chip + 1), *_padded(cells[chip * 8 : chip * 8 + 8], 8), "")
            for chip in range(chain_length(len(cells)))
        ]
        last = 'Cut the chain anywhere: "cannot read its contacts", and no piece moves.'
    elif reeds.kind == "diode-matrix":
        head = ("row", *(f"column {column}" for column in range(8)), "done")
        rows = [
            (str(row), *_padded(cells[row * 8 : row * 8 + 8], 8), "")
            for row in range(-(-len(cells) // 8))
        ]
        last = "Close three corners of every rectangle you can reach: no fourth appears."
    else:
        head = ("expander", *(f"input {n}" for n in range(MCP_INPUTS)), "done")
        rows = [
            (f"{address:#04x}", *_padded(cells[n * MCP_INPUTS :][:MCP_INPUTS], MCP_INPUTS), "")
            for n, address in enumerate(reeds.addresses)
        ]
        last = "Take one expander out: the board says so."
    if reeds.kind == "diode-matrix" and len(rows) == 1:
        return "\n".join([*lines, *_table(head, rows)])  # one row cannot fake a contact
    return "\n".join([*lines, *_table(head, rows), "", f"- [ ] {last}"])


def _padded(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    return cells + ("-",) * (width - len(cells))


def _lights(description: BoardDescription) -> str:
    if description.leds is None:
        return ""
    chain = sorted(
        (position, cell)
        for cell, position in zip(description.built, description.led_positions, strict=True)
        if position is not None
    )
    rows: list[tuple[str, ...]] = []
    for first in range(0, len(chain), 8):
        group = chain[first : first + 8]
        cells = " ".join(cell for _, cell in group)
        rows.append((f"{group[0][0]} to {group[-1][0]}", cells, ""))
    lines = [
        "## Lights",
        "",
        "`firmware-bridge setup`: every cell shines until a piece is felt on it.",
        "",
    ]
    return "\n".join([*lines, *_table(("LEDs", "cells", "done"), rows)])


def _readers(description: BoardDescription) -> str:
    tags, cells = description.tags, description.built
    if tags is None:
        return ""
    lines = [
        "## Readers",
        "",
        "A tagged piece on the cell is named within a tenth of a second.",
        "",
    ]
    rows: list[tuple[str, ...]]
    if "enable" in tags.pins:
        rows = [
            (str(bank), " ".join(cells[bank * BANK : (bank + 1) * BANK]), "")
            for bank in range(banks(tags.count))
        ]
        head = ("bank (74HC154 output)", "cells at Y0 to Y7 of its 74HC138", "done")
    else:
        share = -(-len(cells) // tags.count)
        rows = [
            (str(reader), " ".join(cells[reader * share : (reader + 1) * share]), "")
            for reader in range(tags.count)
        ]
        head = ("reader", "cells", "done")
    return "\n".join([*lines, *_table(head, rows)])


def _panel(description: BoardDescription) -> str:
    lines = ["## Panel", ""]
    lines += [
        f"- [ ] button `{button.name}` (GPIO {button.pin}): one press, one event"
        for button in description.buttons
    ]
    if description.buzzer:
        lines.append("- [ ] buzzer: one short tone, two low tones, two high tones")
    return "\n".join([*lines, "- [ ] self-test passed"])
