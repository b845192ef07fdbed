"""What the host of a player far away tells: each fact stands here as it does there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from firmware_bridge.messages import Call, FactTold, LineChanged, SecretsOpened, Wished
from firmware_bridge.referee import call_rules as calls
from firmware_bridge.referee.audit import found
from firmware_bridge.referee.fact_forms import has_form
from firmware_bridge.referee.facts import (
    SAID,
    as_both_know_it,
    as_told,
    facts,
    has_word,
    takes_time_back,
    told_its_time,
)
from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.referee.openings import both_bound
from firmware_bridge.table.computer_turns import ComputerTurns
from firmware_bridge.table.game_log import Moment
from firmware_bridge.table.play import Play
from rules.interface import IllegalTurn, Side
from rules.reasons import COMMON

_OPENED = ("pledged", "put", "taken")
"""Facts of a game in which pieces hide something, about what they hide."""


class DistantFacts:
    """Takes in what the other host tells of the game at this table."""

    def __init__(self, play: Play, turns: ComputerTurns, line: str) -> None:
        self._play = play
        self._line = line
        self._turns = turns

    def ready_for(self, kind: str) -> bool:
        """Return whether a fact of this kind can stand now; else once this board is right."""
        state = self._play.log.state
        if kind == "pledged":
            return True
        return state.stage != "set-up" and not (kind == "attempt" and state.executing)

    def objection(self, told: FactTold) -> str | None:
        """Return why the other host cannot tell this, as a key of words, or `None`."""
        log = self._play.log
        terms, state = log.terms, log.state
        next_one = told.line == self._line and told.number == len(facts(log.records)) + 1
        theirs = told.data.get("at") == terms.away and not has_word(terms, state)
        if not (next_one and theirs) or state.stage == "over":
            return "lie-order"
        return self._malformed(told) or (
            self._untrue(told) if terms.hides else self._unlawful(told)
        )

    def _malformed(self, told: FactTold) -> str | None:
        """Return what is wrong with the form of a fact, or with its clock."""
        log = self._play.log
        if not has_form(told.kind, told.data, hides=log.terms.hides):
            return "lie-form"
        right = told_its_time(log.state, told.data)
        back = takes_time_back(log.records, told.data)
        return None if right and not back else "lie-clock"

    def _untrue(self, told: FactTold) -> str | None:
        """Return what speaks against a fact where pieces hide something."""
        why = self._play.openings.objection(told)
        return why or (None if told.kind in _OPENED else self._unlawful(told))

    def minds(self, wish: Wished) -> bool:
        """Return whether this host decides on what the player far away says, and has not yet."""
        log, by = self._play.log, self._by(wish.says)
        if wish.line != self._line or not has_word(log.terms, log.state):
            return False
        answered = any(
            fact.data["at"] == log.terms.away
            or (fact.data.get("what"), fact.data.get("by")) == (wish.says, by)
            for fact in facts(log.records)[wish.after :]
        )
        call, at = Call(wish.t, wish.says, by, own=True), Moment(wish.t, log.state.t_ms)
        return not answered and self._play.objection(call, at) is None

    def _by(self, says: str) -> Side | None:
        """Return who has said what was said far away; `None` where anybody may say it."""
        return self._play.log.terms.away if calls.CALLS[says].by == "player" else None

    def listen(self, item: FactTold | Wished | SecretsOpened | LineChanged, at: Moment) -> None:
        """Take in what is heard of the other host, or that nothing is."""
        if isinstance(item, FactTold):
            self._take_in(item, at)
        elif isinstance(item, Wished):
            if self.minds(item):
                self._play.let_go(at)
                self._play.call(item.says, self._by(item.says), {}, at, own=True)
        elif isinstance(item, SecretsOpened):
            self._audit(item, at)
        elif self._play.log.terms.away is not None:
            self._play.log.apply(at, "line", out=item.out)

    def _take_in(self, told: FactTold, at: Moment) -> None:
        """Let a fact stand here too."""
        if self.objection(told) is not None or not self.ready_for(told.kind):
            return  # whoever brings it has asked, and asks again
        before = self._play.log.state
        if self._play.log.terms.hides and told.kind in _OPENED:
            self._play.log.apply(at, told.kind, **self._play.openings.as_record(told))
            self._play.follow(before, at)
        elif told.kind == "taken":
            self._turns.stand(at, told.data)
        elif told.kind == "call":
            self._play.called(at, told.data)
        else:
            self._play.log.apply(at, told.kind, **told.data)
            if self._play.log.state.trouble:
                self._play.log.apply(at, "restored")  # of the board over there
            self._play.follow(before, at)

    def _audit(self, opened: SecretsOpened, at: Moment) -> None:
        """Go through the game again with what the other host has opened, once nobody plays on."""
        log = self._play.log
        ended = opened.left or log.state.stage == "over"
        due = log.terms.hides and both_bound(log.state) and ended
        if not due or opened.line != self._line or log.state.audited is not None:
            return
        log.apply(at, "audited", **found(log.terms, log.records, opened.opened))

    def answer(self, at: Moment) -> None:
        """Tell what a turn leads to that the other host has put, and begin what both wait for."""
        log, openings = self._play.log, self._play.openings
        if openings.can_begin:
            self._play.called(at, {"what": "start", "by": None, "data": {}})
        if log.state.put and log.state.put.side == log.terms.away:
            self._turns.stand(at, openings.answer())

    def say_what_was_asked(self, at: Moment) -> None:
        """Say what a player here said while the other host had the word, now that it is here."""
        log = self._play.log
        what = log.state.asked
        if what is None or (log.state.stage != "over" and not has_word(log.terms, log.state)):
            return
        log.apply(at, "asked", what=None)
        if log.state.stage != "over":
            by = log.terms.here if calls.CALLS[what].by == "player" else None
            self._play.call(what, by, {}, at)

    def _unlawful(self, told: FactTold) -> str | None:
        """Return what speaks against a fact by the rules of the game."""
        against = {
            "taken": _illegal,
            "attempt": _baseless,
            "flag": _still_up,
            "call": self._unsaid,
        }[told.kind]
        log = self._play.log
        return against(log.terms, as_both_know_it(log.state), told.data)

    def _unsaid(self, terms: Terms, state: State, data: Mapping[str, object]) -> str | None:
        """Return why this cannot have been said."""
        what, by = str(data["what"]), cast("Side | None", data["by"])
        if what not in SAID:
            return "lie-said"
        if by == terms.here and not self._was_asked(what):
            return "lie-said"
        spoken = calls.Spoken(terms, state, what, by, {}, state.t_ms, own=True)
        return None if calls.objection(spoken) is None else "lie-said"

    def _was_asked(self, what: str) -> bool:
        """Return whether a player here has said this more often than it was answered."""
        log = self._play.log
        said = sum(r.kind == "asked" and r.data["what"] == what for r in log.records)
        there = (fact.data for fact in facts(log.records) if fact.data["at"] == log.terms.away)
        answered = sum((d.get("by"), d.get("what")) == (log.terms.here, what) for d in there)
        return said > answered


def _illegal(_: Terms, state: State, data: Mapping[str, object]) -> str | None:
    """Return what is wrong with a turn, or with what everybody is told of it."""
    text = str(data["turn"])
    try:
        turn = state.position.parse_turn(text)
    except IllegalTurn:
        return "lie-turn"
    told = str(turn) == text and turn.public == data["public"]
    return None if told else "lie-turn"


def _baseless(terms: Terms, _: State, data: Mapping[str, object]) -> str | None:
    """Return why an attempt is none."""
    known = {**COMMON, **terms.game.own_reasons}
    right = data["side"] == terms.away and data["reason"] in known
    return None if right else "lie-attempt"


def _still_up(_: Terms, state: State, data: Mapping[str, object]) -> str | None:
    """Return why no flag has fallen."""
    fallen = as_told(state, data, state.t_ms).clock.judge(state.t_ms).fallen
    return None if fallen else "lie-clock"
