"""One side of a correspondence: what was written, what was taken, and whose history is false."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from firmware_bridge.distance.letters import NOTHING, Heard, Kind, Letter, Receipt, Signed, signed

WINDOW = 32
"""So many letters may be on the way at once; what comes from further ahead comes again later."""

Why = Literal["forked", "gap", "other-history", "taken-back"]
"""What is wrong with the other side's letters.

- `forked`: it signed two letters of one number.
- `gap`: its letter does not follow the one that it had sent before.
- `other-history`: it has heard something from us that we never wrote.
- `taken-back`: it had heard more before than it says to have heard now.
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """What stopped a correspondence.

    Attributes:
        why: what is wrong.
        proof: the signed letters that prove it.
    """

    why: Why
    proof: tuple[Signed, ...]


@dataclass(frozen=True)
class Line:
    """One side of one correspondence, as a value.

    Attributes:
        game: which correspondence.
        sent: our letters, the first one first.
        confirmed: how many of them the other side has.
        taken: the other side's letters, in order.
        held: letters that came before one that is still missing, by number.
        fault: what was wrong with the other side's letters; nothing is taken after it. Our own
            chain is whole: the other side can still be told what was found.
        sure: whether the other side has told, since this line was recalled, what it has heard of
            us: by a receipt, since a letter may have been written long before. Until then nothing
            is to be written: once an old backup was put back, that would be a second letter of one
            number.
        forgot: what it has heard of us, where that is more than we still have.
        farewell: our letter that says so, the last one of this correspondence.
    """

    game: str
    sent: tuple[Signed, ...] = ()
    confirmed: int = 0
    taken: tuple[Signed, ...] = ()
    held: Mapping[int, Signed] = field(default_factory=dict)
    fault: Fault | None = None
    sure: bool = True
    forgot: Heard | None = None
    farewell: Signed | None = None

    @classmethod
    def of(cls, game: str, sent: tuple[Signed, ...], taken: tuple[Signed, ...]) -> Line:
        """Return the line as it stood when these letters had been written and taken.

        The last one of ours is sent again, so that the other side tells what it has heard.
        """
        farewell = sent[-1] if sent and is_farewell(sent[-1].letter) else None
        sent = sent[:-1] if farewell else sent
        heard = taken[-1].letter.heard.number if taken else 0
        confirmed = max(0, min(heard, len(sent) - 1))
        return cls(
            game, sent, confirmed, taken, sure=not sent and farewell is None, farewell=farewell
        )

    @property
    def ended(self) -> bool:
        """Whether one of the two hosts has forgotten the letters, so that no more can follow."""
        theirs = bool(self.taken) and is_farewell(self.taken[-1].letter)
        return theirs or self.forgot is not None or self.farewell is not None

    @property
    def heard(self) -> Heard:
        """The other side's letters that were taken."""
        last = self.taken[-1:]
        return Heard(last[0].letter.number, last[0].hash) if last else Heard()

    @property
    def receipt(self) -> Receipt:
        """What the other side is to know after each letter of its own, also one that came twice."""
        return Receipt(self.game, self.heard)

    @property
    def outstanding(self) -> tuple[Signed, ...]:
        """The letters to send now, and again until they are confirmed."""
        if self.ended:
            return (self.farewell,) if self.farewell and not self.sure else ()
        return self.sent[self.confirmed : self.confirmed + WINDOW]

    def write(
        self, kind: Kind, body: Mapping[str, object], t: int, sign: Callable[[bytes], bytes]
    ) -> Line:
        """Return the line with one more letter of ours; it must be kept before it is sent.

        Raises:
            Refused: the letter cannot be written.
        """
        before = self.sent[-1].hash if self.sent else NOTHING
        letter = Letter(self.game, len(self.sent) + 1, before, self.heard, kind, body, t)
        return replace(self, sent=(*self.sent, signed(letter, sign)))

    def forgetting(self) -> Line:
        """Return the line once nothing is known here any more of what was told in it."""
        last = self.sent[: self.confirmed][-1:]
        return replace(self, forgot=Heard(last[0].letter.number, last[0].hash) if last else Heard())

    def say_farewell(self, t: int, sign: Callable[[bytes], bytes]) -> Line:
        """Return the line with our last letter: it follows what the other side has heard."""
        last = self.forgot or Heard()
        body = {"forgot": True}
        letter = Letter(self.game, last.number + 1, last.hash, Heard(), "end", body, t)
        return replace(self, farewell=signed(letter, sign), sure=False)

    def take(self, came: Signed) -> Line:
        """Return the line after a letter of the other side has come.

        It may have come before, too early, or prove that the other side does not write one history.
        """
        number = came.letter.number
        if self.fault is not None or self.ended or came.letter.game != self.game:
            return self
        known = self.taken[number - 1] if number <= len(self.taken) else self.held.get(number)
        if known is not None:
            return self if known.data == came.data else self._contradicted(known, came)
        if number > len(self.taken) + WINDOW:
            return self
        if number > len(self.taken) + 1:
            return replace(self, held={**self.held, number: came})
        return self._followed_by(came)

    def confirm(self, receipt: Receipt) -> Line:
        """Return the line after a receipt of the other side has come, perhaps an old one.

        It is believed also where another one has told more: who was put back to what he had before
        gets again what he has lost by it. It is not signed: by what it says that never was, nobody
        is a liar.
        """
        heard = receipt.heard
        if receipt.game != self.game:
            return self
        if self.farewell is not None:
            said = Heard(self.farewell.letter.number, self.farewell.hash)
            return replace(self, sure=self.sure or heard == said)
        if self._wrote(heard):
            return replace(self, confirmed=heard.number, sure=True)
        lost = heard.number > len(self.sent) and not self.fault
        return replace(self, forgot=heard) if lost else self

    def _followed_by(self, came: Signed) -> Line:
        """Take the next letter if it agrees with what was said before, and those held for it."""
        letter, last = came.letter, self.taken[-1:]
        if letter.before != self.heard.hash:
            return self._stopped("gap", *last, came)
        if is_farewell(letter):
            return replace(self, taken=(*self.taken, came))
        if last and letter.heard.number < last[0].letter.heard.number:
            return self._stopped("taken-back", *last, came)
        if not self._wrote(letter.heard):
            if self.sure or letter.heard.number <= len(self.sent):
                return self._stopped("other-history", came)
            return replace(self, forgot=letter.heard)
        held = dict(self.held)
        following = held.pop(letter.number + 1, None)
        confirmed = max(self.confirmed, letter.heard.number)
        taken = (*self.taken, came)
        line = replace(self, taken=taken, held=held, confirmed=confirmed)
        return line.take(following) if following else line

    def _contradicted(self, known: Signed, came: Signed) -> Line:
        """Return the line after another letter of a number that is known: a fork, or a farewell.

        Who has forgotten his letters counts by the receipts that come: the first may be an old one,
        and his farewell then follows a letter that is not the last one taken.
        """
        number = came.letter.number
        if number <= len(self.taken) and is_farewell(came.letter):
            before = self.taken[number - 2].hash if number > 1 else NOTHING
            if came.letter.before == before:
                return replace(self, taken=(*self.taken, came))
        return self._stopped("forked", known, came)

    def _wrote(self, heard: Heard) -> bool:
        """Return whether we wrote what somebody says to have heard."""
        if heard.number == 0:
            return True
        own = self.sent[heard.number - 1 : heard.number]
        return bool(own) and own[0].hash == heard.hash

    def _stopped(self, why: Why, *proof: Signed) -> Line:
        return replace(self, fault=Fault(why, proof))


def is_farewell(letter: Letter) -> bool:
    """Return whether a letter says that its writer has forgotten what was told before."""
    return letter.kind == "end" and letter.body.get("forgot") is True
