"""Every kind of lie, planted at one host, is named at both boards in every language.

What was played stays as it was. A lie about pieces that no rule has shown is found at the end.
"""

import asyncio
import json
import random
from dataclasses import dataclass, replace

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.distance.letters import Heard
from firmware_bridge.distance.line import Line
from firmware_bridge.pages.texts import speaking
from firmware_bridge.service import exchange, friend_heard
from firmware_bridge.service.friend_heard import accusations
from firmware_bridge.words.language_files import said
from tests.firmware_bridge.distance.test_what_goes_wrong import LANGUAGES
from tests.firmware_bridge.service.test_distant_games import QuickCarrier, begun, two_hosts
from tests.firmware_bridge.service.test_secrets_far_away import (
    FarHands,
    bound,
    nothing,
    playing,
    swapped,
)
from tests.patience import soon
from tests.running import running


@dataclass
class Walk:
    """Two hosts with a game between them, one of which lies.

    Attributes:
        liar: it.
        victim: the other one.
        patch: changes what the liar does, until the end of the test.
        pair: both, where pieces hide something; then the liar is to move.
    """

    liar: object
    victim: object
    patch: pytest.MonkeyPatch
    pair: object = None

    @property
    def line(self):
        return self.victim.controller.agreement.line

    async def write(self, kind, body):
        """Let the liar tell something, and not notice that it knows of no such fact."""
        self.patch.setattr(exchange, "forgotten", lambda *_: False)
        await self.liar.line.write(self.line, kind, body)

    def instead(self, told):
        """Let every letter of the liar be told by `told(kind, body)` instead."""
        write = self.liar.line.write

        async def lying(game, kind, body):
            await write(game, kind, told(kind, json.loads(json.dumps(body))))

        self.patch.setattr(self.liar.line, "write", lying)

    def letters(self, **changes):
        """Let the liar take its letters for others than they are."""
        games = self.liar.line.games
        games[self.line] = replace(games[self.line], **changes)


LEFT = 5_400_000
"""Milliseconds of who has not yet used any."""


def written(kind, body):
    async def plant(walk):
        await walk.write(kind, body)

    return plant


def fact(kind, number=3, at="black", clock=(LEFT, 0), **data):
    return written(kind, {"fact": number, "data": {"at": at, "clock": list(clock), **data}})


def call(what, by):
    return fact("answer", what=what, by=by, data={})


RULING = {"move": None, "cells": [], "alone": True, "moved": 1, "pressed": True}
TIMED = Agreement("reversi", settings=GameSettings.of({"time": "90m"}))
CLAIM = {"ask": 1, "after": 0, "says": "?"}


async def fork(walk):
    """Go on from before its last letter, which it would tell again if it still told anything."""
    walk.patch.setattr(walk.liar.games._exchange, "_tell", nothing)
    sent = walk.liar.line.games[walk.line].sent
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk.liar.line, "_confirm", lambda _: None)  # it would have forgotten
        walk.letters(sent=sent[:-1], confirmed=len(sent) - 1)
        await walk.write("claim", CLAIM)


async def leave_a_gap(walk):
    """Go on from another letter than it has sent."""
    sent = walk.liar.line.games[walk.line].sent
    walk.letters(sent=(*sent[:-1], replace(sent[-1], data=b"another")))
    await walk.write("claim", CLAIM)


async def hear_another_history(walk):
    taken = walk.liar.line.games[walk.line].taken
    walk.letters(taken=(*taken[:-1], replace(taken[-1], data=b"another")))
    await walk.write("claim", CLAIM)


async def take_back(walk):
    """Say to have heard less than before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Line, "heard", Heard())
        await walk.write("claim", CLAIM)


async def sign_another_record(walk):
    walk.instead(lambda _, body: {**body, "record": {}} if "record" in body else body)
    await walk.victim.say("resign", "white")


async def time_goes_on(walk, seconds):
    """Let it go on at both boards; their hosts tell how their clocks stand meanwhile."""
    for _ in range(2 * seconds):
        for each in (walk.liar, walk.victim):
            await each.hands.wait(0.5)
        await asyncio.sleep(0.1)


async def tell_time_short(walk):
    """Tell with a turn less time than it took."""
    walk.instead(
        lambda kind, body: (
            {**body, "data": {**body["data"], "clock": [LEFT - 1000, 1000]}}
            if kind == "turn"
            else body
        )
    )
    await walk.liar.carried_out()
    await time_goes_on(walk, 6)
    await walk.liar.turn("e7e5")


async def let_the_clock_go_slowly(walk):
    await walk.liar.carried_out()
    watch = walk.liar.line.watch
    own = watch._own
    walk.patch.setattr(watch, "_own", lambda: replace(own(), used=own().used and own().used // 2))
    await time_goes_on(walk, 12)


DRAW = {"what": "offer-draw", "by": "black", "data": {}}
TURN = {"turn": "e7e5", "public": "e7e5"}


def one_after_the_other(*plants):
    async def plant(walk):
        for each in plants:
            await each(walk)

    return plant


OPEN = {
    "an illegal turn": ("turn", fact("turn", turn="e7e4", public=None)),
    "a turn told as another": ("turn", fact("turn", turn="e7e5", public="d7d5")),
    "a turn out of turn": ("order", fact("turn", at="white", turn="d2d4", public="d2d4")),
    "a fact too early": ("order", fact("turn", 7, turn="e7e5", public="e7e5")),
    "another history": ("history", fact("turn", 1, turn="e7e5", public="e7e5")),
    "no history": ("history", written("answer", {"fact": 1, "data": {}})),
    "no fields": ("form", fact("turn")),
    "no clock": ("form", fact("turn", clock=("?", None), turn="e7e5", public=None)),
    "a clock that gains": ("clock", fact("turn", clock=(LEFT + 1, 0), turn="e7e5", public="e7e5")),
    "a flag that stands": ("clock", fact("end")),
    "an attempt for no reason": ("attempt", fact("ruling", side="black", reason="?", **RULING)),
    "our resignation": ("said", call("resign", "white")),
    "our consent": ("said", call("accept-draw", "white")),
    "an award": ("said", call("award", None)),
    "a claim that is none": ("said", call("claim-fifty-moves", "black")),
    "a forked chain": ("forked", fork),
    "a gap": ("gap", leave_a_gap),
    "hearing what was not written": ("other-history", hear_another_history),
    "hearing less than before": ("taken-back", take_back),
    "time taken back": (
        "clock",
        one_after_the_other(
            fact("answer", clock=(LEFT - 5000, 5000), **DRAW),
            fact("turn", 4, clock=(LEFT - 10, 10), **TURN),
        ),
    ),
    "time told short": ("clock", tell_time_short),
    "a slow clock": ("clock", let_the_clock_go_slowly),
    "a fact told again": (
        "again", one_after_the_other(fact("answer", **DRAW), fact("answer", **DRAW)),
    ),
    "another record": ("record", sign_another_record),
}  # fmt: skip
"""Lies of Black's host about a game without secrets, after White's first turn."""


FIRST_WORD_TRUE = {"another record", "time taken back", "time told short", "a fact told again"}
ABOUT_READINGS = {"time told short", "a slow clock"}
ABOUT_LETTERS = {f"lie-{why}" for why in ("forked", "gap", "other-history", "taken-back")}


def turning(change):
    """Let the liar make a turn and tell its data otherwise."""

    async def plant(walk):
        walk.instead(
            lambda kind, body: {**body, "data": change(body["data"])} if kind == "turn" else body
        )
        await walk.liar.hands.turn(str(next(walk.pair.true.turns())))

    return plant


def telling(old, new):
    return turning(lambda data: {**data, "told": data["told"].replace(old, new, 1)})


def opening(change):
    """Let the liar open something else when the game is over."""

    async def plant(walk):
        await walk.pair.turn(random.Random(1))
        walk.instead(lambda kind, body: change(body) if kind == "audit" else body)
        await walk.victim.say("resign", "black")

    return plant


def salted(body, place, salt):
    body["pieces"][place][1] = salt
    return body


def sided(body, down):
    """Let a disc lie on a side that it has not: whichever lies up, its hash is about both."""
    pieces = body["pieces"].items()
    place = next(at for at, (label, _) in pieces if label[1] != label.partition(":")[2])
    body["pieces"][place][0] = f"{body['pieces'][place][0].partition(':')[0]}:{down}"
    return body


def eleven(body):
    return {**body, "pieces": {**body["pieces"], "e5": ["wPP:P", "0" * 64]}}


async def keep_silent(walk):
    """Put a turn to a host that does not tell what it leads to."""
    walk.patch.setattr(friend_heard, "ANSWERS", 0.5)
    walk.patch.setattr(walk.liar.games._exchange, "_tell", nothing)
    await walk.victim.hands.turn(str(next(walk.pair.true.turns())))


async def open_nothing(walk):
    """Be heard after the end, and say no more."""
    walk.patch.setattr(friend_heard, "OPENS", 0.5)
    await walk.pair.turn(random.Random(1))
    walk.patch.setattr(walk.liar.games._exchange, "_tell", nothing)
    await walk.victim.say("resign", "black")


async def bind_again(walk):
    bound = next(
        one for one in walk.liar.line.games[walk.line].sent if one.letter.kind == "commitment"
    )
    data = dict(bound.letter.body["data"])
    await walk.write("commitment", {"fact": len(walk.victim.facts) + 1, "data": data})


HIDDEN = {
    "a swapped face": ("shown", telling("R ", "N ")),
    "a piece too many": ("shown", telling("hand 1", "hand 2")),
    "no piece told": ("shown", turning(lambda data: {**data, "told": ""})),
    "an illegal turn of discs": ("shown", turning(lambda data: {**data, "public": "d1d9"})),
    "a disc opened for nothing": (
        "shown", turning(lambda data: {**data, "opened": {"d1": ["wRR:R", ""]}}),
    ),
    "a late die": ("dice", turning(lambda data: {**data, "link": "0" * 64})),
    "a field too many": ("form", turning(lambda data: {**data, "turn": "d1d4"})),
    "binding itself again": ("bound", bind_again),
    "silence": ("silent", keep_silent),
}  # fmt: skip
"""Lies of a host in Reality Check, which is to move."""

BEGINNING = {
    "a start that cannot be": (
        "start",
        lambda data: {**data, "told": data["told"].replace("d1R", "d1P")},
    ),
    "a disc not bound": (
        "bound",
        lambda data: {**data, "pieces": {**data["pieces"], "e5": "0" * 64}},
    ),
}
"""Lies of who binds himself to what his pieces hide."""

AUDITED = {
    "a wrong opening": ("proof", opening(lambda body: swapped(body, "d1"))),
    "a wrong opening of what is in a hand": ("proof", opening(lambda body: swapped(body, "hand"))),
    "an eleventh disc": ("pieces", opening(eleven)),
    "a proof in no letters of a hash": ("proof", opening(lambda body: salted(body, "d1", "\xe9"))),
    "a disc with a side that it has not": ("pieces", opening(lambda body: sided(body, "?"))),
    "a disc of one side": ("pieces", opening(lambda body: sided(body, ""))),
    "another turn than was told": ("turn", opening(lambda body: {**body, "turns": {}})),
    "silence about what is hidden": ("unopened", open_nothing),
    "a refusal to open": ("unopened", opening(lambda _: {"pieces": None, "turns": None})),
}
"""Lies that are found when all is opened."""


def announced(host, key):
    """Return what a host's people are told by this key, if they are."""
    return next((item for item in host.hands.news() if item.key == key), None)


async def hold_named(walk, key):
    """See that the lie is named at both boards, in the words of every reader."""
    say_named(await soon(lambda: announced(walk.victim, "distance-false")), key)
    await soon(lambda: accusations(walk.victim.line.games[walk.line].sent) == [key])
    accused = await soon(
        lambda: announced(walk.liar, "distance-accused") or announced(walk.liar, "distance-false")
    )
    if key not in ABOUT_LETTERS:  # who has another chain does not believe the victim either
        say_named(accused, key)


def say_named(item, key):
    """See that a lie is in what is announced, in every language."""
    for language in LANGUAGES:
        assert said("", language)[key] in speaking(language, None)(item.key, **item.words)


@pytest.mark.parametrize("lie", OPEN)
async def test_a_lie_about_an_open_game_is_named_and_changes_nothing(
    tmp_path, monkeypatch, caplog, lie
):
    key, plant = OPEN[lie]
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await begun(one, other, TIMED)
        await other.hands.press("black")
        await soon(lambda: one.state.stage == other.state.stage == "playing")
        await one.turn("e2e4")
        await soon(lambda: len(other.facts) == 2)
        before, walk = one.facts, Walk(other, one, monkeypatch)
        await soon(lambda: not any(each.line.games[walk.line].outstanding for each in (one, other)))
        await plant(walk)
        await hold_named(walk, f"lie-{key}")
        assert one.facts[: len(before)] == before
        assert len(one.facts) <= len(before) + (lie in FIRST_WORD_TRUE)
        proof = "what proves it" in caplog.text  # of other lies it is in the letters that are kept
        assert proof == (f"lie-{key}" in ABOUT_LETTERS or lie in ABOUT_READINGS)


async def test_of_another_release_no_clock_is_judged(tmp_path, monkeypatch):
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await begun(one, other, TIMED)
        await other.hands.press("black")
        await soon(lambda: one.state.stage == other.state.stage == "playing")
        await one.turn("e2e4")
        walk = Walk(other, one, monkeypatch)
        await soon(lambda: other.line.watch and len(other.facts) == 2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(other.games._exchange, "_tell", nothing)
            patch.setattr(other.games, "_listen_for", lambda _: None)  # it tells its clock still
            await other.line.write(walk.line, "answer", {"release": "updated"})
            await soon(lambda: announced(one, "distance-release"))
            await let_the_clock_go_slowly(walk)
            assert not announced(one, "distance-false")
        other.games.stir()
        await soon(lambda: not announced(one, "distance-release"))
        await time_goes_on(walk, 12)
        await hold_named(walk, "lie-clock")


async def test_a_reading_tells_of_the_clock_and_of_nothing_else_that_is_written_down(tmp_path):
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await begun(one, other, TIMED)
        await other.hands.press("black")
        await soon(lambda: one.state.stage == other.state.stage == "playing")
        walk = Walk(one, other, None)
        await soon(lambda: one.line.watch)
        await time_goes_on(walk, 6)
        before = one.line.watch.say()
        records = len(one.controller.table.records)
        await one.say("adjust")
        await one.say("adjust")
        await time_goes_on(walk, 2)
        after = one.line.watch.say()
        assert len(one.controller.table.records) > records
        assert after.used > before.used
        assert (after.boot, after.run, after.fact) == (before.boot, before.run, before.fact)


@pytest.mark.parametrize("lie", HIDDEN)
async def test_a_lie_about_hidden_pieces_is_named_and_changes_nothing(tmp_path, monkeypatch, lie):
    key, plant = HIDDEN[lie]
    async with playing(tmp_path, QuickCarrier(3)) as pair:
        liar, victim = reversed([*pair]) if lie == "silence" else pair
        before = victim.facts
        walk = Walk(liar, victim, monkeypatch, pair)
        await plant(walk)
        await hold_named(walk, f"lie-{key}")
        assert victim.facts[: len(before)] == before


@pytest.mark.parametrize("lie", BEGINNING)
async def test_a_lie_about_the_start_is_named(tmp_path, monkeypatch, lie):
    key, change = BEGINNING[lie]
    async with two_hosts(tmp_path, QuickCarrier(4), hands=FarHands) as (liar, victim):
        walk = Walk(liar, victim, monkeypatch)
        walk.instead(
            lambda kind, body: (
                {**body, "data": change(body["data"])} if kind == "commitment" else body
            )
        )
        async with running(bound(liar, victim)):
            await hold_named(walk, f"lie-{key}")
            assert not victim.facts


@pytest.mark.parametrize("lie", AUDITED)
async def test_a_lie_that_no_rule_has_shown_is_found_at_the_end(tmp_path, monkeypatch, lie):
    key, plant = AUDITED[lie]
    async with playing(tmp_path, QuickCarrier(5)) as pair:
        liar, victim = pair
        walk = Walk(liar, victim, monkeypatch, pair)
        await plant(walk)
        await soon(lambda: victim.state.audited)
        assert victim.state.audited == f"lie-{key}"
        assert (victim.state.ending.winner, victim.state.ending.reason) == ("black", "lied")
        say_named(await soon(lambda: announced(liar, "distance-accused")), f"lie-{key}")


def test_every_kind_of_lie_is_planted():
    planted = {
        f"lie-{key}" for table in (OPEN, HIDDEN, BEGINNING, AUDITED) for key, _ in table.values()
    }
    for language in LANGUAGES:
        assert planted == {key for key in said("", language) if key.startswith("lie-")}
