"""Positions to set up and solve on the board: one data file a game, proved by the tests."""

from firmware_bridge.puzzles.collection import Puzzle, find, of

__all__ = ["Puzzle", "find", "of"]
