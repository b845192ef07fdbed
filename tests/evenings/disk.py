"""A disk that loses or tears what it was not told to keep, when the power goes.

Of what was written since the last sync each sector may have come there or not, in any order, and
the file may end anywhere between where it did and where it was to. What was synced is there. The
journal syncs its log at every commit, and the file before the log that was folded into it goes.
"""

from dataclasses import dataclass

SECTOR = 512


@dataclass(frozen=True)
class Files:
    """What lies on the disk: the journal's file, and its log."""

    file: bytes
    log: bytes

    @classmethod
    def at(cls, path):
        log = log_of(path)
        return cls(path.read_bytes(), log.read_bytes() if log.exists() else b"")

    def lay(self, path):
        """Write them to another place."""
        path.write_bytes(self.file)
        log_of(path).write_bytes(self.log)


def log_of(path):
    return path.with_name(f"{path.name}-wal")


def cut_while_writing(before, after, dice):
    """Return what a cut leaves in the middle of a commit."""
    return Files(before.file, _torn(before.log, after.log, dice))


def cut_while_folding(before, after, dice):
    """Return what a cut leaves while the log is taken into the file; the log goes at the end."""
    if dice.random() < 0.2:
        return Files(after.file, before.log)
    return Files(_torn(before.file, after.file, dice), before.log)


def _torn(old, new, dice):
    """Return a file of which some sectors have become new."""
    size = dice.randint(*sorted((len(old), len(new))))
    come = dice.choice((0.1, 0.5, 0.9))
    sectors = []
    for at in range(0, size, SECTOR):
        kept = new if dice.random() < come else old
        sectors.append(kept[at : at + SECTOR].ljust(SECTOR, b"\0"))
    return b"".join(sectors)[:size]
