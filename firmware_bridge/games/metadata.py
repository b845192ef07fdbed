"""A game's data file: words, default settings, announcements and learn screens.

It is `firmware_bridge/games/<id>.toml`, or `<id>.toml` beside the module of a game from elsewhere.
"""

from __future__ import annotations

import inspect
import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules import IllegalTurn, InvalidPosition, UnusableGame, registry

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from rules.interface import Game, Position, Turn


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Remark(_Strict):
    """Something to say when a turn's public text matches; named groups fill the gaps.

    With `described`, the gap `turn` is filled with the turn as people write it.
    """

    turn: str
    key: str
    described: bool = False


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


@cache
def of(game: str) -> GameMetadata:
    """Return what is told of a game.

    Raises:
        UnknownGame: when there is no such game.
        UnusableGame: when its data file is missing, cannot be read, or lacks something.
    """
    file = resources.files(__package__).joinpath(f"{game}.toml")
    if not file.is_file():
        file = Path(inspect.getfile(registry.find(game))).parent / f"{game}.toml"
    try:
        metadata = GameMetadata.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError:
        raise UnusableGame(f"The game {game!r} has no data file {file}.") from None
    except tomllib.TOMLDecodeError as error:
        raise UnusableGame(f"{file}: {error}") from None
    except ValidationError as error:
        raise UnusableGame(f"{file}: {error}") from None
    if lacking := sorted(
        _needed(registry.find(game), metadata) - metadata.words.get("en", {}).keys()
    ):
        raise UnusableGame(f"{file} lacks under [words.en]: {', '.join(lacking)}.")
    if mistakes := tuple(_mistakes(registry.find(game), metadata)):
        listed = "".join(f"\n  - {where} {wrong}" for where, wrong in mistakes)
        raise UnusableGame(f"{file} cannot be used:{listed}")
    return metadata


def lesson(game: str, reason: str) -> int:
    """Return the number of the game's screen that shows an offence; else of its first one.

    Args:
        game: the game's id.
        reason: the reason code of what was illegal.
    """
    return _explained(game).get(reason, 1)


def screens(game: str) -> tuple[LearnScreen, ...]:
    """Return a game's learn screens, and after them one for each other offence in it.

    The latter have no words of their own: the catalogue has a sentence for what they explain.
    """
    return (*of(game).learn, *_other_offences(game))


@cache
def _explained(game: str) -> dict[str, int]:
    """Return which screen explains which offence first, by reason code."""
    loaded, explained = registry.find(game)(), dict[str, int]()
    for number, screen in enumerate(screens(game), start=1):
        for code in (screen.reason_in(loaded), *screen.explains):
            explained.setdefault(code, number)
    return explained


@cache
def _other_offences(game: str) -> tuple[LearnScreen, ...]:
    loaded, learn = registry.find(game)(), of(game).learn
    shown = {code for screen in learn for code in (screen.reason_in(loaded), *screen.explains)}
    more = []
    file = resources.files(__package__).joinpath("offences.toml")
    for example in tomllib.loads(file.read_text(encoding="utf-8"))["why"]:
        # A position has a field more where pieces can be invisible.
        for field in ("", " -") if "position" in example else ("",):
            position = example.get("position", "") + field
            screen = LearnScreen(title={}, text={}, position=position, offence=example["offence"])
            reason = screen.reason_in(loaded)
            if reason and reason not in shown and _within(loaded, screen.offence):
                shown.add(reason)
                more.append(screen.model_copy(update={"explains": (reason,)}))
    return tuple(more)


def _within(game: Game, offence: str) -> bool:
    """Return whether both squares of a movement belong to the board."""
    return game.squares >= {offence[:2], offence[2:]}


def lacking(game: str, language: str) -> tuple[str, ...]:
    """Return what a game does not say in a language: keys of its words, and its learn screens."""
    metadata = of(game)
    words = metadata.words["en"].keys() - metadata.words.get(language, {}).keys()
    screens = (
        f"learn {number}"
        for number, screen in enumerate(metadata.learn, start=1)
        if language not in screen.title or language not in screen.text
    )
    return (*sorted(words), *screens)


def _mistakes(game: type[Game], metadata: GameMetadata) -> Iterator[tuple[str, str]]:
    """Yield what of the data file cannot be shown: where, and why."""
    loaded = game()
    if not metadata.learn:
        yield "[[learn]]", "is missing: nobody could learn the game."
    if not metadata.demonstration:
        yield "demonstration", "is missing: a kiosk could not show the game."
    for number, screen in enumerate(metadata.learn, start=1):
        where = f"learn screen {number}"
        if "en" not in screen.title or "en" not in screen.text:
            yield where, "has no title or no text in English."
        try:
            position = screen.position_in(loaded)
            if screen.turn:
                position.play(position.parse_turn(screen.turn))
        except ValueError as error:
            yield where, f"has a position or turn that the game refuses: {error}"
            continue
        if screen.offence and not screen.reason_in(loaded):
            yield where, f"has an offence that is none: {screen.offence}"
    position = loaded.start()
    for number, turn in enumerate(metadata.demonstration, start=1):
        try:
            position = position.play(position.parse_turn(turn))
        except ValueError as error:
            yield f"turn {number} of the demonstration", f"is refused by the game: {error}"
            break
    yield from _wrong_classics(loaded, metadata)


def _wrong_classics(game: Game, metadata: GameMetadata) -> Iterator[tuple[str, str]]:
    for number, classic in enumerate(metadata.classics, start=1):
        try:
            turns = sum(1 for _ in classic.made(game))
        except ValueError as error:
            yield f"classic {number}", f"has a position or turn that the game refuses: {error}"
            continue
        if "en" not in classic.title or not turns:
            yield f"classic {number}", "has no title in English, or no turns."


def _needed(game: type[Game], metadata: GameMetadata) -> set[str]:
    """Return the keys of words that only the game itself can have."""
    return {
        "name",
        "tagline",
        *metadata.declarations,
        *(f"option-{name}" for name in game.defaults),
    }
