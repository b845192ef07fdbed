"""Puzzles at the table: a turn that leads nowhere is taken back, one that solves it ends it."""

from __future__ import annotations

from firmware_bridge.puzzles import Puzzle
from firmware_bridge.table.game_log import Moment
from firmware_bridge.table.play import Play
from rules.interface import Side


class PuzzleTurns:
    """Judges the turns of whoever solves a puzzle; without one nothing is judged."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._judged = play.log.state.number

    def judge(self, at: Moment, *, whole: bool = True) -> bool:
        """Judge the last turn, once; return whether it may be answered.

        Nobody answers one that is taken back, nor the last one of the puzzle.

        Args:
            at: when.
            whole: whether it goes no further. Where no button ends a turn, a longer one may be on
                its way until the computer answers.
        """
        before = self._play.log.state
        self._judge(at, whole=whole)
        return self._play.log.state is before

    def _judge(self, at: Moment, *, whole: bool) -> None:
        log = self._play.log
        state, puzzle = log.state, log.terms.puzzle
        if puzzle and puzzle.screen and puzzle.screen.offence:
            self._catch(at)
        if puzzle is None or state.number == self._judged or not state.played:
            return
        unfinished = log.terms.game.traits.long_turns and self._play.amendable
        unfinished = unfinished and not self._as_shown(puzzle)
        if state.played[-1].side in log.terms.computers or (unfinished and not whole):
            return
        self._judged = state.number
        self._rule(puzzle, at)
        self._judged = log.state.number

    def _rule(self, puzzle: Puzzle, at: Moment) -> None:
        log = self._play.log
        state, side = log.state, log.state.played[-1].side
        texts = [str(made.turn) for made in state.played]
        outcome = state.position.outcome
        won = outcome is not None and outcome.winner == side
        there = self._as_shown(puzzle) if puzzle.lesson else puzzle.leads_there(texts, won=won)
        if not there:
            self._play.call("take-back", None, {"reason": "puzzle"}, at)
            log.say(at.t, "puzzle-wrong")
        elif puzzle.solved(texts, won=won):
            self._solved(puzzle, side, at)
        else:
            log.say(at.t, "puzzle-right")

    def _as_shown(self, puzzle: Puzzle) -> bool:
        """Return whether the turn of a lesson has been made, whatever it is called."""
        screen, state = puzzle.screen, self._play.log.state
        if screen is None or not screen.turn or not state.played:
            return False
        before = state.played[0].before
        return str(before.play(before.parse_turn(screen.turn))) == str(state.position)

    def _catch(self, at: Moment) -> None:
        """End a lesson in which something is to be done against the rules, once it was done."""
        log = self._play.log
        state, puzzle = log.state, log.terms.puzzle
        done = state.trouble is not None and any(one.kind == "attempt" for one in log.records)
        if puzzle and done and state.stage == "playing":
            self._solved(puzzle, state.position.side, at)

    def _solved(self, puzzle: Puzzle, side: Side, at: Moment) -> None:
        if self._play.log.state.stage != "over":
            self._play.call("award", None, {"winner": side, "reason": "puzzle"}, at)
        self._play.log.say(at.t, "lesson-done" if puzzle.lesson else "puzzle-solved")
