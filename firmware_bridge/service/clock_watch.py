"""The clocks of a game with somebody far away, watched by what both hosts tell of them."""

from __future__ import annotations

from asyncio import get_running_loop
from typing import cast

from firmware_bridge.distance.readings import Own, Watch
from firmware_bridge.referee.facts import facts
from firmware_bridge.service.controller import Controller

ROUNDED_MS = 2
"""So much less than time itself a clock may show that has not stood."""


def watch_over(controller: Controller, name: str) -> Watch:
    """Return what watches the clocks of the game on the table; `name` names its letters."""
    run, had, at = 0, 0, 0.0

    def own() -> Own:
        """Return how the clock of our player stands.

        Whether it has stood is read off the clock alone, which everybody at the board sees: how
        much is written down meanwhile tells what hands do, and what lies under discs.
        """
        nonlocal run, had, at
        shown, at_loop = controller.shown, get_running_loop().time()
        until = controller.blind_spots.taken_in(at_loop, controller.now())
        terms, used = shown.facts.terms, None
        if terms.here and not terms.in_days and until is not None:
            used = shown.used(terms.here, until)
        if used is not None and until is not None:
            run += used - had < round((until - at) * 1000) - ROUNDED_MS
            had, at = used, until
        return Own(shown.taken_up, run, len(facts(shown.records)) + 1, used)

    def used_in(number: int) -> int | None:
        shown = controller.shown
        for fact in facts(shown.records)[number - 1 : number]:
            if fact.data["at"] == shown.facts.terms.away:
                return cast("list[int]", fact.data["clock"])[1]
        return None

    return Watch(name, own, used_in, controller.now)
