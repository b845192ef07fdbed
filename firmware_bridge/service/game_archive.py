"""The games of the journal: told one at a time, so that nobody who reads holds up the board."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from drivers.beside import log
from firmware_bridge.clock import control
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import BadSetting
from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.friends import FriendsUnreadable, friends_in
from firmware_bridge.distance.letters import kept
from firmware_bridge.distance.sealing import NotInstalled, hold_installed
from firmware_bridge.journal import Journal, JournalDamaged, StorageFailed, Summary
from firmware_bridge.journal.letter_book import LetterBook
from firmware_bridge.recordings.export import GameSoFar, NotYetOpen, RecordedGame
from firmware_bridge.words.catalogue import hold_said
from rules import UnknownGame
from rules.interface import Side
from rules.values import opponent

_LOG = logging.getLogger(__name__)

MOST = 200
"""Games that are offered to be looked at again, at most."""
EVERY = 1_000_000
"""More than a board can hold: no limit."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One host's signature under the letter that tells a game's record.

    Attributes:
        side: whose host it is.
        key: what it is checked by (Ed25519); empty for our own once the friendship has ended.
        record: the SHA-256 of the game's PGN.
        letter: what was signed; by the hashes in it that is all that both hosts have told.
    """

    side: Side
    key: str
    record: str
    letter: str
    signature: str

    def to_data(self) -> dict[str, str]:
        """Return it as JSON values."""
        return asdict(self)


@contextmanager
def understood(game_id: str) -> Iterator[None]:
    """Make of records what they tell, in a block.

    Raises:
        JournalDamaged: they tell what the rules and settings that are here do not know, such as a
            game of a package that is not installed any more.
    """
    try:
        yield
    except (UnknownGame, BadSetting) as error:
        raise JournalDamaged(f"Game {game_id} cannot be read here. {error}") from error
    except Exception as error:
        log(f"reading game {game_id}", error)  # what it says may be secret
        told = type(error).__name__
        raise JournalDamaged(f"Game {game_id} cannot be read by this version: {told}.") from error


def in_days(game: Summary) -> bool:
    """Return whether days are counted in a game, so that no other breaks it off."""
    agreement = Agreement.from_data(game.agreement)
    with suppress(control.BadTimeControl):  # one that was a package's is none of days
        return bool(agreement.away) and control.parse(agreement.settings.time or "untimed").in_days
    return False


class Archive:
    """Tells games that are over or adjourned, whatever is on the table."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._one_at_a_time = asyncio.Lock()
        self._told: RecordedGame | None = None
        self._left_out: set[str] = set()

    async def finished(self) -> tuple[Summary, ...]:
        """Return the games that are over, the newest first."""
        return await asyncio.to_thread(self._readable, self._journal.finished, MOST)

    async def every(self) -> tuple[Summary, ...]:
        """Return every game that is over or was broken off, the newest first, to be searched."""
        over = await asyncio.to_thread(self._readable, self._journal.finished, EVERY)
        left = await self._broken_off()
        return tuple(sorted((*over, *left), key=lambda game: game.begun, reverse=True))

    async def _broken_off(self) -> tuple[Summary, ...]:
        left = await asyncio.to_thread(self._readable, self._journal.broken_off, EVERY)
        return tuple(game for game in left if not in_days(game))

    def _readable(
        self, games: Callable[[int], tuple[Summary, ...]], most: int
    ) -> tuple[Summary, ...]:
        """Return the games whose rules and settings are here; any other is logged, once."""
        return tuple(game for game in games(most) if self._can_be_read(game))

    def _can_be_read(self, game: Summary) -> bool:
        try:
            with understood(game.id):
                hold_said(Agreement.from_data(game.agreement).game)
        except JournalDamaged as error:
            if game.id not in self._left_out:
                self._left_out.add(game.id)
                _LOG.error("%s", error)
            return False
        return True

    async def delete(self, game_id: str) -> str:
        """Forget a game of `every`, for good, with the letters of one with somebody far away.

        Returns:
            What names these letters; empty if there are none.

        Raises:
            KeyError: when there is no such game.
            NotYetOpen: when it is not over.
            StorageFailed: when that cannot be done.
        """
        found = next((game for game in await self.every() if game.id == game_id), None)
        if found is None:
            await self.recorded(game_id)  # says what is the matter
            raise KeyError(game_id)
        await asyncio.to_thread(self._journal.delete, game_id)
        if line := str(found.agreement.get("line") or ""):
            await asyncio.to_thread(LetterBook(self._journal.path.parent).forget, line)
        return line

    async def adjourned(self) -> tuple[Summary, ...]:
        """Return the games that can be taken up, the newest first; none if they cannot be read."""
        try:
            rest = await asyncio.to_thread(self._readable, self._journal.adjourned, MOST)
            aside = await asyncio.to_thread(self._readable, self._journal.far_away, MOST)
            days = (game for game in aside if in_days(game) and game not in rest)
            return tuple(sorted((*rest, *days), key=lambda game: game.begun, reverse=True))
        except (JournalDamaged, StorageFailed) as error:
            _LOG.error("adjourned games cannot be listed: %s", error)
            return ()

    async def recorded(self, game_id: str) -> RecordedGame:
        """Return a game that is over or was broken off, secrets included.

        Raises:
            KeyError: when there is no such game.
            NotYetOpen: when it is not over.
            JournalDamaged: when what is there is not what was written down, or cannot be read.
        """
        told = await self._read(game_id)
        if told.state.stage == "over":
            return told
        if game_id in {game.id for game in await self._broken_off()}:
            return replace(told, left=True)
        raise NotYetOpen("This game opens when it is over.")

    async def _read(self, game_id: str) -> RecordedGame:
        async with self._one_at_a_time:
            records = await asyncio.to_thread(self._journal.read, game_id)
            if self._told is None or self._told.records != records:
                with understood(game_id):
                    self._told = await asyncio.to_thread(RecordedGame.of, records)
            return self._told

    async def signatures(self, game: GameSoFar) -> tuple[Signature, ...]:
        """Return how both hosts of a game with somebody far away have signed its record."""
        folder = self._journal.path.parent
        return await asyncio.to_thread(signatures, folder, game.agreement)


def signatures(folder: Path, agreement: Agreement) -> tuple[Signature, ...]:
    """Return who has signed the record of a game, White first; nobody while it goes on."""
    try:
        found = _signed(folder, agreement) if agreement.away else ()
        return tuple(sorted(found, key=lambda one: one.side, reverse=True))
    except (JournalDamaged, Refused, OSError):
        return ()


def _signed(folder: Path, agreement: Agreement) -> Iterator[Signature]:
    away = agreement.away or "white"
    theirs, letters = LetterBook(folder).read(agreement.line)
    sides = {"taken": away, "sent": opponent(away)}
    keys = {"taken": theirs, "sent": _own_key(folder, theirs)}
    for each in letters:
        letter = kept(each.data, each.signature).letter
        if letter.kind == "end" and (record := letter.body.get("record")):
            told = each.data.decode(), each.signature.hex()
            yield Signature(sides[each.way], keys[each.way], str(record), *told)


def _own_key(folder: Path, theirs: str) -> str:
    """Return by what our own letters to a friend are checked."""
    try:
        hold_installed()
        friends = {friend.theirs.signing.hex(): friend for friend in friends_in(folder)}
    except (NotInstalled, FriendsUnreadable):
        return ""
    return friends[theirs].own.public.signing.hex() if theirs in friends else ""
