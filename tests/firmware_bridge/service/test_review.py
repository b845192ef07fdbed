"""Games that are over are reviewed: what each turn gave away, from what its player could know."""

import asyncio
import sys

import pytest

from firmware_bridge.opponents.protocol import COMMAND, WON
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.service import reviewer as module
from firmware_bridge.service.adviser import Analysis
from firmware_bridge.service.review import TURNING_POINTS, expected, questions, review
from firmware_bridge.service.reviewer import Busy, Reviewer
from firmware_bridge.service.seat_process import Opponent, lines
from firmware_bridge.views import told
from tests.firmware_bridge.table.driving import Driven
from tests.patience import in_time, soon
from tests.sample import SAMPLE

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def recorded(game="reversi", turns=FOOLS_MATE, seed=None):
    driven = Driven(game)
    if seed is not None:
        driven.random_turns(seed, 6)
        turns = ()
    driven.play(*turns)
    if driven.table.state.stage != "over":
        driven.say("resign", driven.position.side)
    return RecordedGame.of(driven.table.records)


class Shelf:
    """An archive of one game."""

    def __init__(self, told_by):
        self.told_by = told_by

    async def recorded(self, game_id):
        if game_id == "missing":
            raise KeyError(game_id)
        return self.told_by


def test_a_score_is_what_may_be_expected():
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    assert expected(WON - 1) == pytest.approx(1)
    assert expected(300) + expected(-300) == pytest.approx(1)


def test_turning_points_are_the_turns_that_gave_most_away():
    of = recorded()
    scores = {0: 0, 1: 100, 2: -120, 3: WON - 1}
    better = {0: "e2e4", 1: "d7d5", 2: "d2d4", 3: "d8h4"}
    answers = {
        number: Analysis(of.state.played[number].before.parse_turn(better[number]), score)
        for number, score in scores.items()
    }
    found = review(of, answers)
    assert len(found.chances) == 5
    assert found.chances[-1] == 0.0
    assert [(point.number, point.side) for point in found.turning_points] == [
        (0, "white"),
        (2, "white"),
    ]  # Black's first turn gave nothing away, and his last was the best
    assert [str(point.better) for point in found.turning_points] == ["e2e4", "d2d4"]


def test_no_more_are_told_than_anybody_reads():
    of = recorded(
        "mockery", ("e2e4", "e7e5", "g1f3", "g8f6", "b1c3", "b8c6", "a2a3", "a7a6", "h2h3")
    )
    up_and_down = {}
    for number, played in enumerate(of.state.played):
        best = next(turn for turn in played.before.turns() if str(turn) != str(played.turn))
        up_and_down[number] = Analysis(best, 200)
    found = review(of, up_and_down).turning_points
    assert [point.side for point in found].count("white") == TURNING_POINTS
    assert [point.number for point in found] == sorted(point.number for point in found)


@pytest.mark.parametrize("game", SAMPLE)
def test_each_turn_is_judged_from_what_its_seat_had_been_told(game):
    of = recorded(game, seed=3)
    asked = questions(of)
    assert {q.number for q in asked} <= set(range(len(of.state.played) + 1))
    for side in ("white", "black"):
        own = [q for q in asked if q.position.side == side]
        everything = lines(told(of.state, of.records, side))
        for question in own:
            assert question.told == everything[: len(question.told)]
            seen = [line for line in question.told if line.startswith("seen")]
            assert len(seen) == question.number


async def test_a_game_is_reviewed_by_a_real_process():
    reviewer = Reviewer(Shelf(recorded()))
    reviewer.ask("game")
    await soon(lambda: reviewer.progress("game").over)
    progress = reviewer.progress("game")
    assert not progress.failed
    assert (progress.done, progress.of) == (4, 4)
    (point,) = [point for point in progress.review.turning_points if point.number == 2]
    assert point.after < 0.05
    await reviewer.close()


async def test_a_process_that_fails_is_given_up_and_can_be_tried_again():
    started = []

    async def start(seating, lines_told):
        started.append(seating)
        failing = len(started) <= module.TRIES
        command = (sys.executable, "-c", "") if failing else (sys.executable, *COMMAND)
        return await Opponent.start(seating, lines_told, command)

    reviewer = Reviewer(Shelf(recorded()), start)
    reviewer.ask("game")
    await soon(lambda: reviewer.progress("game").failed)
    assert len(started) == module.TRIES
    reviewer.ask("game")
    assert not reviewer.progress("game").failed
    await soon(lambda: reviewer.progress("game").review)
    await reviewer.close()


async def test_what_is_missing_fails_and_what_is_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(module, "KEPT", 2)
    reviewer = Reviewer(Shelf(recorded()))
    reviewer.ask("missing")
    reviewer.ask("one")
    with pytest.raises(Busy):
        reviewer.ask("two")
    await soon(lambda: reviewer.progress("missing").failed)
    reviewer.ask("two")
    assert reviewer.progress("missing") is None
    reviewer.forget("one")
    reviewer.forget("two")
    await soon(reviewer._working.done)
    assert reviewer.progress("one") is None


async def test_what_fails_while_reviews_are_told_to_end_begins_no_other_review(monkeypatch):
    reviewer, begun = Reviewer(Shelf(recorded())), []

    async def jammed(*_):
        begun.append(1)
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("it cannot be closed")

    monkeypatch.setattr(reviewer._adviser, "analyse", jammed)
    reviewer.ask("one")
    reviewer.ask("another")
    await soon(lambda: begun)
    await in_time(reviewer.close())
    assert begun == [1]
