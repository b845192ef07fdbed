"""The friends of this board, the lines to them, and how strangers become friends while it runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Literal

from drivers.beside import begin, is_set_within, meanwhile
from firmware_bridge.config import Config
from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.carrier import Carrier, carrier_of
from firmware_bridge.distance.friends import (
    FriendsUnreadable,
    befriend,
    friends_in,
    part_from,
    put_back,
)
from firmware_bridge.distance.invitation import Invitation
from firmware_bridge.distance.meeting import PATIENCE, VALID, Meeting
from firmware_bridge.distance.pairing import Friend, Spent
from firmware_bridge.distance.sealing import NotInstalled, hold_installed
from firmware_bridge.journal import JournalDamaged
from firmware_bridge.journal.letter_book import LetterBook
from firmware_bridge.mqtt.topics import usual_name
from firmware_bridge.service.distant_games import DistantGames
from firmware_bridge.service.friend_line import FriendLine

_LOG = logging.getLogger(__name__)
LOOKS = 5.0
"""Seconds after which it is seen whether a command has made or forgotten friends."""
CONNECTS = 15.0
"""Seconds that a broker may take: longer than it may take for one answer."""
CARRIES = 10.0
"""Seconds that a message to ourselves may take on a bad line."""

Pairing = Literal["", "inviting", "joining", "met", "failed"]
"""How far an invitation has come."""


class FriendsDesk:
    """Exchanges letters with friends, those who are made meanwhile included.

    Attributes:
        missing: what must be installed first, in words; empty if nothing.
        words: those that a friend is to enter, while somebody is invited.
        pairing: how far the invitation has come.
        told: what came of the last invitation: the friend's name, or what went wrong.
        spent: why the last one came to nothing, for other languages.
    """

    def __init__(self, config: Config, games: DistantGames) -> None:
        self.games = games
        self.missing = _missing()
        self.words = ""
        self.pairing: Pairing = ""
        self.told = ""
        self.spent: Spent | None = None
        self._config = config
        self._book = LetterBook(config.data)
        self._why = ""
        self._known: tuple[Friend, ...] = ()
        self._others = asyncio.Event()
        self._meeting: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Exchange letters until cancelled; without the extra it is only told what to install."""
        if self.missing:
            _LOG.warning("friends: %s", self.missing)
            return
        try:
            while True:
                await self._serve(await asyncio.to_thread(self._friends))
        finally:
            if self._meeting is not None:
                self._meeting.cancel()

    def invite(self) -> None:
        """Show words for a friend to enter."""
        invitation = Invitation.made()
        name = name_of(self._config)
        self._meet(lambda carrier: Meeting.shown(carrier, invitation, name), VALID, "inviting")
        self.words = invitation.text

    def join(self, words: str) -> None:
        """Look for the friend whose board shows these words.

        Raises:
            Refused: these are no words of an invitation.
        """
        invitation = Invitation.entered(words)
        name = name_of(self._config)
        self._meet(lambda carrier: Meeting.entered(carrier, invitation, name), PATIENCE, "joining")

    async def forget(self, name: str) -> bool:
        """End a friendship; return whether there was one.

        Raises:
            FriendsUnreadable: the file of friends is damaged.
            OSError: it cannot be written.
        """
        parted = await asyncio.to_thread(part_from, self._config.data, name)
        self._others.set()
        return parted

    def _meet(self, make: Callable[[Carrier], Meeting], patience: float, how: Pairing) -> None:
        if self._meeting is not None:
            self._meeting.cancel()
        self.words, self.told, self.pairing = "", "", how

        def failed(error: Exception) -> None:
            if self._meeting is meeting:  # else it was told to end
                self._come_to_nothing(error)

        meeting = self._meeting = begin(self._met(make, patience), "invitation", failed)

    async def _met(self, make: Callable[[Carrier], Meeting], patience: float) -> None:
        """Become friends with whoever has the same words, and say what came of it."""
        carrier = carrier_of(self._config.distance)
        meeting = make(carrier)
        async with meanwhile(carrier.run()):
            try:
                await hold_carried(carrier, self._config.distance.base)
                met = await meeting.friend(patience)
                friend = await asyncio.to_thread(befriend, self._config.data, met)
                self.words, self.pairing, self.told = "", "met", friend.name
                self._others.set()
            except (Spent, FriendsUnreadable, OSError) as error:
                self._come_to_nothing(error)
            await meeting.linger()

    def _come_to_nothing(self, error: Exception) -> None:
        """Say why nobody was met: nobody waits for what has ended."""
        self.words, self.pairing, self.told = "", "failed", str(error)
        self.spent = error if isinstance(error, Spent) else None

    async def _serve(self, friends: tuple[Friend, ...]) -> None:
        """Serve these for as long as they are our friends; without any no broker is needed."""
        carrier = carrier_of(self._config.distance)
        lines = [FriendLine(friend, carrier, self._book, self.games.stir) for friend in friends]
        await asyncio.to_thread(self._recall, lines)
        for line in lines:  # what somebody has deleted from the disk meanwhile is still in mind
            before = self.games.lines.get(line.friend.name)
            if before is not None and before.friend == line.friend:
                line.games = {**before.games, **line.games}
        self.games.lines = {line.friend.name: line for line in lines}
        self.games.stir()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(line.run()) for line in lines]
            if lines:
                tasks.append(group.create_task(carrier.run()))
            while await asyncio.to_thread(self._friends) == friends:
                await is_set_within(self._others, LOOKS)
                self._others.clear()
            for task in tasks:
                task.cancel()

    def _recall(self, lines: list[FriendLine]) -> None:
        """Take up all correspondences where they were left; one that is damaged is told."""
        of = {line.friend.theirs.signing.hex(): line for line in lines}
        for game in self._book.games():
            try:
                friend, letters = self._book.read(game)
                if friend in of:
                    of[friend].recall(game, letters)
            except (JournalDamaged, Refused, OSError) as error:
                _LOG.error("friends: %s", error)

    def _friends(self) -> tuple[Friend, ...]:
        """Return our friends; those known before while the file cannot be read, told once.

        A file that somebody has deleted or spoilt under us is written anew.
        """
        why = ""
        try:
            if self._known and put_back(self._config.data, self._known):
                _LOG.error("friends: their file was gone or spoilt, and was written anew")
                self.games.announce("distance-friends-back")
            self._known = friends_in(self._config.data)
        except (FriendsUnreadable, OSError) as unreadable:
            why = str(unreadable)
        if why and why != self._why:
            _LOG.error("friends: %s", why)
        self._why = why
        return self._known


def name_of(config: Config) -> str:
    """Return what friends call this board."""
    return config.distance.name or usual_name(config.pages)


async def hold_carried(carrier: Carrier, base: str) -> None:
    """See that the broker is reached and carries what we send below this topic.

    Raises:
        Spent: it is not, or does not.
    """
    if not await carrier.reached(CONNECTS):
        raise Spent("pairing-no-broker", name=carrier.name, why=carrier.trouble)
    if not await carrier.carries(CARRIES):
        raise Spent("pairing-not-carried", name=carrier.name, topic=f"{base}/#")


def _missing() -> str:
    """Return what must be installed before letters can be exchanged; empty if nothing."""
    try:
        hold_installed()
    except NotInstalled as missing:
        return str(missing)
    return ""
