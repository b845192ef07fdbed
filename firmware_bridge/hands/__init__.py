"""Plays turns as people's hands do: a model for tests, benchmarks and the demonstration."""

from firmware_bridge.hands.pieces import Pieces
from firmware_bridge.hands.script import Change
from firmware_bridge.hands.styles import STYLES, Style
from firmware_bridge.hands.turns import play

__all__ = ["STYLES", "Change", "Pieces", "Style", "play"]
