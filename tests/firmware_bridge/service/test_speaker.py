import stat

import pytest

from firmware_bridge.indicators import Cue
from firmware_bridge.service.speaker import WAITING, Speaker
from firmware_bridge.views import PublicView
from tests.patience import soon

VIEW = PublicView("mockery", {}, "playing", (), {}, None, {}, "untimed")
HEARD = '{{ echo "$@"; cat; echo; }} >>{folder}/heard'
MUTE = 'cat >/dev/null; echo "ALSA lib: cannot find card" >&2; echo "error: No such file" >&2'


def program_in(folder, does):
    path = folder / "voice"
    path.write_text(f"#!/bin/sh\n{does.format(folder=folder)}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def program(tmp_path):
    """A program in place of espeak-ng that writes down how it was called and what it was told."""
    return program_in(tmp_path, HEARD)


def saying(*sentences, language="en"):
    return Cue(VIEW, {}, sentences, language=language)


async def heard(folder, lines):
    path = folder / "heard"
    await soon(lambda: path.exists() and len(path.read_text().splitlines()) >= lines)
    return path.read_text().splitlines()


async def test_sentences_are_said_in_order_each_in_its_voice(program, tmp_path):
    speaker = Speaker(50, program)
    async with speaker:
        await speaker.show(saying("Eins", language="de"))
        await speaker.show(saying("-x two; rm"))
        lines = await heard(tmp_path, 6)
    assert lines[:2] == ["-v en -a 50 --stdin", ""]  # to find out whether anything is heard
    assert lines[2:] == ["-v de -a 50 --stdin", "Eins", "-v en -a 50 --stdin", "-x two; rm"]


async def test_old_news_is_dropped(program, tmp_path):
    speaker = Speaker(100, program)
    async with speaker:
        await speaker.show(saying(*map(str, range(WAITING + 3))))
        lines = await heard(tmp_path, 2 * WAITING + 2)
    assert lines[3::2] == ["3", "4", "5", "6"]


async def test_a_program_that_is_not_there_ends_speech_and_nothing_else(tmp_path):
    changes = []
    speaker = Speaker(100, str(tmp_path / "gone"), changes.append)
    async with speaker:
        await speaker.show(saying("hello"))
        assert not speaker.audible
    assert changes == [False]


async def test_without_a_sound_card_it_is_known_before_the_first_word(tmp_path):
    changes = []
    speaker = Speaker(100, program_in(tmp_path, MUTE), changes.append)
    assert speaker.audible
    async with speaker:
        assert changes == [False]
        program_in(tmp_path, HEARD)  # a loudspeaker is plugged in
        await speaker.show(saying("hello"))
        assert changes == [False, True]
    assert speaker.audible
