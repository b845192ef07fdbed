"""Two hosts play one game by letters: whatever is lost, doubled, killed or made up."""

import asyncio
import contextlib
import json
import random
import shutil
from dataclasses import replace
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from drivers.port import Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.distance.friends import befriend, friends_in
from firmware_bridge.distance.letters import SIGNED, Heard, Receipt
from firmware_bridge.journal import Journal, StorageFailed
from firmware_bridge.journal.letter_book import ASIDE, FOLDER, LetterBook
from firmware_bridge.messages import Call
from firmware_bridge.pages.past_games import exported
from firmware_bridge.recordings.export import to_pgn
from firmware_bridge.referee.facts import facts
from firmware_bridge.service import distant_games, friend_heard, owed
from firmware_bridge.service.controller import AGAIN_AFTER
from firmware_bridge.service.distant_games import DistantGames
from firmware_bridge.service.friend_heard import of_kind, says
from firmware_bridge.service.friend_line import FriendLine
from firmware_bridge.service.proposals import CannotBe
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.distance.wild import WildCarrier
from tests.firmware_bridge.service.desk_help import desk_at
from tests.nightly import NIGHTLY
from tests.patience import soon
from tests.running import running

UNTIMED = Agreement("reversi", settings=GameSettings.of({"time": "untimed"}))
LINE_OF_PLAY = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "f8c5"]


class QuickCarrier(WildCarrier):
    """Loses and doubles as the other one does, but holds nothing back for seconds."""

    def send(self, address, data):
        self.carried.append((address, data))
        copies = self.moods.choices((0, 1, 2), (self.loses, 1, self.loses))[0]
        for _ in range(copies):
            delay = self.moods.uniform(0, 0.03)
            asyncio.get_running_loop().call_later(delay, self._deliver, address, data)


class Host:
    """One of two hosts."""

    def __init__(self, hands, games, line):
        self.hands, self.games, self.line = hands, games, line
        self.controller = hands.controller

    @property
    def state(self):
        return self.controller.table.state

    @property
    def facts(self):
        return [(fact.kind, dict(fact.data)) for fact in facts(self.controller.table.records)]

    @property
    def told(self):
        """What is told at this host's board, by its keys."""
        return {item.key for item in self.hands.news()}

    @property
    def proposed(self):
        return [one for one in self.games.proposals() if not one.ours]

    async def turn(self, text):
        await self.hands.turn(text, self.state.position.side)

    async def say(self, what, by=None):
        await self.controller.submit(Call(self.controller.now(), what, by))

    async def carried_out(self):
        await soon(lambda: self.controller.view().phase == "executing")
        await self.hands.carry_out()


@contextlib.asynccontextmanager
async def host(folder, friend, carrier, called="me", **how):
    """Run one host on its folder; what it has kept is taken up."""
    if friend not in friends_in(folder):
        befriend(folder, friend)
    async with desk_at(folder, **how) as hands:
        book = LetterBook(folder)
        games = DistantGames(hands.controller, called)
        line = FriendLine(friend, carrier, book, games.stir)
        for name in book.games():
            line.recall(name, book.read(name)[1])
        games.lines = {friend.name: line}
        hands.controller.listeners.append(games.hear)
        async with running(line.run()), running(games.run()):
            yield Host(hands, games, line)


@contextlib.asynccontextmanager
async def two_hosts(folder, carrier, known=None, **how):
    grace, ada = known or friends()
    async with (
        host(folder / "a", grace, carrier, **how) as one,
        host(folder / "g", ada, carrier, **how) as other,
    ):
        yield one, other


async def accepted(one, other, side="white", agreement=UNTIMED):
    """Let one host propose a game with this side, and the other one accept it; return its name."""
    await one.games.propose("Grace", side, agreement)
    await soon(lambda: other.proposed)
    line = other.proposed[0].line
    await other.games.answer(line, accepts=True)
    return line


async def begun(one, other, agreement=UNTIMED, turns=0):
    """Let White propose and Black accept, set both boards up, and make these turns."""
    await accepted(one, other, agreement=agreement)
    for each in (one, other):
        await soon(lambda each=each: each.controller.agreement.away)
        await each.hands.set_up()
    await play(one, other, LINE_OF_PLAY[:turns])


@contextlib.asynccontextmanager
async def playing(folder, carrier=None, **how):
    """Two hosts in a game that has begun; see `begun`."""
    async with two_hosts(folder, carrier or QuickCarrier()) as (one, other):
        await begun(one, other, **how)
        yield one, other


async def play(one, other, texts):
    for number, text in enumerate(texts):
        mover, follower = ((one, other), (other, one))[number % 2]
        await mover.turn(text)
        await follower.carried_out()


async def agree(one, other):
    await soon(lambda: one.facts == other.facts)
    assert str(one.state.position) == str(other.state.position)
    assert one.state.ending == other.state.ending
    assert one.state.stage == other.state.stage


@pytest.mark.parametrize("seed", range(2))
async def test_a_game_is_the_same_on_both_hosts_however_badly_letters_are_carried(tmp_path, seed):
    async with playing(tmp_path, QuickCarrier(seed, loses=0.4 * bool(seed))) as (one, other):
        await play(one, other, LINE_OF_PLAY)
        await agree(one, other)
        assert [str(played.turn) for played in one.state.played] == LINE_OF_PLAY


async def test_who_begins_while_the_other_board_is_still_set_up_is_not_accused(tmp_path):
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await accepted(one, other)
        for each in (one, other):
            await soon(lambda each=each: each.controller.agreement.away)
        await one.hands.begin()
        await one.turn(LINE_OF_PLAY[0])
        name = one.controller.agreement.line
        await soon(lambda: other.line.games[name].taken[-1].letter.kind == "turn")
        await asyncio.sleep(0.2)
        assert "distance-false" not in other.told
        await other.hands.set_up()
        await other.carried_out()
        await agree(one, other)


async def test_what_is_said_out_of_turn_is_decided_where_the_turn_is(tmp_path):
    async with playing(tmp_path, turns=2) as (one, other):
        await other.say("offer-draw", "black")  # White is to move
        await soon(lambda: one.state.offer == other.state.offer == ("draw", "black"))
        await one.say("decline", "white")
        await soon(lambda: other.state.offer is None)
        await other.say("pause")
        await soon(lambda: one.state.stage == other.state.stage == "paused")
        await one.say("resume")
        await soon(lambda: one.state.stage == other.state.stage == "playing")
        await other.say("resign", "black")
        await soon(lambda: one.state.stage == "over")
        await agree(one, other)
        assert one.state.ending.winner == "white"


async def test_a_host_that_was_killed_goes_on_where_it_was(tmp_path):
    carrier, (grace, ada) = QuickCarrier(), friends()
    async with host(tmp_path / "a", grace, carrier) as one:
        async with host(tmp_path / "g", ada, carrier) as other:
            await begun(one, other, turns=2)
            shutil.rmtree(tmp_path / "g" / FOLDER)  # by somebody, under the running service
            await play(one, other, LINE_OF_PLAY[2:3])
        await one.say("offer-draw", "white")  # nobody hears it
        async with host(tmp_path / "g", ada, carrier) as other:
            await other.hands.controller.submit(snapshot_of(one))
            await other.hands.press("black")
            await soon(lambda: other.state.offer == ("draw", "white"))
            await other.turn(LINE_OF_PLAY[3])
            await one.carried_out()
            await agree(one, other)


async def test_who_tells_more_while_a_disk_is_full_is_not_accused(tmp_path, monkeypatch):
    async with playing(tmp_path) as (one, other):
        await other.hands.press("black")
        await soon(lambda: one.state.stage == "playing")
        append, full = Journal.append, [tmp_path / "g"]

        def fails(journal, game, records):
            if records and journal.path.parent in full:
                raise StorageFailed("full")
            append(journal, game, records)

        monkeypatch.setattr(Journal, "append", fails)
        await one.say("offer-draw", "white")
        await one.turn(LINE_OF_PLAY[0])
        name = one.controller.agreement.line
        await soon(lambda: of_kind(other.line.games[name].taken, "turn"))
        await asyncio.sleep(0.2)
        full.clear()
        await other.hands.wait(AGAIN_AFTER)
        await other.hands.controller.submit(snapshot_of(other))
        await soon(lambda: other.state.offer)
        await other.hands.press("black")
        await other.carried_out()
        await agree(one, other)
        assert "distance-accused" not in one.told


async def test_what_another_release_tells_waits_and_is_no_lie(tmp_path, monkeypatch):
    async with playing(tmp_path, turns=1) as (one, other):
        name = one.controller.agreement.line
        with monkeypatch.context() as patch:
            patch.setattr(friend_heard, "release", lambda: "updated")
            await other.turn(LINE_OF_PLAY[1])
            await soon(lambda: len(of_kind(one.line.games[name].taken, "turn")) == 1)
            await soon(lambda: "distance-release" in one.told)
            assert (len(one.state.played), "distance-false" in one.told) == (1, False)
            patch.setattr(owed, "release", lambda: "updated")
            await one.carried_out()
            await agree(one, other)
            await soon(lambda: "distance-release" not in {*one.told, *other.told})
            await other.say("resign", "black")
            await soon(lambda: says(one.line.games[name].taken, "record"))
            patch.setattr(owed, "record_of", lambda _: "another")
            assert owed.disputed(one.controller.kept, one.line.games[name])
        monkeypatch.setattr(owed, "record_of", lambda _: "another")  # by the release before
        assert not owed.disputed(one.controller.kept, one.line.games[name])


def snapshot_of(host):
    hands = host.hands
    return Snapshot(hands.t, dict(hands.controller.table.reconciler.standing))


async def test_an_attempt_costs_the_same_on_both_clocks(tmp_path):
    timed = GameSettings.of({"time": "5+3", "penalty": "30s"})
    async with playing(tmp_path, agreement=Agreement("reversi", settings=timed)) as (one, other):
        await other.hands.press("black")
        await soon(lambda: one.state.stage == "playing")
        await one.turn("e2e5")
        await soon(lambda: other.state.offences["white"] == 1)
        await one.hands.move("e5e2")
        await one.turn("e2e4")
        await other.carried_out()
        await agree(one, other)
        assert other.state.clock.white == one.state.clock.white
        assert one.state.clock.white.left < 300_000


async def test_a_board_that_is_set_right_is_told_of_at_the_other_one(tmp_path, monkeypatch):
    monkeypatch.setattr(friend_heard, "SETTING", 0.2)
    async with playing(tmp_path, QuickCarrier(4, loses=0.3)) as (one, other):
        await one.turn("e2e4")
        await soon(lambda: other.controller.view().phase == "executing")
        await soon(lambda: "distance-set-right" in one.told)
        await other.carried_out()
        await soon(lambda: "distance-set-right" not in one.told)
        assert "distance-set-right" not in other.told


async def test_a_silent_line_is_told_and_clocks_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(distant_games, "SILENT", 0.3)
    monkeypatch.setattr(distant_games, "WAITS", 0.6)
    carrier = QuickCarrier()
    timed = Agreement("reversi", settings=GameSettings.of({"time": "5+3"}))
    async with playing(tmp_path, carrier, agreement=timed) as (one, other):
        await one.turn("e2e4")
        await other.carried_out()
        ears, carrier.ears = carrier.ears, {}
        await soon(lambda: "distance-out" in other.told)
        await soon(lambda: other.state.line_out and other.state.clock.running is None)
        carrier.ears = ears
        await soon(lambda: not other.state.line_out and other.state.clock.running == "black")
        assert "distance-out" not in other.told


async def test_who_is_heard_about_another_game_alone_is_not_there_for_this_one(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(distant_games, "SILENT", 0.6)
    async with playing(tmp_path) as (one, other):

        async def nothing():
            other.line.keeps = False  # so it says nothing of the game by itself

        async def talk():
            while True:
                other.line._send(other.line._bond.seal(Receipt("0" * 32, Heard())))
                await asyncio.sleep(0.1)

        monkeypatch.setattr(other.games, "_look", nothing)
        other.games.stir()
        async with running(talk()):
            await soon(lambda: "distance-out" in one.told)


async def test_proposals_are_declined_withdrawn_and_never_accepted_by_who_made_them(tmp_path):
    async with two_hosts(tmp_path, QuickCarrier(1, loses=0.3)) as (one, other):
        await one.games.propose("Grace", "white", UNTIMED)
        (ours,) = one.games.proposals()
        with pytest.raises(CannotBe):
            await one.games.answer(ours.line, accepts=True)
        await soon(lambda: other.proposed)
        await other.games.answer(ours.line, accepts=False)
        await soon(lambda: not one.games.proposals())
        for each in (one, other):  # and it is laid aside
            await soon(lambda each=each: not each.line.games)
        await one.games.propose("Grace", "black", UNTIMED)
        await soon(lambda: other.proposed)
        await one.games.answer(one.games.proposals()[0].line, accepts=False)
        await soon(lambda: not other.games.proposals())
        assert one.controller.agreement.away is None


async def test_a_game_that_goes_on_is_not_broken_off_by_a_friend_who_accepts(tmp_path):
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await one.games.propose("Grace", "white", UNTIMED)
        await one.hands.set_up()
        await one.turn("e2e4")
        await soon(lambda: other.proposed)
        await other.games.answer(other.proposed[0].line, accepts=True)
        await soon(lambda: "distance-accepted" in one.told)
        assert one.controller.agreement.away is None
        await one.say("resign", "black")
        await soon(lambda: one.controller.agreement.away)


async def test_who_begins_another_game_is_told_to_have_left_this_one(tmp_path):
    async with playing(tmp_path, QuickCarrier(3, loses=0.4), turns=2) as (one, other):
        await one.controller.begin(UNTIMED)
        await soon(lambda: "distance-left" in other.told)
        assert "distance-left" not in one.told
        await other.controller.begin(UNTIMED)
        await soon(lambda: "distance-left" not in other.told)


async def test_an_adjourned_game_is_not_left_by_another_one_meanwhile(tmp_path):
    async with playing(tmp_path, turns=2) as (one, other):
        await one.say("adjourn")
        await soon(lambda: other.state.adjourned)
        name = one.controller.agreement.line
        await accepted(one, other, "black")
        for each in (one, other):
            await soon(lambda each=each: each.controller.agreement.line != name)
        assert one.controller.agreement.line == other.controller.agreement.line
        assert not any("left" in each.letter.body for each in other.line.games[name].taken)


async def test_a_game_that_is_deleted_leaves_no_letters(tmp_path):
    async with playing(tmp_path, turns=2) as (one, other):
        await one.say("resign", "white")
        await agree(one, other)
        played, name = one.controller.game_id, one.controller.agreement.line
        await one.controller.begin(UNTIMED)
        await soon(lambda: name not in one.line.games)
        one.games.forget(await one.controller.archive.delete(played))
        left = [path for path in (tmp_path / "a" / FOLDER).rglob("*") if path.is_file()]
        assert not any(b"turn" in path.read_bytes() for path in left)


async def test_letters_of_a_game_that_is_settled_are_laid_aside_and_still_confirmed(tmp_path):
    """Nothing is kept in mind of it; a letter whose receipt was lost is confirmed all the same."""
    async with playing(tmp_path) as (one, other):
        name = one.controller.agreement.line
        await one.say("resign", "white")
        await agree(one, other)
        await one.controller.begin(UNTIMED)
        await soon(lambda: name not in one.line.games)
        aside = tmp_path / "a" / FOLDER / ASIDE / name
        kept = await soon(lambda: content(aside))
        assert kept.count(b'"taken"') >= 2
        other.line.games[name] = replace(other.line.games[name], confirmed=0)
        other.line._moved.set()
        await soon(lambda: not other.line.games[name].outstanding)
        await soon(lambda: name not in one.line.games and content(aside) == kept)
        assert not one.proposed


def content(path):
    """Return what is in a file, `None` while a letter that comes again has it taken up."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes()


async def both_signed(one, other):
    name = one.controller.agreement.line
    for each in (one, other):
        await soon(lambda each=each: records_in(each.line.games[name].taken))
    texts = {to_pgn(each.controller.kept, day) for each, day in ((one, "2026-01-01"), (other, ""))}
    signed = {records_in(each.line.games[name].taken)[0] for each in (one, other)}
    assert signed == {sha256(text.encode()).hexdigest() for text in texts}
    return texts.pop()


def records_in(letters):
    return [each.letter.body["record"] for each in letters if "record" in each.letter.body]


async def test_both_hosts_sign_the_same_record(tmp_path):
    async with playing(tmp_path, QuickCarrier(2, loses=0.3)) as (one, other):
        await play(one, other, LINE_OF_PLAY)
        await other.say("offer-draw", "black")
        await soon(lambda: one.state.offer)
        await one.say("accept-draw", "white")
        await agree(one, other)
        text = await both_signed(one, other)
        assert '[Site "?"]' in text
        assert '[Result "1/2-1/2"]' in text
        told = [await archived(each) for each in (one, other)]
        assert told[0] == told[1]
        for one_of in json.loads(told[0])["signatures"].values():
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(one_of["key"]))
            key.verify(bytes.fromhex(one_of["signature"]), SIGNED + one_of["letter"].encode())
            assert one_of["record"] == sha256(text.encode()).hexdigest()


async def archived(host):
    controller = host.controller
    return (await exported(controller.kept, controller, controller.game_id, "json")).body


async def test_who_opens_what_nobody_hides_keeps_the_other_host_from_nothing(tmp_path):
    async with playing(tmp_path, QuickCarrier(6, loses=0)) as (one, other):
        line = one.controller.agreement.line
        await other.say("resign", "black")
        await soon(lambda: one.state.ending and other.state.ending)
        given = []
        one.controller.listeners.append(given.append)
        await other.line.write(line, "audit", {"pieces": "?"})
        await soon(lambda: of_kind(one.line.games[line].taken, "audit"))
        await asyncio.sleep(0.3)
    assert len(given) < 10, "it looks at what was opened again and again"


async def test_letters_that_cannot_be_kept_are_told_of_at_the_board_and_logged_once(
    tmp_path, caplog
):
    async with playing(tmp_path, turns=2) as (one, other):
        folder = tmp_path / "a" / FOLDER
        folder.rename(tmp_path / "moved")
        folder.write_text("a file where the folder was")
        await one.turn(LINE_OF_PLAY[2])
        await soon(lambda: "distance-unkept" in one.told)
        for _ in range(20):
            one.games.stir()
            await asyncio.sleep(0.01)
        assert sum("could not be kept" in record.getMessage() for record in caplog.records) == 1
        folder.unlink()
        (tmp_path / "moved").rename(folder)
        one.games.stir()
        await other.carried_out()
        await agree(one, other)
        await soon(lambda: "distance-unkept" not in one.told)


async def test_letters_written_at_once_make_one_chain(tmp_path):
    async with playing(tmp_path, QuickCarrier(5, loses=0.3)) as (one, other):
        name = one.controller.agreement.line
        bodies = [{"ask": number, "after": 0, "says": "?"} for number in range(12)]
        writes = [host.line.write(name, "claim", b) for b in bodies for host in (one, other)]
        await asyncio.gather(*writes)
        for here, there in ((one, other), (other, one)):
            theirs = there.line
            await soon(
                lambda a=here.line, b=theirs: (
                    a.games[name].sent == b.games[name].taken
                    and a.games[name].confirmed == len(a.games[name].sent)
                )
            )
            assert here.line.games[name].fault is None
            assert LetterBook(tmp_path / "a").read(name)[1]


async def test_a_host_that_was_put_back_to_an_old_backup_says_so_and_nobody_is_accused(tmp_path):
    carrier, (grace, ada) = QuickCarrier(3, loses=0.2), friends()
    async with host(tmp_path / "a", grace, carrier) as one:
        async with host(tmp_path / "g", ada, carrier) as other:
            await begun(one, other, turns=2)
            shutil.copytree(tmp_path / "g", tmp_path / "old")
            await play(one, other, LINE_OF_PLAY[2:4])
        async with host(tmp_path / "old", ada, carrier) as other:
            await soon(lambda: told_at(one, "distance-forgot"))
            await soon(lambda: told_at(other, "distance-forgot-here"))
            await soon(lambda: not other.line.games[one.controller.agreement.line].outstanding)
            assert len(one.state.played) == 4
            for each in (one, other):
                await each.controller.begin(UNTIMED)
            await begun(one, other, turns=2)
            await agree(one, other)


async def test_who_was_put_back_to_a_journal_from_before_the_game_says_so(tmp_path):
    carrier, (grace, ada) = QuickCarrier(4, loses=0.2), friends()
    async with host(tmp_path / "a", grace, carrier) as one:
        async with host(tmp_path / "g", ada, carrier) as other:
            shutil.copytree(tmp_path / "g", tmp_path / "old")
            await begun(one, other, turns=2)
        for path in (tmp_path / "g").glob("journal*"):
            path.unlink()
        for path in (tmp_path / "old").glob("journal*"):
            shutil.copy(path, tmp_path / "g")
        async with host(tmp_path / "g", ada, carrier) as other:
            await soon(lambda: told_at(one, "distance-forgot"))
            await soon(lambda: not other.line.games)


def told_at(host, key):
    wrong = {"distance-false", "distance-accused"} & host.told
    assert not wrong, host.hands.news()
    return key in host.told


async def test_a_game_that_a_host_knows_nothing_of_is_told_by_it_to_be_forgotten(tmp_path):
    carrier, (grace, ada) = QuickCarrier(), friends()
    async with host(tmp_path / "a", grace, carrier) as one:
        async with host(tmp_path / "g", ada, carrier) as other:
            await begun(one, other, turns=2)
            proposal = next(data for _, data in carrier.carried)
        async with host(tmp_path / "new", ada, carrier) as other:
            await soon(lambda: told_at(one, "distance-forgot"))
            name = one.controller.agreement.line
            await soon(lambda: not other.line.games[name].outstanding)
            LetterBook(tmp_path / "new").forget(name)
            other.games.forget(name)
            for address in carrier.ears:
                carrier._deliver(address, proposal)  # by whoever owns the carrier
            await asyncio.sleep(0.3)
            assert not other.proposed


async def test_a_proposal_with_a_time_without_end_keeps_no_other_from_being_heard(tmp_path):
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        body = {"game": "reversi", "options": {}, "settings": {"time": "9" * 400}}
        told = {**body, "side": "white", "name": "me", "release": "1"}
        await one.line.write("0" * 32, "proposal", told)
        await begun(one, other)


@pytest.mark.parametrize("called", ["computer 3", "Computer Ada"])
async def test_a_friend_is_a_person_whatever_he_is_called(tmp_path, called):
    """Who plays elsewhere is no computer of this board, and needs no level."""
    carrier, (grace, ada) = QuickCarrier(), friends()
    async with (
        host(tmp_path / "a", grace, carrier) as one,
        host(tmp_path / "g", ada, carrier, called=called) as other,
    ):
        await begun(one, other)
        assert not one.controller.agreement.computers
        assert not other.controller.agreement.computers
        await play(one, other, LINE_OF_PLAY[:2])
        await agree(one, other)


@pytest.mark.parametrize("seed", range(12) if NIGHTLY else (2,))
async def test_two_who_want_the_same_colour_at_once_play_one_game(tmp_path, monkeypatch, seed):
    """Whoever is slow to write, and whatever is heard first."""
    moods, keep = random.Random(seed), FriendLine._keep

    async def slow(line, *letters):
        await asyncio.sleep(moods.choice((0, 0.02, 0.1)))
        await keep(line, *letters)

    monkeypatch.setattr(FriendLine, "_keep", slow)
    async with two_hosts(tmp_path, QuickCarrier(seed, loses=0.3)) as (one, other):
        hosts = (one, "Grace"), (other, "Ada")
        for each, name in hosts:
            await each.games.propose(name, "white", UNTIMED)
        for each, name in hosts:
            await soon(lambda each=each: each.proposed)
            with pytest.raises(CannotBe, match="answer that first"):
                await each.games.propose(name, "white", UNTIMED)
        lines = [each.proposed[0].line for each, _ in hosts]

        async def accept(each, line):
            await asyncio.sleep(moods.choice((0, 0.05, 0.15)))
            with contextlib.suppress(CannotBe):  # his own has been accepted and begun meanwhile
                await each.games.answer(line, accepts=True)

        await asyncio.gather(accept(one, lines[0]), accept(other, lines[1]))
        await soon(lambda: one.controller.agreement.line == other.controller.agreement.line != "")
        for each, _ in hosts:
            await soon(lambda each=each: not [g for g in each.line.games.values() if g.outstanding])
            await each.hands.set_up()
        white, black = sorted((one, other), key=lambda each: each.controller.agreement.away)
        await play(white, black, LINE_OF_PLAY[:2])
        await agree(one, other)
        assert not one.games.proposals()
        assert not other.games.proposals()
