"""The journal: what happened, on disk before anyone is shown it."""

from firmware_bridge.journal.file import FILE, JournalDamaged, StorageFailed, set_aside
from firmware_bridge.journal.journal import Journal, Summary, newest

__all__ = [
    "FILE",
    "Journal",
    "JournalDamaged",
    "StorageFailed",
    "Summary",
    "newest",
    "set_aside",
]
