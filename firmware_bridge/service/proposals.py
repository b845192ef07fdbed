"""Games that one host proposes to another, as the letters tell them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import rules
from firmware_bridge.config.agreement import FAR_AWAY, Agreement
from firmware_bridge.config.game_settings import BadSetting, GameSettings
from firmware_bridge.distance.letters import Signed
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
    asked, asks = (letters.taken, letters.sent) if ours else (letters.sent, letters.taken)
    # Who is asked answers once; who has proposed may withdraw it until then, but not accept it.
    answers = [body for body in _bodies(asked) if isinstance(body.get("accepts"), bool)]
    withdrawn = any(body.get("accepts") is False for body in _bodies(asks))
    by = str(answers[0].get("name", friend)) if answers else friend
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
                opponent(proposer): shown(by),
            },
            chosen=True,
            away=opponent(proposer) if ours else proposer,
            line=name,
        )
        agreed.terms()
    except (KeyError, TypeError, AttributeError, ValueError, rules.UnknownGame, BadSetting):
        return None
    side = opponent(agreed.away) if agreed.away else proposer
    answer = cast("bool", answers[0]["accepts"]) if answers else False if withdrawn else None
    return Proposal(name, friend, ours, side, agreed, shown(str(told.get("release"))), answer)


def _bodies(letters: Iterable[Signed]) -> Iterator[Mapping[str, object]]:
    return (each.letter.body for each in letters)
