"""A piece set as data: which tag is which piece, which face is down, and what that looks like."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from drivers.port import DriverError


class PieceSetError(DriverError):
    """A piece set cannot be used; the message says file, place, what, and what to do."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Face(_Part):
    """One way for a piece to lie.

    Attributes:
        tag: UID of the tag that is then read from below, in capital hexadecimal digits.
        label: what the games call the piece when it lies so: `wK`, or `wPN:N` for a disc.
        look: what is then seen from above: colour and letter, `wK`, `bP`; `nK` for a piece of
            which nobody can see whose it is.
    """

    tag: Annotated[str, Field(pattern=r"^([0-9A-F]{2}){4,10}$")]
    label: str
    look: Annotated[str, Field(pattern=r"^[wbn][A-Z]$")]


class Piece(_Part):
    """One thing that hands can take: a piece with one face, or a disc with two.

    Attributes:
        name: tells it from its likes.
        set: the box it belongs in; pieces of one box are used together.
        shape: how it is drawn: a man that stands, or a disc that lies.
        faces: the ways it can lie.
    """

    set: str = ""
    shape: Literal["man", "disc"] = "man"
    name: Annotated[str, Field(min_length=1, max_length=40)]
    faces: Annotated[tuple[Face, ...], Field(min_length=1, max_length=2)]


class PieceSet(_Part):
    """All pieces that belong to a board, and named arrangements: cell -> tag read there."""

    pieces: tuple[Piece, ...] = ()
    arrangements: dict[str, dict[str, str]] = {}

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Tag -> label."""
        return {face.tag: face.label for piece in self.pieces for face in piece.faces}

    @cached_property
    def by_tag(self) -> Mapping[str, tuple[Piece, int]]:
        """Tag -> the piece that carries it, and the number of the face on which it then lies."""
        return {
            face.tag: (piece, number)
            for piece in self.pieces
            for number, face in enumerate(piece.faces)
        }

    def with_arrangement(self, name: str, arrangement: Mapping[str, str]) -> Self:
        """Return the same pieces with one more, or another, arrangement of this name."""
        changed = self.arrangements | {name: dict(arrangement)}
        return type(self)(pieces=self.pieces, arrangements=changed)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        tags = [face.tag for piece in self.pieces for face in piece.faces]
        if twice := sorted({tag for tag in tags if tags.count(tag) > 1}):
            raise ValueError(f"these tags are used twice: {', '.join(twice)}")
        names = [piece.name for piece in self.pieces]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"these names are used twice: {', '.join(twice)}")
        for title, arrangement in self.arrangements.items():
            if strange := sorted(set(arrangement.values()) - set(tags)):
                raise ValueError(
                    f'arrangement "{title}" uses tags of no piece: {", ".join(strange)}'
                )
        return self


def load_piece_set(path: Path) -> PieceSet:
    """Return the piece set in a JSON file; raise `PieceSetError` naming all that is wrong."""
    try:
        return PieceSet.model_validate_json(path.read_bytes())
    except OSError as error:
        raise PieceSetError(
            f"Cannot read the piece set {path.absolute()}: {error.strerror}. "
            "`firmware-bridge setup --only pieces` makes one."
        ) from error
    except ValidationError as error:
        problems = "".join(
            f"\n  {': '.join(filter(None, ('.'.join(map(str, item['loc'])), item['msg'])))}"
            for item in error.errors()
        )
        raise PieceSetError(f"The piece set {path} cannot be used:{problems}") from error
