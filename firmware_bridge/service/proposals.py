"""Games that one host proposes to another, as the letters tell them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import rules
from firmware_bridge.config.agreement import FAR_AWAY, Agreement
from firmware_bridge.config.game_settings import BadSetting, GameSettings
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import shown
from firmware_bridge.distance.sentences import Sentence
from rules.interface import Side
from rules.values import opponent


class CannotBe(Sentence):
    """What is proposed cannot be played."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game that one host has proposed to another.

    Attributes:
        line: names the correspondence.
        friend: with whom.
        ours: whether we have proposed it.
        side: which side is ours.
        agreement: what would be agreed at this board.
        release: what the proposing host runs.
        answer: whether it was accepted; `None` while it is open.
    """

    line: str
    friend: str
    ours: bool
    side: Side
    agreement: Agreement
    release: str
    answer: bool | None = None


def proposed(friend: str, name: str, letters: Line) -> Proposal | None:
    """Return what a correspondence proposes, if it can be understood."""
    ours = bool(letters.sent) and letters.sent[0].letter.kind == "proposal"
    first = (letters.sent if ours else letters.taken)[:1]
    if not first or first[0].letter.kind != "proposal":
        return None
    told = cast("dict[str, Any]", first[0].letter.body)
    answers = [(each.letter.body, True) for each in letters.sent]
    answers += [(each.letter.body, False) for each in letters.taken]
    answers = [(body, by_us) for body, by_us in answers if "accepts" in body]
    # Whoever proposes may withdraw it, but not accept it.
    accepted = any(body["accepts"] is True and by_us != ours for body, by_us in answers)
    refused = any(body["accepts"] is False for body, _ in answers)
    answered = answers[0][0] if answers else {}
    try:
        proposer: Side = {"white": "white", "black": "black"}[told["side"]]  # type: ignore[assignment]
        agreed = Agreement(
            str(told["game"]),
            dict(told["options"]),
            GameSettings.of(
                {key: told["settings"][key] for key in FAR_AWAY & told["settings"].keys()}
            ),
            {
                proposer: shown(str(told["name"])),
                opponent(proposer): shown(str(answered.get("name", friend))),
            },
            chosen=True,
            away=opponent(proposer) if ours else proposer,
            line=name,
        )
        agreed.terms()
    except (KeyError, TypeError, AttributeError, ValueError, rules.UnknownGame, BadSetting):
        return None
    side = opponent(agreed.away) if agreed.away else proposer
    # A board begins what it has accepted: to withdraw it meanwhile comes too late.
    answer = True if accepted else False if refused else None
    return Proposal(name, friend, ours, side, agreed, shown(str(told.get("release"))), answer)
