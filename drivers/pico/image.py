"""The firmware image: the files a Pico needs for one board, made from its description."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from drivers.bus_speed import buses
from drivers.description import BoardDescription, DescriptionError
from drivers.link import codec
from drivers.signals import SIGNALS

_HERE = Path(__file__).parent
_INSTALLED = _HERE / "firmware"
SOURCES = _INSTALLED if _INSTALLED.is_dir() else _HERE.parents[1] / "hardware" / "firmware"
"""The firmware: in an installed package it lies inside it, in a checkout in `hardware/firmware`."""

_SHARED = ("__init__.py", "link/__init__.py", "link/codec.py", "link/board_session.py")
"""What board and host run alike, under `drivers` on both."""
_ONLY_FOR_CHECKERS = "edge.py"

READABLE = ("74hc165", "diode-matrix")
"""The kinds of contacts that the firmware has a scanner for."""


def firmware_version() -> tuple[int, int, int]:
    """Return the version that the firmware greets with: that of this package."""
    major, minor, patch = re.findall(r"\d+", version("firmware-bridge"))[:3]  # 1.0.0rc1: 1, 0, 0
    return int(major), int(minor), int(patch)


def image(description: BoardDescription) -> dict[str, bytes]:
    """Return everything that lies on the Pico: path -> contents.

    The last entry, `version.json`, holds a hash of all others, so that a half-loaded Pico is
    told from a whole one.

    Raises:
        DescriptionError: this board is not made with a Pico, or a part it needs is missing.
    """
    files = {"main.py": (SOURCES / "main.py").read_bytes()}
    package = SOURCES / "boardware"
    for path in sorted(package.rglob("*.py")):
        if path.name != _ONLY_FOR_CHECKERS:
            files[f"boardware/{path.relative_to(package)}"] = path.read_bytes()
    for name in _SHARED:
        files[f"drivers/{name}"] = (_HERE.parent / name).read_bytes()
    files["config.json"] = json.dumps(config(description), separators=(",", ":")).encode()
    files["version.json"] = json.dumps(
        {"firmware": firmware_version(), "board": description.name}
    ).encode()
    return stamped(files)


def stamped(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return these files with their hash in `version.json`, the last of them."""
    version = json.loads(files["version.json"]) | {"hash": digest(files)}
    others = {name: files[name] for name in files if name != "version.json"}
    return others | {"version.json": json.dumps(version).encode()}


def digest(files: dict[str, bytes]) -> str:
    """Return a hash over names and contents; `version.json` itself does not count."""
    total = hashlib.sha256()
    for name in sorted(files.keys() - {"version.json"}):
        total.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return total.hexdigest()


def config(
    description: BoardDescription, controller: Literal["pico", "pi-header"] = "pico"
) -> dict[str, Any]:
    """Return the part of a description that the firmware needs, as `config.json` holds it.

    Raises:
        DescriptionError: this board is made otherwise, or a part it needs is missing.
    """
    if description.controller != controller or description.reeds is None:
        what = "Pico" if controller == "pico" else "Raspberry Pi"
        raise DescriptionError(
            f'The board "{description.name}" has no {what} that scans reed contacts '
            f'(controller = "{controller}" and a [reeds] section), so there is no firmware for it.'
        )
    if controller == "pico" and description.reeds.kind not in READABLE:
        raise DescriptionError(
            f"reeds.kind: a Pico reads {' or '.join(READABLE)}; {description.reeds.kind} is for "
            "boards on the Pi's own header."
        )
    if missing := [button.name for button in description.buttons if button.pin is None]:
        raise DescriptionError(f"buttons without a pin: {', '.join(missing)}")
    return {
        "name": description.name,
        "fingerprint": description.fingerprint,
        "description": description.canonical,
        "firmware": firmware_version(),
        "tier": codec.TIERS.index(description.tier),
        "cells": len(description.built),
        "capabilities": _capabilities(description),
        "buttons": [button.pin for button in description.buttons],
        "buzzer": description.buzzer.pin if description.buzzer else None,
        "reeds": description.reeds.model_dump(include={"kind", "pins", "scan_hz"}),
        "tags": description.tags.model_dump() if description.tags else None,
        "leds": _leds(description),
        "hz": {kind: bus.hz for kind, bus in buses(description).items()},
        "signals": {
            str(signal.number): [*signal.colour, signal.pattern] for signal in SIGNALS.values()
        },
    }


def _leds(description: BoardDescription) -> dict[str, Any] | None:
    leds = description.leds
    if leds is None:
        return None
    positions = description.led_positions
    return {
        "driver": leds.driver,
        "pins": leds.pins,
        "address": leds.address,
        "positions": positions,
        "count": sum(leds.per_cell for position in positions if position is not None),
        "per_cell": leds.per_cell,
        "colours": leds.colours == "rgb",
        "brightness": leds.brightness,
        "limit_ma": leds.limit_ma,
    }


def _capabilities(description: BoardDescription) -> int:
    leds = description.leds
    return (
        (codec.HAS_LIGHTS if leds else 0)
        | (codec.HAS_COLOUR if leds and leds.colours == "rgb" else 0)
        | (codec.HAS_SOUND if description.buzzer and description.buzzer.pin is not None else 0)
        | (codec.HAS_TAGS if description.tags else 0)
        | codec.HAS_SELF_TEST
    )
