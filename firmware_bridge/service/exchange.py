"""What two hosts tell each other of one game, whether it is on the board here or goes on aside."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from firmware_bridge.distance.letters import Signed
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import release
from firmware_bridge.distance.readings import SignedReading
from firmware_bridge.messages import SecretsOpened
from firmware_bridge.referee.audit import found
from firmware_bridge.service.fact_letters import Objection, Place, hear_wish, take_in
from firmware_bridge.service.friend_heard import (
    ANOTHER,
    FAULTS,
    told_in,
    understood,
    unopened,
)
from firmware_bridge.service.friend_line import FriendLine
from firmware_bridge.service.owed import disputed, forgotten, owed
from firmware_bridge.words.language_files import said

_LOG = logging.getLogger(__name__)


class Exchange:
    """Tells friends what is played here, and lets stand what they tell.

    Attributes:
        false: what a friend's host has told that cannot be, as a key of words, by game.
        unlike: the release in which it has told what cannot stand here, by game.
    """

    def __init__(self) -> None:
        self.false: dict[str, str] = {}
        self.unlike: dict[str, str] = {}

    def stop(self, name: str, why: str, *proof: Signed | SignedReading) -> None:
        """Stop a game whose other host tells what cannot be, and write down what proves it."""
        if name not in self.false:  # one lie is enough
            self.false[name] = why
            for each in proof:
                _LOG.error("what proves it: %s %s", each.data.decode(), each.signature.hex())
            in_english = said("", "en")[why]
            _LOG.error("the friend's host tells what cannot be, and the game stops: %s", in_english)

    async def go_on(self, place: Place, line: FriendLine, name: str) -> None:
        """Tell what is owed of the game with these letters, and let stand what was told of it.

        Raises:
            StorageFailed: something cannot be written down.
        """
        if forgotten(place.kept, line.games[name]):
            await line.say_forgotten(name)
        if fault := line.games[name].fault:
            self.stop(name, FAULTS[fault.why], *fault.proof)
        if name not in self.false and not line.games[name].ended:
            await self._tell(place, line, name)
            await self._hear(place, understood(line.games[name]), name)
        await self._tell(place, line, name)

    async def _tell(self, place: Place, line: FriendLine, name: str) -> None:
        """Write what the other host is still to be told."""
        while (game := place.kept).agreement.line == name:  # meanwhile it may be another
            letter = owed(game, line.games[name], false=self.false.get(name, ""))
            if letter is None:
                return
            await line.write(name, *letter)

    async def _hear(self, place: Place, letters: Line, name: str) -> None:
        """Play what was told, and hold it against what was played here."""
        if not place.kept.left:
            if objection := await take_in(place, letters, name):
                self._object(name, objection)
            await hear_wish(place, letters, name)
        for came, runs in told_in(letters):
            opens = came.letter.kind == "audit" and name not in self.unlike
            if opens and unopened(place.kept):
                await self._look_through(place, name, came.letter.body, runs)
        if (game := place.kept).agreement.line == name and disputed(game, letters):
            self.stop(name, ANOTHER)

    def _object(self, name: str, objection: Objection) -> None:
        """Stop a game, or let it wait where by another release's rules all may be right."""
        if objection.runs == release():
            self.stop(name, objection.why)
        else:
            self.unlike[name] = objection.runs

    async def _look_through(
        self, place: Place, name: str, opened: Mapping[str, object], runs: str
    ) -> None:
        """Let what was opened be gone through; another release's only if nothing is wrong then."""
        game = place.kept
        if runs != release() and found(game.agreement.terms(), game.records, opened)["why"]:
            self.unlike[name] = runs
        else:
            await place.submit(SecretsOpened(place.now(), name, opened, game.left))
