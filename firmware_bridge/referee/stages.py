"""The stages of a game, and all that leads from one to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Stage = Literal[
    "set-up",  # the pieces are being placed
    "ready",  # all stands right
    "playing",
    "paused",  # as somebody wished: the board is not judged
    "interrupted",  # nobody's wish: the board is judged, so that lights guide, and a turn goes on
    "adjourned",  # a pause in which the pieces may be put away
    "taken-up",  # an adjourned game comes back: the board is judged as in an interrupted one
    "over",
]
PAUSES: tuple[Stage, ...] = ("paused", "interrupted", "adjourned", "taken-up")
_LAID_ASIDE: Mapping[Stage, Stage] = {"adjourned": "taken-up", "taken-up": "taken-up"}

STEPS: Mapping[str, Mapping[Stage, Stage]] = {
    "set-up": {"set-up": "ready", "ready": "ready"},
    "start": {"ready": "playing"},
    "turn": dict.fromkeys(get_args(Stage), "playing"),
    # A friend far away may pause a game whose host here has just come back.
    "pause": dict.fromkeys(("playing", "interrupted"), "paused"),
    "adjourn": dict.fromkeys(("playing", "paused", "interrupted"), "adjourned"),
    "resume": dict.fromkeys(PAUSES, "playing"),
    "take-back": {
        **dict.fromkeys(("playing", "over"), "playing"),
        **dict.fromkeys(("paused", "interrupted"), "interrupted"),
        **_LAID_ASIDE,
    },
    # The arbiter has set another position, or has to give time.
    "halt": {**dict.fromkeys(get_args(Stage), "interrupted"), **_LAID_ASIDE},
    # The service comes back; nobody knows what stands on a board that was ready.
    "reopen": {
        **{stage: stage for stage in get_args(Stage)},
        "ready": "set-up",
        "playing": "interrupted",
        **_LAID_ASIDE,
    },
    "end": dict.fromkeys(get_args(Stage), "over"),
}
"""What happens -> the stages in which it can -> the stage that follows."""
