"""A device at a pty that comes and goes, and sends in the small pieces in which real ones do."""

import asyncio
import os
import tty
from contextlib import suppress
from random import Random


class Device:
    """Subclasses answer in `heard`, tell changes in `changed`, and may `run` in the background.

    Attributes:
        stands: what stands on each square: cell -> label such as `wP`.
        lights: the cells that are lit.
    """

    def __init__(self, path, start, seed=1):
        self.path = path
        self.stands = dict(start)
        self.lights = set()
        self.commands = []
        self._random = Random(seed)
        self._master = None
        self._tasks = []

    async def __aenter__(self):
        self.plug()
        return self

    async def __aexit__(self, *exc):
        self.unplug()

    def plug(self):
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.symlink_to(os.ttyname(self._slave))
        self._out = asyncio.Queue()
        asyncio.get_running_loop().add_reader(self._master, self._readable)
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self.run())]
        self.switched_on()

    def unplug(self):
        if self._master is None:
            return
        for task in self._tasks:
            task.cancel()
        asyncio.get_running_loop().remove_reader(self._master)
        self.path.unlink()
        os.close(self._master)
        os.close(self._slave)
        self._master = None

    def put(self, cell, label):
        """Put something on a square, or lift it (`None`)."""
        if label is None:
            self.stands.pop(cell, None)
        else:
            self.stands[cell] = label
        self.changed(cell)

    def send(self, data):
        """Send bytes, split anywhere."""
        data = bytes(data)
        while data:
            size = self._random.choice((1, 2, 20, 64, 300))
            self._out.put_nowait(data[:size])
            data = data[size:]

    async def noticed(self):
        """Wait until the board has had time to notice what stands on it and to tell it."""
        await asyncio.sleep(0.02)

    async def sent(self):
        """Wait until all is sent."""
        await self._out.join()

    def switched_on(self):
        """The device has power."""

    def heard(self, data):
        """Bytes have come from the computer."""

    def changed(self, cell):
        """Something was put on a square or taken from it."""

    async def run(self):
        """What the device does by itself."""

    def _readable(self):
        with suppress(BlockingIOError, OSError):
            data = os.read(self._master, 4096)
            self.commands.append(data)
            self.heard(data)

    async def _write(self):
        while True:
            chunk = await self._out.get()
            with suppress(BlockingIOError):
                os.write(self._master, chunk)
            await asyncio.sleep(0.0005)
            self._out.task_done()


def index_from_a8(cell):
    """0 for a8, 63 for h1."""
    return (8 - int(cell[1])) * 8 + "abcdefgh".index(cell[0])


def cell_from_a8(index):
    return f"{'abcdefgh'[index % 8]}{8 - index // 8}"


def turned(cell):
    """The same square on a board that lies the other way round."""
    return f"{'hgfedcba'['abcdefgh'.index(cell[0])]}{9 - int(cell[1])}"
