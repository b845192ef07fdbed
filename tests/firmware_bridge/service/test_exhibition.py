"""The show of a kiosk: real games between computers, and what is shown where none can play."""

import itertools
import os
from contextlib import aclosing

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.service import exhibition as shows
from firmware_bridge.service.demonstration import TURN_SECONDS
from firmware_bridge.service.exhibition import exhibition
from firmware_bridge.service.kiosk import KioskManager
from firmware_bridge.service.seat_process import Fault, Opponent
from tests.firmware_bridge.service.desk_help import desk_at
from tests.nightly import NIGHTLY, one_of
from tests.patience import in_time, soon
from tests.running import HOPS, ordered_to_end
from tests.sample import SAMPLE


async def no_process(seating, told):
    raise Fault("ended", "there is none")


class Quick:
    """A process that is none: it plays the first turn that there is."""

    def __init__(self, seating, told):
        self.seating, self.told, self.closed = seating, list(told), False

    def tell(self, line):
        self.told.append(line)

    async def think(self, position):
        return next(position.turns())

    async def close(self):
        self.closed = True


def quick_players():
    started = []

    async def start(seating, told):
        started.append(Quick(seating, told))
        return started[-1]

    return start, started


async def show_of(start):
    """Yield the frames after those of what was published."""
    async with aclosing(exhibition(start)) as show:
        async for frame in show:
            if not frame.classic:
                yield frame


async def frames_of(start, until):
    """Return the frames up to the first that is asked for."""
    frames = []
    async with aclosing(show_of(start)) as show:
        async for frame in show:
            frames.append(frame)
            if until(frame):
                break
    return frames


async def test_the_show_begins_with_what_inventors_and_players_published():
    async with aclosing(exhibition(no_process)) as show:
        shown = [await anext(show) for _ in range(2 + 25)]
    assert {frame.classic.by for frame in shown[:26]} == {"Edward, Hunter"}
    assert shown[26].classic.by == "Helge Blohmer, 2000"


async def test_without_a_process_each_game_shows_the_turns_of_its_data_file():
    met = []
    async with aclosing(show_of(no_process)) as show:
        async for frame in show:
            if not met or frame.game.id != met[-1].game.id:
                met.append(frame)
                if len(met) == 4:
                    break
    assert all(one.game.id != next_.game.id for one, next_ in itertools.pairwise(met))


async def test_two_levels_play_then_the_game_is_explained_and_another_one_comes():
    start, started = quick_players()
    frames = await frames_of(start, lambda frame: len(started) == 4)
    played = [frame for frame in frames if frame.levels]
    assert {frame.screen for frame in frames} > {None, 0, 1}
    assert all(len(set(frame.levels.values())) == 2 for frame in played)
    assert all(frame.seconds >= TURN_SECONDS for frame in played if frame.turn)
    assert frames[0].game != frames[-1].game
    assert len({seat.seating.seed for seat in started}) == 4
    assert [seat.closed for seat in started[:2]] == [True, True]


async def test_it_rests_at_least_as_long_as_it_thought(monkeypatch):
    thinking = itertools.count(step=7.0)  # seconds from look to look at the clock
    monkeypatch.setattr(shows.time, "monotonic", lambda: next(thinking))
    start, _ = quick_players()
    frames = await frames_of(start, lambda frame: frame.turn)
    assert frames[-1].seconds == 7.0


@pytest.mark.parametrize("name", one_of(*SAMPLE))
async def test_real_processes_play_every_game_and_end_with_the_show(monkeypatch, name):
    monkeypatch.setattr(shows, "_drawn", lambda: itertools.repeat(name))
    started = []

    async def start(seating, told):
        started.append(await Opponent.start(seating, told))
        return started[-1]

    turns = itertools.count(1)
    frames = await frames_of(start, lambda frame: frame.turn and next(turns) == 4)
    assert frames[-1].game.id == name
    for opponent in started:
        with pytest.raises(ProcessLookupError):
            os.kill(opponent.pid, 0)


async def test_two_shows_of_one_game_are_two_games(monkeypatch):
    monkeypatch.setattr(shows, "_drawn", lambda: itertools.repeat("mockery"))

    async def turns():
        count = itertools.count(1)
        frames = await frames_of(Opponent.start, lambda frame: frame.turn and next(count) == 6)
        return [frame.turn for frame in frames]

    assert await turns() != await turns()


async def test_the_processes_end_when_somebody_touches_the_board(tmp_path, monkeypatch):
    monkeypatch.setattr(shows, "published", lambda _name: ())
    start, started = quick_players()
    async with desk_at(tmp_path) as hands:
        kiosk = KioskManager(hands.controller, Agreement("reversi"), 180, 20, start)
        await hands.set_up()
        hands.t += 21
        await kiosk.look()
        hands.t += 10
        await kiosk.look()
        await soon(lambda: len(started) == 2)
        assert hands.controller.show is not None
        await hands.feel("e2", None)
        await kiosk.look()
        assert [seat.closed for seat in started] == [True, True]


@pytest.mark.parametrize("thinking", [True, False])
@pytest.mark.parametrize("hops", HOPS if NIGHTLY else HOPS[::8])
async def test_a_show_that_is_told_to_end_at_any_instant_leaves_no_computer_behind(
    hops, thinking, tmp_path, monkeypatch
):
    players = []

    async def start(seating, told):
        players.append(await Opponent.start(seating, told))
        return players[-1]

    monkeypatch.setattr(shows, "published", lambda name: ())
    async with desk_at(tmp_path, "reversi") as hands:
        kiosk = KioskManager(hands.controller, Agreement("reversi"), 3600, 20, start)
        await hands.set_up()
        for _ in range(60):
            hands.t += 30
            await kiosk.look()
            if len(players) == 2 and bool(kiosk._coming) == thinking:
                break
        coming = kiosk._coming
        await ordered_to_end(kiosk.rest(), hops)
        await in_time(kiosk.rest())
        assert coming is None or coming.done()
        for player in players:
            await in_time(player._process.wait())
