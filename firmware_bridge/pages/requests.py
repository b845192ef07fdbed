"""What requests may hold, checked strictly: everything that is wrong is named with its place."""

from __future__ import annotations

from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from starlette.exceptions import HTTPException
from starlette.requests import Request

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.config.players import Name
from firmware_bridge.opponents.levels import LEVELS

B = TypeVar("B", bound=BaseModel)
Text = Annotated[str, Field(max_length=400)]


TAKE_BACK = "offer-take-back"
"""What can be said at the screen beside the board where a computer is the opponent: it is not
asked. Between people each says it from his own seat."""

RESIGN = "resign"
"""What can be said there whenever a game is played, for the side to act, or for the person against
a computer."""

PAUSE, RESUME = "pause", "resume"
"""What can be said there by whoever is there: no clock button may be in reach."""

ADJOURN, DRAW = "adjourn", "offer-draw"
"""What can be said there in a game with somebody far away."""

ANSWERS = "accept-draw", "accept-take-back", "decline"
"""How an offer is answered there that is made to somebody without a phone."""

HINT = "hint"
"""What can be said there where the side to act may be helped."""


class Body(BaseModel):
    """What a request may hold: nothing that is not asked for."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Entry(Body):
    """A key for a seat, or the referee's PIN."""

    key: Annotated[str, Field(max_length=64)]


class Saving(Entry):
    """The referee's PIN, and whether keys are saved too."""

    keys: bool = False


class Nothing(Body):
    """Nothing has to be said."""


class Opponent(Body):
    """Which computer: one that is a match, or of a level; 0 asks for a person instead of it."""

    level: Annotated[int, Field(ge=0, le=LEVELS[-1])] | None = None


class HandOver(Body):
    """Whether the phone that asks for a seat gets it."""

    agree: bool


class TableAction(Body):
    """What is done at the screen beside the board for the side to act: exactly one of them."""

    call: Annotated[str, Field(max_length=40)] | None = None
    answer: Text | None = None
    declare: Annotated[str, Field(max_length=40)] | None = None

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        things = [name for name in ("call", "answer", "declare") if name in type(self).model_fields]
        if sum(getattr(self, name) is not None for name in things) != 1:
            raise ValueError(f"name exactly one of {', '.join(things[:-1])} and {things[-1]}")
        return self


class Action(TableAction):
    """One thing that a player or the referee does: a call, an answer or a declaration."""

    side: rules.Side | None = None
    data: dict[str, Text] = Field(default_factory=dict, max_length=6)


class NewGame(Body):
    """What was agreed before a game."""

    game: Annotated[str, Field(max_length=40)]
    options: dict[str, bool | int | str] = Field(default_factory=dict, max_length=12)
    settings: dict[str, bool | int | float | str] = Field(default_factory=dict, max_length=24)
    players: dict[rules.Side, Name] = Field(default_factory=dict)

    def agreement(self, language: str) -> Agreement:
        """Return what was agreed; it speaks this language unless its settings say otherwise.

        Raises:
            UnknownGame, BadSetting: the game, an option or a setting cannot be had.
        """
        settings = GameSettings.of({"language": language, **self.settings})
        players = {side: name.strip() for side, name in self.players.items() if name.strip()}
        agreed = Agreement(self.game, self.options, settings, players, chosen=True)
        agreed.terms()  # a game that cannot be used, or a level that there is not, is said now
        return agreed


async def read(request: Request, model: type[B]) -> B:
    """Return the request's body as checked values; refuse what is anything else."""
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as error:
        raise HTTPException(400, _plainly(error.errors()[0], model)) from None


def _plainly(detail: Any, model: type[BaseModel]) -> str:  # noqa: ANN401 - pydantic's details
    """Say where something is wrong, what, and what could stand there."""
    where = ".".join(str(part) for part in detail["loc"])
    what = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "extra_forbidden":
        what = f"there is no such field; there are {', '.join(model.model_fields) or 'none'}"
    elif detail["type"].endswith("_type") and len(detail["loc"]) > 2:
        # Of several kinds of value that would do, the error names but one.
        where, what = ".".join(map(str, detail["loc"][:2])), "this is no value for it"
    return f"{where}: {what}" if where else what
