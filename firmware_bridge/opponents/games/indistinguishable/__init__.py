"""Indistinguishable Chess: orthodox moves, played from a memory of whose pieces are whose."""

from firmware_bridge.opponents.games.indistinguishable.mind import IndistinguishableEngine

ENGINE = IndistinguishableEngine

__all__ = ["ENGINE", "IndistinguishableEngine"]
