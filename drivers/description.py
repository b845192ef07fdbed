"""A board as data: one TOML file says what a board is, and everything reads it.

Drivers, firmware, simulator, pages and wiring documents all take geometry, numbering, lights,
buttons and parts from here. Cells are named `a1` to `h9` as the players see them; the file gives
the numbering as built, and `orientation` says how the finished board lies on the table.
"""

from __future__ import annotations

import json
import tomllib
import zlib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError, model_validator
from pydantic_core import ErrorDetails

from drivers.errors import DriverError

__all__ = ["BoardDescription", "DescriptionError", "load_description", "shipped"]

Tier = Literal["occupancy", "identity", "face"]
Order = Literal["rows", "serpentine"]
"""`rows`: every rank from the a-file; `serpentine`: every second rank runs back."""

BOARDS = Path(__file__).parent / "boards"
"""Where the descriptions that come with the project lie; found by their bare names."""

_FILES = "abcdefgh"
_Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
_Cells = Annotated[tuple[str, ...], Strict(False)]
"""TOML has lists, no tuples; what is in them is taken as it is."""
_Millimetres = Annotated[float, Field(gt=5, le=200)]
_Pins = dict[str, Annotated[int, Field(ge=0)]]
"""What a pin does -> its GPIO number on the controller (or the Pi's header)."""


class DescriptionError(DriverError):
    """A board file cannot be used; the message says file, key, what, and what to do.

    Example:
        >>> load_description("attic")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        drivers.description.DescriptionError: ...
    """


class _Section(BaseModel):
    """A part of the file. What is a number there is no text, and `true` is no number."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Grid(_Section):
    """The rectangle of squares; `absent` names squares that have no sensor."""

    files: int = Field(default=8, ge=1, le=8)
    ranks: int = Field(default=9, ge=1, le=9)
    absent: _Cells = ()


class Reserve(_Section):
    """How many reserve cells lie beside the board: `hw1`, ... (White) and `hb1`, ... (Black)."""

    white: int = Field(default=0, ge=0, le=20)
    black: int = Field(default=0, ge=0, le=20)


class Wiring(_Section):
    """Which sensor number is which cell.

    By default the squares are numbered along the ranks from a1, then White's reserve cells, then
    Black's. `cells`, where given, lists every cell in the order of its sensor and holds instead.
    """

    order: Order = "rows"
    cells: _Cells = ()


class Orientation(_Section):
    """How the finished board lies: turned clockwise by so many degrees, mirrored before that."""

    turned: Literal[0, 90, 180, 270] = 0
    mirrored: bool = False


class Leds(_Section):
    """Lights under the cells; `order` (or `cells`) says in which order the chain runs.

    Attributes:
        colours: `rgb`, or `single` where only patterns can tell signals apart.
        driver: the part that drives them; `own` where a finished board does it itself.
        reserves: whether reserve cells have lights too.
        per_cell: LEDs of the chain that light one cell.
        brightness: share of full power, 0 to 1.
        limit_ma: what all LEDs together may draw, in milliamperes; the board dims a frame that
            would draw more. 0 for no limit.
        pins: the driver's connections.
        address: bus address of an I2C driver.
    """

    colours: Literal["rgb", "single"]
    driver: Literal["ws2812", "max7219", "ht16k33", "own"]
    order: Order = "rows"
    cells: _Cells = ()
    reserves: bool = False
    per_cell: int = Field(default=1, ge=1, le=8)
    brightness: float = Field(default=0.2, gt=0, le=1)
    limit_ma: int = Field(default=0, ge=0, le=20_000)
    pins: _Pins = {}
    address: int | None = None


class Reeds(_Section):
    """The contacts that feel whether something stands on a cell.

    Attributes:
        kind: how they are read.
        pins: the part's connections.
        scan_hz: how often all are looked at.
        addresses: bus addresses of MCP23017 parts, in the order of their sensors.
    """

    kind: Literal["74hc165", "diode-matrix", "mcp23017"]
    pins: _Pins = {}
    scan_hz: int = Field(default=500, ge=50, le=5000)
    addresses: Annotated[tuple[int, ...], Strict(False)] = ()


class TagReaders(_Section):
    """The readers of RFID tags.

    Attributes:
        kind: the reader chip.
        count: how many of them.
        multiplexing: how one reader serves several cells: not at all, by its own chip select, or
            by switching one reader's antenna.
        pins: the parts' connections.
    """

    kind: Literal["mfrc522", "pn532"]
    count: int = Field(ge=1, le=112)
    multiplexing: Literal["none", "chip-select", "antenna"]
    pins: _Pins = {}


class Button(_Section):
    """One button, by one of the names in `drivers.claims`, and its pin."""

    name: _Name
    pin: Annotated[int, Field(ge=0)] | None = None


class Buzzer(_Section):
    """A piezo buzzer or a small loudspeaker."""

    pin: Annotated[int, Field(ge=0)] | None = None


class Mechanics(_Section):
    """Sizes in millimetres that wiring does not care about, but printing and sawing do.

    Attributes:
        cell_mm: side of one cell.
        top_mm: thickness of what the pieces stand on.
        disc_mm: diameter of a two-sided disc.
        disc_height_mm: its height.
        magnet_mm: diameter of the magnets in the pieces.
        magnet_height_mm: their height.
        reed_mm: length of a reed switch's glass.
        reed_offset_mm: from the middle of the cell to the middle of the glass, which points at it.
        reader_mm: width and height of a reader's board, where it is not that of the parts list.
    """

    cell_mm: float = Field(default=50, ge=25, le=80)
    top_mm: float = Field(default=3, ge=0.5, le=8)
    disc_mm: float = Field(default=36, ge=20, le=70)
    disc_height_mm: float = Field(default=9, ge=5, le=20)
    magnet_mm: float = Field(default=8, ge=4, le=20)
    magnet_height_mm: float = Field(default=2, ge=0.5, le=5)
    reed_mm: float = Field(default=14, ge=5, le=30)
    reed_offset_mm: float = Field(default=9, ge=3, le=20)
    reader_mm: Annotated[tuple[_Millimetres, _Millimetres], Strict(False)] | None = None

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if self.disc_mm > self.cell_mm * 0.9:
            raise ValueError("disc_mm: a disc must leave a tenth of its cell free")
        if self.magnet_height_mm > self.disc_height_mm - 4:
            raise ValueError("magnet_height_mm: a disc needs 4 mm for its tags, shields and faces")
        return self


class BoardDescription(_Section):
    """What one board is. Made by `load_description`; immutable.

    Attributes:
        name: short name; sent in the board's greeting.
        title: one line for people.
        tier: the finest thing the board can feel.

    Example:
        >>> board = load_description("full")
        >>> board.name, board.tier, len(board.squares)
        ('full', 'face', 72)
    """

    name: _Name
    title: str = ""
    tier: Tier
    controller: Literal["pico", "pi-header", "simulated", "own"] = "pico"
    grid: Grid = Grid()
    reserve: Reserve = Reserve()
    wiring: Wiring = Wiring()
    orientation: Orientation = Orientation()
    leds: Leds | None = None
    buttons: Annotated[tuple[Button, ...], Strict(False)] = ()
    buzzer: Buzzer | None = None
    reeds: Reeds | None = None
    tags: TagReaders | None = None
    mechanics: Mechanics = Mechanics()

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """The squares that have a sensor, along the ranks from a1."""
        return tuple(cell for cell in self._grid("rows") if cell not in self.grid.absent)

    @cached_property
    def reserves(self) -> tuple[str, ...]:
        """The reserve cells, White's first."""
        return tuple(
            f"{prefix}{number}"
            for prefix, count in (("hw", self.reserve.white), ("hb", self.reserve.black))
            for number in range(1, count + 1)
        )

    @cached_property
    def built(self) -> tuple[str, ...]:
        """Sensor number -> cell, as wired, before the orientation is looked at."""
        if self.wiring.cells:
            return self.wiring.cells
        return self._squares_in(self.wiring.order) + self.reserves

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Sensor number -> cell, as the players name it."""
        return tuple(self._turn(cell) for cell in self.built)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Cell, as the players name it -> sensor number."""
        return {cell: number for number, cell in enumerate(self.cells)}

    @cached_property
    def led_positions(self) -> tuple[int | None, ...]:
        """Sensor number -> first LED of the chain that lights this cell, `None` where none does."""
        if self.leds is None:
            return (None,) * len(self.built)
        chain = self.leds.cells or (
            self._squares_in(self.leds.order) + (self.reserves if self.leds.reserves else ())
        )
        position = {cell: index * self.leds.per_cell for index, cell in enumerate(chain)}
        return tuple(position.get(cell) for cell in self.built)

    @property
    def button_names(self) -> tuple[str, ...]:
        """Button number -> name."""
        return tuple(button.name for button in self.buttons)

    @cached_property
    def canonical(self) -> str:
        """What a board and its host must agree on, as compact JSON with sorted keys.

        Names, orientation, pins and brightness are left out: they may differ without harm.
        """
        agreed = {
            "buttons": self.button_names,
            "cells": " ".join(self.built),
            "leds": self.leds.colours if self.leds else "none",
            "sound": self.buzzer is not None,
            "tier": self.tier,
        }
        return json.dumps(agreed, separators=(",", ":"), sort_keys=True)

    @cached_property
    def fingerprint(self) -> int:
        """CRC-32 of `canonical`, exchanged in the greeting."""
        return zlib.crc32(self.canonical.encode())

    def oriented(self, turned: Literal[0, 90, 180, 270], *, mirrored: bool = False) -> Self:
        """Return the same board, lying another way round."""
        changed = {"turned": turned, "mirrored": mirrored}
        return type(self).model_validate(self.model_dump() | {"orientation": changed})

    def _grid(self, order: Order) -> tuple[str, ...]:
        files = _FILES[: self.grid.files]
        return tuple(
            f"{file}{rank}"
            for rank in range(1, self.grid.ranks + 1)
            for file in (files[::-1] if order == "serpentine" and rank % 2 == 0 else files)
        )

    def _squares_in(self, order: Order) -> tuple[str, ...]:
        return tuple(cell for cell in self._grid(order) if cell not in self.grid.absent)

    def _turn(self, cell: str) -> str:
        if len(cell) != 2:  # a reserve cell keeps its name
            return cell
        file, rank = _FILES.index(cell[0]), int(cell[1]) - 1
        files, ranks = self.grid.files, self.grid.ranks
        if self.orientation.mirrored:
            file = files - 1 - file
        for _ in range(self.orientation.turned // 90):
            file, rank = rank, files - 1 - file
            files, ranks = ranks, files
        return f"{_FILES[file]}{rank + 1}"

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.orientation.turned in {90, 270} and self.grid.files != self.grid.ranks:
            raise ValueError(
                "orientation.turned: a board that is not square can only lie 0 or 180 degrees"
            )
        _check_list("grid.absent", self.grid.absent, set(self._grid("rows")), complete=False)
        everything = set(self.squares) | set(self.reserves)
        _check_list("wiring.cells", self.wiring.cells, everything, complete=True)
        if self.leds:
            _check_list("leds.cells", self.leds.cells, everything, complete=False)
        if len(set(self.button_names)) != len(self.buttons):
            twice = sorted(n for n in set(self.button_names) if self.button_names.count(n) > 1)
            raise ValueError(f"buttons: two buttons have the same name, {', '.join(twice)}")
        if len(everything) > 112:
            raise ValueError(f"{len(everything)} cells: a board has at most 112")
        return self


def _check_list(key: str, cells: tuple[str, ...], known: set[str], *, complete: bool) -> None:
    if not cells:
        return
    if strange := set(cells) - known:
        raise ValueError(f"{key}: no such cells on this board: {_listed(strange)}")
    if len(set(cells)) != len(cells):
        raise ValueError(f"{key}: named twice: {_listed({c for c in cells if cells.count(c) > 1})}")
    if complete and (missing := known - set(cells)):
        raise ValueError(f"{key}: cells without a sensor number: {_listed(missing)}")


def _listed(cells: set[str]) -> str:
    return ", ".join(sorted(cells))


def shipped() -> tuple[str, ...]:
    """Return the names of the descriptions that come with the project."""
    return tuple(sorted(path.stem for path in BOARDS.glob("*.toml")))


def is_file_name(source: str | Path) -> bool:
    """Return whether this is the path of a board file, and not the name of a shipped one."""
    path = Path(source)
    return path.suffix == ".toml" or path.name != str(source)


def description_path(source: str | Path) -> Path:
    """Return the file that a path or a shipped name means; `DescriptionError` for unknown names."""
    path = Path(source)
    if not is_file_name(source):
        path = BOARDS / f"{source}.toml"
        if not path.exists():
            raise DescriptionError(f'There is no board description "{source}". {_known()}')
    return path


def stages_file(source: str | Path) -> Path:
    """Return where the stages of building a board lie: beside its description, if there are any."""
    return description_path(source).with_suffix(".stages.json")


def _known() -> str:
    return f"Known: {', '.join(shipped())}; or give the path of a .toml file."


def load_description(source: str | Path) -> BoardDescription:
    """Return the board that a file, or one of the shipped descriptions by name, describes.

    Raises:
        DescriptionError: no such file, no TOML, or wrong content; all problems in one message.
    """
    path = description_path(source)
    try:
        return BoardDescription.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError as error:
        raise DescriptionError(f"There is no board file {path.absolute()}. {_known()}") from error
    except UnicodeDecodeError as error:
        raise DescriptionError(f"The board file {path} is not in UTF-8; save it so.") from error
    except OSError as error:
        reason = error.strerror or error
        raise DescriptionError(f"Cannot read the board file {path}: {reason}.") from error
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(f"The board file {path} is not valid TOML: {error}") from error
    except ValidationError as error:
        problems = "".join(f"\n  {_problem(item)}" for item in error.errors())
        raise DescriptionError(
            f"The board file {path} cannot be used:{problems}\n"
            f"Compare it with {BOARDS / 'full.toml'}."
        ) from error


def _problem(item: ErrorDetails) -> str:
    key = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return f"{key}: there is no such key; is it misspelt?"
    if item["type"] == "missing":
        return f"{key}: this key is missing"
    message = str(item["msg"]).removeprefix("Value error, ").replace("a valid tuple", "a list")
    return f"{key}: {message} (found {item['input']!r})" if key else message
