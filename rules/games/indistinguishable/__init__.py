"""Indistinguishable Chess: chess with pieces that all look alike, and a referee who knows."""

from rules.games.indistinguishable.game import Indistinguishable
from rules.games.indistinguishable.position import IndistinguishablePosition
from rules.games.indistinguishable.referee import IndistinguishableReferee

GAME = Indistinguishable

__all__ = ["GAME", "Indistinguishable", "IndistinguishablePosition", "IndistinguishableReferee"]
