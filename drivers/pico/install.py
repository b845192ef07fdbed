"""Loading the firmware onto a Pico: find it, look at its MicroPython, copy, read back, greet."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from serial.tools.list_ports import comports

from drivers.description import BoardDescription
from drivers.pico.precompiled import precompiled
from drivers.port import BoardNotice, DriverError, LinkChanged
from drivers.serial_board import SerialBoard
from drivers.transport import PortSettings, PortUnusableError, open_port

OLDEST_MICROPYTHON = (1, 23, 0)
"""The first in which everything the firmware uses from `rp2` is documented alike. The first for a
Pico 2 is 1.24."""

_PICO_VENDOR, _PICO_PRODUCT = 0x2E8A, 0x0005  # on USB, with MicroPython
_INTERRUPT = b"\r\x03"
_STEP_ASIDE_S = 8.0  # longer than the board waits for a silent host
RETURNS_S = 10.0
"""Longer than a Pico that restarts is away."""
_ANSWER_S = 20.0  # starting, greeting and a self-test of every cell, with room to spare

FLASH = """\
Put MicroPython on the Pico first:
  1. Hold its BOOTSEL button down while you plug in the USB cable, then let go.
  2. A drive called RPI-RP2 appears, or RP2350 if it is a Pico 2.
  3. Download the newest firmware file (.uf2) for your model and copy it onto that drive:
       Pico, Pico H  https://micropython.org/download/RPI_PICO/
       Pico W        https://micropython.org/download/RPI_PICO_W/
       Pico 2        https://micropython.org/download/RPI_PICO2/
       Pico 2 W      https://micropython.org/download/RPI_PICO2_W/
     One for the other chip does not start: the drive stays, or comes back.
  4. The drive disappears: the Pico has restarted with MicroPython. Run this command again."""


class InstallError(DriverError):
    """The firmware cannot be loaded; the message says why and what to do."""


class FaultyError(InstallError):
    """The board greets, but its own test names what does not work yet."""


def picos() -> list[str]:
    """Return the ports of all Picos with MicroPython that are plugged in."""
    return sorted(
        port.device for port in comports() if (port.vid, port.pid) == (_PICO_VENDOR, _PICO_PRODUCT)
    )


def picos_of(port: str | None) -> list[str]:
    """Return the Picos that may be a board's: at its port, however that is called, if it has one.

    The service restarts a board that does not run its firmware. It comes back, and is waited for.
    """
    until, named = time.monotonic() + RETURNS_S, port and Path(port).resolve()
    while True:
        found = [pico for pico in picos() if named in (None, Path(pico).resolve())]
        if found or time.monotonic() > until:
            return found
        time.sleep(0.2)


def find_pico() -> str:
    """Return the port of the one Pico with MicroPython that is plugged in.

    Raises:
        InstallError: there is none, or more than one.
    """
    ports = picos()
    if not ports:
        raise InstallError(f"No Pico with MicroPython is plugged in.\n{FLASH}")
    if len(ports) > 1:
        raise InstallError(
            f"There are {len(ports)} Picos: {', '.join(ports)}. Say which with --port."
        )
    return ports[0]


def install(
    port: str, files: dict[str, bytes], say: Callable[[str], object], *, anew: bool = True
) -> None:
    """Copy an image (see `drivers.pico.image`) to the Pico at `port`, read it back, restart it.

    `say` is told what is being done; unless it is wished `anew`, what lies there is not copied.

    Raises:
        InstallError: the Pico does not answer, its MicroPython is too old, or what it keeps is not
            what was copied.
    """
    say(f"Asking the board at {port} to step aside ...")
    _step_aside(port)
    found, mpy, machine = micropython(port)
    if found < OLDEST_MICROPYTHON:
        raise InstallError(
            f"The Pico runs MicroPython {_dotted(found)}; {_dotted(OLDEST_MICROPYTHON)} or newer "
            f"is needed.\n{FLASH}"
        )
    ready = precompiled(files, mpy)
    how = "compiled beforehand" if ready else "as sources, which the board compiles at each start"
    answering = f"MicroPython {_dotted(found)} on a {machine} answers."
    if not anew and not _astray(port, ready or files):
        say(f"{answering} This firmware is on it already.")
    else:
        say(f"{answering} Copying {len(files)} files, {how} ...")
        _copy(port, ready or files)
        if astray := _astray(port, ready or files):
            raise InstallError(
                f"The Pico at {port} does not keep what is copied to it ({', '.join(astray)}). "
                "Try again; if it stays so, the Pico is worn out or its memory is full."
            )
    say("Restarting the board ...")
    _mpremote(port, "resume", "reset")


def _astray(port: str, files: dict[str, bytes]) -> list[str]:
    """Return which files lie otherwise on the Pico, read back from its own memory."""
    there = json.loads(_mpremote(port, "resume", "exec", f"{_READ_BACK}\nread_back({[*files]!r})"))
    return [
        name
        for name, contents in files.items()
        if there.get(name) != hashlib.sha256(contents).hexdigest()
    ]


def _copy(port: str, files: dict[str, bytes]) -> None:
    """Replace the firmware that is there; nothing of an older one stays behind."""
    folders: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as local:
        for name, contents in files.items():
            path = Path(local) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)
            folders.setdefault(str(PurePosixPath(name).parent), []).append(str(path))
        made = sorted(folder for folder in folders if folder != ".")
        _mpremote(port, "exec", f"{_CLEAR}\nfor folder in {made!r}:\n    os.mkdir(folder)")
        # The main folder last: with half of the files a Pico must not start.
        for folder in (*made, "."):
            _mpremote(port, "resume", "cp", "-f", *folders[folder], f":{folder}")


def micropython(port: str) -> tuple[tuple[int, ...], int, str]:
    """Return which MicroPython answers at `port`: its version, what .mpy files it reads, its model.

    Raises:
        InstallError: no MicroPython answers.
    """
    script = (
        "import sys, json; it = sys.implementation; "
        "name = getattr(it, '_machine', 'board'); "
        "print(json.dumps([list(it.version), getattr(it, '_mpy', 0), name]))"
    )
    answer = _mpremote(port, "exec", script)
    try:
        version, mpy, *name = json.loads(answer)
        numbers = tuple(part for part in version if isinstance(part, int))
        return numbers, int(mpy), " ".join(name) or "board"
    except (ValueError, TypeError) as error:
        raise InstallError(f"What answers at {port} is no MicroPython: {answer!r}.") from error


async def check(description: BoardDescription, port: str) -> str:
    """Return a sentence about the board that greets at `port`.

    Raises:
        InstallError: no board greets, or another one, or it has failed its own test.
    """
    async with SerialBoard(description, port) as board:
        try:
            async with asyncio.timeout(_ANSWER_S):
                return await _greeting(board)
        except TimeoutError:
            raise InstallError(
                f"Nothing greets at {port}. Unplug the board, plug it in again and try "
                "`firmware-bridge firmware check`; if it stays silent, load the firmware again."
            ) from None


async def _greeting(board: SerialBoard) -> str:
    greeting = ""
    async for event in board.events():
        if isinstance(event, LinkChanged) and not event.up:
            raise InstallError(event.text)
        if isinstance(event, LinkChanged):
            greeting = event.text
            await board.self_test()
        if isinstance(event, BoardNotice) and event.code == "self-test-failed":
            raise FaultyError(f"{greeting} {event.text}".strip())
        if isinstance(event, BoardNotice) and event.code == "self-test-passed":
            return f"{greeting} {event.text}".strip()
    raise InstallError("The port was closed.")


def _step_aside(port: str) -> None:
    """Have a running firmware restart into the prompt; a bare MicroPython ignores this.

    A firmware that still believes in its host listens to nobody else, so ask until it does.
    """
    deadline = time.monotonic() + _STEP_ASIDE_S
    while time.monotonic() < deadline:
        try:
            with open_port(PortSettings(port)) as line:
                time.sleep(0.3)
                line.reset_input_buffer()
                line.write(_INTERRUPT)
                time.sleep(0.7)
                if b">>>" in line.read(4096):
                    return
        except PortUnusableError as error:
            if time.monotonic() > deadline - 1:
                raise InstallError(str(error)) from error
            time.sleep(0.5)
        except OSError:  # it has restarted under our hands
            time.sleep(1)
    raise InstallError(
        f"What is plugged in at {port} does not step aside. Stop the service first "
        "(`sudo systemctl stop firmware-bridge`), or unplug the board and plug it in again.\n"
        f"If it has never run MicroPython: {FLASH}"
    )


_CLEAR = """
import os
def clear(path):
    if os.stat(path)[0] & 0x4000:
        for name in os.listdir(path):
            clear(path + "/" + name)
        os.rmdir(path)
    else:
        os.remove(path)
for name in os.listdir():
    if name in ("main.py", "config.json", "version.json", "boardware", "drivers"):
        clear(name)
"""


_READ_BACK = """
import binascii, hashlib, json
def digest(name):
    total = hashlib.sha256()
    with open(name, "rb") as file:
        while True:
            piece = file.read(512)
            if not piece:
                return binascii.hexlify(total.digest()).decode()
            total.update(piece)
def read_back(names):
    there = {}
    for name in names:
        try:
            there[name] = digest(name)
        except OSError:
            pass
    print(json.dumps(there))
"""


def _mpremote(port: str, *command: str) -> str:
    if importlib.util.find_spec("mpremote") is None:
        raise InstallError(
            "The tool that talks to MicroPython is missing. Install it with\n"
            '  pip install "firmware-bridge[pico]"'
        )
    call = [sys.executable, "-m", "mpremote", "connect", port, *command]
    try:
        # Our own interpreter, a fixed module, and arguments that no shell sees.
        done = subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise InstallError(f"The Pico at {port} stopped answering. Plug it in again.") from error
    if done.returncode:
        why = (done.stderr or done.stdout).strip().splitlines()
        raise InstallError(f"The Pico at {port} refused: {why[-1] if why else 'no reason given'}")
    return done.stdout.strip()


def _dotted(numbers: tuple[int, ...]) -> str:
    return ".".join(str(number) for number in numbers)
