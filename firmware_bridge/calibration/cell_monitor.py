"""Watching a board's raw cells: finds a bad solder joint, a weak reader, a poor cable. Pure.

What is shown are tags and contacts, not a game; the port is ours alone meanwhile, so nobody can
watch a game in progress with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.description import BoardDescription
from drivers.link.host_session import LinkStatistics
from drivers.port import (
    BoardEvent,
    BoardNotice,
    ButtonEvent,
    CellEvent,
    LinkChanged,
    Reading,
    Snapshot,
)

CHATTER = 0.03
"""Seconds: a contact that changes again so soon was not moved by a hand."""
_WIDTH = 6  # characters a cell: four of a tag, in brackets
_MANY = 12
"""More silent cells than that are a board that stands empty: they are not named one by one."""


@dataclass(slots=True)
class CellRecord:
    """What one cell has done while it was watched."""

    reading: Reading = None
    changes: int = 0
    chatters: int = 0
    placed: int = 0
    tagless: int = 0
    changed_at: float = float("-inf")

    def take(self, t: float, reading: Reading) -> None:
        """Note a new reading."""
        self.changes += 1
        named = self.reading is True and isinstance(reading, str)  # a tag follows its contact
        self.chatters += t - self.changed_at < CHATTER and not named
        if reading is not None and self.reading is None:
            self.placed += 1
            self.tagless += reading is True
        elif isinstance(reading, str) and self.reading is True:
            self.tagless -= 1  # the tag came late, but it came
        self.reading, self.changed_at = reading, t


class Monitor:
    """All that was seen of one board."""

    def __init__(self, description: BoardDescription) -> None:
        self._description = description
        self._cells = {cell: CellRecord() for cell in description.cells}
        self._begun: float | None = None
        self._link = "Looking for the board ..."

    def take(self, event: BoardEvent) -> str:
        """Note an event; return it as one line for people."""
        if self._begun is None:
            self._begun = event.t
        return f"{event.t - self._begun:9.3f}  {self._note(event)}"

    def picture(self, now: float, statistics: LinkStatistics | None) -> list[str]:
        """Return the board as lines of text; what changed within a second stands in brackets."""
        grid = self._description.grid
        lines = [self._link, ""]
        for rank in range(grid.ranks, 0, -1):
            cells = [f"{file}{rank}" for file in "abcdefgh"[: grid.files]]
            lines.append(f"{rank} " + "".join(self._box(cell, now) for cell in cells))
        lines.append("  " + "".join(f"{file:^{_WIDTH}}" for file in "abcdefgh"[: grid.files]))
        for prefix in ("hw", "hb"):
            reserve = [cell for cell in self._description.reserves if cell.startswith(prefix)]
            if reserve:
                lines.append(f"{prefix:<2}" + "".join(self._box(cell, now) for cell in reserve))
        if statistics:
            lines += ["", _link_line(statistics)]
        return lines

    def findings(self) -> list[str]:
        """Return what deserves a look, the worst first."""
        records = self._cells.items()
        chatter = [f"{cell} ({record.chatters} times)" for cell, record in records
                   if record.chatters >= 3]  # fmt: skip
        tagless = [f"{cell} ({record.tagless} of {record.placed})" for cell, record in records
                   if record.tagless and self._description.tier != "occupancy"]  # fmt: skip
        silent = [cell for cell, record in records if not record.changes]
        found = []
        if chatter:
            why = "perhaps a bad joint or a weak magnet"
            found.append(f"Contacts that flicker, {why}: {', '.join(chatter)}.")
        if tagless:
            found.append(f"Pieces felt whose tag was not read: {', '.join(tagless)}.")
        if len(silent) > _MANY:
            found.append(
                f"{len(silent)} of {len(self._cells)} cells never changed: move a piece over each."
            )
        elif silent:
            found.append(f"Cells that never changed: {', '.join(silent)}.")
        return found

    def _note(self, event: BoardEvent) -> str:
        match event:
            case CellEvent():
                self._cells[event.cell].take(event.t, event.reading)
                return f"{event.cell:<4} {_told(event.reading)}"
            case ButtonEvent():
                return f"button {event.button}"
            case Snapshot():
                for cell, record in self._cells.items():
                    record.reading = event.readings.get(cell)
                return f"snapshot: {len(event.readings)} cells hold something"
            case LinkChanged():
                self._link = event.text
                return event.text
            case BoardNotice():
                return event.text

    def _box(self, cell: str, now: float) -> str:
        record = self._cells.get(cell)
        if record is None:
            return " " * _WIDTH
        reading = record.reading
        mark = "." if reading is None else "#" if reading is True else _short(reading)
        fresh = now - record.changed_at < 1
        return f"{f'[{mark}]' if fresh else mark:^{_WIDTH}}"


def _short(reading: str) -> str:
    """Return what tells a tag from others at a glance: tags of one roll differ near their front."""
    if reading.startswith("piece:"):
        return reading.removeprefix("piece:")
    return reading[2:6]


def _told(reading: Reading) -> str:
    if reading is None:
        return "empty"
    return "occupied" if reading is True else f"tag {reading}"


def _link_line(statistics: LinkStatistics) -> str:
    total = statistics.good + statistics.damaged
    damaged = f"{100 * statistics.damaged / total:.1f} %" if total else "none"
    trip = statistics.round_trip
    return (
        f"Link: {statistics.good} frames, {damaged} damaged, "
        f"{statistics.repeated} events repeated, {statistics.early} out of turn, "
        f"round trip {f'{1000 * trip:.1f} ms' if trip is not None else 'unknown'}."
    )
