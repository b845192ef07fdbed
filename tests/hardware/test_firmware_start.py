"""A board that starts while a host greets it already: nothing that comes may stop it."""

import ast
import json
import subprocess
from pathlib import Path
from random import Random

import pytest

from drivers.description import load_description
from drivers.link import codec
from drivers.pico.image import SOURCES, image
from drivers.pico.precompiled import precompiled
from tests.hardware.micropython_package import NODE, needs_micropython
from tests.hardware.pico import FAKES, write
from tests.nightly import NIGHTLY

STARTING = Path(__file__).parent / "micropython" / "starting.mjs"
STARTS = (
    [(compiled, range(1, 119)) for compiled in (True, False)]
    if NIGHTLY
    else [(True, [5]), (False, [60])]
)
"""Whether the firmware is compiled, and at which moments of its start it is greeted."""


def test_the_interrupt_character_is_off_before_all_else():
    """MicroPython looks for an interrupt at jumps: there must be none before it is off."""
    module = ast.parse((SOURCES / "main.py").read_text())
    first = [ast.unparse(line) for line in module.body[:3]]
    assert ast.get_docstring(module, clean=False) is not None
    assert first[1:] == ["import micropython", "micropython.kbd_intr(-1)"]
    texts = [path.read_text() for path in (SOURCES / "boardware").rglob("*.py")]
    assert not any("kbd_intr" in text for text in texts), "nobody turns it on again"


def greeting(nonce, resume=0, boot=0, following=0):
    return codec.frame(codec.encode(codec.AskHello(codec.VERSION, nonce, resume, boot, following)))


def greetings(random):
    """Greetings of every kind, the nonce of each last one."""
    nonce = random.randrange(65536)
    yield nonce, greeting(nonce)
    yield nonce, greeting(nonce, 1, 0x03030303, 0x0303)
    yield nonce, greeting(nonce) * 9
    yield nonce, greeting(5)[7:] + greeting(nonce)
    yield 0x0303, greeting(0x0303)
    yield 0x0D03, greeting(0x0D03) * 4
    yield nonce, b"\x03\x03\0" + random.randbytes(40) + b"\0" + greeting(nonce)
    lights = codec.frame(codec.encode(codec.SetLights(1, 57, bytes([1] * 7))))
    yield nonce, lights + greeting(nonce)


@pytest.mark.node
@needs_micropython
@pytest.mark.parametrize(("compiled", "moments"), STARTS, ids=["compiled", "plain"])
def test_a_board_answers_whatever_greeting_comes_at_any_moment_of_its_start(
    tmp_path, compiled, moments
):
    files = image(load_description("starter"))
    write(tmp_path, precompiled(files, 6) if compiled else files)
    tries = [
        (moment, nonce, wire) for moment in moments for nonce, wire in greetings(Random(moment))
    ]
    done = subprocess.run(
        [NODE, STARTING, tmp_path, FAKES],
        input=json.dumps([(moment, wire.hex()) for moment, _, wire in tries]),
        capture_output=True,
        text=True,
        check=True,
    )
    for (moment, nonce, wire), line in zip(tries, done.stdout.splitlines(), strict=True):
        passed, answer = json.loads(line)
        assert passed >= moment, "there is no such moment"
        sound = codec.FrameReader().feed(bytes.fromhex(answer))
        hellos = [m for m in map(codec.decode, sound) if isinstance(m, codec.Hello)]
        assert hellos[-1].nonce == nonce, (moment, wire.hex())
