"""Runs the simulated board until it is told to stop: the cable, the page, and perhaps a script."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from drivers.beside import begin, end
from drivers.description import BoardDescription
from drivers.piece_set import PieceSet
from drivers.port import DriverError
from drivers.simulator.control_page import make_app
from drivers.simulator.station import Station
from drivers.simulator.wording import Wording

Script = Callable[[Station], Coroutine[None, None, None]]

HOST = "127.0.0.1"
"""Where its page is served unless somebody wants others to hold the pieces, too."""


def default_link() -> Path:
    """Return where the simulated board's port is found unless another place is named."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    base = Path(runtime) if runtime else Path(tempfile.gettempdir()) / f"user-{os.getuid()}"
    return base / "firmware-bridge" / "simulated-board"


def run_simulator(
    description: BoardDescription,
    pieces: PieceSet,
    link: Path,
    page: tuple[str, int] = (HOST, 0),
    script: Script | None = None,
    wording: Wording | None = None,
) -> None:
    """Serve the simulated board until SIGINT or SIGTERM.

    Its arrangement `start`, if the pieces have one, is set up first. `page` is an address and a
    port, 0 for any that is free; `script` is what hands do by themselves.

    Raises:
        DriverError: the port or the page cannot be made.
    """
    with _listen(*page) as listener:
        station = Station(description, pieces, link)
        station.arrange(pieces.arrangements.get("start", {}))
        asyncio.run(_serve(station, listener, make_app(station, wording), script))


async def _serve(
    station: Station, listener: socket.socket, app: Starlette, script: Script | None
) -> None:
    server = _Server(configured(app), station.close)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.handle_exit, number, None)
    async with station:
        address = f"http://{HOST}:{listener.getsockname()[1]}/"
        print(  # noqa: T201
            f"The simulated board is at {station.cable.link}, its page at {address}", flush=True
        )
        playing = begin(script(station), "script") if script else None
        await server.serve(sockets=[listener])
        if playing:
            await end(playing)


def configured(app: Starlette) -> uvicorn.Config:
    """Return how the page is served."""
    return uvicorn.Config(
        app,
        log_level="error",  # of what strangers send wrongly nobody is told
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
        proxy_headers=False,  # whom a proxy forwards is nobody at this machine
    )


class _Server(uvicorn.Server):
    """A server that ends quietly when it is told to, instead of dying of the signal after all."""

    def __init__(self, config: uvicorn.Config, leave: Callable[[], None]) -> None:
        super().__init__(config)
        self._leave = leave

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End; open streams are told to end by themselves first."""
        self._leave()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise DriverError(f"There is no port {port}: --page-port is 0 to 65535.")
    try:
        return socket.create_server((host, port))  # who reads the address is answered from now on
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise DriverError(
            f"Cannot serve the page at port {port} ({why}): choose another --page-port."
        ) from error
