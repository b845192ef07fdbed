"""The turns of a computer: it chooses, hands carry out, and nothing that they do is an offence."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.port import CellEvent, Snapshot
from firmware_bridge.messages import Chosen
from firmware_bridge.table.dice import decide, roll
from firmware_bridge.table.execution import Execution
from firmware_bridge.table.game_log import Moment
from firmware_bridge.table.play import Play
from firmware_bridge.table.tokens import Tokens
from rules.interface import IllegalTurn, Turn

STILL = 0.2
"""Seconds for which the board must show where the turn leads before it is over by itself: a tag may
be read 140 ms after its piece is felt (`simulation/script.py`)."""


class ComputerTurns:
    """What a computer plays at this table."""

    def __init__(self, play: Play, tokens: Tokens) -> None:
        self._play = play
        self._tokens = tokens
        self._execution: Execution | None = None
        self._left = 0
        self._right_since: float | None = None
        self._rests = False

    @property
    def wake_at(self) -> float | None:
        """When what hands do will have been right for long enough, in host seconds."""
        return None if self._right_since is None else self._right_since + STILL

    @property
    def progress(self) -> tuple[int, int] | None:
        """Which hand movement comes next, and of how many, while hands carry out a turn."""
        if self._execution is None:
            return None
        total = max(self._left, self._execution.total)
        return min(total, total - self._left + 1), total

    @property
    def objection(self) -> str | None:
        """Why a computer is not to act now, as a key of the word catalogue, or `None`."""
        state = self._play.log.state
        if state.stage != "playing" or state.adjusting:
            return "refused-not-playing"
        if state.position.side not in self._play.log.terms.computers:
            return "refused-turn"
        # Its own decisions follow at once; the opponent sees first what it plays.
        if state.executing and state.played[-1].side != state.position.side:
            return "want-board-right"
        return "refused-turn" if decide(self._play.dice, state) else None

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
        self._choose(turn, at)

    def _choose(self, turn: Turn, at: Moment) -> None:
        self.stand(at, {"turn": str(turn), "public": turn.public, "computer": True})

    def stand(self, at: Moment, record: Mapping[str, object]) -> None:
        """Let a turn stand that no hand at this board has made, and have hands carry it out."""
        self._play.reconciler.stop_learning()  # the game has begun: what stands where is known
        self._play.log.apply(at, "taken", **record)
        self.go_on(at)

    def go_on(self, at: Moment) -> None:
        """Begin what hands have to do, also when the service has come back in the middle of it."""
        state = self._play.log.state
        if not state.executing:
            return
        execution = self._execution
        unmade = state.unmade if execution is None else state.played[-1:]
        if execution is None:
            execution = Execution.none(unmade[0].before, self._tokens)
        for made in unmade:
            execution = execution.then(made.before, made.turn, self._tokens)
        self._execution = execution.begun(self._tokens)
        self.feel(at)

    def goes_on(self, felt: CellEvent | Snapshot, at: Moment) -> None:
        """Let a player's turn begin with what is lifted or set down once all is right.

        Neither a contact that may still chatter begins one nor a tag that is read late. What
        becomes no turn was a slip of who carries out, which costs nothing. Where owners are secret
        hands rest a moment first: that what came unjudged may stay would tell that it is legal.
        """
        since, standing = self._right_since, self._play.reconciler.standing
        bounce = self._tokens.sensing.habits.bounce
        if since is None or at.t - since <= bounce or not isinstance(felt, CellEvent):
            return
        late = felt.reading is not None and felt.cell in standing
        if not (late or self._play.log.terms.game.traits.owners_secret):
            self._done(at)
            self.rest(at)
            self._play.feel([Snapshot(at.t, dict(standing))], at)

    def feel(self, at: Moment) -> None:
        """See how far hands have come."""
        if self._execution is None:
            return
        state = self._play.log.state
        self._execution = self._execution.felt(self._tokens)
        steps = self._execution.steps(self._tokens)
        self._left = len(steps)
        verdict = self._execution.verdict(steps)
        self._play.told.carry_out(verdict, state.position, at)
        if verdict.kind != "settled":
            self._right_since = None
            return
        if self._right_since is None:
            self._right_since = at.t
        if not self._execution.total or at.t >= self._right_since + STILL:
            self._done(at)

    def _done(self, at: Moment) -> None:
        """Go on with the game: hands have carried out what was to be done."""
        position = self._play.log.state.position
        self._execution = self._right_since = None
        self._play.log.apply(at, "restored")
        self._play.feel(self._tokens.agreed(position, at.t), at)
        self._play.agree(at)

    def rest(self, at: Moment) -> None:
        """Judge nothing as long as it is not hands that play."""
        log = self._play.log
        self._roll(at)
        if not log.state.executing:
            self._execution = self._right_since = None
        elif self._execution is None:
            self.go_on(at)  # a player has turned over what the board must name
        rests = self._play.computer_rests
        if rests != self._rests:
            self._rests = rests
            self._play.let_judge(at)
            if not rests:
                self._play.judge_with(self._play.reconciler, at)

    def _roll(self, at: Moment) -> None:
        """Roll the dice in a computer's turn."""
        state, dice = self._play.log.state, self._play.dice
        acts = state.stage == "playing" and state.position.side in self._play.log.terms.computers
        if acts and dice is not None and decide(dice, state):
            self._choose(roll(dice, state, at), at)

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
        self._play.follow(before, at)
