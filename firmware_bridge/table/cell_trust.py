"""What is told of cells that do not tell the truth."""

from __future__ import annotations

from firmware_bridge.reconciler import CellDoubted, CellSuspected, CellTrusted
from firmware_bridge.table.game_log import GameLog


def told(
    finding: CellSuspected | CellTrusted | CellDoubted,
    known: tuple[str, ...],
    log: GameLog,
    t: float,
) -> tuple[str, ...]:
    """Say what was found of a cell; return the cells that cannot be relied on now."""
    match finding:
        case CellSuspected(cell=cell, trouble=trouble):
            log.say(t, f"cell-{trouble}", cell=cell)
            return tuple(sorted({*known, cell}))
        case CellTrusted(cell=cell):
            return tuple(one for one in known if one != cell)
        case CellDoubted(cell=cell, trouble=trouble):
            people = "clock" if log.terms.buttons else "referee"
            log.say(t, f"cell-perhaps-{trouble}-{people}", cell=cell)
    return known
