"""Hands at a reconciler alone, without a table."""

from drivers.port import CellEvent


def feel(reconciler, *events):
    """Let it feel events, each a time, a cell and its reading; return all that it found."""
    found = []
    for t, cell, reading in events:
        found += reconciler.feel(CellEvent(t, cell, reading))
    return found
