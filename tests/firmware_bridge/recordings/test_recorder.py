import random

import pytest

from drivers.port import CellEvent
from firmware_bridge import puzzles
from firmware_bridge.messages import Call, Coached, Seated
from firmware_bridge.recordings import export
from firmware_bridge.recordings import format as recordings
from firmware_bridge.recordings.recorder import MOST, Recorder
from firmware_bridge.recordings.replaying import Replay
from tests.firmware_bridge.service.desk_help import desk_at
from tests.firmware_bridge.table.carrying_out import OPTIONS, carry_out, choose, some_turn
from tests.firmware_bridge.table.driving import Driven
from tests.firmware_bridge.table.test_computer_turns import SEATS
from tests.nightly import each


class Taped(Driven):
    """Hands at a table beside which a recorder runs."""

    def __init__(self, game, **arguments):
        self.recorder = None
        super().__init__(game, dice=self._roll, **arguments)
        self.recorder = Recorder(self.sensing)

    def _roll(self, turns):
        return self.recorder.roll(turns)

    def feed(self, item):
        self.recorder.hear(item, self.table)
        return super().feed(item)


def replayed(controller):
    """Return what a replay of the controller's recording says was taken."""
    text = export.to_recording(controller.table, controller.recorders[controller.game_id])
    lines = Replay(recordings.read(text.splitlines()), referee=True).lines()
    return [line["taken"] for line in lines if "taken" in line]


async def test_a_game_at_the_desk_replays_from_its_recording(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        with pytest.raises(export.NotYetOpen, match="Nothing has been felt"):
            replayed(hands.controller)
        await hands.begin("e2e4", "e7e5")
        assert replayed(hands.controller) == ["e2e4", "e7e5"]
        header = hands.controller.recorders[hands.controller.game_id].recording().header
        assert header.settings == {"time": "5m"}
        assert header.clock


async def test_what_goes_on_after_a_restart_is_a_recording_of_its_own(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        await hands.begin()
        hands.t += 60.0
        await hands.turn("e2e4")
    async with desk_at(tmp_path, time="5m") as hands:
        await hands.set_up()
        await hands.move("e2e4")  # the pieces stood at the start again
        await hands.press("black")
        await hands.turn("d7d5", "black")
        assert replayed(hands.controller) == ["d7d5"]
        replay = Replay(hands.controller.recorders[hands.controller.game_id].recording())
        assert [*replay.lines()]
        assert replay.table.state.clock.white.left < 240_000


def test_the_dice_of_the_machine_come_out_of_the_recording_as_they_fell():
    taped = Taped("reality-check", options={"dice": 1})
    while taped.position.deed(next(iter(taped.position.turns()))).physical:
        taped.play(str(next(iter(taped.position.turns()))))
    taped.say("roll", taped.position.side)
    rolled = str(taped.table.state.played[-1].turn)
    recording = taped.recorder.recording()
    assert rolled in [getattr(event, "text", None) for event in recording.events]
    taken = [line["taken"] for line in Replay(recording, referee=True).lines() if "taken" in line]
    assert taken[-1] == rolled


def test_a_secret_game_gives_no_recording_before_its_end():
    taped = Taped("indistinguishable")
    taped.play("e2e4")
    with pytest.raises(export.NotYetOpen, match="over"):
        export.to_recording(taped.table, taped.recorder)
    taped.say("resign", "black")
    assert export.to_recording(taped.table, taped.recorder)


KINDS = [(*seat, {}) for seat in SEATS]
KINDS += [("reality-check", "face", options) for options in OPTIONS["reality-check"] if options]


@pytest.mark.parametrize(("game", "tier", "options"), each(KINDS, 2))
def test_a_game_with_a_computer_comes_out_of_its_recording_as_it_was_played(game, tier, options):
    chooser = random.Random(f"{game} {tier}")
    taped = Taped(game, tier=tier, options=options, computers={"black": 2})
    for _ in range(8):
        text = some_turn(taped, chooser)
        if taped.position.side == "black":
            choose(taped, text)
        elif text.startswith("roll"):
            taped.say("roll", "white")
        else:
            taped.play(text)
        carry_out(taped)
    comes_out(taped)
    assert len(taped.table.state.played) > 4


def comes_out(taped):
    """See that a game comes out of its recording as it was played."""
    text = "\n".join(recordings.write(taped.recorder.recording()))
    replay = Replay(recordings.read(text.splitlines()))
    list(replay.lines())
    again, state = replay.table.state, taped.table.state
    assert [str(made.turn) for made in again.played] == [str(made.turn) for made in state.played]
    assert again.position == taped.position
    assert again.ending == state.ending


def test_a_puzzle_comes_out_with_what_was_taken_back_in_it():
    puzzle = puzzles.find("reversi-1")
    taped = Taped("reversi", position=puzzle.position, puzzle=puzzle.id, computers={"black": 7})
    taped.carry("h8", "g8")
    taped.press("white")
    assert taped.said[-1] == "puzzle-wrong"
    comes_out(taped)
    taped.carry("g8", "h8")
    taped.wait(1)
    comes_out(taped)


def test_a_turn_that_was_thought_better_of_when_the_coach_asked_comes_out():
    taped = Taped("reversi", settings={"coach": True, "practice": True, "time": "5m"})
    taped.carry("g2", "g4")
    taped.feed(Coached(taped.t, taped.table.state.number, "g2g4", "much"))
    taped.press("white")
    taped.carry("g4", "g3")
    taped.press("white")
    assert [str(made.turn) for made in taped.table.state.played] == ["g2g3"]
    comes_out(taped)


def test_a_press_that_somebody_beside_the_game_has_let_go_comes_out():
    taped = Taped("reversi", settings={"coach": True, "time": "5m"}, computers={"black": 2})
    taped.carry("e2", "e4")
    taped.press("white")
    taped.feed(Seated(taped.t, "white"))  # no coach is waited for any more
    choose(taped, "e7e5")
    assert len(taped.table.state.played) == 2
    comes_out(taped)


def test_what_a_computer_says_itself_comes_out():
    taped = Taped("reversi", computers={"black": 2})
    taped.say("offer-draw", "white")
    taped.feed(Call(taped.t, "accept-draw", "black", own=True))
    assert taped.table.state.ending
    comes_out(taped)


def test_a_game_that_goes_on_after_its_end_comes_out_wholly():
    taped = Taped("reversi", settings={"time": "5m"})
    taped.play("f2f3", "e7e5", "g2g4", "d8h4")
    taped.carry("h4", "d8")
    taped.say("take-back", reason="the arbiter allows it")
    taped.play("d8g5")
    comes_out(taped)


def test_a_recording_begins_when_the_game_does_with_the_start_that_was_chosen_last():
    taped = Taped("reality-check", settings={"time": "5m"}, options={"flexible": True}, begin=False)
    taped.set_up()
    taped.say("distrust", cell="e5")
    taped.wait(1000)
    first = str(taped.position)
    home, next_to_it, *_ = (s for s, label in taped.position.placement.items() if label[0] == "w")
    one, other = taped.readings[home], taped.readings[next_to_it]
    for cell, reading in ((home, None), (next_to_it, None), (home, other), (next_to_it, one)):
        taped.cell(cell, reading)
    taped.press("black")
    assert str(taped.position) != first
    taped.play(str(next(taped.position.turns())))
    comes_out(taped)


def test_a_tape_does_not_grow_for_ever():
    taped = Taped("reversi")
    for number in range(MOST + 10):
        taped.recorder.hear(CellEvent(taped.t + number, "e2", None), taped.table)
    assert len(taped.recorder.recording().events) == MOST + 1  # and the end
