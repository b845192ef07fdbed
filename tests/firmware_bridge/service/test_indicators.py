"""Words, tones and silence: each announcement is heard in the best way there is."""

import asyncio

import pytest

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.messages import Said, Taken
from firmware_bridge.service.indicators import Indicators
from tests.running import running


class Board:
    """A driver that keeps what it is asked to sound."""

    def __init__(self):
        self.sounds = []

    async def show(self, lights):
        pass

    async def sound(self, name):
        self.sounds.append(name)


class Voice:
    def __init__(self, *, audible=True):
        self.audible = audible
        self.said = []

    def say(self, sentence, language):
        self.said.append((sentence, language))


class Playing:
    def __init__(self, game="mockery", **settings):
        self.agreement = Agreement(game, settings=GameSettings.of(settings))


GONE = Said(1.0, "vanished", {"piece": "piece-N", "square": "f6"})


def taken():
    start = rules.load("mockery").start()
    turn = start.parse_turn("e2e4")
    return Taken(1.0, turn, start.play(turn))


async def sounded(*outputs, voice=None, tones=True, speech=True, playing=None):
    board = Board()
    indicators = Indicators(board, voice, playing or Playing(), tones=tones, speech=speech)
    async with running(indicators.run()):
        indicators.show(outputs)
        await asyncio.sleep(0.02)
    return board.sounds


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "The knight on f6 is gone."), ("de", "Springer auf f6 ist verschwunden.")],
)
async def test_words_are_said_in_the_language_of_the_game(language, sentence):
    voice = Voice()
    assert await sounded(GONE, voice=voice, playing=Playing(language=language)) == []
    assert voice.said == [(sentence, language)]


async def test_a_turn_is_said_as_a_person_would_read_it():
    voice = Voice()
    words = {"kind": "C", "turn": "c4 d4 Nc3 Qd3 (C-cd34)"}
    await sounded(Said(1.0, "realm-turn", words), voice=voice, playing=Playing("realm"))
    assert voice.said == [("Concentration: c4, d4, knight c3, queen d3.", "en")]


@pytest.mark.parametrize("voice", [None, Voice(audible=False)])
async def test_where_no_voice_is_heard_a_tone_calls_for_attention(voice):
    assert await sounded(GONE, voice=voice) == ["attention"]
    assert await sounded(taken(), GONE, voice=voice) == ["accepted"]
    assert await sounded(GONE, voice=voice, speech=False) == []  # nobody wants to be told


async def test_silence_is_a_setting_of_board_and_game():
    assert await sounded(taken(), GONE) == ["accepted"]
    assert await sounded(taken(), GONE, tones=False) == []
    assert await sounded(taken(), GONE, playing=Playing(sound=False)) == []
