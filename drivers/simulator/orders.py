"""What the simulated board's control can be told over HTTP, as checked values."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

_Cells = Annotated[frozenset[str], Field(max_length=112)]


class _Order(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Step(_Order):
    """One thing that hands do, `t` seconds after the beginning.

    One of: make `cell` read `reading`; carry `piece` `to` a cell, `hand` or `tray`; `flip` a
    piece; press a `button`.
    """

    t: float = Field(default=0.0, ge=0, le=3600)
    cell: str | None = None
    reading: str | bool | None = None
    piece: str | None = None
    to: str | None = None
    flip: bool = False
    button: str | None = None

    @model_validator(mode="after")
    def _one_deed(self) -> Self:
        if sum(what is not None for what in (self.cell, self.piece, self.button)) != 1:
            raise ValueError("a step names exactly one of cell, piece and button")
        if self.piece is not None and (self.to is None) == (not self.flip):
            raise ValueError("a step with a piece either says where to, or flips it")
        return self


class Hands(_Order):
    """`POST /hands`: what hands do, each step at its time."""

    steps: Annotated[tuple[Step, ...], Field(max_length=10_000)]


class Arrange(_Order):
    """`POST /arrange`: set up a named arrangement."""

    name: str


class Plug(_Order):
    """`POST /cable`: pull the cable or put it back."""

    plugged: bool


class Reset(_Order):
    """`POST /reset`: restart the board's controller."""


class Faults(_Order):
    """`POST /faults`: exactly this is wrong with the sensors from now on.

    Attributes:
        stuck: cells that go on reading what they read when they got stuck.
        dead: cells that always read empty.
        missed: cells whose reader sees that something stands there, but no tag.
        bounce: whether every contact chatters.
    """

    stuck: _Cells = frozenset()
    dead: _Cells = frozenset()
    missed: _Cells = frozenset()
    bounce: bool = False
