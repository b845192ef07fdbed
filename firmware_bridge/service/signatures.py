"""How both hosts of a game have signed its record, for whoever wants to check it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.friends import FriendsUnreadable, friends_in
from firmware_bridge.distance.letters import kept
from firmware_bridge.distance.sealing import NotInstalled, hold_installed
from firmware_bridge.journal import JournalDamaged
from firmware_bridge.journal.letter_book import LetterBook
from rules.interface import Side
from rules.values import opponent


@dataclass(frozen=True, slots=True)
class Signature:
    """One host's signature under the letter that tells a game's record.

    Attributes:
        side: whose host it is.
        key: what it is checked by (Ed25519); empty for our own once the friendship has ended.
        record: the SHA-256 of the game's PGN.
        letter: what was signed; by the hashes in it that is all that both hosts have told.
        signature: of the letter.
    """

    side: Side
    key: str
    record: str
    letter: str
    signature: str

    def to_data(self) -> dict[str, str]:
        """Return it as JSON values."""
        return asdict(self)


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
    keys = {"taken": theirs, "sent": _own(folder, theirs)}
    for each in letters:
        letter = kept(each.data, each.signature).letter
        if letter.kind == "end" and (record := letter.body.get("record")):
            told = each.data.decode(), each.signature.hex()
            yield Signature(sides[each.way], keys[each.way], str(record), *told)


def _own(folder: Path, theirs: str) -> str:
    """Return by what our own letters to a friend are checked."""
    try:
        hold_installed()
        friends = {friend.theirs.signing.hex(): friend for friend in friends_in(folder)}
    except (NotInstalled, FriendsUnreadable):
        return ""
    return friends[theirs].own.public.signing.hex() if theirs in friends else ""
