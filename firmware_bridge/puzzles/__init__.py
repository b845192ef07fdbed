"""Positions to set up and solve on the board: one data file a game, proved by the tests."""

from firmware_bridge.puzzles.collection import LESSON, Puzzle, find, following, lessons, of

__all__ = ["LESSON", "Puzzle", "find", "following", "lessons", "of"]
