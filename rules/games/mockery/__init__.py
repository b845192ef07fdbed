"""Mockery Chess: a threatened piece beside a friend goes invisible and cannot be captured."""

from rules.games.mockery.game import Mockery

GAME = Mockery

__all__ = ["GAME", "Mockery"]
