"""What stands in a game's data file: the shape of each part of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from rules import IllegalTurn, InvalidPosition
from rules.interface import Game, Position, Turn


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Remark(_Strict):
    """Something to say when a turn's public text matches; named groups fill the gaps.

    With `described`, the gap `turn` is filled with the turn as people write it, `deed` with what
    hands do.
    """

    turn: re.Pattern[str]
    key: str
    described: bool = False

    @property
    def filled(self) -> set[str]:
        """The gaps of its words that are filled."""
        return {*self.turn.groupindex, *(("turn", "deed") if self.described else ())}


class Mark(_Strict):
    """How a public mark of a piece is announced and lit.

    Attributes:
        on: what is said of a piece that gets it, as a key of the game's words.
        off: what is said of a piece that loses it.
        light: the signal of its square.
        coin_on: said instead of `on` on a board without lights, where a coin tells it.
        coin_off: said instead of `off` there.
    """

    on: str | None = None
    off: str | None = None
    light: str | None = None
    coin_on: str | None = None
    coin_off: str | None = None

    def said(self, *, unlit: bool) -> tuple[str | None, str | None]:
        """Return what is said of a piece that gets the mark, and of one that loses it."""
        by_coin = (self.coin_on or self.on, self.coin_off or self.off)
        return by_coin if unlit else (self.on, self.off)


class Defaults(_Strict):
    """Settings of this game where the players chose none."""

    time: str = "untimed"
    penalty: str = "none"


class Rated(_Strict):
    """The thinking time, in minutes a player, at which the game counts as rated."""

    least: int
    most: int


class _Placed(_Strict):
    """Something that begins with a position; with the game's start when it is empty."""

    position: str = ""

    def position_in(self, game: Game) -> Position:
        """Return the position shown.

        Raises:
            ValueError: the game refuses it.
        """
        return game.parse(self.position) if self.position else game.start()


class Picture(_Placed):
    """A small picture that could only be of this game.

    Attributes:
        position: what stands on it; the game's start when empty.
        turn: a turn of it, that is drawn with its lights and arrows.
        corners: the two corners of the part that is shown, such as `c3 f6`; the board when empty.
    """

    turn: str = ""
    corners: Annotated[str, Field(pattern=r"^([a-h][1-9] [a-h][1-9])?$")] = ""


class Look(_Strict):
    """What tells a game apart at a glance, on every page.

    Attributes:
        board: `chequered`, or `uniform`: one colour, with lines between the squares.
        hue: of the game's colours, in degrees of OKLCH: 30 is orange, 150 green, 260 blue.
        emblem: the path of a line drawing, 24 by 24.
        picture: what stands on its cards.
    """

    board: Literal["chequered", "uniform"] = "chequered"
    hue: Annotated[int, Field(ge=0, lt=360)] = 75
    emblem: str = (
        "M12 4a3 3 0 1 0 .01 0M9.500 10h5M10.500 10 9 17"
        "M13.500 10 15 17M6 20.500l1-3.500h10l1 3.500z"
    )
    picture: Picture = Picture()


class LearnScreen(_Placed):
    """One of the short screens that explain the game.

    Attributes:
        title: heading, by language.
        text: one or two sentences, by language.
        position: the position shown; the game's start when empty.
        turn: a turn to be made on it, if any.
        offence: instead of it, a movement against the rules such as `e7e5`, to see what happens.
        explains: reason codes of offences that it explains besides its own.
    """

    title: dict[str, str]
    text: dict[str, str]
    turn: str = ""
    offence: str = ""
    explains: tuple[str, ...] = ()

    def reason_in(self, game: Game) -> str:
        """Return the reason code of its offence; empty where it has none, or it is none here."""
        try:
            if self.offence:
                self.position_in(game).parse_turn(self.offence)
        except IllegalTurn as error:
            return error.reason
        except InvalidPosition:
            return ""
        return ""


class Classic(_Placed):
    """A game or a composition that somebody published, turn by turn.

    Attributes:
        title: what it is, by language.
        by: who played or composed it.
        source: the address of the page that it is from.
        position: where it begins; the game's start when empty.
        turns: what was played.
    """

    title: dict[str, str]
    by: str
    source: str
    turns: tuple[str, ...]

    def made(self, game: Game) -> Iterator[tuple[Position, Turn]]:
        """Return each turn, with the position that it was made in.

        Raises:
            ValueError: the game refuses a position or a turn.
        """
        return made(self.position_in(game), self.turns)


def made(position: Position, turns: Iterable[str]) -> Iterator[tuple[Position, Turn]]:
    """Yield turns that are played one after the other, each with the position it is made in.

    Raises:
        ValueError: the game refuses one of them.
    """
    for text in turns:
        turn = position.parse_turn(text)
        yield position, turn
        position = position.play(turn)


class GameMetadata(_Strict):
    """All of one game's data file.

    Attributes:
        look: what tells it apart at a glance.
        defaults: settings where the players chose none.
        rated: when a game counts as rated; `None` if always.
        rulings: keys of what the game's own referee calls out.
        remarks: what to say about turns.
        choices: how to call the alternatives of a question.
        marks: what to say about marks of pieces, and how they are lit, by mark.
        words: the game's own words: language -> key -> text.
        learn: the screens that explain the game.
        declarations: what players can declare of a turn that says more than hands do, as keys of
            the game's own words.
        variants: options that are often chosen together; benches play them besides the defaults.
        demonstration: turns from the start, that a kiosk plays while nobody else does.
        classics: what others published of the game; a kiosk's show begins with it.
    """

    look: Look = Look()
    defaults: Defaults = Defaults()
    rated: Rated | None = None
    rulings: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    choices: tuple[Remark, ...] = ()
    marks: dict[str, Mark] = Field(default_factory=dict)
    words: dict[str, dict[str, str]]
    learn: tuple[LearnScreen, ...] = ()
    declarations: tuple[str, ...] = ()
    variants: tuple[dict[str, bool | int | str], ...] = ()
    demonstration: tuple[str, ...] = ()
    classics: tuple[Classic, ...] = ()


def named(found: re.Match[str]) -> dict[str, str]:
    """Return what fills the gaps of the words for a turn that matched.

    A group named `piece` or `piece_...` holds a piece's letter, whose name stands in the catalogue.
    """
    return {
        name: f"piece-{text.upper()}" if name.startswith("piece") else text
        for name, text in found.groupdict(default="").items()
    }
