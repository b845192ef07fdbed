"""Games with friends that are not on the table: what is owed of them is told all the same.

Who begins another game, or stops the service, has not ended what both hosts are bound to: the last
turn is told, what pieces have hidden is opened, and what the friend opens is gone through. A game
of days a turn goes on meanwhile: turns stand, what the friend's host asks for is answered, and
flags fall.
"""

from __future__ import annotations

import logging
from typing import Literal

from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import shown
from firmware_bridge.journal import JournalDamaged
from firmware_bridge.messages import Tick
from firmware_bridge.referee.game_state import State
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.exchange import Exchange
from firmware_bridge.service.friend_heard import REASON, accusations, other_release
from firmware_bridge.service.friend_line import FriendLine
from firmware_bridge.service.owed import settled
from firmware_bridge.service.places_aside import Place
from firmware_bridge.views import Announcement

_LOG = logging.getLogger(__name__)

_Seen = tuple[int, int, bool]
"""How many letters were sent and taken, and whether it is sure that no other was sent."""
_Stands = Literal["waits", "goes-on", "settled"]
"""Whether a game waits for more letters, or goes on by itself, or all of it is told."""


class GamesAside:
    """Brings what goes on between two hosts about a game to its end, with another on the table."""

    def __init__(self, controller: Controller, exchange: Exchange) -> None:
        self._controller, self._exchange = controller, exchange
        self._known: dict[str, tuple[_Seen, _Stands]] = {}

    async def settle(self, line: FriendLine, name: str) -> None:
        """Tell what is owed of a game, go through what was opened, and lay its letters aside.

        Raises:
            StorageFailed: something cannot be written down.
            TakenUp: it is on the board meanwhile.
        """
        letters = line.games[name]
        seen = len(letters.sent), len(letters.taken), letters.sure
        known, stands = self._known.get(name, (None, "waits"))
        if known != seen and (other := other_release(letters)):
            self._controller.notices.post(other)  # not at each look, of which there are many
        if known != seen or stands == "goes-on":
            stands = await self._look(line, name)
            self._known[name] = seen, stands
        if stands == "settled" and not line.games[name].outstanding:
            await line.lay_aside(name)
            self.forget(name)

    def forget(self, name: str) -> None:
        """Look at this game anew when it is aside: it is on the table, or gone."""
        self._known.pop(name, None)
        self._controller.aside.forget(name)

    async def _look(self, line: FriendLine, name: str) -> _Stands:
        """Exchange what is due of a game; return how it stands then."""
        try:
            place = await self._controller.aside.place(name)
        except JournalDamaged as error:
            _LOG.error("what is owed of a game cannot be told: %s", error)
            return "waits"
        if place is None:  # the journal was put back to before it
            await line.say_forgotten(name)
            return "settled"
        if place.table.state.adjourned:
            return "waits"
        before = place.table.state
        place.goes_on = _goes_on(place, line.games[name])
        if place.goes_on:
            await place.submit(Tick(place.now()))
        await self._exchange.go_on(place, line, name)
        self._report(line, name, before, place.table.state)
        if place.goes_on:
            return "goes-on"
        self._controller.aside.forget(name)
        return "settled" if settled(place.kept, line.games[name]) else "waits"

    def _report(self, line: FriendLine, name: str, before: State, after: State) -> None:
        """Tell people what has come of a game that they do not see."""
        if after.audited != before.audited:
            key = "distance-earlier-lied" if after.audited else "distance-earlier-audited"
            self._tell(line, key, after.audited or "")
        elif after.stage != before.stage and after.stage == "over":
            self._tell(line, "distance-days-ended")
        elif after.number != before.number:
            self._tell(line, "distance-days-turn")
        if accused := accusations(line.games[name].taken):
            self._tell(line, "distance-earlier-accused", accused[0])

    def _tell(self, line: FriendLine, key: str, why: str = "") -> None:
        words = {"name": line.friend.name, "why": shown(why, REASON)}
        self._controller.notices.post(Announcement(key, words))


def _goes_on(place: Place, letters: Line) -> bool:
    """Return whether a game goes on without a board, and nothing keeps it from that."""
    accused = accusations((*letters.sent, *letters.taken))
    stopped = letters.fault or letters.ended or accused or place.table.state.stage == "over"
    return place.table.agreement.terms().in_days and not stopped
