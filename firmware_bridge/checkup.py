"""Getting to know a new board: which way round it lies, and whether all of it works. Pure.

First a piece on two corners tells the orientation. Then every cell shines until a piece has been
felt on it, so that lights and sensors are tried at once. Then the buttons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from drivers.port import ButtonEvent, CellEvent, Lights

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.port import BoardEvent

Turned = Literal[0, 90, 180, 270]
_TURNS: tuple[Turned, ...] = (0, 90, 180, 270)


class Checkup:
    """One board's first examination.

    Attributes:
        description: the board, lying as it was found to lie so far.
    """

    def __init__(self, description: BoardDescription) -> None:
        self.built = description.oriented(0)
        self.description = description
        last_file = "abcdefgh"[description.grid.files - 1]
        self._corners = ("a1", f"{last_file}1")
        self._felt_corners: list[str] = []
        self._unfelt = set(description.cells)
        self._unpressed = list(description.button_names)
        self._skipped_cells: set[str] = set()
        self._skipped_buttons: list[str] = []

    @property
    def asks(self) -> str | None:
        """What hands should do now; `None` when all is done."""
        if len(self._felt_corners) < 2:
            corner = self._corners[len(self._felt_corners)]
            where = "left" if corner == "a1" else "right"
            return f"Take everything off. Put one piece on {corner}: White's corner on the {where}."
        if self._unfelt:
            return (
                "Touch every shining cell with a piece until it goes dark. "
                "Enter `s` when the rest does not work."
            )
        if self._unpressed:
            return f"Press the button {self._unpressed[0]}. Enter `s` if it does not work."
        return None

    @property
    def lights(self) -> Lights:
        """What shines; named as built, because the board is driven so until its lie is known."""
        if len(self._felt_corners) < 2:
            return Lights()
        back = dict(zip(self.description.cells, self.built.cells, strict=True))
        return Lights({back[cell]: "setup" for cell in self._unfelt})

    def hear(self, event: BoardEvent) -> str:
        """Note an event of the board, its cells named as built; return what to tell people."""
        match event:
            case CellEvent(reading=reading) if reading is not None:
                if len(self._felt_corners) < 2:
                    return self._corner(event.cell)
                self._unfelt.discard(self.description.cells[self.built.numbers[event.cell]])
                return f"{len(self._unfelt)} to go." if len(self._unfelt) % 8 == 0 else ""
            case ButtonEvent() if not self._unfelt and self._unpressed:
                if event.button != self._unpressed[0]:
                    return f"That was the button {event.button}."
                self._unpressed.pop(0)
                return f"Felt: {event.button}."
            case _:
                pass
        return ""

    def order(self, word: str) -> None:
        """Note a word from the keyboard: `s` goes on although what is asked for does not work."""
        if word != "s" or len(self._felt_corners) < 2:
            return
        if self._unfelt:
            self._skipped_cells |= self._unfelt
            self._unfelt.clear()
        elif self._unpressed:
            self._skipped_buttons.append(self._unpressed.pop(0))

    def findings(self) -> list[str]:
        """Return what was found, for people."""
        lie = self.description.orientation
        found = [f"The board lies turned by {lie.turned} degrees{', mirrored' * lie.mirrored}."]
        if self._skipped_cells:
            order = [cell for cell in self.description.cells if cell in self._skipped_cells]
            found.append(f"Cells that were not felt: {', '.join(order)}.")
        if self._skipped_buttons:
            found.append(f"Buttons that were not felt: {', '.join(self._skipped_buttons)}.")
        if len(found) == 1:
            found.append("Every cell and every button works.")
        return found

    def _corner(self, cell: str) -> str:
        if cell in self._felt_corners:
            return ""
        self._felt_corners.append(cell)
        if len(self._felt_corners) < 2:
            return f"Felt: {cell}."
        for mirrored in (False, True):
            for turned in _TURNS if self.built.grid.files == self.built.grid.ranks else (0, 180):
                candidate = self.built.oriented(turned, mirrored=mirrored)
                named = [candidate.cells[self.built.numbers[felt]] for felt in self._felt_corners]
                if named == list(self._corners):
                    self.description = candidate
                    return self.findings()[0]
        self._felt_corners.clear()
        return (
            "These are not two corners beside each other: the sensors are not wired as the board "
            "file says, or more than one piece was felt. Once more, please."
        )


def with_orientation(text: str, turned: int, *, mirrored: bool) -> str:
    """Return a board file's text with this orientation; the rest, comments too, stays as it is."""
    kept, inside = [], False
    for line in text.splitlines():
        if line.startswith("["):
            inside = line.partition("#")[0].strip() == "[orientation]"
        if not inside:
            kept.append(line)
    body, mirror = "\n".join(kept).rstrip(), str(mirrored).lower()
    return f"{body}\n\n[orientation]\nturned = {turned}\nmirrored = {mirror}\n"
