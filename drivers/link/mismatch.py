"""Why a board and its description do not fit together, in plain words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

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

    def __str__(self) -> str:
        """Return one sentence for every difference, the plain ones first."""
        hello, ours = self._hello, self._ours
        differences = [
            f"it has {theirs} {what}, the file says {expected}"
            for what, theirs, expected in (
                ("cells", hello.cells, len(ours.cells)),
                ("buttons", hello.buttons, len(ours.buttons)),
            )
            if theirs != expected
        ]
        if TIERS[hello.tier] != ours.tier:
            differences.append(f"it feels {TIERS[hello.tier]}, the file says {ours.tier}")
        differences += self._details()
        return (
            f'This is board "{hello.name}", not the one that the board file "{ours.name}" '
            f"describes: {'; '.join(differences) or 'they were made from different files'}. "
            "Choose the board file that its firmware was built from, or build the firmware anew."
        )

    def _details(self) -> list[str]:
        try:
            theirs, ours = json.loads(self._text), json.loads(self._ours.canonical)
            differing = {key for key in ours if theirs.get(key) != ours[key]}
        except (ValueError, AttributeError):  # incomplete, or no JSON object
            return []
        words = {
            "cells": "its cells are wired in another order",
            "leds": "its lights are of another kind",
            "sound": "one of them has a buzzer and the other has none",
            "buttons": "its buttons have other names",
        }
        return [words[key] for key in sorted(differing & words.keys())]
