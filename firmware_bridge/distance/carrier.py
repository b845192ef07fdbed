"""What moves sealed bytes between hosts: it may lose, double, reorder, delay or read them.

All but our own MQTT are entry points of the group `firmware_bridge.carriers`: a `Carrier` that is
called with `distance.settings`, and named by `distance.carrier`; `direct` is ours, too.
"""

from __future__ import annotations

import asyncio
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import EntryPoint
from typing import cast

from drivers.beside import is_set_within
from drivers.plug_ins import PlugInKind, installed
from firmware_bridge.config import DistanceConfig

__all__ = ["Carrier", "carrier_of"]

_AGAIN = 1.0
"""Seconds after which we send to ourselves again."""
GROUP = "firmware_bridge.carriers"
MQTT = "mqtt"
"""The name of our own carrier in the configuration."""
LARGEST = 16384
"""Bytes of a message; what is larger is no letter of any version that we know."""


class Carrier(ABC):
    """Moves bytes to an address, as well as it can.

    Attributes:
        name: what people know it by.
        trouble: why it is not reached, after a colon, where anything is known.

    Example:
        >>> class Loop(Carrier):
        ...     def send(self, address: str, data: bytes) -> None:
        ...         self.bring(address, data)
        ...     async def reached(self, patience: float) -> bool:
        ...         return True
        ...     async def run(self) -> None:
        ...         await asyncio.Event().wait()
        >>> carrier, letters = Loop(), []
        >>> carrier.listen("ada", letters.append)
        >>> carrier.send("ada", b"sealed")
        >>> letters
        [b'sealed']
    """

    name = "?"
    trouble = ""

    def __init__(self) -> None:
        self._ears: dict[str, Callable[[bytes], None]] = {}
        self._echoed = asyncio.Event()
        self._echo = secrets.token_hex(16)
        self.listen(self._echo, lambda _: self._echoed.set())

    @abstractmethod
    def send(self, address: str, data: bytes) -> None:
        """Send at once, or lose it; never wait, never raise. Its writer sends it again."""

    @abstractmethod
    async def reached(self, patience: float) -> bool:
        """Wait until something can be sent, so many seconds at most; return whether it can."""

    @abstractmethod
    async def run(self) -> None:
        """Carry until cancelled; give what comes for one of `addresses` to `bring`."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where somebody listens."""
        return tuple(self._ears)

    def listen(self, address: str, hear: Callable[[bytes], None]) -> None:
        """Give what arrives at an address to somebody; to be said before it runs."""
        self._ears[address] = hear

    def bring(self, address: str, data: object) -> bool:
        """Give what has arrived to whoever listens there; return whether somebody does."""
        hear = self._ears.get(address)
        if not (hear and isinstance(data, bytes) and len(data) <= LARGEST):
            return False
        hear(data)
        return True

    async def carries(self, patience: float) -> bool:
        """Return whether what we send to ourselves arrives within so many seconds.

        Not every broker tells whom it lets read nothing.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not self._echoed.is_set():
                    self.send(self._echo, b"echo")
                    await is_set_within(self._echoed, _AGAIN)
        return self._echoed.is_set()


_KIND = PlugInKind("carrier", Carrier, 'settings = {{ {name} = "..." }}  under [distance]')


def carrier_of(config: DistanceConfig) -> Carrier:
    """Return what carries letters, as it is configured.

    Raises:
        DriverError: it is not installed, or takes other settings.
    """
    ours = EntryPoint(MQTT, "firmware_bridge.distance.mqtt_carrier:MqttCarrier", GROUP)
    if config.carrier == MQTT:  # it reads who the broker is, and no settings
        return cast("Carrier", _KIND.make({MQTT: ours}, MQTT, {}, config))
    points = installed(GROUP, (ours,))
    return cast("Carrier", _KIND.make(points, config.carrier, config.settings))
