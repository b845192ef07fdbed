"""Both clocks in a text file, or on whatever takes lines of text: a terminal, a serial display."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.indicators import Indicator

if TYPE_CHECKING:
    from firmware_bridge.indicators import Cue
    from firmware_bridge.views import ClockFace


class TextClock(Indicator):
    """Shows `4:59 | 5:00 white`.

    Args:
        path: the file.
    """

    refresh = 1.0

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    async def show(self, cue: Cue) -> None:
        """Write both clocks, and who is to act."""
        clocks = " | ".join(_face(face) for face in cue.view.clocks.values())
        self._path.write_text(f"{clocks} {cue.view.to_act or cue.view.phase}\n")


def _face(face: ClockFace) -> str:
    if face.left_ms is None:
        return "-:--"
    minutes, seconds = divmod(max(0, face.left_ms) // 1000, 60)
    return f"{minutes}:{seconds:02}"
