"""What is said of a press or an answer that changes nothing, without telling a secret."""

from __future__ import annotations

from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler import AnswerRefused, Reconciler
from firmware_bridge.table.announcer import Announcer
from firmware_bridge.table.game_log import GameLog, Moment
from firmware_bridge.views.answers import to_verdict
from firmware_bridge.views.wants import asks
from rules.interface import IllegalTurn
from rules.values import opponent

_PRESS_REFUSED = {
    "settled": "nothing-moved",
    "illegal": "want-board-right",
    "disturbed": "want-board-right",
}


def say_of_answer(log: GameLog, refused: AnswerRefused, at: Moment) -> None:
    """Say why an answer was not taken; the same whatever it names, where it could tell a secret."""
    if log.terms.secret or _is_legal(log, refused.text):
        # The reason could tell a secret, or is that the board does not show the turn.
        position = log.state.position
        chosen = position.decides_in_secret and position.due
        log.say(at.t, f"due-{position.due}" if chosen else "refused-answer")
    else:
        log.say(at.t, "answer-refused", reason=f"why-{refused.reason}")


def say_of_press(
    log: GameLog, told: Announcer, reconciler: Reconciler, verdict: Verdict, at: Moment
) -> None:
    """Say why a press has ended no turn."""
    state = log.state
    if state.stage == "ready" and verdict.kind == "settled":
        log.say(at.t, "want-start", side=f"side-{opponent(state.position.side)}")
        return
    if verdict.kind == "choice":
        asked = told.ask(reconciler, verdict, at)
        question = to_verdict(told.judged_in, told.verdict, public=True)
        log.say(at.t, asks(question) if asked else "set-down-again")
        return
    lacking = told.verdict.kind == "in-progress" and told.verdict.reason
    unfinished = f"want-{lacking}" if lacking else "not-finished"
    log.say(at.t, _PRESS_REFUSED.get(verdict.kind, unfinished))


def _is_legal(log: GameLog, text: str) -> bool:
    try:
        log.state.position.parse_turn(text)
    except IllegalTurn:
        return False
    return True
