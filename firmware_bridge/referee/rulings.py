"""Illegal attempts: what the referee says, what they cost, and until when play waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from firmware_bridge.messages import Ruled, Said
from firmware_bridge.referee.game_state import State, Terms, Trouble
from firmware_bridge.referee.penalties import NoPenalty, Penalty, TimeTaken
from firmware_bridge.referee.transition import Step, end, say
from firmware_bridge.referee.turn_handlers import under_way
from rules.game_referee import Referee as OwnReferee
from rules.game_referee import Ruling
from rules.interface import IllegalTurn, Position, Side
from rules.values import opponent


def attempt(terms: Terms, state: State, data: Mapping[str, object], t_ms: int) -> Step:
    """Rule on what the board shows as illegal; it begins a game as a turn does.

    Args:
        terms: what holds throughout the game.
        state: where it stands.
        data: `reason`: the reason code; `move`: the hand movement tried (`e2e5`), if it was one;
            `alone`: whether that is all that differs on the board; `moved`: how many pieces were
            moved; `pressed`: whether the mover ended a turn with it, or could not have said so.
        t_ms: table time.
    """
    state = under_way(state, t_ms)
    reason, move = str(data["reason"]), str(data.get("move") or "")
    if state.own and move:
        judged = _own_ruling(terms, state, move, t_ms, alone=bool(data.get("alone", True)))
        if judged:
            return judged
    said = say(t_ms, "illegal", reason=f"why-{reason}")
    if state.own and reason == "no-such-move":
        said = say(t_ms, "illegal-move")  # in that referee's own words
    known = state.trouble is not None
    pressed = bool(data.get("pressed"))
    step = Step(replace(state, trouble=Trouble(charged=pressed, clock_stopped=False)))
    if not known:
        step = step.then(said)
    several = int(str(data.get("moved", 0))) > 1
    if move:
        wrong = state.own is None and _illegal(state.position, move)
    else:
        wrong = several and not (known and state.own)  # no press takes a turn meanwhile
    return _charge(terms, step, reason, t_ms) if pressed and wrong else step


def _illegal(position: Position, move: str) -> bool:
    """Return whether what hands have moved is wrong, not something else beside a legal turn."""
    try:
        position.parse_turn(move)
    except IllegalTurn:
        return True
    return False


def restored(state: State, t_ms: int) -> Step:
    """The board is right again: play goes on."""
    trouble = state.trouble
    clock = state.clock
    if trouble and trouble.clock_stopped and state.stage == "playing":
        clock = clock.start(state.position.side, t_ms)
    return Step(replace(state, trouble=None, clock=clock))


def flag(state: State, t_ms: int) -> Step:
    """End the game if a flag has fallen, as a draw where the opponent can give no mate."""
    clock = state.clock.judge(t_ms)
    if clock.fallen is None or state.stage == "over":
        return Step(state)
    winner = opponent(clock.fallen)
    state = replace(state, clock=clock)
    if state.position.has_insufficient_material(winner):
        return end(state, t_ms, None, "flag-fall-no-mate")
    return end(state, t_ms, winner, "flag-fall")


def reason(
    own: OwnReferee[Position], attempt: tuple[str, str] | None, *, alone: bool
) -> str | None:
    """Return the reason that a game's own referee tells for a hand movement he rules on."""
    if attempt is None:
        return None
    ruling = _judge(own, "".join(attempt))[1]
    return _told_reason(ruling, alone=alone) if ruling else None


def _told_reason(ruling: Ruling, *, alone: bool) -> str:
    """Return the reason that can be told.

    Where more than one movement differs, which of them was blamed, and so why it is illegal, may
    hang on secrets; that it is illegal does not.
    """
    return ruling.reason if alone or ruling.calls != ("illegal-move",) else "no-such-move"


def _judge(own: OwnReferee[Position], move: str) -> tuple[OwnReferee[Position], Ruling | None]:
    try:
        return own.attempt(move)
    except IllegalTurn:
        return own, None


def _own_ruling(terms: Terms, state: State, move: str, t_ms: int, *, alone: bool) -> Step | None:
    """Let the game's own referee judge: its words, its penalty, and the clock waits.

    Returns `None` when it has nothing to say to this movement by itself.
    """
    side = state.position.side
    offended = _offended(state, side)
    own = terms.own_referee(state.position, offended.offences[side])
    own, ruling = (None, None) if own is None else _judge(own, move)
    if ruling is None or own is None:
        return None
    state = replace(
        offended,
        own=own,
        position=own.position,
        clock=state.clock.stop(t_ms),
        trouble=Trouble(charged=True, clock_stopped=True),
    )
    calls = tuple(say(t_ms, call) for call in ruling.calls)
    fixed = TimeTaken(1000 * ruling.penalty) if ruling.penalty else NoPenalty()
    agreed = terms.penalties.of(state.offences[side])
    due = (fixed,) if agreed.off_ms else (fixed, agreed)
    punished, cost = _punished(Step(state, calls), side, due, t_ms)
    ruled = Ruled(t_ms / 1000, side, _told_reason(ruling, alone=alone), cost, ruling.obligation)
    return Step(punished.state, (ruled, *punished.outputs))


def _charge(terms: Terms, step: Step, reason: str, t_ms: int) -> Step:
    """Apply the penalty table agreed before the game."""
    side = step.state.position.side
    state = _offended(step.state, side)
    penalty = terms.penalties.of(state.offences[side])
    state = replace(state, trouble=Trouble(charged=True, clock_stopped=False))
    punished, cost = _punished(Step(state), side, (penalty,), t_ms)
    ruled = () if penalty == NoPenalty() else (Ruled(t_ms / 1000, side, reason, cost),)
    return Step(punished.state, (*step.outputs, *ruled, *punished.outputs))


def _punished(
    step: Step, side: Side, penalties: Iterable[Penalty], t_ms: int
) -> tuple[Step, float]:
    """Let penalties take effect, and say so; return besides what they cost, in seconds."""
    cost_ms = 0
    for penalty in penalties:
        effect = penalty.apply(step.state.clock, side, t_ms)
        cost_ms += effect.cost_ms
        step = Step(replace(step.state, clock=effect.clock), step.outputs)
        if effect.announced and not penalty.silent:
            step = step.then(_told(penalty.kind, side, effect.cost_ms, t_ms))
        if effect.lost:
            cannot = step.state.position.has_insufficient_material(opponent(side))
            ended = end(step.state, t_ms, None if cannot else opponent(side), "illegal-turns")
            break
    else:
        ended = flag(step.state, t_ms)
    # Readers see them: whole numbers where they are.
    seconds = cost_ms // 1000 if cost_ms % 1000 == 0 else cost_ms / 1000
    return Step(ended.state, step.outputs + ended.outputs), seconds


def _told(kind: str, side: Side, cost_ms: int, t_ms: int) -> Said:
    key, whose = f"penalty-{kind}", f"side-{side}"
    minutes, rest = divmod(cost_ms, 60_000)
    if minutes > 1 and not rest:
        return say(t_ms, f"{key}-minutes", side=whose, minutes=f"{minutes}")
    return say(t_ms, key, side=whose, seconds=f"{round(cost_ms / 1000, 1):g}")


def _offended(state: State, side: Side) -> State:
    return replace(state, offences={**state.offences, side: state.offences[side] + 1})
