"""Two hosts play Reality Check by letters: no host learns what is hidden, and who lies is named."""

import asyncio
import contextlib
import itertools
import json
import random
import shutil

import pytest

import rules
from drivers.description import load_description
from drivers.port import ButtonEvent, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.journal import Journal, StorageFailed
from firmware_bridge.messages import Declare, Tick
from firmware_bridge.reconciler import Sensing
from firmware_bridge.recordings.export import to_json
from firmware_bridge.referee.audit import opened_at_end
from firmware_bridge.referee.facts import facts
from firmware_bridge.service import friend_heard
from firmware_bridge.service.controller import AGAIN_AFTER, Controller
from firmware_bridge.table.computer_turns import STILL
from tests.firmware_bridge.service.test_distant_games import (
    QuickCarrier,
    accepted,
    both_signed,
    host,
    two_hosts,
)
from tests.firmware_bridge.table.carrying_out import OPTIONS
from tests.firmware_bridge.table.driving import Driven, piece_set
from tests.firmware_bridge.table.two_boards import some_start
from tests.nightly import NIGHTLY
from tests.patience import soon

BOARD = load_description("simulated")


class FarHands(Driven):
    """Hands at a controller whose board reads both sides of discs: what they do is handed on."""

    kind = Controller

    def __init__(self, journal, now=None):
        self.t, self.tier, self.readings = 100.0, "face", {}
        self.spares = itertools.cycle(range(100))
        self.done = []
        sensing = Sensing("face", piece_set(), frozenset(BOARD.cells))
        self.controller = self.kind(journal, sensing, BOARD, now or (lambda: self.t))

    def feed(self, item):
        self.done.append(item)

    async def submit(self):
        done, self.done = self.done, []
        for item in done:
            await self.controller.submit(item)

    @property
    def state(self):
        return self.controller.table.state

    async def set_up(self, start, side):
        """Lay the discs down and say that they lie as they should."""
        game = start.game
        own = {s: x for s, x in start.placement.items() if x[0] == side[0]}
        self.readings = {s: self.reading(label) for s, label in own.items()}
        if not game.free_start:
            await self.lay_tokens(game.start())
        await self.controller.submit(Snapshot(self.t, dict(self.readings)))
        await self.press(side)

    async def lay_tokens(self, position):
        """Lay down what shows the faces of the other's discs."""
        for square, label in position.placement.items():
            if square not in self.readings:
                self.readings[square] = self.reading(f"{label[0]}{position.shown[square].kind}")

    def reading(self, label):
        label = label.rstrip("?")
        return label if ":" in label else f"{label}/{next(self.spares)}"

    async def press(self, side):
        self.t += 0.3
        await self.controller.submit(ButtonEvent(self.t, side))

    async def turn(self, turn):
        """Make a turn as hands and voice do."""
        before = self.state.position
        made = before.parse_turn(turn)
        deed = before.deed(made)
        if deed.physical:
            self.hands(deed, before, before.play(made))
            await self.submit()
        if turn.endswith("!"):
            await self.controller.submit(Declare(self.t, "reality-check", before.side))
        await self.press(before.side)
        if self.state.put is None and self.state.position is before:
            self.answer(str(made))
            await self.submit()
        if deed.physical and self.state.put is None and self.state.position is before:
            await self.press(before.side)

    async def carry_out(self):
        while self.controller.view().phase == "executing":
            shown = self.controller.table.summary().facts.verdict.restore
            for step in shown[:1]:
                lying = self.readings.get(step.source)
                if step.source:
                    self.cell(step.source, None)
                if step.target:
                    fresh = step.source in (None, step.target)
                    self.cell(step.target, self.reading(step.label) if fresh else lying)
                await self.submit()
            self.t += STILL
            await self.controller.submit(Tick(self.t))

    def news(self):
        return self.controller.hub.latest("public").sight.news


def told_of(each):
    """Return what a host that does not go on shows."""
    view, news = each.controller.view(), [(item.key, item.words) for item in each.hands.news()]
    wants = [want.key for want in view.wants]
    return f"{view.phase}, {len(each.state.played)} turns, {view.judged}, {wants}, {news}"


class Pair:
    """Two hosts with a game of Reality Check between them; `true` is what nobody knows."""

    def __init__(self, white, black, true):
        self.hosts = {"white": white, "black": black}
        self.true = true

    def __iter__(self):
        return iter(self.hosts.values())

    async def rest(self):
        """Let everything that is under way come to an end."""
        while not self.rests:
            for each in self:
                await each.hands.carry_out()
            await asyncio.sleep(0.01)

    @property
    def rests(self):
        """Whether both hosts have told all, and both boards are right."""
        still = all(each.state.put is None and not each.state.executing for each in self)
        return still and len({len(each.facts) for each in self}) == 1

    async def turn(self, chooser):
        """Make some turn that is legal, and see that both hosts come to the same."""
        side = self.true.side
        mover = self.hosts[side]
        if self.true.awaited == "roll":
            await mover.hands.press(side)
            await soon(lambda: mover.state.position.awaited != "roll")
            await self.rest()
            made = mover.state.played[-1].turn
            self.true = self.true.play(self.true.parse_turn(str(made)))
            return str(made)
        turns = list(self.true.turns())
        rare = [turn for turn in turns if str(turn)[4:5] != "/"]
        chosen = str(chooser.choice(rare if rare and chooser.random() < 0.5 else turns))
        number = len(mover.state.played)
        await mover.hands.turn(chosen)
        await soon(
            lambda: len(mover.state.played) > number,
            lambda: f"{chosen} in {self.true} is not taken: {told_of(mover)}",
        )
        self.true = self.true.play(self.true.parse_turn(chosen))
        await self.rest()
        return chosen

    async def agree(self):
        for side, each in self.hosts.items():
            await soon(lambda each=each: each.state.put is None)
            assert each.controller.view().phase != "restoring"
            assert each.state.position.knowledge(side) == self.true.knowledge(side)


async def begun(one, other, options=None, seed=0, time="untimed"):
    """Begin a game of Reality Check between two hosts."""
    pair = await bound(one, other, options, seed, time)
    for each in (one, other):
        await each.hands.lay_tokens(each.state.position)
        await each.controller.submit(Snapshot(each.hands.t, dict(each.hands.readings)))
    for each in (one, other):
        await soon(lambda each=each: each.state.stage == "playing")
    return pair


async def bound(one, other, options=None, seed=0, time="untimed"):
    """Let two agree on a game, and lay their own discs as they want them."""
    game = rules.load("reality-check", **(options or {}))
    chooser = random.Random(seed)
    own = {side: some_start(game, side, chooser) for side in ("white", "black")}
    true = game.start_told(own["white"], "black", own["black"].told_of("black"))
    theirs = {s: x for s, x in own["black"].placement.items() if x[0] == "b"}
    mine = {s: x for s, x in true.placement.items() if x[0] == "w"}
    true = true.rearranged({**mine, **theirs})
    agreement = Agreement(
        "reality-check",
        options=options or {},
        settings=GameSettings.of({"time": time}),
    )
    line = await accepted(one, other, agreement=agreement)
    for each, side in ((one, "white"), (other, "black")):
        await soon(lambda each=each: each.controller.agreement.line == line)
        await each.hands.set_up(own[side], side)
    for each in (one, other):
        await soon(lambda each=each: len(each.state.pledges) == 2)
    return Pair(one, other, true)


@contextlib.asynccontextmanager
async def playing(folder, carrier, options=None, seed=0):
    """Run two hosts with a game of Reality Check between them."""
    async with two_hosts(folder, carrier, hands=FarHands) as (one, other):
        yield await begun(one, other, options, seed)


@pytest.mark.parametrize("options", OPTIONS["reality-check"][:: 1 if NIGHTLY else 2])
async def test_reality_check_is_played_by_letters_that_are_lost_and_doubled(tmp_path, options):
    chooser = random.Random(str(options))
    async with playing(tmp_path, QuickCarrier(1, loses=0.3), options) as pair:
        for _ in range(8):
            if pair.true.outcome:
                break
            await pair.turn(chooser)
            await pair.agree()
        one, _ = pair
        if not pair.true.outcome:
            await one.say("resign", "white")
        for each in pair:
            await soon(lambda each=each: each.state.audited == "")
        both = [
            next(r.data for r in each.controller.table.records if r.kind == "audited")
            for each in pair
        ]
        assert both[0] == both[1]
        assert rules.load("reality-check", **options).parse(both[0]["start"])
        assert "Reality Check" in await both_signed(*pair)


def opened_by(host):
    """Return the salts of the pieces that a host's rules have shown."""
    known = facts(host.controller.table.records)
    return {salted for fact in known for _, salted in fact.data.get("opened", {}).values()} - {""}


async def test_a_host_holds_of_what_the_other_hides_what_a_rule_has_opened_alone(tmp_path):
    chooser = random.Random(1)
    async with playing(tmp_path, QuickCarrier(2), {"memory": True}) as pair:
        one, other = pair
        while not opened_by(one):
            await pair.turn(chooser)
        await pair.agree()
        for here, there in ((one, other), (other, one)):
            agreed, records = there.controller.agreement, there.controller.table.records
            bound = opened_at_end(agreed.terms(BOARD.tier), records)["pieces"]
            kept = json.dumps([dict(record.data) for record in here.controller.table.records])
            held = {salted for _, salted in bound.values() if salted in kept}
            assert held == {salted for _, salted in bound.values()} & opened_by(here)
            assert next(r.data["seed"] for r in records if r.kind == "seeded") not in kept
        assert opened_by(one) == opened_by(other)


def nothing_kept(other, patch):
    patch.setattr(other.line, "_keep", full)


def no_answer_kept(other, patch):
    keep = other.line._keep

    async def half(game, way, letters):
        await (full() if way == "sent" else keep(game, way, letters))

    patch.setattr(other.line, "_keep", half)


def no_game_kept(other, patch):
    append, journal = Journal.append, other.controller._journal

    def half(self, game, records):
        if self is journal and records:
            raise StorageFailed("full")
        append(self, game, records)

    patch.setattr(Journal, "append", half)


@pytest.mark.parametrize("fails", [nothing_kept, no_answer_kept, no_game_kept])
async def test_a_host_that_cannot_keep_a_turn_is_not_named_as_silent(tmp_path, monkeypatch, fails):
    """It falls silent while its disk is full, and answers as soon as there is room."""
    monkeypatch.setattr(friend_heard, "ANSWERS", 0.5)
    monkeypatch.setattr(friend_heard, "SILENT", 0.3)
    async with playing(tmp_path, QuickCarrier(4)) as pair:
        one, other = pair
        with pytest.MonkeyPatch.context() as patch:
            fails(other, patch)
            await one.hands.turn(str(next(pair.true.turns())))
            await asyncio.sleep(2.5)
            assert "distance-false" not in one.told
        other.hands.t += AGAIN_AFTER
        await other.controller.submit(Snapshot(other.hands.t, dict(other.hands.readings)))
        await soon(lambda: one.state.put is None)
        assert one.state.played


async def full(*_):
    raise StorageFailed("full")


async def nothing(*_):
    """Tell nothing."""


async def test_dice_that_were_chosen_are_named(tmp_path, monkeypatch):
    async with playing(tmp_path, QuickCarrier(6), {"dice": 1}) as pair:
        one, other = pair
        chooser = random.Random(2)
        await pair.turn(chooser)
        while pair.true.awaited != "roll":
            await pair.turn(chooser)
        mover, victim = (one, other) if pair.true.side == "white" else (other, one)
        write = mover.line.write

        async def lying(game, kind, body):
            if kind == "turn":
                body = json.loads(json.dumps(body))
                number = int(body["data"]["public"][-1])
                body["data"]["public"] = f"roll:{number % 6 + 1}"
            await write(game, kind, body)

        monkeypatch.setattr(mover.line, "write", lying)
        await mover.hands.press(pair.true.side)
        await soon(lambda: "distance-false" in victim.told)


async def test_where_the_start_is_free_it_is_shown_which_faces_the_friends_discs_have(tmp_path):
    async with two_hosts(tmp_path, QuickCarrier(4), hands=FarHands) as (one, other):
        pair = await bound(one, other, OPTIONS["reality-check"][3])
        for here, there in (("white", "black"), ("black", "white")):
            each = pair.hosts[here]
            await each.controller.submit(Tick(each.hands.t))
            view = each.controller.view()
            shown = {s: x for s, x in pair.true.shown.items() if x.side == there}
            assert view.phase == "set-up"
            assert set(view.missing) == shown.keys()
            assert {square: view.board[square].kind for square in shown} == {
                square: each.kind for square, each in shown.items()
            }
            assert [want.key for want in view.wants][:2] == ["want-set-up-faces", "want-bring"]


async def after_a_turn(pair):
    """Play a turn; return the host that has the word, and the other one."""
    await pair.turn(random.Random(1))
    one, other = pair
    mover, follower = (one, other) if pair.true.side == "white" else (other, one)
    return mover, follower


@pytest.mark.parametrize("lies", [False, True])
async def test_a_game_is_audited_though_another_one_was_begun(tmp_path, monkeypatch, lies):
    """Both begin another game before any letter about the end of this one has come."""
    carrier = QuickCarrier(7)
    async with playing(tmp_path, carrier) as pair:
        mover, follower = await after_a_turn(pair)
        name, game = mover.controller.agreement.line, follower.controller.game_id
        if lies:
            monkeypatch.setattr(mover.line, "write", swapping(mover.line.write))
        ears, carrier.ears = carrier.ears, {}
        await mover.say("resign", mover.state.position.side)
        await soon(lambda: mover.state.stage == "over")
        await mover.controller.begin(Agreement("chess"))
        carrier.ears = ears
        await soon(lambda: follower.state.stage == "over")
        await soon(lambda: follower.state.audited is not None)
        await follower.controller.begin(Agreement("chess"))
        key = "distance-earlier-accused" if lies else "distance-earlier-audited"
        await soon(lambda: key in mover.told)
        recorded = await follower.controller.archive.recorded(game)
        assert recorded.state.audited == "" or lies
        assert recorded.state.ending.reason == ("lied" if lies else "resignation")
        for each in pair:
            book = each.line._book  # a letter that was doubled takes it up for a moment
            await soon(lambda book=book: name not in book.games())
            await soon(lambda each=each: name not in each.line.games)


@pytest.mark.parametrize("lies", [False, True])
async def test_a_game_that_was_left_is_opened_and_audited(tmp_path, monkeypatch, lies):
    async with playing(tmp_path, QuickCarrier(8)) as pair:
        await pair.turn(random.Random(1))
        one, other = pair
        game = one.controller.game_id
        if lies:
            monkeypatch.setattr(other.line, "write", swapping(other.line.write))
        for each in pair:
            await each.controller.begin(Agreement("chess"))
        await soon(lambda: ("distance-earlier-lied" if lies else AUDITED) in one.told)
        await soon(lambda: ("distance-earlier-accused" if lies else AUDITED) in other.told)
        recorded = await one.controller.archive.recorded(game)
        assert bool(recorded.state.audited) is lies
        assert to_json(recorded)["turns"] if not lies else recorded.state.ending.winner == "white"


async def test_who_was_killed_at_the_end_still_audits_and_is_audited(tmp_path, monkeypatch):
    """Killed before a letter about the end goes out, a host starts again at the end."""
    carrier = QuickCarrier(9)
    async with playing(tmp_path, carrier) as pair:
        mover, follower = await after_a_turn(pair)
        monkeypatch.setattr(mover.line, "_send", lambda _: None)
        monkeypatch.setattr(mover.games, "_look", nothing)
        await mover.say("resign", mover.state.position.side)
        await soon(lambda: mover.state.stage == "over")
        folder = tmp_path / ("a" if mover is pair.hosts["white"] else "g")
        shutil.copytree(folder, tmp_path / "disk")  # as the kill leaves it
        ears, carrier.ears = carrier.ears, {}  # and the line is out when it starts
        async with host(tmp_path / "disk", mover.line.friend, carrier, hands=FarHands) as again:
            assert again.state.stage == "over"
            carrier.ears = {**ears, **carrier.ears}
            await soon(lambda: follower.state.audited == "")
            await soon(lambda: again.state.audited == "")


AUDITED = "distance-earlier-audited"


def swapped(body, place):
    """Return what is opened with another disc in this place than the one that was bound."""
    label = body["pieces"][place][0]
    body["pieces"][place][0] = label.replace(label[1:3], "PP").replace(":", ":P")[:6]
    return body


def swapping(write):
    """Open another disc than the one that was bound."""

    async def lying(game, kind, body):
        if kind == "audit":
            body = swapped(json.loads(json.dumps(body)), "hand")
        await write(game, kind, body)

    return lying
