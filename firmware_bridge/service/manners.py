"""How a computer behaves as people do: it answers offers, resigns, claims, and offers a draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from firmware_bridge.messages import Call
from firmware_bridge.referee.game_state import State
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.game_follower import GameFollower
from rules import draws
from rules.interface import Side
from rules.values import opponent

Wish = Literal["resign", "claim-draw", "offer-draw"]

LOST, IN_A_ROW = -1_000, 4
"""Hundredths of a pawn; who expects so little in so many turns in a row resigns."""
FOR_CHILDREN = 2
"""Up to this level it plays on to the end: a child wants to win, and not to be told that it has."""
LEVEL, AS_LONG, STILL = 30, 6, 40
"""A draw is offered where neither side expects more than this, for so many of its turns, and where
so many turns of both have brought no progress."""
EVERY = 10
"""Own turns between two such offers: nobody is pressed."""


def wish(state: State, judged: Sequence[int], level: int) -> Wish | None:
    """Return what a computer says, if anything: an offer beside its turn, all else instead of it.

    `judged` is what it expected in each of its turns so far, this one included.
    """
    lately = judged[-IN_A_ROW:]
    if level > FOR_CHILDREN and len(lately) == IN_A_ROW and max(lately) <= LOST:
        return "resign"
    if judged[-1] <= 0 and draws.claimable(state.history, state.position):
        return "claim-draw"
    even = [abs(score) <= LEVEL for score in judged[-AS_LONG:]]
    still = draws.stillness(state.history, state.position) >= STILL
    if still and len(even) == AS_LONG and all(even) and not len(judged) % EVERY:
        return "offer-draw"
    return None


class Answers(GameFollower):
    """Answers what people ask of a computer, also while it thinks.

    What else may be asked needs no answer: a take-back, an adjournment and a rematch against a
    computer are done at once.

    `expects` tells what a side's computer expected last, in hundredths of a pawn; `None` as long as
    it has not thought yet.
    """

    def __init__(self, controller: Controller, expects: Callable[[Side], int | None]) -> None:
        super().__init__(controller)
        self._expects = expects
        self._answered: tuple[str, Side] | None = None

    async def _look(self) -> None:
        controller = self._controller
        offer, answered = controller.table.state.offer, self._answered
        self._answered = offer
        if offer is None or offer == answered or offer[0] != "draw":
            return
        asked = opponent(offer[1])
        if asked not in controller.agreement.computers:
            return
        expected = self._expects(asked)
        content = expected is not None and expected <= 0
        answer = "accept-draw" if content else "decline"
        call = Call(controller.now(), answer, asked, own=True, game_id=controller.game_id)
        await controller.submit(call)
