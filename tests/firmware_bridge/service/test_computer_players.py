"""A computer in a seat of the running service: asked, watched, started again, never believed."""

import asyncio
import contextlib
import os
import random
import signal
import sys
import time

import pytest

import rules
from drivers.port import Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Answer, Tick
from firmware_bridge.opponents import protocol
from firmware_bridge.pages import known
from firmware_bridge.pages.texts import speaking
from firmware_bridge.service import computer_players
from firmware_bridge.service.computer_players import ComputerPlayers
from firmware_bridge.service.seat_process import Opponent, lines
from tests.firmware_bridge.service.desk_help import START, Hands, desk_at, heard
from tests.nightly import NIGHTLY, one_of
from tests.patience import soon

KILLS, TURNS = (300, 6) if NIGHTLY else (3, 3)
"""Kills in all, and turns of each game, at one of which each comes."""
TALKS_NONSENSE = "import sys\nfor line in sys.stdin: print('e2e4, I think', flush=True)"
WANTS_THE_IMPOSSIBLE = """import sys
for line in sys.stdin:
    said = {'uci': 'uciok', 'isready': 'readyok', 'go': 'bestmove e7e2'}.get(line.split()[0])
    if said: print(said, flush=True)
    print(said, file=sys.stderr, flush=True)
"""


@contextlib.asynccontextmanager
async def played(
    folder,
    *,
    game="mockery",
    position=None,
    start=Opponent.start,
    buttons=True,
    hands=Hands,
    **players,
):
    """Open a game in which computers play; give its hands and those who play for them."""
    wanted = Agreement(
        game,
        settings=GameSettings.of({}),
        players=players,
        position=position,
        buttons=buttons,
        chosen=True,
    )
    async with desk_at(folder, hands=hands, agreement=wanted) as at_hand:
        controller = at_hand.controller
        at_hand.computers = ComputerPlayers(controller, start)
        async with heard(controller, at_hand.computers):
            yield at_hand, controller


def executing(controller):
    return lambda: controller.view().phase == "executing"


async def test_it_answers_turn_after_turn(tmp_path):
    async with played(tmp_path, black="computer 1") as (hands, controller):
        await hands.begin()
        for text in ("e2e4", "g1f3"):
            await hands.turn(text)
            await soon(executing(controller))
            assert controller.table.records[-1].kind in ("taken", "beat")
            assert await hands.carry_out()
            assert controller.view().to_act == "white"
        assert len(controller.table.state.played) == 4


async def test_without_buttons_hands_that_hesitate_are_not_interrupted(tmp_path, monkeypatch):
    monkeypatch.setattr(computer_players, "HESITATION", 0.05)
    async with played(tmp_path, buttons=False, black="computer 1") as (hands, controller):
        await hands.set_up()
        hands.t += 1
        await hands.move("e2e3")
        hands.t += 0.6
        await controller.submit(Tick(hands.t))
        assert controller.table.awaits_computer
        controller.touched = hands.t  # a hand is still there
        await hands.feel("e3", None)
        hands.t += 0.2  # longer than a knock opens a cell
        await controller.submit(Tick(hands.t))
        assert controller.table.reconciler.verdict.kind == "in-progress"
        await hands.feel("e4", True)
        hands.t += 1
        await controller.submit(Tick(hands.t))
        await soon(executing(controller))
        assert str(controller.table.state.played[0].turn) == "e2e4"


async def test_a_turn_that_may_become_longer_is_answered_when_its_player_has_done(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(computer_players, "HESITATION", 0.05)
    position = "rn2kbnr/pp2pppp/1q6/2pp4/2P5/2N4P/PP1PPP1P/R1BQKBNR b KQkq - 0 2"
    players = {"game": "realm", "position": position, "buttons": False, "white": "computer 1"}
    async with played(tmp_path, **players) as (hands, controller):
        stands = rules.load("realm").parse(position).placement
        await controller.submit(Snapshot(hands.t, dict.fromkeys(stands, True)))
        hands.t += 1
        await hands.move("b6c6")
        await hands.wait(0.6)
        assert controller.table.awaits_computer  # nothing can be added to it
        await hands.move("c6e6")
        await hands.wait(5.0)
        assert controller.view().judged.kind == "extendable"
        await soon(lambda: "bestmove" in str(controller.table.records[-1].data))
        await asyncio.sleep(0.5)
        assert controller.view().phase == "playing"
        (done,) = controller.view().question
        await controller.submit(Answer(hands.t, done.text))
        await hands.wait(1.0)
        await soon(executing(controller))
        assert str(controller.table.state.played[0].turn) == "b6e6"


async def test_what_cannot_be_started_is_not_tried_again_and_again(tmp_path):
    tries = []

    async def start(seating, told):
        tries.append(seating.level)
        return await Opponent.start(seating, told, ("/nowhere/at/all",))

    async with played(tmp_path, start=start, black="computer 4") as (hands, _):
        await hands.begin("e2e4")
        await soon(lambda: tries[-1] == 1)
        await asyncio.sleep(1.0)
        assert len(tries) <= 6


async def test_two_computers_play_and_hands_carry_out(tmp_path):
    async with played(tmp_path, white="computer 1", black="computer 1") as (hands, controller):
        await hands.begin()
        for number in range(1, 5):
            await soon(executing(controller))
            assert len(controller.table.state.played) == number
            await hands.carry_out()


async def test_what_was_chosen_stays_so_after_a_power_cut(tmp_path):
    async with played(tmp_path, black="computer 1") as (hands, controller):
        await hands.begin("e2e4")
        await soon(executing(controller))
        chosen = str(controller.table.state.played[-1].turn)
        standing = dict(controller.table.reconciler.standing)
    async with played(tmp_path, black="computer 1") as (hands, controller):
        assert str(controller.table.state.played[-1].turn) == chosen
        assert controller.view().phase == "paused"
        assert standing.keys() != controller.table.state.position.placement.keys()


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_process_that_dies_or_hangs_is_started_again(tmp_path, sent):
    started = []

    async def start(seating, told):
        opponent = await Opponent.start(seating, told)
        started.append((seating, opponent))
        return opponent

    async with played(tmp_path, start=start, black="computer 1") as (hands, controller):
        await hands.begin()
        await soon(lambda: started)
        os.kill(started[0][1].pid, sent)
        await hands.turn("e2e4")
        await soon(executing(controller))
        assert 1 < len(started) <= 1 + computer_players.FAILURES
        assert started[1][0].level == 1


async def test_from_the_third_failure_on_level_1_plays_also_after_a_crash(tmp_path, monkeypatch):
    monkeypatch.setattr(computer_players, "PAUSES", (0.0,))
    seatings = []

    async def start(seating, told):
        seatings.append(seating)
        command = (sys.executable, "-c", WANTS_THE_IMPOSSIBLE) if seating.level > 1 else None
        return await Opponent.start(seating, told, *([command] if command else []))

    async with played(tmp_path, start=start, black="computer 4") as (hands, controller):
        await hands.begin("e2e4")
        await soon(executing(controller))
        assert [seating.level for seating in seatings] == [4, 4, 4, 1]
        assert controller.table.state.weakened == {"black": 1}
        assert levels(controller) == ["4", "4", "4", "1"]
    seatings.clear()
    async with played(tmp_path, start=start, black="computer 4"):
        await soon(lambda: seatings)
        assert [seating.level for seating in seatings] == [1]


def levels(controller):
    """Return the levels that the processes of Black were given, as the page tells them."""
    lines = known.kept(controller.table.records, "black")
    return [line.split()[-1] for line in lines if "name Level" in line]


class Tapped(Opponent):
    """A process whose pipe is listened to: what is written to it, and what is read of it."""

    def __init__(self, process, pipes):
        super().__init__(process, pipes)
        self.through, write, read = [], process.stdin.write, process.stdout.readline

        def written(data):
            self.through.append(f"> {data.decode().rstrip()}")
            write(data)

        async def heard():
            data = await read()
            self.through.append(f"< {data.decode().rstrip()}")
            return data

        process.stdin.write, process.stdout.readline = written, heard


@pytest.mark.parametrize("game", one_of("indistinguishable", "mockery"))
async def test_what_went_through_the_pipe_is_kept_with_the_game(tmp_path, game):
    processes = []

    async def start(seating, told):
        processes.append(await Tapped.start(seating, told))
        return processes[-1]

    async with played(tmp_path, game=game, start=start, black="computer 1") as (hands, controller):
        await hands.begin()
        for text in ("e2e4", "d2d4"):
            await hands.turn(text)
            await soon(executing(controller))
            if len(processes) == 1:
                os.kill(processes[-1].pid, signal.SIGKILL)
                await soon(processes[-1].fault.done)
            assert await hands.carry_out()
        game_id = controller.game_id
        records = controller.table.records
    through = [line for process in processes for line in process.through]
    beside = ("> isready", "< readyok", "< id ", "< option ", "< uciok", "< info ")
    assert list(known.kept(records, "black")) == [
        line for line in through if not line.startswith(beside) and line != "< "
    ]
    assert len(processes) > 1
    with contextlib.closing(Journal(tmp_path)) as journal:
        assert journal.read(game_id)[: len(records)] == records
    say = speaking("en", game)
    sentences = [sentence for sentence, _ in known.in_words(known.kept(records, "black"), say)]
    assert "Something else." not in sentences
    assert not any("{" in sentence for sentence in sentences)


async def test_killed_at_any_moment_it_plays_the_same_game_on(tmp_path):
    """Before it is told, while it thinks, while hands carry out: a kill costs no turn."""
    chooser, running_now = random.Random(5), []

    async def start(seating, told):
        running_now.append(await Opponent.start(seating, told))
        return running_now[-1]

    async def kill_sometime():
        await asyncio.sleep(chooser.choice((0.0, 0.0, 0.01, 0.1, 0.5)))
        with contextlib.suppress(ProcessLookupError):
            os.kill(running_now[-1].pid, signal.SIGKILL)

    kills = 0
    while kills < KILLS:
        running_now.clear()
        folder = tmp_path / str(kills)
        async with played(folder, start=start, black="computer 2") as (hands, controller):
            await hands.begin()
            await soon(lambda: running_now)
            for number in range(TURNS):
                killer = asyncio.create_task(kill_sometime())
                await hands.turn(quiet_turn(controller.table.state.position, chooser))
                await soon(executing(controller))
                assert len(controller.table.state.played) == 2 * number + 2
                await hands.carry_out()
                await killer
                kills += 1
            assert controller.table.state.offences == {"white": 0, "black": 0}
            assert controller.table.reconciler.verdict.kind == "settled"


def quiet_turn(position, chooser):
    """Return a turn in which one piece goes to an empty square."""
    deeds = {str(turn): position.deed(turn) for turn in position.turns()}
    return chooser.choice(
        sorted(
            text
            for text, deed in deeds.items()
            if len(deed.moves) == 1 and not deed.taken and not deed.becomes
        )
    )


@pytest.mark.parametrize("program", [TALKS_NONSENSE, WANTS_THE_IMPOSSIBLE])
async def test_nonsense_and_illegal_turns_reach_nobody(tmp_path, program, caplog, capfd):
    seatings = []

    async def start(seating, told):
        seatings.append(seating)
        failing = len(seatings) <= 4
        command = (
            (sys.executable, "-c", program) if failing else (sys.executable, *protocol.COMMAND)
        )
        return await Opponent.start(seating, told, command)

    async with played(tmp_path, start=start, black="computer 4") as (hands, controller):
        await hands.begin("e2e4")
        await soon(executing(controller))
        assert controller.table.state.offences == {"white": 0, "black": 0}
        assert seatings[0].level == 4
        assert seatings[-1].level == 1
        assert "e7e2" not in caplog.text + capfd.readouterr().err


async def test_it_is_told_what_its_seat_may_know(tmp_path):
    async with played(tmp_path, game="indistinguishable", black="computer 1") as (hands, at):
        await hands.begin("e2e4")
        await soon(executing(at))
        told = lines(at.table.summary().briefing("black"))
        assert [line.split()[0] for line in told] == ["position", "seen", "seen"]


class Thinks:
    """Names the first turn after so many seconds, in place of a process."""

    judgement = protocol.Judgement(0)

    def __init__(self, seconds):
        self.seconds = seconds
        self.fault = asyncio.get_running_loop().create_future()

    async def think(self, position):
        await asyncio.sleep(self.seconds)
        return next(iter(position.turns()))

    async def close(self):
        pass

    def brief(self, _told):
        pass

    def piped(self):
        return ()


@pytest.mark.parametrize("seconds", [0.0, 0.1])
async def test_how_long_it_thinks_tells_nobody_what_it_has_to_think_about(
    tmp_path, monkeypatch, seconds
):
    monkeypatch.setattr(computer_players, "BEAT", 0.4)

    async def start(_seating, _told):
        return Thinks(seconds)

    game = {"game": "indistinguishable", "black": "computer 1", "start": start}
    async with played(tmp_path, **game) as (hands, at):
        await hands.begin("e2e4")
        asked = time.monotonic()
        await soon(executing(at))
        assert time.monotonic() - asked > 0.9 * computer_players.BEAT


async def test_where_no_button_is_pressed_it_begins_by_itself(tmp_path):
    async with played(tmp_path, buttons=False, white="computer 1") as (hands, controller):
        await hands.set_up()
        await soon(executing(controller))
        await hands.carry_out()
        assert controller.view().to_act == "black"
        assert START.keys() != controller.table.reconciler.standing.keys()


async def test_where_it_would_press_the_clock_to_begin_it_does(tmp_path):
    async with played(tmp_path, game="chess", black="computer 1") as (hands, controller):
        await hands.set_up()
        await soon(lambda: controller.view().phase == "playing")
        assert controller.view().to_act == "white"


async def test_where_people_press_the_clock_to_begin_it_waits_for_them(tmp_path):
    async with played(tmp_path, game="chess", white="computer 1") as (hands, controller):
        await hands.set_up()
        await asyncio.sleep(0.1)
        assert controller.view().phase == "ready"
        await hands.press("black")
        await soon(executing(controller))


async def test_what_it_plays_is_said_and_where_players_must_remember_only_until_it_stands(tmp_path):
    async with played(tmp_path, game="indistinguishable", black="computer 5") as (
        hands,
        controller,
    ):
        said = []
        controller.listeners.append(said.extend)
        await hands.begin("e2e4")
        await soon(executing(controller))
        deeds = [out.words["deed"] for out in said if "deed" in getattr(out, "words", {})]
        assert len(deeds) == 1

        def shown():
            sight = controller.hub.latest("public").sight
            return [item.key for item in sight.news if item.key.startswith("plays")]

        assert shown() == ["plays-unseen"]
        await hands.carry_out()
        assert shown() == []
