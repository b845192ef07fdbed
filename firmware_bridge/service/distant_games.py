"""Games with friends far away: proposed, begun on both hosts, and told fact by fact.

What is told is read off the game's own journal, and what has come off the letters, so that a host
that stopped anywhere goes on where it was: `facts.py` says who writes which fact.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import suppress

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import release
from firmware_bridge.distance.readings import Watch
from firmware_bridge.journal import StorageFailed
from firmware_bridge.messages import LineChanged, SecretsOpened
from firmware_bridge.service.clock_watch import watch_over
from firmware_bridge.service.compatibility import obstacles
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.exchange import Exchange
from firmware_bridge.service.friend_heard import (
    OFFERS,
    SILENT,
    WAITS,
    Patience,
    Rightness,
    in_words,
    reads_clocks,
    says,
    set_right,
    silence,
    unlike,
    unopened,
)
from firmware_bridge.service.friend_line import FriendLine
from firmware_bridge.service.game_follower import GameFollower
from firmware_bridge.service.games_aside import GamesAside
from firmware_bridge.service.owed import awaited
from firmware_bridge.service.places_aside import TakenUp
from firmware_bridge.service.proposals import CannotBe, Proposal, proposed
from firmware_bridge.views import Announcement
from rules.interface import Side
from rules.values import SIDES

_LOG = logging.getLogger(__name__)
LOOKS = 10.0
"""Seconds after which it is seen whether days are over in games that go on aside."""


class DistantGames(GameFollower):
    """Plays what friends far away play, and tells them what is played here."""

    def __init__(self, controller: Controller, name: str) -> None:
        super().__init__(controller)
        self.looks_after = LOOKS
        self.lines: dict[str, FriendLine] = {}
        self._name = name
        self._announced: set[tuple[str, str]] = set()
        self._read: dict[str, tuple[tuple[int, int], Proposal | None]] = {}
        self._exchange = Exchange()
        self._aside = GamesAside(controller, self._exchange)
        self._patience, self._right = Patience(), Rightness()
        self._clocks: Watch | None = None
        self._unkept = ""  # why letters cannot be kept

    def stir(self) -> None:
        """Take notice that a letter may have come, or time has passed."""
        self._changed.set()

    def announce(self, key: str) -> None:
        """Tell everybody at the board what befell the friendships."""
        self._controller.notices.post(Announcement(key))

    def forget(self, line: str) -> None:
        """Forget the letters of a game that has been deleted."""
        self._aside.forget(line)
        for each in self.lines.values():
            each.games.pop(line, None)

    def proposals(self) -> tuple[Proposal, ...]:
        """Return the games that were proposed and not begun, declined or overtaken."""
        return tuple(
            proposal
            for proposal in self._proposals()
            if proposal.answer is None and proposal.line != self._controller.agreement.line
        )

    def has_arrived(self, proposal: Proposal) -> bool:
        """Return whether the friend's board has a proposal of ours, or it is the friend's own."""
        line = self._line_of(proposal.line)
        return not (line and line.games[proposal.line].outstanding)

    async def propose(self, friend: str, side: Side, agreement: Agreement) -> None:
        """Propose a game to a friend; it begins when he accepts.

        Raises:
            CannotBe: it cannot be played at a distance, or there is no such friend.
            StorageFailed: the letter cannot be kept.
        """
        line = self.lines.get(friend)
        if line is None:
            raise CannotBe("distance-no-friend", name=friend)
        if any(each.friend == friend and not each.ours for each in self.proposals()):
            raise CannotBe("distance-crossed", name=friend)
        self._hold_playable(agreement)
        agreed = agreement.agreed_far_away()
        body: dict[str, object] = {
            **{name: agreed[name] for name in ("game", "options", "settings")},
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
                    proposal = proposed(line.friend.name, name, letters)
                    self._read[name] = ends, proposal
                if proposal:
                    yield proposal

    async def _look(self) -> None:
        why = ""
        for line in self.lines.values():
            line.keeps = False  # until all is written down that is to be: a disk may be slow
        try:
            for line in tuple(self.lines.values()):
                await line.attend()
            for proposal in self.proposals():
                if not proposal.ours:
                    self._say_once(proposal, "distance-proposed")
            await self._begin_what_was_accepted()
            await self._play()
            await self._settle()
        except (StorageFailed, Refused) as error:
            why = str(error)
        if why != self._unkept:
            self._unkept = why
            _LOG.error("letters: %s", why or "they can be kept again.")
        for line in self.lines.values():
            line.keeps = self._controller.keeps and not why

    def _say_once(self, proposal: Proposal, key: str) -> None:
        if (proposal.line, key) not in self._announced:
            self._announced.add((proposal.line, key))
            self._controller.notices.post(Announcement(key, {"name": proposal.friend}))

    async def _begin_what_was_accepted(self) -> None:
        """Begin a game whose proposal has been accepted, unless it has begun here before."""
        for proposal in tuple(self._proposals()):
            line = self._line_of(proposal.line)
            if not proposal.answer or line is None or self._is_done(line, proposal):
                continue
            crossed = self._crossed_by(line, proposal)
            if crossed and crossed < proposal.line:
                await line.write(proposal.line, "answer", {"left": True})
                continue
            on_table = self._controller.agreement.line
            goes_on = self._controller.view().begun and not self._controller.table.state.adjourned
            if proposal.ours and goes_on and on_table != crossed:
                self._say_once(proposal, "distance-accepted")  # nobody's game is broken off by it
                continue
            for other in self.proposals():
                if other.friend == proposal.friend:  # they have this game now
                    await self.answer(other.line, accepts=False)
            if on_table != proposal.line:
                await self._controller.begin(proposal.agreement)
            await line.write(proposal.line, "answer", {"begun": True, "reads": True})

    def _is_done(self, line: FriendLine, proposal: Proposal) -> bool:
        """Return whether a game has begun here, or gave way to another one."""
        sent = line.games[proposal.line].sent
        return says(sent, "begun") or says(sent, "left")

    def _crossed_by(self, line: FriendLine, proposal: Proposal) -> str | None:
        """Return the game that was accepted there while this one was here, or the other way round.

        Of two such games both boards play the one whose name comes first, in whatever order they
        hear of them.
        """
        for other in self._proposals():
            if other.friend == proposal.friend and other.answer and other.ours != proposal.ours:
                ours, theirs = sorted((proposal, other), key=lambda each: not each.ours)
                asked, accepted = (line.games[each.line].sent for each in (ours, theirs))
                at = [each.letter.t for each in accepted if "accepts" in each.letter.body]
                begun = [each.letter.t for each in asked if "begun" in each.letter.body]
                if at and asked[0].letter.t <= at[0] <= (begun or at)[0]:
                    return other.line
        return None

    async def _settle(self) -> None:
        """Bring to an end what is owed of games that are not on the table."""
        name = self._controller.agreement.line
        self._aside.forget(name)
        for line in tuple(self.lines.values()):
            for each, letters in tuple(line.games.items()):
                if each == name:
                    continue
                if says(letters.sent, "begun"):
                    # Who deletes a game meanwhile owes nothing of it, nor who takes it up.
                    with suppress(KeyError, TakenUp):
                        await self._aside.settle(line, each)
                elif not letters.outstanding and self._is_off(line, each):
                    await line.lay_aside(each)

    def _is_off(self, line: FriendLine, name: str) -> bool:
        """Return whether a game that was proposed is not to begin."""
        proposal = next((each for each in self._proposals() if each.line == name), None)
        return proposal is not None and (proposal.answer is False or self._is_done(line, proposal))

    async def _play(self) -> None:
        """Tell what was played here, and play what was told."""
        controller, name = self._controller, self._controller.agreement.line
        self._listen_for(name)
        line = self._line_of(name) if name else None
        stopped = name in self._exchange.false
        if line and line.watch and line.watch.lie:
            self._exchange.stop(name, "lie-clock", line.watch.lie)
        await self._watch(line)
        if line is None:
            return
        await self._exchange.go_on(controller, line, name)
        if not stopped and name in self._exchange.false:
            self._changed.set()  # people are to be told

    def _listen_for(self, name: str) -> None:
        """Let each line know whether this game goes on over it, and what watches its clocks."""
        game = self._controller.kept
        goes_on = game.state.stage != "over" or unopened(game)
        for line in self.lines.values():
            mine = line.games.get(name)
            line.alive = name if mine and (goes_on or mine.outstanding) else ""
            line.watch = self._watched(name) if mine and reads_clocks(mine) else None

    def _watched(self, name: str) -> Watch:
        """Return what watches the clocks of the game on the table."""
        if self._clocks is None or self._clocks.game != name:
            self._clocks = watch_over(self._controller, name)
        return self._clocks

    async def _watch(self, line: FriendLine | None) -> None:
        """Tell people what is wrong with the line, and let clocks wait while it is out for long."""
        controller, state = self._controller, self._controller.table.state
        if controller.agreement.away is None:
            controller.notices.line_broke(None)
            return
        name, silent = controller.agreement.line, silence(line)
        controller.notices.line_broke(self._trouble_of(line, name, silent))
        if line is not None and name not in self._exchange.false:
            letters, over = line.games[name], state.stage == "over"
            waits = name in self._exchange.unlike  # for a release that understands it
            due = None if waits else awaited(controller.kept, letters)
            if self._patience.ends(due, silent, over=over):
                await self._lose_patience(name)
            right = self._right.news(name, controller.view().phase, letters.sent)
            if right is not None and letters.sure and not letters.ended:
                await line.write(name, "pause", {"right": right})
        if state.stage == "over":
            return
        out = silent > WAITS and not controller.agreement.terms().in_days
        if out != state.line_out:
            await controller.submit(LineChanged(controller.now(), out))

    async def _lose_patience(self, name: str) -> None:
        """Name a host that does not tell what it must."""
        controller = self._controller
        if controller.table.state.stage == "over":  # who opens nothing has lost
            await controller.submit(SecretsOpened(controller.now(), name, {}))
        else:
            self._exchange.stop(name, "lie-silent")

    def _trouble_of(self, line: FriendLine | None, name: str, silent: float) -> Announcement | None:
        """Return what people are to know of the line to the friend, the gravest first."""
        agreed = self._controller.agreement
        friend = agreed.players.get(agreed.away, "") if agreed.away else ""
        letters = line.games[name] if line else None
        game = self._controller.kept
        over = game.state.stage == "over"
        ended = over and not unopened(game)
        if told := in_words(letters, self._exchange.false.get(name, ""), friend, over=ended):
            return told
        if theirs := self._exchange.unlike.get(name):
            return unlike(theirs)
        if self._unkept:
            return Announcement("distance-unkept", {"name": friend, "what": self._unkept})
        key = None if over else self._state_of(letters, silent)
        return Announcement(key, {"name": friend}) if key else None

    def _state_of(self, letters: Line | None, silent: float) -> str | None:
        """Return in which words a line is out, or the friend's board set right, if it is."""
        away, in_days = self._controller.agreement.away, self._controller.agreement.terms().in_days
        if in_days and away and self._controller.clocks()[away].left_ms == 0:
            return "distance-days-over"
        if in_days:  # which go on whether or not a board is on
            untold = letters and letters.outstanding
            return "distance-days-out" if untold and silent > SILENT else None
        if silent > SILENT:
            return "distance-out-long" if silent > OFFERS else "distance-out"
        if letters is None:
            return None
        if not set_right(letters.taken):
            return "distance-set-right"
        timed = not self._controller.agreement.terms().control.untimed
        reads = says(letters.taken, "reads") or not says(letters.taken, "begun")
        return "distance-unread" if timed and not reads else None
