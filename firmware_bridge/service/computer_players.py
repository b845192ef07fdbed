"""Computers in the seats: asked when they are to act, watched, and started again when they fail."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace

from drivers.beside import is_set_within
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages import Call, Chosen, Piped, Weakened
from firmware_bridge.opponents import protocol
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.referee.commitment import Commitment
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.game_follower import GameFollower
from firmware_bridge.service.manners import wish
from firmware_bridge.service.seat_process import Attempt, Fault, Opponent, Start, lines
from firmware_bridge.views import Announcement
from rules.interface import Position, Side
from rules.values import opponent

_LOG = logging.getLogger(__name__)

FAILURES = 3
"""So often a computer may fail in a game before it plays on at the lowest level."""
PAUSES = (0.0, 0.0, 0.5, 1.0, 5.0)
"""Seconds before it is started again, by how often it failed: play goes on within 5 s, and what
cannot be started at all costs the processor little."""
BEAT = 1.0
"""Where something is secret, a computer answers so many seconds after it was asked, or a multiple
of them: how long it thinks tells how much it has to think about."""
HESITATION = 2.5
"""Seconds for which nothing must have been touched before a computer answers where no button ends
a turn: hands that hesitate set a piece down for up to 1.5 s and go on, and are never interrupted
by people either."""
PATIENCE = 20.0
"""The same while a piece is in the air or a question open; then whatever lies beside the board is
led back on the way of the computer's turn."""


class _Seat:
    """One side's computer in one game.

    Attributes:
        judged: what it expected, turn by turn, in hundredths of a pawn.
    """

    def __init__(self, seating: protocol.Seating, start: Start, failures: int = 0) -> None:
        self.failures = failures
        self.judged: list[int] = []
        self._seating = seating
        self._start = start
        self._opponent: Opponent | None = None

    async def brief(self, told: tuple[str, ...]) -> Opponent:
        """Return the process, told all that its seat knows.

        Raises:
            Fault: when it cannot be started.
        """
        if self._opponent is None or self._opponent.fault.done():
            await self.close()
            self._opponent = await self._start(self._seating, told)
        else:
            self._opponent.brief(told)
        return self._opponent

    @property
    def level(self) -> int:
        """How strong it plays."""
        return self._seating.level

    def piped(self) -> tuple[str, ...]:
        """Return, and forget, what went through the pipe of its process."""
        return self._opponent.piped() if self._opponent is not None else ()

    async def failed(self) -> bool:
        """Note that the process failed; return whether it plays on at the lowest level for it."""
        await self.close()
        self.failures += 1
        if self.failures != FAILURES:
            return False
        self._seating = weakened(self._seating)
        return True

    async def close(self) -> None:
        if self._opponent is not None:
            await self._opponent.close()
        self._opponent = None


class ComputerPlayers(GameFollower):
    """Plays for the sides that a computer has."""

    def __init__(self, controller: Controller, start: Start = Opponent.start) -> None:
        super().__init__(controller)
        self._start = start
        self._seats: dict[Side, _Seat] = {}
        self._game_id = ""

    async def _look(self) -> None:
        """Seat the computers of the game on the table, and let the one play that is to act."""
        controller = self._controller
        if controller.game_id != self._game_id:
            await self._seat()
        state = controller.table.state
        seat = self._seats.get(state.position.side)
        if state.stage == "ready" and self._begins(state.position):
            await controller.submit(Call(controller.now(), "start"))
        elif seat and controller.table.awaits_computer:
            await self._play(seat)

    def _begins(self, position: Position) -> bool:
        """Return whether a computer begins: the side to act, or with clocks the other, by a press.

        Where people choose how the game starts, it is they who say that it stands.
        """
        if not self._controller.table.waits_for_press:
            return position.side in self._seats
        return opponent(position.side) in self._seats and not position.game.free_start

    async def _close(self) -> None:
        async with AsyncExitStack() as closing:  # all, whatever comes between
            for seat in self._seats.values():
                closing.push_async_callback(seat.close)

    async def _seat(self) -> None:
        await self._close()
        controller = self._controller
        self._game_id, agreement = controller.game_id, controller.agreement
        self._seats = {side: self._seat_of(side, agreement) for side in agreement.computers}
        for side, seat in self._seats.items():
            try:
                await seat.brief(self._told(side))  # it has much to load: not in its first turn
            except Fault as fault:
                _LOG.warning("a computer's process: %s", fault)
            await self._keep(side, seat)

    def _seat_of(self, side: Side, agreement: Agreement) -> _Seat:
        state = self._controller.table.state
        usual = seating(self._game_id, agreement, state.commitments, side)
        if side in state.weakened:
            return _Seat(weakened(usual), self._start, FAILURES)
        return _Seat(usual, self._start)

    def _told(self, side: Side) -> tuple[str, ...]:
        return lines(self._controller.table.summary().briefing(side))

    async def _keep(self, side: Side, seat: _Seat) -> None:
        """Write down what a seat's process was told and said, before anything comes of it."""
        if lines := seat.piped():
            now = self._controller.now()
            await self._controller.submit(Piped(now, self._game_id, side, lines))

    async def _play(self, seat: _Seat) -> None:
        """Ask for a turn, and let it stand if the game still waits for it."""
        controller, state, asked = self._controller, self._controller.table.state, time.monotonic()
        try:
            opponent = await seat.brief(self._told(state.position.side))
            chosen = await opponent.think(state.position)
        except Fault as fault:
            _LOG.warning("a computer's process: %s (%s)", fault, fault.kind)
            await self._keep(state.position.side, seat)
            if await seat.failed():
                controller.notices.post(Announcement("page-computer-weak"))
                await controller.submit(
                    Weakened(controller.now(), state.position.side, self._game_id)
                )
            await asyncio.sleep(PAUSES[min(seat.failures, len(PAUSES) - 1)])
            self._changed.set()
            return
        await self._end_of_beat(asked)
        await self._keep(state.position.side, seat)
        if await self._let_hands_end(state.number):
            seat.judged.append(opponent.judgement.score)
            side, said = state.position.side, wish(state, seat.judged, seat.level)
            if said in (None, "offer-draw"):
                text = chosen.move if isinstance(chosen, Attempt) else str(chosen)
                await controller.submit(Chosen(controller.now(), text, state.number, self._game_id))
            if said is not None:
                call = Call(controller.now(), said, side, own=True, game_id=self._game_id)
                await controller.submit(call)

    async def _end_of_beat(self, asked: float) -> None:
        """Where something is secret, wait until this beat of those since it was asked ends."""
        if self._controller.agreement.terms().secret:
            await asyncio.sleep(-(time.monotonic() - asked) % BEAT)

    def expects(self, side: Side) -> int | None:
        """Return what a side's computer expected of its last turn, in hundredths of a pawn."""
        seat = self._seats.get(side)
        return seat.judged[-1] if seat and seat.judged else None

    async def _let_hands_end(self, number: int) -> bool:
        """Wait as long as hands may go on with their turn; return whether it still is the same."""
        while self._still_wanted(number):
            seconds = self._answers_in()
            if seconds is not None and seconds <= 0:
                return True
            await is_set_within(self._changed, seconds)
            self._changed.clear()
        self._changed.set()
        return False

    def _still_wanted(self, number: int) -> bool:
        """Return whether the game still stands where the computer was asked, at this number."""
        controller = self._controller
        return controller.game_id == self._game_id and controller.table.state.number == number

    def _answers_in(self) -> float | None:
        """Return after how many seconds an answer interrupts nobody, as far as everybody knows now.

        `None` as long as it would: a turn that may become longer has been made instead of the one
        that awaits an answer, and its player says himself when it is done.
        """
        controller = self._controller
        if not controller.table.amendable:
            return 0.0
        kind = controller.view().judged.kind
        if kind == "extendable":
            return None
        quiet = controller.now() - controller.touched
        return (PATIENCE if kind in ("in-progress", "choice") else HESITATION) - quiet


def seating(
    game_id: str, agreement: Agreement, commitments: Mapping[Side, Commitment], side: Side
) -> protocol.Seating:
    """Return what a side's computer is told before a game.

    Its seed is as secret as its pieces: where they hide something, it is opened with them.
    """
    made = commitments.get(side)
    seed = f"{game_id} {side}" if made is None else made.seed
    return protocol.Seating(agreement.game, agreement.options, agreement.computers[side], seed)


def weakened(seating: protocol.Seating) -> protocol.Seating:
    """Return what a computer's process is told instead once it has failed too often."""
    return replace(seating, level=LEVELS[0], seed=f"{seating.seed} again")
