"""Words, tones and silence: each announcement is heard in the best way there is."""

import asyncio
import contextlib

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.indicators import Cue, Indicator
from firmware_bridge.messages import PublicTurn, Said
from firmware_bridge.service.indicator_runner import BoardIndicator, IndicatorRunner
from firmware_bridge.service.view_feed import Hub, Sight
from firmware_bridge.views import PublicView
from tests.running import running


class Board:
    """A driver that keeps what it is asked to show and to sound."""

    def __init__(self):
        self.shown, self.sounds = [], []

    async def show(self, lights):
        self.shown.append(lights)

    async def sound(self, name):
        self.sounds.append(name)


class Voice(Indicator):
    def __init__(self, *, audible=True):
        self.audible = audible
        self.said = []

    async def show(self, moment):
        self.said += [(sentence, moment.language) for sentence in moment.said]


VIEW = PublicView("mockery", {}, "playing", (), {}, None, {}, "untimed")


class Playing:
    def __init__(self, game="mockery", **settings):
        self.agreement = Agreement(game, settings=GameSettings.of(settings))
        self.hub = Hub(lambda reader: Sight(VIEW), lambda: 0.0)

    def clocks(self):
        return {}


GONE = Said(1.0, "vanished", {"piece": "piece-N", "square": "f6"})


TAKEN = PublicTurn(1.0, "mockery", "e2e4")


ROUNDS = 50
"""Rounds of the loop after which all is shown that was heard: seconds tell nothing of that."""


async def sounded(*outputs, voice=None, tones=True, speech=True, playing=None):
    board, playing = Board(), playing or Playing()

    def unheard():
        return speech and not (voice and voice.audible)

    shown = [BoardIndicator(board, unheard, tones=tones), *([voice] if voice else [])]
    supplies = [IndicatorRunner(type(each).__name__, each, playing) for each in shown]
    async with contextlib.AsyncExitStack() as stack:
        for supply in supplies:
            supply.hear(outputs)
            await stack.enter_async_context(running(supply.run()))
        for _ in range(ROUNDS):
            await asyncio.sleep(0)
    return board.sounds


async def test_what_changes_nothing_is_not_seen_on_the_cable():
    """That the table was looked at is nobody's business: when depends on what is secret."""
    board = Board()
    indicator = BoardIndicator(board, lambda: False, tones=True)
    for lights in ({"e4": "press-clock"}, {"e4": "press-clock"}, {}):
        await indicator.show(Cue(VIEW, lights))
    assert [told.cells for told in board.shown] == [{"e4": "press-clock"}, {}]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "The knight on f6 is invisible now."), ("de", "Springer auf f6 ist jetzt unsichtbar.")],
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
    assert await sounded(TAKEN, GONE, voice=voice) == ["accepted"]
    assert await sounded(GONE, voice=voice, speech=False) == []  # nobody wants to be told


async def test_silence_is_a_setting_of_board_and_game():
    assert await sounded(TAKEN, GONE) == ["accepted"]
    assert await sounded(TAKEN, GONE, tones=False) == []
    assert await sounded(TAKEN, GONE, playing=Playing(sound=False)) == []
