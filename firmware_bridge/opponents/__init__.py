"""A computer in either seat: minds for all games, that know the rules and nothing else of ours.

A seat's mind runs as a process of its own, `python -m firmware_bridge.opponents`, and is spoken to
over its standard input and output in the words of `protocol`. It is told what its seat may know, as
`rules` masks it, and answers with the text of a turn, on which its owner asks the rules again.
"""

from firmware_bridge.opponents import compiled
from firmware_bridge.opponents.engine import WON, Choice, Engine, Worlds
from firmware_bridge.opponents.finding import engine_of
from firmware_bridge.opponents.levels import Level, level_of, levels_of

compiled.use()

__all__ = ["WON", "Choice", "Engine", "Level", "Worlds", "engine_of", "level_of", "levels_of"]
