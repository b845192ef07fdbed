"""What this host tells the other of pieces that hide something, and what it believes of it.

See `referee/openings.py` for how a turn is made in two facts, and `referee/pledges.py` for what
binds both hosts to their pieces and dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from firmware_bridge.messages import FactTold
from firmware_bridge.referee import pledges, proofs
from firmware_bridge.referee.facts import has_word
from firmware_bridge.referee.game_state import Put
from firmware_bridge.referee.openings import both_bound, labels
from firmware_bridge.referee.pledges import Pledge
from firmware_bridge.referee.worlds import made_in, opened_of
from firmware_bridge.table.game_log import GameLog, Moment
from firmware_bridge.table.tokens import Tokens
from rules.interface import InvalidPosition, Position, Side, Turn

Opened = dict[str, list[str]]
"""Pieces by square, each with the salt that proves it; empty where nobody can know which it is."""


class Openings:
    """The secrets of one game with somebody far away; in other games there are none."""

    def __init__(self, log: GameLog, tokens: Tokens) -> None:
        self._log = log
        self._tokens = tokens
        self._asked_for: tuple[Position, Put] | None = None
        self._world: tuple[Position, Turn] | None = None

    @property
    def unbound(self) -> bool:
        """Whether this host has yet to bind itself to its pieces."""
        return self._log.terms.hides and self._here not in self._log.state.pledges

    @property
    def bound(self) -> bool:
        """Whether no host has yet to bind itself; before that no turn can be told."""
        return not self._log.terms.hides or both_bound(self._log.state)

    @property
    def can_begin(self) -> bool:
        """Whether both players are bound, which is how they say that they are ready."""
        terms, state = self._log.terms, self._log.state
        ready = terms.hides and state.stage == "ready" and both_bound(state)
        return ready and has_word(terms, state)

    def own_start(self) -> Position | None:
        """Return the start with the pieces that stand here, `None` if they are none."""
        state, letter = self._log.state, self._here[0]
        if state.stage != "set-up":
            return state.position
        standing = {cell: self._tokens.label(cell) or "" for cell in self._tokens.standing}
        mine = {cell: label for cell, label in standing.items() if label[:1] == letter}
        theirs = {s: x for s, x in state.position.placement.items() if x[0] != letter}
        if not mine.keys().isdisjoint(theirs):
            return None
        try:
            return self._log.terms.game.set_up({**mine, **theirs})
        except InvalidPosition:
            return None

    def bind(self, at: Moment) -> None:
        """Bind this host to the pieces that stand here, or say why that cannot be yet."""
        start = self.own_start()
        if start is None:
            self._log.say(at.t, "refused-not-ready")
        elif not has_word(self._log.terms, self._log.state):
            self._log.apply(at, "asked", what="start")
        else:
            own = Pledge.of(start, self._here, self._log.state.seed)
            self._log.apply(at, "pledged", **own.to_data(), position=str(start))

    def put(self, turn: Turn, at: Moment) -> None:
        """Tell a turn that was made here; it stands when the other host has answered."""
        position = self._log.state.position
        told = position.play(turn).told_of(self._here)
        self._log.apply(
            at,
            "put",
            turn=str(turn),
            public=turn.public,
            opened=self._opened(position, turn),
            told=told,
            link=self._link() if position.awaits_dice else None,
        )

    def answer(self) -> Mapping[str, object]:
        """Return what this host has to tell of the turn that the other one has put."""
        found = self._found()
        assert found is not None  # noqa: S101 - `objection` has seen to it
        world, turn = found
        after = world.play(turn)
        return {
            "turn": str(turn),
            "public": turn.public,
            "world": str(world),
            "opened": self._opened(world, turn),
            "told": after.told_of(self._here),
            "link": self._link() if after.awaits_dice else None,
        }

    def objection(self, told: FactTold) -> str | None:
        """Return why the other host cannot tell this, as a key of words, or `None`."""
        state = self._log.state
        if told.kind == "pledged":
            return self._unlike_a_start(told.data)
        if not both_bound(state):
            return "lie-bound"
        if (told.kind == "taken") != (state.put is not None):
            return "lie-order"
        if told.kind not in ("put", "taken"):
            return None
        return self._untrue(told)

    def as_record(self, told: FactTold) -> Mapping[str, object]:
        """Return what is written down of a fact that nothing speaks against."""
        if told.kind == "pledged":
            start = self._start_told(str(told.data["told"]))
            return {**told.data, "position": str(start)}
        if told.kind == "put":
            return {**told.data, "turn": told.data["public"]}
        found = self._found(told)
        assert found is not None  # noqa: S101 - `objection` has seen to it
        world, turn = found
        own = {"turn": str(turn), "public": turn.public, "world": str(world)}
        return {**told.data, **own}

    @property
    def _here(self) -> Side:
        return cast("Side", self._log.terms.here)

    @property
    def _away(self) -> Side:
        return cast("Side", self._log.terms.away)

    def _link(self) -> str:
        state = self._log.state
        return pledges.link(state.seed, proofs.rolls(state) + 1)

    def _opened(self, position: Position, turn: Turn) -> Opened:
        """Return the pieces of this host that a turn shows from both sides, with their proofs."""
        state = self._log.state
        opened: Opened = {}
        for square, label in sorted(opened_of(position, turn, self._here).items()):
            place = proofs.proved(state, self._here, square)
            opened[square] = [label, pledges.salt(state.seed, place) if place else ""]
        return opened

    def _found(self, told: FactTold | None = None) -> tuple[Position, Turn] | None:
        """Return the world and the turn that agree with what the other host tells of it."""
        state = self._log.state
        put = state.put
        if told is not None:
            text = str(told.data["public"]) if put is None else put.text
            put = Put(self._away, text, labels(told.data["opened"]), str(told.data["told"]))
        assert put is not None  # noqa: S101 - there is nothing else to look for
        asked = state.position, put
        if self._asked_for != asked:  # what was found to be lawful is taken up next
            self._asked_for = asked
            self._world = made_in(state.position, self._here, put.text, put.opened, put.told)
        return self._world

    def _start_told(self, told: str) -> Position:
        state, game = self._log.state, self._log.terms.game
        return game.start_told(state.position, self._away, told)

    def _unlike_a_start(self, data: Mapping[str, object]) -> str | None:
        if self._away in self._log.state.pledges:
            return "lie-bound"
        try:
            start = self._start_told(str(data["told"]))
        except InvalidPosition:
            return "lie-start"
        places = set(pledges.faces_of(start, self._away))
        right = places == set(cast("dict[str, str]", data["pieces"]))
        return None if right else "lie-bound"

    def _untrue(self, told: FactTold) -> str | None:
        """Return what of a turn, or of what it shows, cannot be so."""
        found = self._found(told)
        if found is None:
            return "lie-shown"
        if self._misproves(told.data):
            return "lie-proof"
        world, turn = found
        return self._wrong_link(told, world, turn)

    def _misproves(self, data: Mapping[str, object]) -> bool:
        """Return whether the proof of a piece that is shown is wrong."""
        state = self._log.state
        for square, (label, salted) in cast("dict[str, Any]", data["opened"]).items():
            place = proofs.proved(state, self._away, square)
            if place is None:
                continue  # nobody can know which one it is: it is proved at the end
            pledge, game = state.pledges[self._away], self._log.terms.game.id
            if not pledges.opens(game, self._away, pledge, label, place, salted):
                return True
        return False

    def _wrong_link(self, told: FactTold, world: Position, turn: Turn) -> str | None:
        """Return what is wrong with the link of its chain that a host opens for dice."""
        state, opened = self._log.state, told.data["link"]
        rolled = told.kind == "put" and world.awaits_dice
        due = rolled or (told.kind == "taken" and world.play(turn).awaits_dice)
        if not due:
            return None if opened is None else "lie-dice"
        if opened is None or not pledges.follows(str(opened), state.links[self._away]):
            return "lie-dice"
        links = {**state.links, self._away: str(opened)}
        if rolled and str(proofs.drawn(state, links)) != str(turn):
            return "lie-dice"
        return None
