"""What a page offers to whoever sits at it: answers, declarations, help, and ways out of a game."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.messages.verdict import WHOLE
from firmware_bridge.pages.requests import (
    ADJOURN,
    DRAW,
    HINT,
    PAUSE,
    RESIGN,
    RESUME,
    TAKE_BACK,
)
from firmware_bridge.pages.texts import Say
from firmware_bridge.views import Choice, PublicView

Offer = dict[str, str]
"""What is done where it is touched, under the name of a request's field, and its `label`."""


def answers(choices: Iterable[Choice], say: Say) -> list[Offer]:
    """Return the answers to a question."""
    return [
        {"text": choice.text, "label": say(choice.label.key, **choice.label.words)}
        for choice in choices
    ]


def answered_at_board(view: PublicView) -> bool:
    """Return whether an offer is made to a person without a phone, who answers beside the board."""
    return view.offered is not None and view.offered not in view.seated | view.elsewhere


def to_an_offer(view: PublicView, say: Say) -> list[Offer]:
    """Return the answers to the offer that is open."""
    what = view.offer[0] if view.offer else ""
    return [{"call": c, "label": say(f"page-{c}")} for c in (f"accept-{what}", "decline")]


def declarations(view: PublicView, say: Say) -> list[Offer]:
    """Return what may be declared of the turn that is being made here, until one is made."""
    made = view.judged.kind in WHOLE or view.judged.reason is not None
    if view.phase != "playing" or view.to_act in view.elsewhere or made:
        return []
    return [
        {"what": what, "label": say(what)} for what in view.declarable if what not in view.declared
    ]


def help_at_board(view: PublicView, say: Say) -> list[Offer]:
    """Return what a person may do without asking anybody: a computer has no say in it.

    Nothing leads away from the way back.
    """
    if view.phase not in ("playing", "executing", "decision"):
        return []
    hint = [{"call": HINT, "label": say("page-hint")}] if view.advised else []
    if not (view.against_computer and view.course.turns) or view.record:
        return hint
    return [*hint, {"call": TAKE_BACK, "label": say("page-take-back")}]


def exits(view: PublicView, say: Say) -> list[Offer]:
    """Return how a game is left, for a while or before its end, by whoever sits at the board."""
    if not view.begun or view.leaver is None:
        return []
    calls = {RESIGN: "page-give-up"}
    if view.away and view.phase in ("playing", "executing", "restoring"):
        calls = {ADJOURN: "page-adjourn", **calls}
    sure = say("page-sure")
    told = [{"call": call, "label": say(label), "sure": sure} for call, label in calls.items()]
    if view.away and view.phase == "playing" and (view.offer or ("", ""))[1] != view.leaver:
        told.insert(0, {"call": DRAW, "label": say("page-offer-draw")})
    if view.phase == "paused":
        told.insert(0, {"call": RESUME, "label": say("page-resume")})
    elif not view.away and view.time_control != "untimed":
        told.insert(0, {"call": PAUSE, "label": say("page-pause")})
    return told
