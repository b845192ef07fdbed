"""Games with friends that are not on the table: what is owed of them is told all the same.

Who begins another game, or stops the service, has not ended what both hosts are bound to: the last
turn is told, what pieces have hidden is opened, and what the friend opens is gone through. A game
of days a turn goes on meanwhile.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import shown
from firmware_bridge.journal import JournalDamaged
from firmware_bridge.messages import Tick
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.referee.openings import both_bound
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.fact_letters import hear_wish, take_in
from firmware_bridge.service.friend_heard import (
    ANOTHER,
    FAULTS,
    REASON,
    accusations,
    of_kind,
    other_release,
    understood,
)
from firmware_bridge.service.friend_line import FriendLine
from firmware_bridge.service.owed import disputed, forgotten, owed, settled
from firmware_bridge.views import Announcement

_LOG = logging.getLogger(__name__)

_Seen = tuple[int, int, bool]
"""How many letters were sent and taken, and whether it is sure that no other was sent."""


class GamesAside:
    """Brings what goes on between two hosts about a game to its end, with another on the table."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._known: dict[str, _Seen] = {}
        self._settled: set[str] = set()
        self._go_on: set[str] = set()

    async def settle(self, line: FriendLine, name: str) -> None:
        """Tell what is owed of a game, go through what was opened, and lay its letters aside.

        Raises:
            StorageFailed: something cannot be written down.
        """
        letters = line.games[name]
        seen = len(letters.sent), len(letters.taken), letters.sure
        if self._known.get(name) != seen and (other := other_release(letters)):
            self._controller.notices.post(other)  # not at each look, of which there are many
        if name in self._go_on or self._known.get(name) != seen:
            await self._look(line, name)
            self._known[name] = seen
        if name in self._settled and not line.games[name].outstanding:
            await line.lay_aside(name)
            self.forget(name)

    def forget(self, name: str) -> None:
        """Look at this game anew when it is aside: it is on the table, or gone."""
        self._known.pop(name, None)
        self._settled.discard(name)
        self._go_on.discard(name)

    async def _look(self, line: FriendLine, name: str) -> None:
        try:
            found = await self._controller.archive.with_letters(name)
        except JournalDamaged as error:
            _LOG.error("what is owed of a game cannot be told: %s", error)
            return
        if found is None or found[1].state.adjourned:
            return
        game_id, game = found
        if forgotten(game, line.games[name]):
            await line.forget(name)
        false = FAULTS[fault.why] if (fault := line.games[name].fault) else ""
        if _goes_on(game, line.games[name]):
            game, false = await self._gone_on(line, name, game_id)
        goes_on = _goes_on(game, line.games[name]) and not false
        (self._go_on.add if goes_on else self._go_on.discard)(name)
        game = replace(game, left=game.state.stage != "over" and not goes_on)
        game = await self._audited(line, name, game_id, game)
        false = false or (ANOTHER if disputed(game, understood(line.games[name])) else "")
        while letter := owed(game, line.games[name], false=false):
            await line.write(name, *letter)
        if accused := accusations(line.games[name].taken):
            self._tell(line, "distance-earlier-accused", accused[0])
        if name not in self._go_on and settled(game, line.games[name]):
            self._settled.add(name)

    async def _gone_on(self, line: FriendLine, name: str, game_id: str) -> tuple[RecordedGame, str]:
        """Let a game of days a turn go on; return it, and what the friend tells that cannot be.

        Raises:
            TakenUp: it is on the board meanwhile.
        """
        place = await self._controller.aside.place(game_id)
        before = place.table.state
        await place.submit(Tick(place.now()))
        letters = understood(line.games[name])
        why = await take_in(place, letters, name)
        await hear_wish(place, letters, name)
        table = place.table
        if table.state.stage == "over":
            self._tell(line, "distance-days-ended", "")
        elif before.number != table.state.number:
            self._tell(line, "distance-days-turn", "")
        return RecordedGame(table.agreement, table.state, table.records), why or ""

    async def _audited(
        self, line: FriendLine, name: str, game_id: str, game: RecordedGame
    ) -> RecordedGame:
        """Return the game as it is once what the friend has opened was gone through."""
        opened = of_kind(understood(line.games[name]).taken, "audit")
        if not opened or game.state.audited is not None or not both_bound(game.state):
            return game
        why = await self._controller.archive.audit(game_id, opened[0])
        self._tell(line, "distance-earlier-lied" if why else "distance-earlier-audited", why)
        again = await self._controller.archive.with_letters(name)
        return replace(again[1], left=game.left) if again else game

    def _tell(self, line: FriendLine, key: str, why: str) -> None:
        words = {"name": line.friend.name, "why": shown(why, REASON)}
        self._controller.notices.post(Announcement(key, words))


def _goes_on(game: RecordedGame, letters: Line) -> bool:
    """Return whether a game goes on without a board, and nothing keeps it from that."""
    accused = accusations((*letters.sent, *letters.taken))
    stopped = letters.fault or letters.ended or accused or game.state.stage == "over"
    return game.agreement.terms().in_days and not stopped
