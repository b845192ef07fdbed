"""Games with friends far away: proposed, begun on both hosts, and told fact by fact.

What is told is read off the game's own journal, and what has come off the letters, so that a host
that stopped anywhere goes on where it was: `facts.py` says who writes which fact.
"""

from __future__ import annotations

import logging
import math
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import BadSetting, GameSettings
from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.pairing import release, shown
from firmware_bridge.journal import StorageFailed
from firmware_bridge.messages import Call, FactTold, LineChanged
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.referee.facts import SAID, facts, has_word
from firmware_bridge.service.compatibility import hides, obstacles
from firmware_bridge.service.game_follower import GameFollower
from firmware_bridge.views import Announcement
from rules.values import SIDES, opponent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from firmware_bridge.distance.letters import Kind, Letter
    from firmware_bridge.distance.line import Line
    from firmware_bridge.messages.records import Record, RecordKind
    from firmware_bridge.service.controller import Controller
    from firmware_bridge.service.friend_line import FriendLine
    from rules.interface import Side

_LOG = logging.getLogger(__name__)

SILENT, WAITS = 5.0, 15.0
"""Seconds without a sign of the other host after which both are told, and clocks wait."""
_LETTERS: Mapping[RecordKind, Kind] = {
    "taken": "turn",
    "attempt": "ruling",
    "call": "answer",
    "flag": "end",
}
_KINDS = {letter: record for record, letter in _LETTERS.items()}
"""In which kind of letter each kind of fact is told."""
_AGREED = {"time", "penalty"}
"""Settings that both hosts must have alike; all others are each board's own affair."""


class CannotBe(Exception):  # noqa: N818 - names what happened
    """What is proposed cannot be played; `key` and `words` say why to people."""

    def __init__(self, key: str, **words: str) -> None:
        super().__init__(key)
        self.key, self.words = key, words


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game that one host has proposed to another.

    Attributes:
        line: names the correspondence.
        friend: with whom.
        ours: whether we have proposed it.
        side: which side is ours.
        agreement: what would be agreed at this board.
        release: what the proposing host runs.
        answer: whether it was accepted; `None` while it is open.
    """

    line: str
    friend: str
    ours: bool
    side: Side
    agreement: Agreement
    release: str
    answer: bool | None = None


class DistantGames(GameFollower):
    """Plays what friends far away play, and tells them what is played here.

    Args:
        controller: where the game goes on.
        name: what friends call this board.
    """

    def __init__(self, controller: Controller, name: str) -> None:
        super().__init__(controller)
        self.lines: dict[str, FriendLine] = {}
        self._name = name
        self._false: dict[str, str] = {}
        self._announced: set[tuple[str, str]] = set()
        self._read: dict[str, tuple[tuple[int, int], Proposal | None]] = {}
        self._unfinished = ""

    def stir(self) -> None:
        """Take notice that a letter may have come, or time has passed."""
        self._changed.set()

    def forget(self, line: str) -> None:
        """Forget the letters of a game that has been deleted."""
        for each in self.lines.values():
            each.games.pop(line, None)

    def proposals(self) -> tuple[Proposal, ...]:
        """Return the games that were proposed and not begun, declined or overtaken."""
        return tuple(
            proposal
            for proposal in self._proposals()
            if proposal.answer is None and proposal.line != self._controller.agreement.line
        )

    async def propose(self, friend: str, side: Side, agreement: Agreement) -> None:
        """Propose a game to a friend; it begins when he accepts.

        Args:
            friend: his name.
            side: which side is ours.
            agreement: what we would play.

        Raises:
            CannotBe: it cannot be played at a distance, or there is no such friend.
            StorageFailed: the letter cannot be kept.
        """
        line = self.lines.get(friend)
        if line is None:
            raise CannotBe("distance-no-friend", name=friend)
        self._hold_playable(agreement)
        body: dict[str, object] = {
            "game": agreement.game,
            "options": dict(agreement.options),
            "settings": {
                name: value
                for name, value in agreement.settings.model_dump(exclude_defaults=True).items()
                if name in _AGREED
            },
            "side": side,
            "name": agreement.players.get(side) or self._name,
            "release": release(),
        }
        await line.write(secrets.token_hex(16), "proposal", body)
        self._changed.set()

    async def propose_rematch(self) -> None:
        """Propose the same game again with the colours exchanged.

        Raises:
            CannotBe: the friend is none any more.
            StorageFailed: the letter cannot be kept.
        """
        controller = self._controller
        line, away = self._line_of(controller.agreement.line), controller.agreement.away
        if line is None or away is None:
            raise CannotBe("distance-no-friend", name="")
        again = controller.agreement.rematch(controller.game_id)
        await self.propose(line.friend.name, away, again)

    async def answer(self, name: str, *, accepts: bool) -> None:
        """Accept a friend's proposal, so that the game begins, or decline it; or withdraw ours.

        Args:
            name: names the correspondence.
            accepts: whether it is accepted.

        Raises:
            CannotBe: there is no such proposal, or it cannot be played here.
            StorageFailed: the letter cannot be kept.
        """
        proposal = next((each for each in self.proposals() if each.line == name), None)
        line = self._line_of(name)
        if proposal is None or line is None or (accepts and proposal.ours):
            raise CannotBe("distance-no-proposal")
        if accepts:
            if proposal.release != release():
                raise CannotBe("distance-release", theirs=proposal.release, ours=release())
            self._hold_playable(proposal.agreement)
        await line.write(name, "answer", {"accepts": accepts, "name": self._name})
        self._changed.set()

    def _hold_playable(self, agreement: Agreement) -> None:
        """See that a game can be played at this board with somebody far away.

        Raises:
            CannotBe: it cannot.
        """
        terms = agreement.terms()
        if hides(terms.game):
            raise CannotBe("distance-secrets")
        control = terms.control
        periods = (period for side in SIDES for period in control.of(side))
        if any(period.mode.opponent_gains for period in periods):
            raise CannotBe("distance-time")
        if why_not := obstacles(self._controller.description, terms.game):
            raise CannotBe(why_not[0].key, **why_not[0].words)

    def _line_of(self, name: str) -> FriendLine | None:
        """Return the line to the friend with whom there is this correspondence."""
        return next((line for line in self.lines.values() if name in line.games), None)

    def _proposals(self) -> Iterator[Proposal]:
        for line in self.lines.values():
            for name, letters in line.games.items():
                ends = len(letters.sent), len(letters.taken)
                known, proposal = self._read.get(name, (None, None))
                if known != ends:
                    proposal = _proposed(line.friend.name, name, letters)
                    self._read[name] = ends, proposal
                if proposal:
                    yield proposal

    async def _look(self) -> None:
        try:
            for line in tuple(self.lines.values()):
                await line.attend()
            self._announce_proposals()
            await self._begin_what_was_accepted()
            await self._play()
        except (StorageFailed, Refused) as error:
            _LOG.error("letters: %s", error)

    def _announce_proposals(self) -> None:
        """Tell everybody at the board what a friend proposes, once."""
        for proposal in self.proposals():
            if not proposal.ours:
                self._say_once(proposal, "distance-proposed")

    def _say_once(self, proposal: Proposal, key: str) -> None:
        if (proposal.line, key) not in self._announced:
            self._announced.add((proposal.line, key))
            self._controller.notices.post(Announcement(key, {"name": proposal.friend}))

    async def _begin_what_was_accepted(self) -> None:
        """Begin a game whose proposal has been accepted, unless it has begun here before."""
        for proposal in self._proposals():
            line = self._line_of(proposal.line)
            if not proposal.answer or line is None or _begun(line.games[proposal.line]):
                continue
            if proposal.ours and self._controller.view().begun:
                self._say_once(proposal, "distance-accepted")  # nobody's game is broken off by it
                continue
            if self._controller.agreement.line != proposal.line:
                await self._controller.begin(proposal.agreement)
            await line.write(proposal.line, "answer", {"begun": True})

    async def _play(self) -> None:
        """Tell what was played here, and play what was told."""
        name = self._controller.agreement.line
        for each in self.lines.values():
            over = self._controller.table.state.stage == "over"
            mine = each.games.get(name)
            each.alive = name if mine and not (over and not mine.outstanding) else ""
        await self._leave(name)
        line = self._line_of(name) if name else None
        await self._watch(line)
        if line is None or name in self._false:
            return
        await self._tell(line, name)
        await self._take_in(line, name)
        await self._hear_wish(line.games[name])

    async def _leave(self, name: str) -> None:
        """Tell the friend whose game was left for another one that nobody goes on with it."""
        left, state = self._unfinished, self._controller.table.state
        line = self._line_of(left)
        if left != name and line:
            await line.write(left, "answer", {"left": True})
        self._unfinished = "" if state.stage == "over" or state.adjourned else name

    async def _watch(self, line: FriendLine | None) -> None:
        """Tell people when the line is out, and let clocks wait if that lasts."""
        controller, state = self._controller, self._controller.table.state
        away = controller.agreement.away
        if away is None or state.stage == "over":
            controller.notices.line_broke(None)
            return
        silent = time.monotonic() - line.heard_at if line else math.inf
        friend = controller.agreement.players.get(away, "")
        if false := self._false.get(controller.agreement.line):
            controller.notices.line_broke(
                Announcement("distance-false", {"name": friend, "why": false})
            )
        elif line is None:
            controller.notices.line_broke(Announcement("distance-parted", {"name": friend}))
        elif _left(line.games[controller.agreement.line]):
            controller.notices.line_broke(Announcement("distance-left", {"name": friend}))
        elif silent > SILENT:
            controller.notices.line_broke(Announcement("distance-out", {"name": friend}))
        else:
            controller.notices.line_broke(None)
        out = silent > WAITS
        if out != state.line_out:
            await controller.submit(LineChanged(controller.now(), out))

    async def _tell(self, line: FriendLine, name: str) -> None:
        """Write a letter for each fact of ours of which there is none, and for what is asked."""
        table = self._controller.table
        here, known = table.agreement.terms().here, facts(self._controller.kept)
        told = _numbers(line.games[name].sent)
        for number, record in enumerate(known, start=1):
            if record.data["at"] == here and number > max(told, default=0):
                await line.write(name, _LETTERS[record.kind], _body(number, record))
        state = table.state
        asks = [record for record in table.records if record.kind == "asked"]
        if state.asked and not has_word(table.agreement.terms(), state):
            body: dict[str, object] = {
                "ask": len(asks),
                "after": len(known),
                "says": state.asked,
            }
            if body["ask"] not in {each.letter.body.get("ask") for each in line.games[name].sent}:
                await line.write(name, "claim", body)

    async def _take_in(self, line: FriendLine, name: str) -> None:
        """Let the facts stand that have come, as far as this board is ready for them."""
        controller = self._controller
        known = facts(controller.table.records)
        for came in line.games[name].taken:
            told = _fact(came.letter, name, controller.now())
            if told is None:
                continue
            if told.number <= len(known):
                same = known[told.number - 1]
                if (same.kind, dict(same.data)) != (told.kind, dict(told.data)):
                    self._stop(name, "it tells another history than before")
                    return
                continue
            if why := controller.table.objection_to(told):
                self._stop(name, why)
                return
            if not controller.table.ready_for(told):
                return
            await controller.submit(told)
            known = facts(controller.table.records)

    async def _hear_wish(self, letters: Line) -> None:
        """Let stand what the player far away has said, if it is this host that decides on it."""
        controller = self._controller
        claims = [each.letter.body for each in letters.taken if each.letter.kind == "claim"]
        terms, table = controller.agreement.terms(), controller.table
        if not claims or not has_word(terms, table.state):
            return
        says, after = claims[-1].get("says"), claims[-1].get("after")
        if says not in SAID or not isinstance(after, int):
            return
        by = terms.away if CALLS[says].by == "player" else None
        since = facts(table.records)[after:]
        answered = any(
            fact.data["at"] == terms.away
            or (fact.data.get("what") == says and fact.data.get("by") == by)
            for fact in since
        )
        call = Call(controller.now(), says, by, own=True)
        if not answered and controller.objection(call) is None:
            await controller.submit(call)

    def _stop(self, name: str, why: str) -> None:
        """Stop a game whose other host tells what cannot be."""
        _LOG.error("the friend's host tells what cannot be, and the game stops: %s", why)
        self._false[name] = why
        self._changed.set()

    async def _close(self) -> None:
        """Nothing was started."""


def _proposed(friend: str, name: str, letters: Line) -> Proposal | None:
    """Return what a correspondence proposes, if it can be understood."""
    ours = bool(letters.sent) and letters.sent[0].letter.kind == "proposal"
    first = (letters.sent if ours else letters.taken)[:1]
    if not first or first[0].letter.kind != "proposal":
        return None
    told = cast("dict[str, Any]", first[0].letter.body)
    answers = [(each.letter.body, True) for each in letters.sent]
    answers += [(each.letter.body, False) for each in letters.taken]
    answers = [(body, by_us) for body, by_us in answers if "accepts" in body]
    # Whoever proposes may withdraw it, but not accept it.
    accepted = any(body["accepts"] is True and by_us != ours for body, by_us in answers)
    refused = any(body["accepts"] is False for body, _ in answers)
    answered = answers[0][0] if answers else {}
    try:
        proposer: Side = {"white": "white", "black": "black"}[told["side"]]  # type: ignore[assignment]
        agreed = Agreement(
            str(told["game"]),
            dict(told["options"]),
            GameSettings.of(
                {key: told["settings"][key] for key in _AGREED & told["settings"].keys()}
            ),
            {
                proposer: shown(str(told["name"])),
                opponent(proposer): shown(str(answered.get("name", friend))),
            },
            chosen=True,
            away=opponent(proposer) if ours else proposer,
            line=name,
        )
        agreed.terms()
    except (KeyError, TypeError, AttributeError, ValueError, rules.UnknownGame, BadSetting):
        return None
    side = opponent(agreed.away) if agreed.away else proposer
    answer = False if refused else True if accepted else None
    return Proposal(name, friend, ours, side, agreed, shown(str(told.get("release"))), answer)


def _begun(letters: Line) -> bool:
    """Return whether a game has begun at this board, where it may have been left since."""
    return any("begun" in each.letter.body for each in letters.sent)


def _left(letters: Line) -> bool:
    """Return whether the friend has begun another game instead of this one."""
    return any("left" in each.letter.body for each in letters.taken)


def _numbers(letters: Iterable[Any]) -> list[int]:
    """Return the numbers of the facts that letters tell."""
    numbers = (each.letter.body.get("fact") for each in letters)
    return [number for number in numbers if isinstance(number, int)]


def _body(number: int, fact: Record) -> dict[str, object]:
    return {"fact": number, "data": dict(fact.data)}


def _fact(letter: Letter, line: str, now: float) -> FactTold | None:
    """Return the fact that a letter tells, if it is about one."""
    number, data = letter.body.get("fact"), letter.body.get("data")
    kind = _KINDS.get(letter.kind)
    if kind is None or not isinstance(number, int) or not isinstance(data, dict):
        return None
    return FactTold(now, line, number, kind, data)
