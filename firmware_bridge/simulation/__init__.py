"""Plays turns as people's hands do: a model for tests, benchmarks and the demonstration."""

from firmware_bridge.simulation.styles import STYLES, Style
from firmware_bridge.simulation.supply import Pieces
from firmware_bridge.simulation.turn_hands import play

__all__ = ["STYLES", "Pieces", "Style", "play"]
