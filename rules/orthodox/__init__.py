"""What the games that move as in chess share, on top of python-chess."""

from rules.orthodox.position import OrthodoxGame, OrthodoxPosition, OrthodoxTurn

__all__ = ["OrthodoxGame", "OrthodoxPosition", "OrthodoxTurn"]
