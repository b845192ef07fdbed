"""The forms of facts that another host may tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.interface import Side

_Text = Annotated[str, Field(max_length=200)]  # the longest turn of Realm Chess has some 60
_Count = Annotated[int, Field(ge=0, le=100)]
_Ms = Annotated[int, Field(ge=-(10**12), le=10**12)]  # years: no clock shows more
_Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
_Pair = Annotated[list[_Text], Field(min_length=2, max_length=2)]


class _Fact(BaseModel):
    """What every fact tells: which host has the word, and what the clock of its player shows."""

    model_config = ConfigDict(extra="forbid", strict=True)

    at: Side
    clock: Annotated[list[_Ms], Field(min_length=2, max_length=2)]


class _Taken(_Fact):
    turn: _Text
    public: _Text | None


class _Call(_Fact):
    what: _Text
    by: Side | None
    data: Annotated[dict[str, Any], Field(max_length=0)]


class _Attempt(_Fact):
    side: Side
    reason: _Text
    move: _Text | None
    cells: Annotated[list[_Text], Field(max_length=100)]
    alone: bool
    moved: _Count
    pressed: bool


class _Shown(_Fact):
    """A turn of pieces that hide something, as the host tells it that owns what it shows."""

    opened: Annotated[dict[_Text, _Pair], Field(max_length=100)]
    told: _Text
    link: _Hash | None


class _Put(_Shown):
    public: _Text


class _Pledged(_Fact):
    pieces: Annotated[dict[_Text, _Hash], Field(max_length=100)]
    dice: _Hash
    told: _Text


_FORMS: Mapping[str, type[_Fact]] = {
    "taken": _Taken,
    "call": _Call,
    "flag": _Fact,
    "attempt": _Attempt,
}
_HIDING: Mapping[str, type[_Fact]] = {
    **_FORMS,
    "pledged": _Pledged,
    "put": _Put,
    "taken": _Shown,
}
"""The forms of facts where pieces hide something from the other host."""


def told(kind: str, data: Mapping[str, object], *, hides: bool) -> dict[str, object]:
    """Return what the other host is told of a fact: what is only here is left out."""
    return {name: data[name] for name in (_HIDING if hides else _FORMS)[kind].model_fields}


def has_form(kind: str, data: Mapping[str, object], *, hides: bool) -> bool:
    """Return whether a fact has the fields of its kind, each of its form."""
    form = (_HIDING if hides else _FORMS).get(kind)
    try:
        return form is not None and bool(form.model_validate(dict(data)))
    except ValidationError:
        return False
