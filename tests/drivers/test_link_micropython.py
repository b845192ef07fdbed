"""The one codec file and the board's session under the real MicroPython: the same bytes."""

import subprocess
from pathlib import Path
from random import Random

import pytest

from drivers.link import codec
from drivers.link.board_session import BoardSession
from tests.drivers.bad_cable import BOARD, identity
from tests.drivers.test_link_codec import GOLDEN
from tests.hardware.micropython_package import FOLDER, NODE, needs_micropython

pytestmark = [pytest.mark.node, needs_micropython]
LINK = Path(codec.__file__).parent
HOST = """
import fs from "node:fs";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";
const mp = await loadMicroPython({ heapsize: 180 * 1024, stdout: (line) => console.log(line) });
for (const folder of ["/lib", "/lib/drivers", "/lib/drivers/link"]) mp.FS.mkdir(folder);
const link = process.argv[1];
for (const name of ["codec.py", "board_session.py"]) {
  mp.FS.writeFile(`/lib/drivers/link/${name}`, fs.readFileSync(`${link}/${name}`));
}
mp.runPython(fs.readFileSync(0, "utf8"));
"""
BEGIN = """
import sys
sys.path.append("/lib")
from drivers.link import codec
from drivers.link.board_session import BoardSession, Identity
"""


def micropython(program):
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", HOST, str(LINK)],
        input=BEGIN + program,
        capture_output=True,
        text=True,
        cwd=FOLDER,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_golden_frames_and_damaged_ones_are_read_alike():
    random = Random(7)
    frames = [bytes.fromhex(wire) for wire in GOLDEN]
    for _ in range(300):
        damaged = bytearray(random.choice(frames))
        for _ in range(random.randrange(3)):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        frames.append(bytes(damaged))
    bodies = [random.randbytes(random.randrange(1, 40)) for _ in range(200)]
    said = micropython(
        f"for wire in {frames!r}:\n"
        "    print([codec.decode(body) for body in codec.FrameReader().feed(wire)])\n"
        f"for body in {bodies!r}:\n"
        "    print(codec.frame(body).hex())\n"
    )
    expected = [str([codec.decode(b) for b in codec.FrameReader().feed(wire)]) for wire in frames]
    assert said == expected + [codec.frame(body).hex() for body in bodies]


def test_every_message_is_written_alike():
    messages = list(GOLDEN.values())
    program = "".join(
        f"print(codec.frame(codec.encode(codec.{type(message).__name__}{tuple(message)!r})).hex())\n"
        for message in messages
    )
    assert micropython(program) == [wire.replace(" ", "") for wire in GOLDEN]


def test_a_boards_session_says_the_same():
    me = identity(BOARD)
    fields = (me.name, me.fingerprint, me.tier, me.cells, me.buttons, me.capabilities, me.firmware)
    hello = codec.frame(codec.encode(codec.AskHello(1, 77, 0, 0, 0)))
    lights = codec.frame(codec.encode(codec.SetLights(1, 0, bytes(range(20)))))
    wrap = codec.CLOCK_WRAP
    deeds = [
        f"board.receive({hello!r}, {wrap - 50})",
        f"board.feel(12, b'abcd', {wrap - 40})",
        f"board.press(1, {wrap - 30})",
        f"said(board.transmit({wrap - 20}))",
        "said(board.transmit(45))",  # past the wrap: everything again
        f"board.receive({codec.frame(codec.encode(codec.Ack(1)))!r}, 50)",
        f"board.receive({lights!r}, 51)",
        f"board.receive({codec.frame(codec.encode(codec.Command(3, 1)))!r}, 52)",
        "said(board.transmit(60))",
        "said(board.transmit(1100))",
    ]
    deeds += [f"board.feel({n % 90}, {bytes([n] * 4)!r}, {1200 + n})" for n in range(100)]
    deeds += ["said(board.transmit(2000))", "said(bytes(board.lights))"]
    there = micropython(
        f"board = BoardSession(Identity(*{fields!r}, id={me.id!r}), 1, {wrap - 60})\n"
        "def said(data): print(data.hex())\n" + "\n".join(deeds) + "\n"
    )
    here = []
    board = BoardSession(identity(BOARD), 1, wrap - 60)
    for deed in deeds:
        exec(deed, {"board": board, "said": lambda data: here.append(data.hex())})
    assert there == here
    assert len(here[0]) > 300
