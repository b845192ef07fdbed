"""A Pico as a process: the real MicroPython runs the image, its USB is a pty, its parts a bench."""

import json
import os
import pty
import subprocess
import tty
from pathlib import Path

from drivers.description import load_description
from drivers.pico.image import image
from tests.hardware.micropython_package import FOLDER, NODE, installed

FAKES = Path(__file__).parent / "fakes"


def write_image(folder, description):
    write(folder, image(description))


def write(folder, files):
    for name, contents in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)


class Pico:
    """One board with a Pico; `port` is where its USB appears, the same after every plugging in."""

    def __init__(self, folder, board):
        self.description = load_description(board)
        self._image = folder / "image"
        write_image(self._image, self.description)
        self._link = folder / "port"
        self.port = str(self._link)
        self.process = None

    def plug(self):
        """Give it power and a cable."""
        self.connect()
        self.start()

    def connect(self):
        """Give it a cable."""
        assert installed()
        self._board_end, self._far_end = pty.openpty()  # the far end stays open: no hang-up
        tty.setraw(self._far_end)
        os.set_blocking(self._board_end, False)
        self._link.symlink_to(os.ttyname(self._far_end))

    def stand_at_prompt(self):
        """Power it up without a program; return the process, which ends when it restarts."""
        return subprocess.Popen(
            [NODE, FOLDER / "prompt.mjs", str(self._board_end), self._image.parent / "flash"],
            pass_fds=(self._board_end,),
        )

    def type(self, data):
        """Send bytes to it as its only host."""
        Path(self.port).write_bytes(data)

    def start(self):
        """Power it up; the cable stays as it is."""
        asking, self._ask = os.pipe()
        os.set_blocking(asking, False)
        self.process = subprocess.Popen(
            [NODE, FOLDER / "board.mjs", self._image, FAKES, str(self._board_end)],
            stdin=asking,
            stdout=subprocess.PIPE,
            pass_fds=(self._board_end,),
        )
        os.close(asking)

    def bench(self, expression):
        """Evaluate an expression on the workbench, inside MicroPython."""
        os.write(self._ask, f"{expression}\n".encode())
        return json.loads(self.process.stdout.readline())

    def number(self, cell):
        return self.description.built.index(cell)

    def put(self, cell, *uids):
        self.bench(f"bench.put({self.number(cell)}, *{uids!r})")

    def lift(self, cell):
        self.bench(f"bench.lift({self.number(cell)})")

    def press(self, name, *, down=True):
        (pin,) = (button.pin for button in self.description.buttons if button.name == name)
        self.bench(f"bench.inputs.__setitem__({pin}, {int(not down)})")

    def stop(self):
        """Take its power away; the cable stays as it is."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        os.close(self._ask)

    def unplug(self):
        """Pull the cable, and power with it."""
        self.stop()
        self._link.unlink()
        os.close(self._board_end)
        os.close(self._far_end)
