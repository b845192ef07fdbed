"""An evening with a friend far away: two hosts, two boards, one broker, and all their faults."""

import asyncio
import contextlib
import secrets
import shutil
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from random import Random

import aiomqtt

from drivers.beside import LONGEST_PAUSE, kept_up, meanwhile
from drivers.port import ButtonEvent, Snapshot
from firmware_bridge.bench.games import by_hands_alone
from firmware_bridge.bench.step_hands import StepHands
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.distance import greeting, pairing
from firmware_bridge.distance.friends import FILE, befriend
from firmware_bridge.distance.mqtt_carrier import MqttCarrier
from firmware_bridge.distance.pairing import Friend
from firmware_bridge.distance.sealing import Keys
from firmware_bridge.journal import Journal, StorageFailed
from firmware_bridge.journal.letter_book import FOLDER, LetterBook
from firmware_bridge.messages import Call, FactTold, SecretsOpened, Tick, Wished
from firmware_bridge.referee import fact_forms
from firmware_bridge.referee.facts import facts
from firmware_bridge.service import assembly, distant_games, friend_heard, owed
from firmware_bridge.service.compatibility import hides
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.distant_games import DistantGames
from firmware_bridge.service.friend_line import FriendLine
from firmware_bridge.service.game_archive import signatures
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.simulation.script import Script
from rules.values import opponent
from tests.evenings.evening import Evening
from tests.evenings.faults import FAULTS
from tests.evenings.people import BEGUN, keys

FAR_FAULTS = (
    *(fault for fault in FAULTS if not fault.startswith("mind")),
    "letters refused", "letters deleted", "letters resent", "friends spoilt",
)  # fmt: skip
"""Without a computer's."""
FAR_DOINGS = (
    "adjourn", "looks back", "asks for a draw", "asks there", "parts", "late word", "odd word",
    "friend forgets", "game deleted", "other game", "seat given again", "game by its link",
    "adjusts", "updated",
)  # fmt: skip
PARTED = {"distance-forgot", "distance-left"}
"""What is told at the friend's board once a game was left and deleted here."""


FORGOTTEN = {"distance-forgot", "distance-forgot-here"}
"""What is told where the letters of a game are lost, so that it cannot go on."""
LOSE_LETTERS = {"letters deleted", "friend forgets", "meddling"}
"""What may lose them: a folder that is moved away, too, while the friendship is ended."""


RELEASE = ContextVar("release", default="1")
"""What the host runs whose task this is."""
UPDATED = 1.0, 30.0, 200.0
"""Seconds for which one of both runs another release."""


class Forgotten(Exception):  # noqa: N818 - it is no error
    """The board says that another game is to be begun."""


class FriendHost:
    """The friend's host with his board, on which he plays as soon as it is his turn.

    Args:
        evening: whose friend he is.
        friend: how he knows who sits here.
    """

    def __init__(self, evening, friend):
        self.evening, self.friend, self.made, self.release = evening, friend, None, "1"
        self.folder = evening.folder / "far"
        self.set_up()

    def set_up(self, line=""):
        """Lay the pieces down, for the game with these letters if there is one."""
        self.line_set_up = line
        evening, pieces = self.evening, simulated_pieces(self.evening.game)
        self.pieces = Pieces(pieces, evening.game.start().placement, evening.description.tier)
        self.carriers = StepHands(pieces, self.pieces)

    async def lose_his_disk(self):
        """Let him come back with an empty one, and set his pieces up."""
        await self.life.aclose()
        shutil.rmtree(self.folder)
        self.set_up()
        await self.life.enter_async_context(self.alive())

    async def run_another(self, release):
        """Let his host be restarted as another release, with his board as it is."""
        await self.life.aclose()
        self.release = release
        await self.life.enter_async_context(self.alive())

    @contextlib.asynccontextmanager
    async def lives(self):
        """Let him be there during a block, whatever befalls him."""
        async with contextlib.AsyncExitStack() as self.life:
            await self.life.enter_async_context(self.alive())
            yield

    @contextlib.asynccontextmanager
    async def alive(self):
        """Let him be there during a block; what he has kept is taken up."""
        evening, journal, config = self.evening, Journal(self.folder), self.evening.config
        board, clock = evening.description, evening.loop.time
        controller = Controller(journal, assembly.sensing_of(config, board), board, clock)
        self.controller, self.games = controller, DistantGames(controller, "Grace")
        await controller.open(Agreement(evening.game.id))
        carrier, book = MqttCarrier(config.distance), LetterBook(self.folder)
        line = FriendLine(self.friend, carrier, book, self.games.stir)
        for name in book.games():
            line.recall(name, book.read(name)[1])
        self.line, self.games.lines = line, {self.friend.name: line}
        controller.listeners.append(self.games.hear)
        with contextlib.closing(journal):
            async with contextlib.AsyncExitStack() as stack:
                here = RELEASE.set(self.release)
                for work in (controller, carrier, line, self.games):
                    await stack.enter_async_context(meanwhile(kept_up(work.run, "far away")))
                await self.feel()
                await stack.enter_async_context(meanwhile(self.play()))
                RELEASE.reset(here)
                yield

    async def feel(self):
        """Let his board tell what stands there."""
        now = self.evening.loop.time()
        await self.controller.submit(Snapshot(now, dict(self.pieces.standing())))

    async def say_something(self):
        """Let him write of the game what changes nothing in it."""
        body = {"ask": 0, "after": 0, "says": "?"}
        await self.line.write(self.controller.agreement.line, "claim", body)

    async def play(self):
        while True:
            await asyncio.sleep(0.5)
            for proposal in self.games.proposals():
                if not proposal.ours:
                    await self.games.answer(proposal.line, accepts=True)
            agreed = self.controller.agreement
            if agreed.away and agreed.line != self.line_set_up:
                self.set_up(agreed.line)
                await self.feel()
            if agreed.away:
                await self.do_what_is_next()

    async def do_what_is_next(self):
        view, table = self.controller.view(), self.controller.table
        position, dice = table.state.position, self.evening.dice
        offer = table.state.offer
        if view.phase == "ready":
            await self.press(self.evening.computer if hides(position.game) else "black")
        elif offer and offer[1] == self.controller.agreement.away:
            call = Call(self.evening.loop.time(), "decline", opponent(offer[1]))
            await self.controller.submit(call)
        elif view.phase == "paused":
            await self.controller.submit(Call(self.evening.loop.time(), "resume"))
        elif view.phase in ("executing", "restoring"):
            script = Script(self.pieces, dice, frozenset())
            self.carriers.follow(script, table.summary().facts.verdict.restore)
            await self.move(script.felt())
        elif view.phase == "playing" and position.side != self.controller.agreement.away:
            told = [news.key for news in self.controller.hub.latest("public").sight.news]
            if self.pieces.on.keys() & position.game.squares == position.placement.keys():
                hidden = self.controller.agreement.away
                self.made = dice.choice(self.evening.simple(position, hidden))
                await self.move(play(position, self.made, self.pieces, dice))
            elif self.made and "set-down-again" in told:
                await self.set_down_again(position.deed(self.made).moves)
            await self.press(position.side)

    async def move(self, changes):
        at = 0.0
        for change in changes:
            await asyncio.sleep(max(0.0, change.t - at))
            at = change.t
            await self.controller.submit(replace(change, t=self.evening.loop.time()))
        await asyncio.sleep(0.3)

    async def set_down_again(self, moves):
        script = Script(self.pieces, self.evening.dice, frozenset())
        for _, target in moves:
            tag = script.lift(target)
            script.wait(0.3, 0.6)
            script.put(target, tag)
        await self.move(script.felt())

    async def press(self, side):
        await self.controller.submit(ButtonEvent(self.evening.loop.time(), side))


class FriendlyEvening(Evening):
    """An evening with a friend far away, who plays where a computer plays on others."""

    patience = LONGEST_PAUSE + 10.0
    """A carrier pauses for so long that fails twice within a minute of what nobody foresaw."""

    def __init__(self, seed, folder, monkeypatch, turns=12, plan=None, doings=()):
        super().__init__(seed, folder, monkeypatch, turns, plan, doings)
        self.computer, self.both = self.computer or "black", False
        monkeypatch.setattr("secrets.token_bytes", Random(f"keys {seed}").randbytes)
        monkeypatch.setattr("secrets.token_hex", lambda size: secrets.token_bytes(size).hex())
        one, other = Keys.made(), Keys.made()
        self.mine = Friend("Grace", one, other.public, "x")
        self.far_away = FriendHost(self, Friend("Ada", other, one.public, "x"))
        befriend(folder / "1", self.mine)
        self.days, self.busy = bool(self.doings) and seed % 2 == 1, False
        self.release = "1"
        monkeypatch.setattr(LetterBook, "add", self.add(LetterBook.add))
        for module in (distant_games, friend_heard, owed, pairing, greeting):
            monkeypatch.setattr(module, "release", RELEASE.get)

    def players(self):
        return {"distance.host": "broker", "distance.name": "Ada"}

    def quiet(self):
        super().quiet()
        self.letters_refused = False

    def be_letters_refused(self):
        self.letters_refused = True
        self.press(self.position.side)

    def be_letters_deleted(self):
        """Let somebody delete the letters, here or there, with the game that they are of."""
        shutil.rmtree(self.dice.choice([self.here, self.far_away.folder]) / FOLDER)

    def be_letters_resent(self):
        """Let the carrier's owner send again what has gone over the line, in any order, forged."""
        for topic, message in self.dice.choices(self.carried, k=40):
            data = bytearray(message.payload if isinstance(message.payload, bytes) else b"?")
            data[self.dice.randrange(len(data))] ^= self.dice.choice([0, 1, 128])
            for ear in self.followed.get(topic, ()):
                ear.bring(aiomqtt.Message(topic, bytes(data), 1, False, 0, None))

    def be_friends_spoilt(self):
        path = self.here / FILE
        self.dice.choice([Path.unlink, lambda path: path.write_text("?")])(path)

    async def befall(self, fault):
        self.busy = True  # what befalls it goes on whatever is shown
        killed = await super().befall(fault)
        self.busy = False
        if fault == "friends spoilt":  # who is killed before they are written anew has lost them
            path = self.here / FILE
            await self.until(lambda _: path.exists() and path.read_text() != "?")
        return killed

    @property
    def here(self):
        return self.service._journal.path.parent

    def add(self, real):
        def add(book, *letter):
            if self.letters_refused:
                raise StorageFailed("full")
            real(book, *letter)

        return add

    async def whole(self, config):
        RELEASE.set(self.release)
        await super().whole(config)

    async def hands(self):
        async with self.far_away.lives():
            if self.release != "1":
                await asyncio.sleep(self.dice.choice(UPDATED))
                await self.run_another("1")
                return
            while True:
                try:
                    await super().hands()
                except Forgotten:
                    await self.leave()
                else:
                    break
            if self.over:
                await self.agree()

    def check(self):
        """See what must hold; where letters were lost, do what the board asks for then."""
        super().check()
        lost = any(name in LOSE_LETTERS for _, name in self.happened)
        told = keys(self.service.controller.notices)
        if lost and not self.busy and told & FORGOTTEN:
            raise Forgotten

    async def begin(self):
        """Propose a game, unless that has been done, and begin it."""
        controller, side = self.service.controller, opponent(self.computer)
        games = self.service._friends.games
        if not controller.agreement.away and not games.proposals():
            await self.until(lambda _: games.lines)
            time = "3d a turn" if self.days else "1000m"
            agreed = Agreement(self.game.id, settings=GameSettings.of({"time": time}))
            await games.propose("Grace", side, agreed)
        await self.until(lambda _: controller.agreement.away)
        await self.until(lambda view: view.phase in {"ready", *BEGUN})
        await super().begin()

    @property
    def begins_by_moving(self):
        """Whether White's first move begins the game: not before both hosts are bound."""
        return super().begins_by_moving and not hides(self.game)

    async def press_black(self):
        """Begin; where pieces hide something both players press to be bound to how they lie."""
        self.press(opponent(self.computer) if hides(self.game) else "black")

    def knows(self, position):
        """Return whether it is this position, as far as anybody here can tell."""
        like = position.shown == self.position.shown
        return like if hides(self.game) else super().knows(position)

    def simple(self, position, hidden):
        """Return turns that hands alone tell from all others, also where this side hides faces."""
        some = [turn for turn in position.turns() if position.deed(turn).physical]
        some = [turn for turn in some if by_hands_alone(position, turn, hidden)]
        plain = [turn for turn in some if turn.plain and len(position.deed(turn).moves) < 2]
        return plain or some

    async def do_asks_for_a_draw(self):
        """Offer a draw, in turn or not; the friend declines."""
        if await self.say("offer-draw", opponent(self.computer)):
            state = self.service.controller.table
            await self.until(lambda _: not (state.state.asked or state.state.offer), self.settle)

    async def do_adjourn(self):
        if await self.say("adjourn"):
            controller = self.service.controller
            await self.until(lambda _: not controller.table.state.asked, self.settle)
            await self.until(self.plays_or_waits, self.resume)

    async def do_asks_there(self):
        """Let the friend say something."""
        what = self.dice.choice(["pause", "adjourn", "offer-draw", "decline"])
        call = Call(self.loop.time(), what, self.computer)
        await self.far_away.controller.submit(call)

    async def do_parts(self):
        """End the friendship, and put it back as from a saved state: nothing is heard meanwhile.

        Who was removed plays on and says something: that is heard once he is a friend again.
        """
        desk = self.service._friends
        self.busy = True
        if await desk.forget(self.mine.name):
            await self.until(lambda _: not desk.games.lines)
            await self.service.controller.submit(Tick(self.loop.time()))  # what was heard before
            known = self.heard()
            await self.far_away.say_something()
            await asyncio.sleep(self.dice.uniform(0.0, 4.0))
            assert self.heard() == known, "who is no friend is heard"
            befriend(self.here, self.mine)
        self.busy = False
        await self.until(lambda _: desk.games.lines)

    def heard(self):
        """Return what the friend's host has told of the game."""
        records = self.service.controller.kept.records
        return [fact for fact in facts(records) if fact.data["at"] == self.computer]

    async def do_late_word(self):
        """Let be heard what the friend has said in another game, or again."""
        controller, now = self.service.controller, self.loop.time()
        known = [dict(fact.data) for fact in facts(controller.kept.records)][-1:]
        for line in ("another", controller.agreement.line):
            await controller.submit(SecretsOpened(now, line, {"pieces": {}, "turns": {}}))
            for told in known:
                await controller.submit(FactTold(now, line, 1, "taken", told))
        await controller.submit(Wished(now, "another", "resign", 0))

    async def do_odd_word(self):
        """Let the friend's host write what no board says, and what it has said before."""
        odd = self.dice.choice([None, [], {}, -1, "?", True])
        for kind, body in (
            ("pause", {"right": odd}), ("answer", {"begun": odd}), ("answer", {"accepts": odd}),
            ("claim", {"ask": 0, "after": odd, "says": odd}), ("audit", {"pieces": odd}),
            ("turn", {"fact": odd, "data": odd}), ("clock", {"?": odd}),
        ):  # fmt: skip
            await self.far_away.line.write(self.service.controller.agreement.line, kind, body)

    async def do_friend_forgets(self):
        """Let the friend's disk be lost, until this board says that the game is forgotten."""
        await self.far_away.lose_his_disk()
        await self.until(lambda _: False)

    async def do_updated(self):
        """Let this host or the friend's run another release for a while."""
        if self.dice.random() < 0.5:
            await self.run_another("2")
            return True
        await self.far_away.run_another("2")
        await asyncio.sleep(self.dice.choice(UPDATED))
        await self.far_away.run_another("1")
        news = self.service.controller.notices
        await self.until(lambda _: "distance-release" not in keys(news))
        return False

    async def run_another(self, release):
        """Let the service be told to end, and begin its next life as another release."""
        self.release = release
        await self.restart()
        self.keep()

    async def do_game_deleted(self):
        """Leave the game and delete it; the friend writes on, is told so, and both begin anew."""
        desk, controller = self.service._friends, self.service.controller
        name, there = controller.game_id, self.far_away.controller.notices
        if not self.taken or self.days:
            return  # it can be deleted once a turn was made, and over days it is not left
        await self.leave()
        desk.games.forget(await controller.archive.delete(name))
        del self.acknowledged[name]
        await self.far_away.say_something()
        await self.until(lambda _: keys(there) & PARTED)
        await self.begin()

    async def do_other_game(self):
        """Play another game meanwhile where days are counted, and take this one up again."""
        controller, name = self.service.controller, self.service.controller.game_id
        if not self.days:
            return
        self.elsewhere = True
        await controller.begin(Agreement(self.game.id))
        await self.lay(self.game.start().placement)
        await asyncio.sleep(self.dice.uniform(0.0, 20.0))
        await controller.take_up(name)
        self.elsewhere = False
        await self.lay(self.position.placement)
        await self.until(self.plays_or_waits, self.resume)

    async def leave(self):
        """Begin another game, with the pieces set up."""
        self.taken, self.undone, self.name, self.elsewhere = [], 0, None, False
        self.position = self.game.start()
        await self.service.controller.begin(Agreement(self.game.id))
        await self.lay(self.position.placement)

    async def open_all(self):
        """Give up, and see that neither host finds a lie in what the other one has hidden."""
        hosts = self.service.controller, self.far_away.controller
        if not hosts[0].kept.state.ending:
            await self.say("resign", opponent(self.computer))
        await self.until(lambda _: all(host.kept.state.audited is not None for host in hosts))
        assert {host.kept.state.audited for host in hosts} == {""}

    async def agree(self):
        """See that both hosts come to tell the same game, and to sign the same record of it."""

        def told(controller):
            records, hidden = controller.kept.records, hides(self.game)
            return [fact_forms.told(it.kind, it.data, hides=hidden) for it in facts(records)]

        def signed(folder, controller):
            agreed = controller.kept.agreement
            return [(one.side, one.record, one.signature) for one in signatures(folder, agreed)]

        here, there = self.service.controller, self.far_away.controller
        await self.until(lambda _: told(here) == told(there))
        if hides(self.game) and "odd word" not in {name for _, name in self.happened}:
            await self.open_all()
        if there.kept.state.ending and there.kept.agreement.line == here.kept.agreement.line:
            await self.until(lambda _: len(signed(self.here, here)) == 2)
            assert signed(self.here, here) == signed(self.far_away.folder, there)
