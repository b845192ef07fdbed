"""The turns of a computer: it chooses, hands carry out, and nothing that they do is an offence."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from firmware_bridge.table.execution import Execution
from rules.interface import IllegalTurn

if TYPE_CHECKING:
    from firmware_bridge.messages import Chosen
    from firmware_bridge.reconciler import Sensing
    from firmware_bridge.table.game_log import Moment
    from firmware_bridge.table.play import Play


class ComputerTurns:
    """What a computer plays at this table.

    Args:
        play: the game.
        sensing: what the board can feel.
    """

    def __init__(self, play: Play, sensing: Sensing) -> None:
        self._play = play
        self._sensing = sensing
        self._execution: Execution | None = None
        self._rests = False

    @property
    def progress(self) -> tuple[int, int] | None:
        """Which hand movement comes next, and of how many, while hands carry out a turn."""
        if self._execution is None:
            return None
        left = len(self._execution.steps(self._sensing, self._play.reconciler.standing))
        return max(1, self._execution.total - left + 1), max(left, self._execution.total)

    @property
    def objection(self) -> str | None:
        """Why a computer is not to act now, as a key of the word catalogue, or `None`."""
        state = self._play.log.state
        if state.stage != "playing" or state.adjusting:
            return "refused-not-playing"
        if state.position.side not in self._play.log.terms.computers:
            return "refused-turn"
        # Its own decisions follow at once; the opponent sees first what it plays.
        waits = state.executing and state.played[-1].side != state.position.side
        return "want-board-right" if waits else None

    def choose(self, chosen: Chosen, at: Moment) -> None:
        """Let stand what the computer plays, or rule on what it tries."""
        state = self._play.log.state
        objection = self.objection or (None if chosen.number == state.number else "refused-turn")
        if objection is not None:
            self._play.log.say(at.t, objection)
            return
        try:
            turn = state.position.parse_turn(chosen.text)
        except IllegalTurn as error:
            self._rule(chosen.text, error.reason, at)
            return
        self._play.log.apply(at, "taken", turn=str(turn), public=turn.public, computer=True)
        self.go_on(at)

    def go_on(self, at: Moment) -> None:
        """Begin what hands have to do, also when the service has come back in the middle of it."""
        state, standing = self._play.log.state, self._play.reconciler.standing
        if not state.executing:
            return
        side, execution = state.played[-1].side, self._execution
        run = tuple(itertools.takewhile(lambda made: made.side == side, reversed(state.played)))
        unmade = run[::-1] if execution is None else run[:1]
        if execution is None:
            execution = Execution.none(unmade[0].before, self._sensing, standing)
        for made in unmade:
            execution = execution.then(made.before, made.turn, made.before.play(made.turn))
        self._execution = execution.begun(self._sensing, standing)
        self.feel(at)

    def feel(self, at: Moment) -> None:
        """See how far hands have come."""
        if self._execution is None:
            return
        standing, state = self._play.reconciler.standing, self._play.log.state
        self._execution = self._execution.felt(self._sensing, standing)
        verdict = self._execution.verdict(self._sensing, standing)
        self._play.told.carry_out(verdict, state.position, at)
        if verdict.kind == "settled":
            self._play.log.apply(at, "restored")
            self._play.find(self._play.reconciler.agree(state.position, at.t), at)

    def rest(self, at: Moment) -> None:
        """Judge nothing as long as it is not hands that play."""
        log = self._play.log
        if not log.state.executing:
            self._execution = None
        rests = self._play.computer_rests
        if rests != self._rests:
            self._rests = rests
            self._play.let_judge(at)
            if not rests:
                self._play.judge_with(self._play.reconciler, at)

    def _rule(self, movement: str, reason: str, at: Moment) -> None:
        """Let the referee rule on what is no turn, where a player cannot know that it is none."""
        log = self._play.log
        before = log.state
        if before.own is None:
            log.say(at.t, "answer-refused", reason=f"why-{reason}")
            return
        log.apply(
            at,
            "attempt",
            side=before.position.side,
            reason=reason,
            move=movement,
            cells=[movement[:2], movement[2:4]],
            alone=True,
            moved=1,
            pressed=True,
        )
        log.apply(at, "restored")
        self._play.follow(before.position, at)
