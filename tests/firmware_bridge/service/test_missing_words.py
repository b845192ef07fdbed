"""What is missing is no lie: nobody is named for what a host cannot tell, or was not told."""

import asyncio
import random
import shutil

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.distance.pairing import release
from firmware_bridge.service import distant_games, friend_heard
from firmware_bridge.service.friend_heard import of_kind
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.service.test_days_a_turn import DAYS
from tests.firmware_bridge.service.test_days_a_turn import begun as begun_over_days
from tests.firmware_bridge.service.test_disks_far_away import Life
from tests.firmware_bridge.service.test_distant_games import QuickCarrier, two_hosts
from tests.firmware_bridge.service.test_secrets_far_away import begun, full, nothing, playing
from tests.patience import soon

NAMED = {"distance-false", "distance-accused", "distance-lied", "distance-earlier-lied"}
LONG = 2.5
"""Seconds in which a host that says nothing would have been named."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    for name in ("ANSWERS", "OPENS"):
        monkeypatch.setattr(friend_heard, name, 0.5)


async def hold_unnamed(*hosts):
    await asyncio.sleep(LONG)
    for each in hosts:
        assert not NAMED & each.told
        assert not each.state.audited


async def test_who_could_not_tell_a_turn_awaits_no_answer_to_it(tmp_path):
    async with playing(tmp_path, QuickCarrier(1)) as pair:
        one, other = pair
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(one.line, "_keep", full)
            await one.hands.turn(str(next(pair.true.turns())))
            await soon(lambda: one.state.put)
            await hold_unnamed(one, other)
        one.games.stir()
        await soon(lambda: len(one.state.played) == len(other.state.played) == 1)


async def test_a_board_that_hands_set_right_is_not_awaited(tmp_path, monkeypatch):
    async with playing(tmp_path, QuickCarrier(2)) as pair:
        one, other = pair
        monkeypatch.setattr(other.games._exchange, "_tell", nothing)
        await other.line.write(other.controller.agreement.line, "pause", {"right": False})
        monkeypatch.setattr(other.games._right, "news", lambda *_: None)
        await one.hands.turn(str(next(pair.true.turns())))
        await hold_unnamed(one)


@pytest.mark.parametrize("files", ["*", "journal*"])
async def test_who_was_put_back_before_the_end_opens_nothing_and_is_no_liar(tmp_path, files):
    """To all that he had kept, or to an earlier journal than his letters."""
    carrier, (grace, ada) = QuickCarrier(3), friends()
    here, there = Life(tmp_path / "a", grace, carrier), Life(tmp_path / "g", ada, carrier)
    try:
        for life in (here, there):
            await life.begin()
        pair = await begun(here.host, there.host, seed=3)
        shutil.copytree(there.folder, tmp_path / "earlier")
        for _ in range(2):
            await pair.turn(random.Random(1))
        await there.stack.aclose()
        await here.host.say("resign", "white")
        await soon(lambda: here.host.state.stage == "over")
        for path in (tmp_path / "earlier").glob(files):
            put_back(path, there.folder / path.name)
        await there.begin(there.host.hands)
        name = here.host.controller.agreement.line
        await soon(lambda: here.host.line.games[name].ended)
        await hold_unnamed(here.host, there.host)
        assert "distance-forgot" in here.host.told
        assert "distance-forgot-here" in there.host.told
    finally:
        for life in (here, there):
            await life.stack.aclose()


def put_back(saved, path):
    if saved.is_dir():
        shutil.rmtree(path)
        shutil.copytree(saved, path)
    else:
        path.unlink(missing_ok=True)
        shutil.copy(saved, path)


async def test_who_opens_nothing_while_he_runs_another_release_is_no_liar(tmp_path, monkeypatch):
    async with playing(tmp_path, QuickCarrier(4)) as pair:
        one, other = pair
        name = one.controller.agreement.line
        with monkeypatch.context() as patch:
            patch.setattr(other.games._exchange, "_tell", nothing)
            await other.line.write(name, "answer", {"release": "updated"})
            await soon(lambda: other.line.games[name].confirmed == len(other.line.games[name].sent))
            await one.say("resign", "white")
            await soon(lambda: one.state.stage == "over")
            await hold_unnamed(one)
            assert "distance-release" in one.told
        other.games.stir()
        for each in pair:
            await soon(lambda each=each: each.state.audited == "")


@pytest.mark.parametrize("kind", ["reveal", "audit"])
async def test_who_ran_another_release_for_a_while_is_no_liar_for_what_it_told(
    tmp_path, monkeypatch, kind
):
    async with playing(tmp_path, QuickCarrier(6)) as pair:
        one, other = pair
        name = one.controller.agreement.line
        monkeypatch.setattr(other.games._exchange, "_tell", nothing)
        await other.line.write(name, "answer", {"release": "updated"})
        if kind == "reveal":
            await one.hands.turn(str(next(pair.true.turns())))
            await soon(lambda: len(other.facts) > len(one.facts))
            body = {"fact": len(one.facts) + 1, "data": {"of": "another form"}}
        else:
            await one.say("resign", "white")
            await soon(lambda: one.state.stage == "over")
            body = {"pieces": "of another form"}
        await other.line.write(name, kind, body)
        await other.line.write(name, "answer", {"release": release()})
        await soon(lambda: of_kind(one.line.games[name].taken, kind))
        await hold_unnamed(one)
        assert "distance-release" in one.told


async def test_of_a_game_aside_another_release_is_told_once_for_each_change(tmp_path, monkeypatch):
    monkeypatch.setattr(distant_games, "LOOKS", 0.05)
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await begun_over_days(one, other, DAYS)
        name, told = one.controller.agreement.line, []
        await one.controller.begin(Agreement("chess"))
        post = one.controller.notices.post

        def note(announcement):
            told.append((announcement.key, dict(announcement.words)))
            post(announcement)

        monkeypatch.setattr(one.controller.notices, "post", note)
        monkeypatch.setattr(other.games._exchange, "_tell", nothing)
        for release in ("2", "3"):
            await other.line.write(name, "answer", {"release": release})
            await soon(lambda: told)
            await asyncio.sleep(0.5)
            assert [(key, words["theirs"]) for key, words in told] == [
                ("distance-release", release)
            ]
            told.clear()


async def test_who_left_before_he_was_told_a_turn_is_not_awaited(tmp_path, monkeypatch):
    monkeypatch.setattr(friend_heard, "ANSWERS", 1.5)  # a letter is sent again after a second
    async with playing(tmp_path, QuickCarrier(5)) as pair:
        one, other = pair
        with monkeypatch.context() as patch:
            patch.setattr(other.line, "_send", lambda _: None)
            await other.controller.begin(Agreement("chess"))
            await one.hands.turn(str(next(pair.true.turns())))
            await soon(lambda: one.state.put)
        await hold_unnamed(one, other)
        assert "distance-left" in one.told
