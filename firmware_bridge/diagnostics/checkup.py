"""What `firmware-bridge doctor` looks at: each check says in plain words what is and what to do."""

from __future__ import annotations

import asyncio
import grp
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Literal

from drivers.port import Driver, DriverError, LinkChanged
from drivers.simulator.guard import LOOPBACK
from firmware_bridge.config import Config, ConfigError
from firmware_bridge.config.game_settings import BadSetting
from firmware_bridge.config.loading import told_in_full
from firmware_bridge.opponents.confinement import lacking
from firmware_bridge.pages.server import AddressRefused, address_of, listen
from firmware_bridge.service import assembly as parts
from rules import UnknownGame

State = Literal["good", "note", "bad"]
Class = Literal["config", "board", "storage", "network", "machine"]

PATIENCE = 6.0
"""Seconds that the board may take to answer."""
ROOM = 50 * 2**20
"""Bytes that should be free where games are kept; a game takes some 100 kB."""
VOLATILE = {"tmpfs", "ramfs", "overlay", "overlayfs"}
"""File systems that forget everything when the power goes."""
SYSTEM = (Path("/usr/lib/os-release"), Path(__file__))
"""Written when the system and this service were installed: no honest clock is older than they."""
SLACK = 86_400.0
"""Seconds: a file may have been written by another machine, in another zone of time."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        about: the class it belongs to; the exit code follows from it.
        state: `good`, `note` (worth knowing) or `bad` (will not work).
        text: what is, and what to do about it.
    """

    about: Class
    state: State
    text: str


def check_up(config: Config) -> Iterator[Finding]:
    """Look at everything that a service with this configuration needs; yield what is found."""
    yield from _machine(config)
    yield from _storage(config.data)
    yield from _network(config)
    yield from _game(config)
    yield from _added(config)
    yield from _board(config)


def _newest(data: Path) -> float:
    """Return when the newest was written of the system, this service and its games, in seconds."""
    places = [*SYSTEM, *data.glob("*")]
    return max((place.stat().st_mtime for place in places if place.exists()), default=0.0)


def _machine(config: Config) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("machine", "good", f"Python {version}")
    if time.time() < _newest(config.data) - SLACK:
        date = time.strftime("%Y-%m-%d", time.gmtime())
        yield Finding(
            "machine",
            "note",
            f"The clock says {date}. Games are timed all the same, but their dates will be wrong: "
            "connect to a network once, or fit a real-time clock.",
        )
    if config.sound.speech and shutil.which("espeak-ng") is None:
        yield Finding(
            "machine",
            "note",
            "espeak-ng is not installed: the display speaks instead, in browsers that can "
            "(sudo apt install espeak-ng).",
        )
    if missing := lacking():
        yield Finding(
            "machine",
            "note",
            f"This kernel has no {' and no '.join(missing)}: a computer's process may open no file "
            "all the same, but is held back by less than it could be (SECURITY.md).",
        )
    if config.pages.kiosk and shutil.which("chromium") is None:
        yield Finding(
            "machine",
            "note",
            "chromium is not installed: a kiosk has no screen (sudo apt install chromium).",
        )


def _storage(folder: Path) -> Iterator[Finding]:
    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    try:
        with TemporaryFile(dir=existing) as trial:  # a disk in trouble says only then that it is
            trial.write(b"?")
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        yield Finding(
            "storage",
            "bad",
            f"Games cannot be kept in {folder}: writing to {existing} fails ({error.strerror}). "
            "Check the disk or card, or set `data` to a folder of this user's.",
        )
        return
    if (kind := file_system_of(existing)) in VOLATILE:
        yield Finding(
            "storage",
            "note",
            f"{existing} is a {kind}: a game kept there is gone when the power is. "
            "Set `data` to a folder on a disk or card.",
        )
    free = shutil.disk_usage(existing).free
    room = f"{free // 2**20} MB"
    if free < ROOM:
        yield Finding("storage", "bad", f"Only {room} are free at {existing}: make room.")
    else:
        yield Finding("storage", "good", f"Games are kept in {folder} ({room} free).")


def file_system_of(place: Path, mounts: Path = Path("/proc/mounts")) -> str:
    """Return the type of the file system that holds a place, empty if nobody knows."""
    try:
        lines = [line.split() for line in mounts.read_text(encoding="utf-8").splitlines()]
    except OSError:
        return ""
    real = place.resolve()
    held = [(point, kind) for _, point, kind, *_ in lines if real.is_relative_to(point)]
    return max(held, key=lambda mount: len(mount[0]), default=("", ""))[1]


def _network(config: Config) -> Iterator[Finding]:
    try:
        listener = listen(config.pages)
    except AddressRefused as error:
        yield Finding("network", "bad", str(error))
        return
    with listener:
        yield Finding("network", "good", f"The display will be at {address_of(listener)}")
    if config.pages.host in LOOPBACK:
        yield Finding(
            "network",
            "note",
            "Only this machine can open the pages; for phones set pages.host, such as 0.0.0.0.",
        )


def _game(config: Config) -> Iterator[Finding]:
    try:
        description, _ = parts.board_of(config)
        parts.sensing_of(config, description)
        parts.agreement_of(config, description)
    except (UnknownGame, BadSetting, ConfigError) as error:
        yield Finding("config", "bad", told_in_full(error))
    except DriverError as error:
        yield Finding("board", "bad", told_in_full(error))
    else:
        yield Finding("config", "good", f"The first game is {config.game.id}.")


def _added(config: Config) -> Iterator[Finding]:
    """Look at what other packages bring, as far as the configuration asks for it."""
    for hold in (parts.added_indicators, parts.hold_carrier):
        try:
            hold(config)
        except DriverError as error:
            yield Finding("config", "bad", told_in_full(error))


def _board(config: Config) -> Iterator[Finding]:
    port = config.board.settings.get("port")
    if isinstance(port, str) and port:
        yield from _port(Path(port))
    try:
        _, driver = parts.board_of(config)
    except DriverError:
        return  # `_game` has said so
    yield asyncio.run(_call(driver))


def _port(port: Path) -> Iterator[Finding]:
    try:
        mode = port.stat()
    except OSError:
        return  # the driver says it better
    if not stat.S_ISCHR(mode.st_mode):
        yield Finding("board", "bad", f"{port} is no serial port.")
    elif not os.access(port, os.R_OK | os.W_OK):
        yield Finding(
            "board",
            "bad",
            f"This user may not use {port}. Join its group: "
            f"sudo usermod -aG {_group(mode.st_gid)} $USER, then log in again.",
        )


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


async def _call(driver: Driver) -> Finding:
    """Open the board, wait for its answer, and close it again."""
    heard = "It did not answer."
    try:
        async with asyncio.timeout(PATIENCE), driver:
            async for event in driver.events():
                if isinstance(event, LinkChanged):
                    heard = event.text
                    if event.up:
                        return Finding("board", "good", heard)
    except TimeoutError:
        return Finding("board", "bad", f"No board within {PATIENCE:.0f} seconds. {heard}")
    except DriverError as error:
        return Finding("board", "bad", told_in_full(error))
    return Finding("board", "bad", f"The board went away. {heard}")
