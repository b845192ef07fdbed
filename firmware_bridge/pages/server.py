"""The web server: its address, and its life within the service's event loop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Iterator
from typing import cast

import uvicorn
from starlette.types import ASGIApp

from drivers.beside import begin
from firmware_bridge.config import PagesConfig
from firmware_bridge.pages.connections import Doors, Places, protocol

GRACEFUL = 1
"""Seconds that open pages get to hear the end when the service stops."""
BACKLOG = 128
"""Connections that wait to be taken: more than a hall's phones ask for at the same moment."""


class AddressRefused(OSError):  # noqa: N818 - it says what happened
    """The pages cannot be served at the configured address; the message says what to do."""


def listen(config: PagesConfig) -> socket.socket:
    """Return the socket that the pages will be served at; it is taken from now on."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise AddressRefused(
            f"pages.host = {config.host!r} is no address of this machine: {error.strerror}."
        ) from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)  # whoever comes before the server runs waits instead of failing
    except OSError as error:
        listener.close()
        raise AddressRefused(_remedy(config, error)) from None
    return listener


def address_of(listener: socket.socket) -> str:
    """Return where this machine's own browser finds the pages."""
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _remedy(config: PagesConfig, error: OSError) -> str:
    where = f"{config.host}:{config.port}"
    if error.errno == errno.EADDRINUSE:
        return (
            f"Something else is already served at {where}; perhaps the service runs already. "
            "Stop it, or choose another pages.port."
        )
    if error.errno == errno.EACCES:
        return f"This user may not serve at {where}: choose a pages.port above 1023."
    return f"The pages cannot be served at {where}: {error.strerror}. Change pages.host."


class Server(uvicorn.Server):
    """Serves within a running event loop and leaves signals to whoever runs it."""

    def __init__(self, app: ASGIApp) -> None:
        places = Places()
        super().__init__(
            uvicorn.Config(
                Doors(app, places),
                http=cast("type[asyncio.Protocol]", protocol(places)),
                backlog=BACKLOG,  # of more at once asyncio would run out of files
                access_log=False,
                log_config=None,  # its lines go where all others go
                log_level="error",  # of what strangers send wrongly nobody is told
                timeout_graceful_shutdown=GRACEFUL,
                server_header=False,
                proxy_headers=False,
                lifespan="off",
                ws="none",  # which it would offer as soon as a driver's library is installed
            )
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


@contextlib.asynccontextmanager
async def serving(app: ASGIApp, config: PagesConfig) -> AsyncIterator[str]:
    """Serve an application during a block, which gets the address for this machine's own browser.

    Raises:
        AddressRefused: that cannot be.
    """
    with listen(config) as listener:
        server = Server(app)
        task = begin(server.serve(sockets=[listener]), "pages")
        try:
            yield address_of(listener)
        finally:
            server.should_exit = True
            await task
