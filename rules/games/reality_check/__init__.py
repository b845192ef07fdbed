"""Reality Check, rule by rule: begin with `game`, then `legal`, `refusals` and `successor`."""

from rules.games.reality_check.game import RealityCheck

GAME = RealityCheck
