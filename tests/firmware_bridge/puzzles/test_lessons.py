"""The learn screens on a board: hands do what each asks for, and are told that it was well done."""

import random

import pytest

import rules
from drivers.port import Snapshot
from firmware_bridge import puzzles
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.games import metadata
from firmware_bridge.pages.texts import speaking
from firmware_bridge.pages.view_model import public_scene
from firmware_bridge.table import Table
from tests.firmware_bridge.pages.app_help import pages_at
from tests.firmware_bridge.table.carrying_out import choose
from tests.firmware_bridge.table.driving import Driven

SHIPPED = [game for game, made in rules.games().items() if "rules.games" in str(made)]
LESSONS = [lesson for game in SHIPPED for lesson in puzzles.lessons(game)]


def set_up(lesson, *, buttons):
    """A board on which somebody has set up a lesson."""
    driven = Driven(lesson.game, position=lesson.position, begin=False)
    driven.agreement = Agreement.to_solve(lesson, GameSettings.of({}), buttons=buttons)
    entropy = random.Random(lesson.id).randbytes
    driven.table = Table(
        driven.agreement, driven.sensing, now=driven.t, standing={}, begin=False, entropy=entropy
    )
    driven.outputs.clear()
    driven.records.clear()
    driven.take(driven.table.take_up())
    driven.t += 1
    driven.feed(Snapshot(driven.t, dict(driven.readings)))
    assert driven.view.phase == "playing"
    return driven


def do(driven, lesson):
    """Do what the lesson asks for."""
    position, screen = driven.position, lesson.screen
    if screen.offence:
        source, target = screen.offence[:2], screen.offence[2:]
        if target in driven.readings:
            driven.cell(target, None)
        driven.carry(source, target)
    else:
        turn = position.parse_turn(screen.turn)
        driven.hands(position.deed(turn), position, position.play(turn))
    driven.wait(4)
    _answer(driven, screen)
    if driven.view.phase != "over":
        driven.press(position.side)
        driven.wait(1)
        _answer(driven, screen)


def _answer(driven, screen):
    """Say what it was, where the board asks."""
    if driven.view.judged.kind == "choice":
        driven.answer(screen.turn or screen.offence)


@pytest.mark.parametrize("buttons", [True, False], ids=["with a clock", "without"])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_every_lesson_is_done_by_hand_and_praised(lesson, buttons):
    driven = set_up(lesson, buttons=buttons)
    view = driven.view
    assert view.hint.moves
    for language in ("en", "de"):
        scene = public_scene(view, speaking(language, lesson.game))
        told = metadata.of(lesson.game).learn[lesson.lesson - 1].text[language]
        assert told in [scene["headline"], *scene["more"]]
        assert scene["advised"]
        assert scene["headline"] == speaking(language, lesson.game)("lesson-task")
        assert scene["following"] is None
    do(driven, lesson)
    assert "lesson-done" in driven.said
    assert driven.view.phase == "over"
    scene = public_scene(driven.view, speaking("en", lesson.game))
    assert (scene["headline"], scene["more"]) == ("Well done.", [])
    after = puzzles.following(lesson)
    assert (scene["following"] or {}).get("puzzle") == (after.id if after else None)


def test_a_turn_that_is_taken_back_once_the_computer_answers_is_not_answered():
    driven = set_up(puzzles.find("realm-1"), buttons=False)
    driven.carry("d4", "d3")
    driven.wait(4)
    assert driven.said[-1] == "check"  # it may go on yet
    choose(driven, "a3b2")
    assert driven.said[-2:] == ["taken-back", "puzzle-wrong"]


@pytest.mark.parametrize(
    "name", ["mockery-lesson-1", "chess-lesson-2", "indistinguishable-lesson-3"]
)
def test_another_turn_is_taken_back_and_the_lesson_goes_on(name):
    lesson = puzzles.find(name)
    driven = set_up(lesson, buttons=True)
    wanted = str(driven.position)
    driven.carry("a2", "a3")
    driven.wait(4)
    driven.press("white")
    driven.wait(1)
    assert "puzzle-wrong" in driven.said
    assert str(driven.position) == wanted
    driven.carry("a3", "a2")
    driven.wait(4)
    do(driven, lesson)
    assert "lesson-done" in driven.said


async def test_a_lesson_is_set_up_from_its_page_at_the_machine_alone(tmp_path):
    async with pages_at(tmp_path, "mockery", client="127.0.0.1") as (hands, browser):
        page = await browser.get("/learn/mockery/2?language=en")
        assert 'data-puzzle="mockery-lesson-2"' in page.text
        begun = await browser.post("/api/v1/game/puzzle", json={"puzzle": "mockery-lesson-2"})
        assert begun.status_code == 202
        assert hands.controller.agreement.puzzle == "mockery-lesson-2"
        assert not hands.controller.agreement.computers
        assert "data-puzzle" not in (await browser.get("/learn/reality-check/1")).text
        for wrong in ("mockery-lesson-9", "mockery-lesson-", "no-lesson-1"):
            answer = await browser.post("/api/v1/game/puzzle", json={"puzzle": wrong})
            assert answer.status_code == 404
    async with pages_at(tmp_path / "far", "mockery") as (_, browser):
        assert "data-puzzle" not in (await browser.get("/learn/mockery/2")).text


async def test_lessons_are_not_among_the_games(tmp_path):
    async with pages_at(tmp_path, "mockery", client="127.0.0.1") as (hands, browser):
        await browser.post("/api/v1/game/puzzle", json={"puzzle": "mockery-lesson-1"})
        placed = dict.fromkeys(hands.controller.table.state.position.placement, True)
        await hands.controller.submit(Snapshot(hands.t, placed))
        await hands.turn("f3g5")
        assert hands.controller.view().phase == "over"
        assert (await browser.get("/api/v1/games")).json() == []


async def test_a_lesson_goes_on_after_the_service_was_killed_in_the_middle(tmp_path):
    async with pages_at(tmp_path, "mockery", client="127.0.0.1") as (hands, browser):
        await browser.post("/api/v1/game/puzzle", json={"puzzle": "mockery-lesson-1"})
        placed = dict.fromkeys(hands.controller.table.state.position.placement, True)
        await hands.controller.submit(Snapshot(hands.t, placed))
        await hands.feel("f3", None)
    async with pages_at(tmp_path, "mockery", client="127.0.0.1") as (hands, browser):
        assert hands.controller.agreement.puzzle == "mockery-lesson-1"
        await hands.controller.submit(Snapshot(hands.t, placed))
        await hands.press("white")
        assert hands.controller.view().phase == "playing"
        await hands.turn("f3g5")
        scene = (await browser.get("/api/v1/state?language=en")).json()
        assert (scene["phase"], scene["headline"]) == ("over", "Well done.")
