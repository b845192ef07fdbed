"""Reality Check: over exactly what its seat may believe."""

from firmware_bridge.opponents.games.reality_check.mind import ENGINE

__all__ = ["ENGINE"]
