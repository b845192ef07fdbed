import asyncio
import stat

import pytest

from firmware_bridge.service.speaker import WAITING, Speaker


@pytest.fixture
def program(tmp_path):
    """A program in place of espeak-ng that writes down how it was called and what it was told."""
    path = tmp_path / "voice"
    path.write_text(f'#!/bin/sh\n{{ echo "$@"; cat; echo; }} >>{tmp_path}/heard\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


async def heard(program, lines):
    path = program.parent / "heard"
    for _ in range(1000):
        if path.exists() and len(path.read_text().splitlines()) >= lines:
            return path.read_text().splitlines()
        await asyncio.sleep(0.02)
    raise AssertionError(path.read_text() if path.exists() else "nothing was said")


async def test_sentences_are_said_in_order_with_voice_and_volume(program):
    speaker = Speaker("de", 50, str(program))
    task = asyncio.create_task(speaker.run())
    speaker.say("Eins")
    speaker.say("-x Zwei; rm")
    lines = await heard(program, 4)
    task.cancel()
    assert lines == ["-v de -a 50 --stdin", "Eins", "-v de -a 50 --stdin", "-x Zwei; rm"]


async def test_old_news_is_dropped(program):
    speaker = Speaker("en", 100, str(program))
    for number in range(WAITING + 3):
        speaker.say(str(number))
    task = asyncio.create_task(speaker.run())
    lines = await heard(program, 2 * WAITING)
    task.cancel()
    assert lines[1::2] == ["3", "4", "5", "6"]


async def test_a_program_that_is_not_there_ends_speech_and_nothing_else(tmp_path):
    speaker = Speaker("en", 100, str(tmp_path / "gone"))
    task = asyncio.create_task(speaker.run())
    speaker.say("hello")
    for _ in range(100):
        await asyncio.sleep(0.01)
        if not speaker.available:
            break
    assert not speaker.available
    assert not task.done()
    task.cancel()
