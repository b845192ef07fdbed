"""What players agree on before a game, under one set of names everywhere.

The same names stand in the configuration file, in recordings and on the set-up page.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)

from firmware_bridge.clock import control
from firmware_bridge.clock.control import TimeControl
from firmware_bridge.referee import penalties
from firmware_bridge.referee.penalties import PenaltyTable, kinds
from firmware_bridge.words import LANGUAGES, catalogue


class BadSetting(ValueError):  # noqa: N818 - named like the errors of `rules`
    """A setting that does not exist or a value that it does not take; says which and what to do."""


@cache
def _words() -> Mapping[str, str]:
    """Return what the words for time and penalties in every language mean."""
    keys = {"untimed": "untimed"} | {kind.form: f"penalty-form-{kind.kind}" for kind in kinds()}
    said = (
        (form, catalogue(code).texts.get(key)) for form, key in keys.items() for code in LANGUAGES
    )
    return {word.lower(): form for form, word in said if word}


def _meant(text: str) -> str:
    return _words().get(text.strip().lower(), text)


def _time(value: object) -> object:
    return str(control.parse(_meant(value))) if isinstance(value, str) else value


def _penalty(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = f"{value:g}s"
    if not isinstance(value, str):
        return value
    return str(penalties.parse(",".join(map(_meant, value.split(",")))))


def _language(code: str) -> str:
    if code not in LANGUAGES:
        raise ValueError(
            f"there are no words in {code!r}; the languages are {', '.join(LANGUAGES)}"
        )
    return code


Language = Annotated[str, AfterValidator(_language)]
"""The code of a language that there are words in."""


class GameSettings(BaseModel):
    """The settings of one game. `None` leaves the choice to the game's own default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    time: Annotated[str | None, BeforeValidator(_time)] = None
    """Time control: `45m`, `30m+10s`, `untimed`, ... (see `docs/referee.md`)."""
    penalty: Annotated[str | None, BeforeValidator(_penalty)] = None
    """What an illegal attempt costs: `none`, `5m`, `+2m, loss` (see `docs/referee.md`)."""
    grace: float = Field(default=0.8, ge=0, le=60)
    """Seconds that something odd may stand on the board before it is illegal."""
    settle: float = Field(default=0.3, ge=0, le=60)
    """Seconds that a complete turn must stand before it is taken without a clock button."""
    press: bool | None = None
    """Whether a turn waits for a press of the clock, on a board that has buttons. Unless it is said
    otherwise, it does where time runs; in a sealed game, and with a coach, it always does.
    Elsewhere a press ends a turn at once, and nobody needs one."""
    touch_move: bool = False
    """Whether a piece that was touched must move."""
    sealed: bool | None = None
    """Whether, in a game with secrets, the board shows nothing of a turn and rules on none before
    the clock is pressed, so that nothing can be tried for free. Unless it is said otherwise, it
    does where owners are secret and the board reads no tags."""
    take_backs: bool = False
    """Whether turns may be undone on the board; never in a game that forbids records."""
    record: bool = False
    """Whether players may look at the list of turns where it is forbidden over the board (Reality
    Check), as in play by post. Such a game is unrated."""
    practice: bool = False
    """A game to learn by: hints are given in every game, also where two people play."""
    coach: bool = False
    """Whether a press asks once about a turn that loses much: in open games, with clock buttons."""
    lift_for_hint: bool = False
    """Whether a piece of one's own that is held up for four seconds asks for a hint; never with
    `touch_move`."""
    quiet: bool = False
    """Few words: only what the players must know to go on."""
    sound: bool = True
    """Whether the board makes tones."""
    language: Language = "en"
    """The language that the game is said in, and told to indicators; pages have their own."""

    @classmethod
    def of(cls, names: Mapping[str, Any]) -> GameSettings:
        """Return the settings with these names and values; all others have their defaults.

        Raises:
            BadSetting: naming every setting that is wrong, and what it takes.
        """
        try:
            return cls.model_validate(dict(names))
        except ValidationError as error:
            raise BadSetting("; ".join(map(_plainly, error.errors()))) from None

    def time_control(self, default: str) -> TimeControl:
        """Return the time control in force where the game's own default is `default`."""
        return control.parse(self.time or default)

    def penalty_table(self, default: str) -> PenaltyTable:
        """Return the penalty table in force where the game's own default is `default`."""
        return penalties.parse(self.penalty or default)


def _plainly(error: Any) -> str:  # noqa: ANN401 - pydantic's error details
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, GameSettings.model_fields, n=1)
        every = f"the settings are {', '.join(sorted(GameSettings.model_fields))}"
        hint = f"did you mean {near[0]!r}?" if near else every
        return f"there is no setting {name!r}; {hint}"
    message = error["msg"].removeprefix("Value error, ")
    return f"setting {name!r}: {message}"
