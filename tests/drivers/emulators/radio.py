"""Bluetooth without radio: what `bleak` would find and connect, and boards that answer there."""

import asyncio

from bleak.exc import BleakError

from drivers.testing import Device

from .chesslink import ChessLinkBoard
from .chessnut import ChessnutBoard
from .cpp import CppBoard
from .dgt import DgtBoard
from .squares import index_from_a8


class Advertised:
    """A device as a scan finds it."""

    def __init__(self, board):
        self.board = board
        self.name = self.local_name = board.radio_name
        self.service_uuids = [board.service] if board.service else []
        self.address = "AA:BB:CC:DD:EE:FF"


class Characteristic:
    """What a board takes commands with."""

    def __init__(self, board):
        self.properties = board.takes


class Radio:
    """The air: boards that are on. It stands for `BleakScanner` and makes clients."""

    def __init__(self):
        self.boards = []
        self.fault = None

    async def find_device_by_filter(self, fits, timeout):  # noqa: ASYNC109 - as bleak has it
        if self.fault:
            raise self.fault
        await asyncio.sleep(0.01)
        for board in self.boards:
            found = Advertised(board)
            if fits(found, found):
                return found
        return None

    def client(self, device, disconnected_callback):
        return Client(device.board, disconnected_callback)


class Client:
    """Stands for `BleakClient`."""

    def __init__(self, board, gone):
        self._board = board
        self._gone = gone

    @property
    def services(self):
        return self

    def get_characteristic(self, characteristic):
        return Characteristic(self._board) if characteristic == self._board.write else None

    async def connect(self):
        self._board.client = self
        self._board.switched_on()

    async def disconnect(self):
        if self._board.client is self:
            self._board.client = None

    async def start_notify(self, characteristic, callback):
        if characteristic == self._board.answers:
            self.answer = callback
        elif characteristic == self._board.notify:
            self.tell = callback
        else:
            raise BleakError(f"Characteristic {characteristic} was not found!")

    async def write_gatt_char(self, characteristic, data, response):
        if self._board.client is not self:
            raise BleakError("Not connected")
        assert characteristic == self._board.write
        wanted = "write" if response else "write-without-response"
        assert wanted in self._board.takes, "the board never sees it"
        assert len(data) <= self._board.mtu
        self._board.heard(bytes(data))

    def lose(self):
        self._board.client = None
        self._gone(self)


class OverRadio(Device):
    """A board in the air instead of at a pty; it sends at most 20 bytes at a time."""

    mtu = 244
    client = None
    service = answers = ""
    takes = ("write", "write-without-response")
    write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    notify = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

    def __init__(self, radio, start):
        super().__init__(None, start)
        self.radio = radio

    def plug(self):
        self.radio.boards.append(self)

    def unplug(self):
        if self in self.radio.boards:
            self.radio.boards.remove(self)
        if self.client:
            self.client.lose()

    def send(self, data):
        for start in range(0, len(data), 20):
            if self.client:
                self.client.tell(None, bytearray(data[start : start + 20]))


class RadioChessnut(OverRadio, ChessnutBoard):
    radio_name = "Chessnut Air"
    write = "1b7e8272-2877-41c3-b46e-cf057c562023"
    notify = "1b7e8262-2877-41c3-b46e-cf057c562023"
    answers = "1b7e8273-2877-41c3-b46e-cf057c562023"

    def report(self, message):
        if message[0] == 1:
            self.send(b"\x01\x24" + message[2:34] + b"\x00\x01\0\0")
        elif self.client:
            self.client.answer(None, bytearray(message))


class RadioChessnutMove(RadioChessnut):
    radio_name = "Chessnut Move"

    def heard(self, data):
        assert not data.startswith(b"\x0a\x08"), "lights of the boards without motors"
        if not data.startswith(b"\x43\x20"):
            return super().heard(data)
        colours = [half for byte in data[2:] for half in (byte & 0x0F, byte >> 4)]
        assert len(colours) == 64
        assert max(colours) <= 3
        self.lights = {
            f"{'hgfedcba'[number % 8]}{8 - number // 8}"
            for number, colour in enumerate(colours)
            if colour
        }
        return None


class RadioChessLink(OverRadio, ChessLinkBoard):
    radio_name = "MILLENNIUM CHESS"
    mtu = 20
    write = "49535343-8841-43f4-a8d4-ecbe34729bb3"
    notify = "49535343-1e4d-4bd9-ba61-23c647249616"


class RadioCpp(OverRadio, CppBoard):
    """As the published library has it: any name, a write that is confirmed, no line ends at all.

    A notification is one message, a write one command of at most 100 bytes; `feature get_state\\n`
    would be a feature that nobody knows.
    """

    radio_name = "Kitchen table"
    mtu = 100
    takes = ("write",)
    service = "f5351050-b2c9-11ec-a0c0-b3bc53b08d33"
    write = "f53513ca-b2c9-11ec-a0c1-639b8957db99"
    notify = "f535147e-b2c9-11ec-a0c2-8bbd706ec4e6"

    def heard(self, data):
        assert data.decode().isprintable(), "an unknown command to the library"
        self.command(data.decode())

    def tell(self, line):
        if self.client:
            self.client.tell(None, bytearray(line.encode()))


class Pegasus(OverRadio, DgtBoard):
    radio_name = "DGT_PEGASUS_12345"
    key = None

    def heard(self, data):
        if data[0] == 0x63:
            self.key = data[2:-1]
        elif data[0] == 0x60:
            self.lights = set()
            if data[1] > 2:
                assert len(data) == data[1] + 1 + 1
                self.lights = {f"{'abcdefgh'[i % 8]}{8 - i // 8}" for i in data[6:-1]}
        else:
            super().heard(data)

    def dump(self):
        filled = {index_from_a8(cell) for cell in self.stands}
        return [int(index in filled) for index in range(64)]

    def changed(self, cell):
        if self.updating:
            self.send([0x8E, 0, 5, index_from_a8(cell), int(cell in self.stands)])


class IChessOne(OverRadio):
    radio_name = "iChessOne"
    pushing = False
    CODES = ".PNBRQKpnbrqk"

    def heard(self, data):
        if data == b"CPIRQ":
            self.pushing = True
        elif data == b"RP":
            self.tell()
        elif data.startswith(b"EL"):
            assert len(data) == 16
            self.lights = {
                f"{'abcdefgh'[bit]}{8 - row}"
                for row, byte in enumerate(data[5:13])
                for bit in range(8)
                if byte >> bit & 1
            }

    def tell(self):
        codes = [0] * 64
        for cell, label in self.stands.items():
            letter = label[1] if label[0] == "w" else label[1].lower()
            codes[index_from_a8(cell)] = self.CODES.index(letter)
        body = bytes(codes[i] << 4 | codes[i + 1] for i in range(0, 64, 2))
        self.send(b"=p" + body)

    def changed(self, cell):
        if self.pushing:
            self.tell()


class SquareOff(OverRadio):
    radio_name = "Square Off Pro"

    def heard(self, data):
        text = data.decode()
        if text == "14#1*":
            self.send(b"14#GO*")
        elif text == "30#R*":
            cells = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
            bits = "".join("1" if cell in self.stands else "0" for cell in cells)
            self.send(f"30#{bits}*".encode())
        elif text.startswith("25#"):
            body = text[3:-1]
            self.lights = {body[i : i + 2] for i in range(0, len(body), 2)}

    def changed(self, cell):
        self.send(f"0#{cell}{'d' if cell in self.stands else 'u'}*".encode())
