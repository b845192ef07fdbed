"""The position and the game of Indistinguishable Chess: orthodox, but nobody sees whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.fen import FILES
from rules.games.indistinguishable.position import IndistinguishablePosition
from rules.games.indistinguishable.referee import IndistinguishableReferee
from rules.interface import Position, Side, Square, Traits
from rules.orthodox import OrthodoxGame


class Indistinguishable(OrthodoxGame[IndistinguishablePosition]):
    """Indistinguishable Chess, by Gary K. Gifford; with one set by an idea of Simon Jepps."""

    id = "indistinguishable"
    name = "Indistinguishable Chess"
    allowed = MappingProxyType({"single_set": (False, True)})
    own_reasons = MappingProxyType({"must-capture": "A certain piece must be captured."})
    traits = Traits(
        asks_below={"occupancy": ("promotion",)},
        records_forbidden=True,
        owners_secret=True,
        kings=True,
        orthodox=True,
    )
    position_type = IndistinguishablePosition

    @property
    def printed(self) -> Mapping[Square, Side]:
        """The printed colour of the piece on each start square, with a single set.

        The colours alternate along each rank, a1 and a2 white, a7 and a8 black, which uses up
        exactly one ordinary set. They say nothing of whose piece it is. Empty with two sets.
        """
        if not self.options["single_set"]:
            return {}
        return {
            file + rank: "white" if (index % 2 == 0) == (rank in "12") else "black"
            for rank in "1278"
            for index, file in enumerate(FILES)
        }

    def referee(self, position: Position, penalty: int = 300) -> IndistinguishableReferee:
        """Return the referee of this game, starting with `position`.

        Args:
            position: where the game stands.
            penalty: seconds for an illegal attempt, as agreed before the game.
        """
        own = position if isinstance(position, IndistinguishablePosition) else None
        return IndistinguishableReferee(own or self.parse(str(position)), penalty)
