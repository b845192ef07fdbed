"""Learning a piece set: which tag is which piece, one piece at a time on a lit cell. Pure.

What is wanted is given as a template: the pieces with their faces, whose tags are replaced by the
real ones as they are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from drivers.description import BoardDescription
from drivers.piece_set import Piece, PieceSet
from drivers.port import BoardEvent, CellEvent, DriverError, Lights, Reading
from firmware_bridge.calibration.prompts import Line, words_of
from firmware_bridge.simulation.piece_sets import pieces_of, places_of
from rules.interface import Game


@dataclass(frozen=True, slots=True)
class Task:
    """One face of one piece, to be read on one cell."""

    piece: Piece
    face: int
    cell: str

    @property
    def asks(self) -> Line:
        """What hands should do."""
        face = self.piece.faces[self.face]
        what = "turn" if self.face else "put"
        if self.piece.shape != "disc":
            return Line(f"setup-{what}", {"piece": f"setup-piece-{face.look}", "cell": self.cell})
        kind, _, down = face.label.partition(":")
        gaps = {"disc": f"setup-disc-{kind[0]}", "kind": kind[1:], "cell": self.cell}
        return Line(f"setup-{what}-disc", gaps | {"down": down, "up": face.look[1]})


class Enrolment:
    """Goes through a template, face by face; what was read can be undone, and taken up again later.

    `places` has the cell that is lit for each piece, which may stay there.
    """

    sound = ""

    def __init__(
        self,
        template: Sequence[Piece],
        places: Mapping[str, str],
        known: PieceSet,
        language: str = "en",
    ) -> None:
        self._words = words_of(language)
        done = {piece.name for piece in known.pieces}
        self._known = known
        self._tasks = [
            Task(piece, face, places[piece.name])
            for piece in template
            if piece.name not in done
            for face in range(len(piece.faces))
        ]
        self._read: list[str] = []

    @property
    def task(self) -> Task | None:
        """What is asked for now; `None` when everything is enrolled."""
        return self._tasks[len(self._read)] if len(self._read) < len(self._tasks) else None

    @property
    def asks(self) -> str | None:
        """What hands should do now; `None` when everything is enrolled."""
        if self.task is None:
            return None
        to_go = self._words.text("setup-to-go", {"number": str(self.remaining)})
        return f"{self.task.asks.told(self._words)}  {to_go}"

    @property
    def remaining(self) -> int:
        """How many faces are still to be read."""
        return len(self._tasks) - len(self._read)

    @property
    def lights(self) -> Lights:
        """The cell on which something is awaited."""
        return Lights({self.task.cell: "setup"} if self.task else {})

    @property
    def shines(self) -> tuple[str, ...]:
        """The cell that shines."""
        return (self.task.cell,) if self.task else ()

    @property
    def words(self) -> dict[str, str]:
        """What may be entered, and what it means."""
        meanings = {"u": "setup-undo-piece", "q": "setup-stop"}
        return {word: self._words.text(key) for word, key in meanings.items()}

    def hear(self, event: BoardEvent) -> str:
        """Note what happened on the board; return what to tell people, or nothing."""
        return self.take(event.cell, event.reading) if isinstance(event, CellEvent) else ""

    def order(self, word: str) -> str:
        """Note a word from the keyboard: `u` forgets the last piece."""
        if word != "u":
            return self._words.text("setup-no-answer", {"word": word, "words": "u, q"})
        self.undo()
        return ""

    def take(self, cell: str, reading: Reading) -> str:
        """Note what a cell reads; return what to tell people, nothing where nothing is to be told.

        Only a tag on the cell asked for counts, and only a new one.
        """
        task = self.task
        if task is None or reading is None:
            return ""
        return self._judge(task, cell, reading).told(self._words)

    def _judge(self, task: Task, cell: str, reading: str | bool) -> Line:
        if cell != task.cell:
            return Line("setup-put-elsewhere", {"there": cell, "cell": task.cell})
        if isinstance(reading, bool):
            return Line("setup-put-no-tag")
        if reading.startswith("piece:"):
            return Line("setup-by-kind")
        if reading in self._read or reading in self._known.labels:
            return Line("setup-put-again")
        self._read.append(reading)
        return Line("setup-put-read", {"tag": reading})

    def undo(self) -> None:
        """Forget the last piece, both faces of it."""
        if self._read:
            name = self._tasks[len(self._read) - 1].piece.name
            while self._read and self._tasks[len(self._read) - 1].piece.name == name:
                self._read.pop()

    def result(self) -> PieceSet:
        """Return all pieces of which every face has been read, those known before included."""
        tags: dict[str, list[str]] = {}
        for task, tag in zip(self._tasks, self._read, strict=False):
            tags.setdefault(task.piece.name, []).append(tag)
        pieces = {task.piece.name: task.piece for task in self._tasks}
        learnt = tuple(
            _with_tags(pieces[name], read)
            for name, read in tags.items()
            if len(read) == len(pieces[name].faces)
        )
        return PieceSet(pieces=self._known.pieces + learnt)


def _with_tags(piece: Piece, tags: Sequence[str]) -> Piece:
    faces = zip(piece.faces, tags, strict=True)
    read = tuple(face.model_copy(update={"tag": tag}) for face, tag in faces)
    return piece.model_copy(update={"faces": read})


def enrolment_for(
    game: Game,
    description: BoardDescription,
    known: PieceSet,
    *,
    two_faced: bool = False,
    spares: bool = False,
    language: str = "en",
) -> Enrolment:
    """Return the enrolment of the pieces of a game, each on the cell where it stands at the start.

    `two_faced` chessmen have a tag for the other colour below; `spares` are for promotions.

    Raises:
        DriverError: the board reads no tags, or has too few cells.
    """
    if description.tier == "occupancy":
        raise DriverError(f'The board "{description.name}" has no tag readers.')
    template = tuple(
        piece
        if two_faced or piece.shape == "disc"
        else piece.model_copy(update={"faces": piece.faces[:1]})
        for piece in pieces_of(game, spares=spares)
    )
    return Enrolment(template, _places(game, template, description), known, language)


def _places(game: Game, template: Sequence[Piece], description: BoardDescription) -> dict[str, str]:
    """Return the cell of every piece: where it stands at the start, or one that is free then."""
    places = {name: cell for name, cell in places_of(game).items() if cell in description.numbers}
    taken = set(places.values())
    order = (*description.reserves, *description.squares)
    free = iter([cell for cell in order if cell not in taken])
    try:
        return {piece.name: places.get(piece.name) or next(free) for piece in template}
    except StopIteration:
        raise DriverError("The board has too few cells for all these pieces.") from None
