"""Reality Check, rule by rule: start reading at `game`, then `legal`, `refusals` and `play`."""

from rules.games.reality_check.game import RealityCheck

GAME = RealityCheck
