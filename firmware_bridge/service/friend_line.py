"""The line to one friend: letters of games are kept on disk before they are sent or confirmed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.carrier import Carrier
from firmware_bridge.distance.greeting import Desk, now
from firmware_bridge.distance.letters import Heard, Kind, Letter, Receipt, Signed, kept
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import Friend
from firmware_bridge.distance.readings import SignedReading, Watch, signed
from firmware_bridge.journal import JournalDamaged
from firmware_bridge.journal.letter_book import Kept, LetterBook, Way

_LOG = logging.getLogger(__name__)
WAITING = 256
"""Letters that wait to be kept; what is more is sent again by its writer."""


class FriendLine(Desk):
    """Exchanges letters with a friend: test letters, and those of games.

    `news` is called when something has come, and each second while a game goes on.

    Attributes:
        games: our side of each correspondence about a game of which not all is told, by its name.
        alive: the game whose line is watched, if any: both hosts say each second that they are
            there.
        heard_at: when the friend's host was heard last about that game, on the host's monotonic
            clock; or since when it is watched. What is said of another game tells nothing of it.
        keeps: whether this host can write down what happens. One that cannot says nothing: it could
            not tell what it must, and nobody is to wait for it.
        watch: watches the clocks of that game, if the friend's host does.
    """

    def __init__(
        self, friend: Friend, carrier: Carrier, book: LetterBook, news: Callable[[], None]
    ) -> None:
        super().__init__(friend, carrier)
        self.friend = friend
        self.games: dict[str, Line] = {}
        self._alive = ""
        self.keeps = True
        self.watch: Watch | None = None
        self.heard_at = time.monotonic()
        self._book = book
        self._news = news
        self._came: list[Signed] = []
        self._heard_of: dict[str, Heard] = {}  # of games that are not in mind
        self._one_by_one = asyncio.Lock()  # what is kept must be what comes next
        self._key = friend.theirs.signing.hex()

    @property
    def alive(self) -> str:
        """The game whose line is watched, empty if there is none."""
        return self._alive

    @alive.setter
    def alive(self, game: str) -> None:
        if game != self._alive:
            self._alive, self.heard_at = game, time.monotonic()
            self._moved.set()  # whoever waits for letters alone does not look at the time

    def recall(self, game: str, letters: tuple[Kept, ...]) -> None:
        """Take up a correspondence where its letters end.

        Raises:
            Refused: these are no letters.
        """
        ways: dict[str, list[Signed]] = {"sent": [], "taken": []}
        for each in letters:
            ways[each.way].append(kept(each.data, each.signature))
        self.games[game] = Line.of(game, tuple(ways["sent"]), tuple(ways["taken"]))

    async def write(self, game: str, kind: Kind, body: Mapping[str, object]) -> None:
        """Write a letter, keep it, and send it until it is confirmed.

        Raises:
            Refused: the letter cannot be written.
            StorageFailed: it cannot be kept.
        """
        async with self._one_by_one:
            before = self.games.get(game, Line(game))
            letters = self._with_letter(before, kind, body).sent
            await self._keep(game, "sent", letters[-1:])
            # Meanwhile a receipt may have come.
            self.games[game] = replace(self.games.get(game, before), sent=letters)
        self._moved.set()

    async def say_forgotten(self, game: str) -> None:
        """Tell the friend that what was told of a game is not known here any more.

        Raises:
            StorageFailed: the letter that says so cannot be kept.
        """
        async with self._one_by_one:
            if not self.games[game].ended:
                self.games[game] = self.games[game].forgetting()
        await self._say_farewells()

    async def attend(self) -> None:
        """Keep and confirm the letters that have come.

        Raises:
            StorageFailed: they cannot be kept; they are not confirmed then, and come again.
        """
        came, self._came = self._came, []
        for letter in came:
            game = letter.letter.game
            proposed = letter.letter.kind == "proposal" and letter.letter.number == 1
            async with self._one_by_one:
                if game not in self.games:
                    await self._look_up(game)
                if game in self.games or (proposed and not self._book.forgotten(game)):
                    await self._take_in(game, letter)
                else:  # its proposal comes again, or it was deleted
                    self._has_heard(game, letter.letter.heard)
        await self._say_farewells()

    async def _say_farewells(self) -> None:
        """Tell the friend of which games we have forgotten what he has heard of us."""
        heard_of, self._heard_of = self._heard_of, {}
        async with self._one_by_one:
            for game, heard in heard_of.items():
                if heard.number and not self._book.has(game):
                    self.games.setdefault(game, replace(Line(game), forgot=heard))
            for game, line in tuple(self.games.items()):
                if line.forgot is not None and line.farewell is None:
                    said = line.say_farewell(now(), self._bond.sign)
                    if said.farewell:
                        await self._keep(game, "sent", [said.farewell])
                    self.games[game] = said
                    self._moved.set()

    async def lay_aside(self, game: str) -> None:
        """Keep no letters in mind of a game about which all is told, until another one comes.

        Raises:
            StorageFailed: that cannot be noted.
        """
        async with self._one_by_one:
            await asyncio.to_thread(self._book.lay_aside, game)
            self.games.pop(game, None)  # it may have been deleted meanwhile

    async def _look_up(self, game: str) -> None:
        """Take up letters that were laid aside, when their writer has not heard that we have them.

        Raises:
            StorageFailed: that cannot be noted.
        """
        if not await asyncio.to_thread(self._book.take_up, game):
            return
        try:
            friend, letters = await asyncio.to_thread(self._book.read, game)
            if friend == self._key:
                self.recall(game, letters)
                line = self.games[game]  # all of it was told
                self.games[game] = replace(line, confirmed=len(line.sent), sure=True)
        except (JournalDamaged, Refused, OSError) as error:
            _LOG.error("letters: %s", error)

    async def _take_in(self, game: str, letter: Signed) -> None:
        """Keep what is new by this letter, and confirm it."""
        before = self.games.get(game, Line(game))
        if new := before.take(letter).taken[len(before.taken) :]:
            await self._keep(game, "taken", new)
        # Meanwhile a receipt may have come.
        line = self.games[game] = self.games.get(game, before).take(letter)
        self._send(self._bond.seal(line.receipt))

    async def _keep(self, game: str, way: Way, letters: Sequence[Signed]) -> None:
        line = self.games.get(game, Line(game))
        before = (*_kept("sent", line.sent), *_kept("taken", line.taken))
        told = _kept(way, letters)
        await asyncio.to_thread(self._book.add, game, self._key, told, before)

    @property
    def _unconfirmed(self) -> bool:
        waits = any(line.outstanding for line in self.games.values())
        return super()._unconfirmed or waits or bool(self.alive)

    def _open_lines(self) -> Iterator[Line]:
        yield from super()._open_lines()
        yield from self.games.values()

    async def _go_on(self) -> None:
        if line := self.games.get(self.alive):
            if self.keeps:
                self._send(self._bond.seal(line.receipt))
            if self.keeps and self.watch:
                self._send(self._bond.seal(signed(self.watch.say(), self._bond.sign)))
            self._news()
        await super()._go_on()

    def _heard_about(self, game: str) -> None:
        if game == self._alive:
            self.heard_at = time.monotonic()

    def _read(self, came: SignedReading) -> None:
        self._heard_about(came.reading.game)
        if self.watch:
            self.watch.hear(came)

    def _confirm(self, came: Receipt) -> None:
        self._heard_about(came.game)
        if line := self.games.get(came.game):
            after = self.games[came.game] = line.confirm(came)
            if after.forgot != line.forgot or (line.outstanding and not after.outstanding):
                self._news()
        elif len(self._heard_of) < WAITING:
            self._has_heard(came.game, came.heard)
            self._news()
        super()._confirm(came)

    def _has_heard(self, game: str, heard: Heard) -> None:
        """Note what the friend has heard of us; a letter may have been written long before."""
        last = self._heard_of.get(game, Heard())
        self._heard_of[game] = max(last, heard, key=lambda each: each.number)

    def _minds(self, letter: Letter) -> bool:
        return letter.kind != "back"  # to a test letter, of which we have sent none

    def _take(self, came: Signed) -> None:
        self._heard_about(came.letter.game)
        if came.letter.kind == "test":
            super()._take(came)
        elif len(self._came) < WAITING:
            self._came.append(came)
            self._news()


def _kept(way: Way, letters: Sequence[Signed]) -> list[Kept]:
    return [Kept(way, each.data, each.signature) for each in letters]
