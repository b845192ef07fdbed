"""Why a board and its description do not fit together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from drivers.board_reasons import Reason
from drivers.link.codec import TIERS

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.link.codec import Description, Hello


class Mismatch:
    """A board with another fingerprint than ours: asks it for its own description, and compares."""

    def __init__(self, description: BoardDescription, hello: Hello) -> None:
        self._ours = description
        self._hello = hello
        self._text = b""
        self.complete = False

    @property
    def wanted(self) -> int:
        """The offset from which the board should go on telling."""
        return len(self._text)

    def take(self, piece: Description) -> None:
        """Add a piece of the board's description."""
        if piece.offset == len(self._text):
            self._text += piece.data
            self.complete = len(self._text) >= piece.total

    def reason(self) -> Reason:
        """Return one sentence for every difference, the plain ones first."""
        hello, ours = self._hello, self._ours
        differences = [
            Reason(f"differs-{what}", {"theirs": str(theirs), "ours": str(expected)})
            for what, theirs, expected in (
                ("cells", hello.cells, len(ours.cells)),
                ("buttons", hello.buttons, len(ours.buttons)),
            )
            if theirs != expected
        ]
        if TIERS[hello.tier] != ours.tier:
            tiers = {"theirs": TIERS[hello.tier], "ours": ours.tier}
            differences.append(Reason("differs-tier", tiers))
        differences += self._details()
        names = {"board": hello.name, "file": ours.name}
        told = (*(differences or [Reason("differs-somehow")]), Reason("choose-file"))
        return Reason("another-board", names, told)

    def _details(self) -> list[Reason]:
        try:
            theirs, ours = json.loads(self._text), json.loads(self._ours.canonical)
            differing = {key for key in ours if theirs.get(key) != ours[key]}
        except (ValueError, AttributeError):  # incomplete, or no JSON object
            return []
        codes = {
            "cells": "differs-wiring",
            "leds": "differs-leds",
            "sound": "differs-sound",
            "buttons": "differs-button-names",
        }
        return [Reason(codes[key]) for key in sorted(differing & codes.keys())]
