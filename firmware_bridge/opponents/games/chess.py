"""Chess: a program of others when there is one, else our own search."""

from __future__ import annotations

from firmware_bridge.opponents.games.indistinguishable import IndistinguishableEngine


class ChessEngine(IndistinguishableEngine):
    """Plays as in Indistinguishable Chess, where the levels forget nothing."""


ENGINE = ChessEngine
