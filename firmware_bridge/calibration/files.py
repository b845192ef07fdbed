"""Where a walk leaves its notebook and its results: files that people can read and edit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from drivers.description import BoardDescription
from drivers.piece_set import PieceSet
from firmware_bridge.calibration.progress import Progress
from firmware_bridge.journal.small_file import keep


class FilesError(Exception):
    """A file of the walk cannot be read or written; the message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Files:
    """The folder of one board.

    Attributes:
        folder: made if it does not exist.
    """

    folder: Path

    @property
    def board(self) -> Path:
        """The board file with what was found out."""
        return self.folder / "board.toml"

    @property
    def pieces(self) -> Path:
        """The piece set."""
        return self.folder / "pieces.json"

    @property
    def notebook(self) -> Path:
        """The answers so far."""
        return self.folder / "setup.json"

    def read_notebook(self, description: BoardDescription) -> Progress:
        """Return the notebook kept here, or a new one.

        Raises:
            FilesError: it cannot be read, or belongs to another board.
        """
        new = Progress(fingerprint=description.fingerprint)
        try:
            book = Progress.model_validate_json(self.notebook.read_bytes())
        except FileNotFoundError:
            return new
        except (OSError, ValidationError) as error:
            raise FilesError(
                f"Cannot read {self.notebook}: {error}\nDelete it to begin anew."
            ) from None
        if book.fingerprint != new.fingerprint:
            raise FilesError(
                f'{self.notebook} is about another board than "{description.name}". '
                "Choose another folder, or delete it to begin anew."
            )
        return book

    def keep_notebook(self, book: Progress) -> None:
        """Write the notebook; raise `FilesError` if that fails."""
        _write(self.notebook, book.model_dump_json(indent=1) + "\n")

    def keep_board(self, text: str) -> None:
        """Write the board file, keeping one that is there as `.old`; may raise `FilesError`."""
        if self.board.exists() and self.board.read_text(encoding="utf-8") != text:
            self.board.replace(self.board.with_suffix(".old"))
        _write(self.board, text)


def keep_pieces(path: Path, pieces: PieceSet) -> None:
    """Write a piece set; raise `FilesError` if that fails."""
    _write(path, pieces.model_dump_json(indent=1) + "\n")


def _write(path: Path, text: str) -> None:
    try:
        keep(path, text.encode(), private=False)
    except OSError as error:
        raise FilesError(f"Cannot write {path}: {error.strerror}.") from None
