"""Boards over Bluetooth Low Energy: found by name or service, spoken to by two characteristics."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakBluetoothNotAvailableError, BleakError

from drivers.beside import begin
from drivers.board_reasons import Reason
from drivers.transport import PortUnusableError, Reconnecting

if TYPE_CHECKING:
    from bleak.backends.device import BLEDevice
    from bleak.backends.scanner import AdvertisementData

SCAN_TIME = 8.0
"""Seconds in which a board that is on makes itself known."""
_FAILURES = (BleakError, OSError, TimeoutError)


@dataclass(frozen=True, slots=True)
class Gatt:
    """Where a kind of board listens and speaks.

    Attributes:
        write: the characteristic that takes commands.
        notify: the characteristic that tells what happens.
        names: how the names of such boards begin; they tell apart boards of one service.
        others: how the names of another kind's boards begin that would fit as well.
        answers: a second characteristic that tells something, such as answers to commands.
        service: what such boards make known to offer, where it is theirs alone.
        fragment: most bytes of one write; longer commands are sent in parts. 240 fit into one
            packet of Bluetooth 4.2, which holds 247 with its head.
    """

    write: str
    notify: str
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    answers: str = ""
    service: str = ""
    fragment: int = 240

    def fits(self, device: BLEDevice, advertised: AdvertisementData) -> bool:
        """Return whether what a scan found is such a board."""
        if self.service and self.service in advertised.service_uuids:
            return True
        called = advertised.local_name or device.name or ""
        return called.startswith(self.names) and not called.startswith(self.others)


def nordic_uart(*names: str) -> Gatt:
    """Return the serial line over Bluetooth that many boards share; only names tell them apart."""
    tail = "-b5a3-f393-e0a9-e50e24dcca9e"
    return Gatt(f"6e400002{tail}", f"6e400003{tail}", names)


class BleTransport(Reconnecting):
    """Keeps one board connected; what a session brings together is often cut anywhere."""

    def __init__(self, gatt: Gatt, address: str = "") -> None:
        """Prepare to look for the board at an address, or else the first one of the kind."""
        super().__init__()
        self._gatt = gatt
        self._address = address
        self._client: BleakClient | None = None
        self._connected = False
        self._out: asyncio.Queue[bytes] = asyncio.Queue(maxsize=64)
        self._writer: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The address, or what is looked for."""
        return self._address or f'Bluetooth "{", ".join(self._gatt.names[:1]) or "board"}"'

    @property
    def is_open(self) -> bool:
        """Whether the board is connected."""
        return self._connected

    def write(self, data: bytes) -> None:
        """Send a command; dropped while there is no connection."""
        if not self._connected or not data:
            return
        with suppress(asyncio.QueueFull):
            self._out.put_nowait(data)

    async def _connect(self) -> None:
        try:
            device = await BleakScanner.find_device_by_filter(self._fits, timeout=SCAN_TIME)
            if device is not None:
                self._client = BleakClient(device, disconnected_callback=self._gone)
                await self._client.connect()
                self._connected = True
        except BleakBluetoothNotAvailableError as error:
            raise PortUnusableError(Reason("radio-off")) from error
        except _FAILURES as error:
            raise PortUnusableError(self._reason_for("radio-failed", error)) from error
        if device is None:
            raise PortUnusableError(Reason("radio-silent", {"board": self.name}))

    async def _listen(self) -> None:
        if self._client is None:
            return
        try:
            await self._client.start_notify(self._gatt.notify, self._heard)
        except _FAILURES as error:
            self.give_up(self._reason_for("radio-other-kind", error))
            return
        if self._gatt.answers:
            with suppress(*_FAILURES):  # a board that has none there answers elsewhere
                await self._client.start_notify(self._gatt.answers, self._heard)
        self._writer = begin(self._write_all(self._client), f"writer of {self.name}", self.fail)

    async def _disconnect(self) -> None:
        if self._writer is not None:
            self._writer.cancel()
            self._writer = None
        while not self._out.empty():
            self._out.get_nowait()
        client, self._client, self._connected = self._client, None, False
        if client is not None:
            with suppress(*_FAILURES):
                await client.disconnect()

    async def _write_all(self, client: BleakClient) -> None:
        size = self._gatt.fragment
        try:
            characteristic = client.services.get_characteristic(self._gatt.write)
            offered = characteristic.properties if characteristic else []
            response = "write-without-response" not in offered
            while True:
                data = await self._out.get()
                for start in range(0, len(data), size):
                    part = data[start : start + size]
                    await client.write_gatt_char(self._gatt.write, part, response=response)
        except _FAILURES as error:
            self.give_up(self._reason_for("radio-deaf", error))

    def _fits(self, device: BLEDevice, advertised: AdvertisementData) -> bool:
        if self._address:
            return device.address.lower() == self._address.lower()
        return self._gatt.fits(device, advertised)

    def _reason_for(self, code: str, error: Exception) -> Reason:
        return Reason(code, {"board": self.name, "error": str(error)})

    def _heard(self, _source: object, data: bytearray) -> None:
        self._make_room()
        self._items.put_nowait(bytes(data))

    def _gone(self, _client: BleakClient) -> None:
        self.give_up(Reason("connection-lost", {"board": self.name}))
