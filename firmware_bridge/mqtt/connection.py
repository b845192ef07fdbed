"""A connection to a broker, made again whenever it breaks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
import re
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import aiomqtt

from drivers.beside import alone
from firmware_bridge.config import BrokerConfig, ConfigError
from firmware_bridge.mqtt.client import PATIENCE, Client, Refusals, answered

_LOG = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between attempts; each pause is up to twice the one before."""
KEEPALIVE = 20
"""Seconds; whoever is silent for one and a half times this is gone for the broker."""
PLAIN_PORT, TLS_PORT = 1883, 8883  # registered for MQTT at the IANA
_OLD = 132
"""Reason of a broker that does not speak MQTT 5."""
_ERROR_NUMBER = re.compile(r"^\[Errno -?\d+\] ")


@contextlib.asynccontextmanager
async def connected(client: aiomqtt.Client, patience: float = PATIENCE) -> AsyncIterator[None]:
    """Connect a client that has no limits of its own, and say goodbye at the end.

    Raises:
        aiomqtt.MqttError: no answer within `patience` seconds, or the connection is refused.
    """
    await answered(client.__aenter__(), patience)
    try:
        yield
    finally:
        await answered(client.__aexit__(None, None, None), patience)


class Broker:
    """How a broker is reached.

    Args:
        config: the configuration.
        identifier: names this client; a second one of the same name takes its place, so that the
            broker never gives out the last will of a connection that has been replaced long since.
        section: what the broker's part of the configuration is called.
        longest: seconds between attempts at most.

    Attributes:
        trouble: why there was no connection when one was last tried; empty if there was.

    Raises:
        ConfigError: a certificate or the password's file cannot be read.
    """

    def __init__(
        self,
        config: BrokerConfig,
        identifier: str,
        section: str = "mqtt",
        *,
        longest: float = LONGEST_PAUSE,
    ) -> None:
        self._config = config
        self._identifier = identifier
        self._longest = longest
        self._port = config.port or (TLS_PORT if config.tls else PLAIN_PORT)
        self._password = _password(config, section)
        self._tls = _tls(config, section) if config.tls else None
        self.trouble = ""
        self._protocol = aiomqtt.ProtocolVersion.V5
        self._refusals = Refusals(self.name)

    @property
    def name(self) -> str:
        """Host and port."""
        return f"{self._config.host}:{self._port}"

    async def stay_connected(
        self,
        serve: Callable[[Client], Awaitable[None]],
        *,
        will: aiomqtt.Will | None = None,
    ) -> None:
        """Connect, serve until the connection is lost, and begin again, until cancelled.

        Args:
            serve: what is done while connected; it must listen to `client.messages`, which is how
                a loss is noticed.
            will: what the broker gives out when the connection is lost.
        """
        pause = FIRST_PAUSE
        while True:
            begun = time.monotonic()
            self._tell(await alone(self._once(serve, will)))
            if time.monotonic() - begun > self._longest:
                pause = FIRST_PAUSE
            # A random part keeps a hall full of boards from coming back all at once.
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311
            pause = min(pause * 2, self._longest)

    async def _once(
        self, serve: Callable[[Client], Awaitable[None]], will: aiomqtt.Will | None
    ) -> str:
        """Connect and serve; return why the connection has ended."""
        why, client = "nothing more to be done", None
        try:
            client = self._client(will)
            async with connected(client):
                _LOG.info("broker: connected to %s", self.name)
                self.trouble = ""
                await serve(client)
        except* (aiomqtt.MqttError, OSError, UnicodeError) as errors:
            why = str(errors.exceptions[0])
            if client is not None:
                client.lost()
            if getattr(errors.exceptions[0], "rc", None) == _OLD:
                self._protocol = aiomqtt.ProtocolVersion.V311
        return why

    def _tell(self, why: str) -> None:
        """Log why there is no connection, once until that changes."""
        why = _ERROR_NUMBER.sub("", why)
        if why != self.trouble:
            self.trouble = why
            _LOG.warning("broker: %s: %s", self.name, why)

    def _client(self, will: aiomqtt.Will | None) -> Client:
        return Client(
            self._refusals,
            self._config.host,
            self._port,
            username=self._config.username or None,
            password=self._password or None,
            identifier=self._identifier,
            tls_context=self._tls,
            protocol=self._protocol,
            will=will,
            keepalive=KEEPALIVE,
            timeout=math.inf,
        )


class _Closing(ssl.SSLSocket):
    """A socket that is closed if its handshake fails, which the client's library leaves open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def _password(config: BrokerConfig, section: str) -> str:
    if config.password_file is None:
        return config.password
    try:
        return config.password_file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigError(
            f"{section}.password_file = {str(config.password_file)!r} cannot be read: {why}."
        ) from None


def _tls(config: BrokerConfig, section: str) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=config.ca)
        # From Python 3.13 on it refuses what a house's own authority, made as brokers' manuals
        # say, does not state: its key usage. Chain, dates and name are looked at as before.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        context.sslsocket_class = _Closing
        if config.certificate:
            context.load_cert_chain(config.certificate, config.certificate_key)
    except OSError as error:  # ssl.SSLError is one
        raise ConfigError(
            f"{section}.ca, {section}.certificate or {section}.certificate_key cannot be used: "
            f"{error.strerror or error}. Each names a file in PEM form."
        ) from None
    return context
