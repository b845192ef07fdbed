"""One board, one game: the reconciler and the referee working together."""

from firmware_bridge.agreement import Agreement
from firmware_bridge.table.glance import Glance
from firmware_bridge.table.ledger import Batch
from firmware_bridge.table.play import Dice
from firmware_bridge.table.table import Table

__all__ = ["Agreement", "Batch", "Dice", "Glance", "Table"]
