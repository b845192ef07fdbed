"""One board, one game: the reconciler and the referee working together."""

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.table.dice import Dice
from firmware_bridge.table.game_log import Batch
from firmware_bridge.table.summary import TableSummary
from firmware_bridge.table.table import Table

__all__ = ["Agreement", "Batch", "Dice", "Table", "TableSummary"]
