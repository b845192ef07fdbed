"""A seat's process is told what its seat may know: other secrets change no byte of it."""

import asyncio
import sys

import pytest

import rules
from firmware_bridge.opponents import protocol
from tests.nightly import at_night
from tests.patience import in_time

GAME = rules.load("reality-check")


def worlds(side):
    """Two starts that this side cannot tell apart."""
    first, *_, last = GAME.believe(side, GAME.start().knowledge(side)).worlds()
    return first, last


def told(position, side, turns):
    """The lines that a seat is told of a game."""
    lines = [protocol.knows(position.knowledge(side))]
    for turn in turns:
        lines.append(protocol.saw(position.seen(position.parse_turn(turn), side)))
        position = position.play(position.parse_turn(turn))
    return lines


async def conversation(lines):
    """All bytes that a process gives when it is told these lines and asked for a turn."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *protocol.COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    seating = protocol.Seating(GAME.id, GAME.options, level=1, seed="7").lines()
    process.stdin.write("".join(f"{line}\n" for line in (*seating, *lines, "go")).encode())
    heard = b""
    while b"bestmove" not in heard:
        heard += await in_time(process.stdout.readline())
    process.stdin.close()
    assert await in_time(process.wait()) == 0
    return heard


nightly = at_night("hundreds of worlds go on by a turn")


@pytest.mark.parametrize(
    ("side", "turns"), [("white", ()), pytest.param("black", ("d3b5",), marks=nightly)]
)
async def test_secrets_change_neither_what_it_is_told_nor_what_it_says(side, turns):
    one, other = worlds(side)
    assert str(one) != str(other)
    assert told(one, side, turns) == told(other, side, turns)
    assert await conversation(told(one, side, turns)) == await conversation(
        told(other, side, turns)
    )
