"""A finished game as others can read it: JSON always, PGN where it fits, and as it was felt.

A game in which players must remember opens only when it is over; until then there is nothing to
export but what the public view shows.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from firmware_bridge.clock.control import Period, TimeControl
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages.records import Record
from firmware_bridge.recordings.format import write
from firmware_bridge.recordings.recorder import Recorder
from firmware_bridge.referee import fact_forms, referee
from firmware_bridge.referee.facts import facts
from firmware_bridge.referee.game_state import Played, State
from firmware_bridge.referee.rating import rated
from firmware_bridge.words import catalogue
from rules.values import SIDES

FORMAT = "firmware-bridge-game"
VERSION = 1  # grows when a program that reads one could misread the next
RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
"""Winner -> result as chess players write it."""
_TERMINATIONS = {
    "flag-fall": "time forfeit",
    "flag-fall-no-mate": "time forfeit",
    "illegal-turns": "rules infraction",
    "arbiter": "adjudication",
}
_WIDTH = 80
"""Columns of a line, as in the export format of the PGN standard (8.2.1)."""
_NO_CHESS = (
    "{Chess programs cannot replay this game: its turns stand in its own notation. The JSON export "
    "holds it exactly.}"
)


class NotYetOpen(Exception):  # noqa: N818 - names what is the matter
    """The game must not be told before it is over, or there is nothing of it to tell."""


class GameSoFar(Protocol):
    """A game: a table, or what is recorded of one that is no longer on a table."""

    @property
    def agreement(self) -> Agreement:
        """What was agreed before."""

    @property
    def state(self) -> State:
        """Where it stands, secrets included."""

    @property
    def records(self) -> tuple[Record, ...]:
        """Everything that was written down."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game that is told from what was written down of it; attributes as in `GameSoFar`.

    Attributes:
        left: whether it was broken off: nobody can go on with it, so nobody must remember it.
    """

    agreement: Agreement
    state: State
    records: tuple[Record, ...]
    left: bool = False

    @classmethod
    def of(cls, records: tuple[Record, ...]) -> RecordedGame:
        """Return the game that these records describe, the agreement first.

        Raises:
            UnknownGame: when there is no such game any more.
        """
        agreement = Agreement.from_data(records[0].data)
        terms = agreement.terms()
        start = terms.game.parse(agreement.position) if agreement.position else terms.game.start()
        state = referee.rebuild(terms, State.begin(terms, start), records)
        return cls(agreement, state, records)


def to_json(game: GameSoFar) -> dict[str, Any]:
    """Return a game as JSON values: what was agreed, every turn with its position, and the result.

    Of a game with somebody far away both hosts tell the same: the facts, not how a board came to
    show them, and no times but what the clocks showed at each.

    Raises:
        NotYetOpen: when players must still remember it.
    """
    state, agreement = opened(game), game.agreement
    far = agreement.away is not None
    kept = [_record(record) for record in game.records if not far and record.kind != "beat"]
    return {
        "format": FORMAT,
        "version": VERSION,
        **(agreement.agreed_far_away() if far else agreement.to_data()),
        "start": str(state.first),
        "turns": [_turn(played, str(after), timed=not far) for played, after in state.turns()],
        "outcome": _outcome(state),
        "rated": rated(agreement.terms(), state),
        **(_facts(game) if far else {"records": kept}),
    }


def to_pgn(game: GameSoFar, begun: str = "") -> str:
    """Return a game as PGN; `begun` is in ISO 8601, empty if nobody knows.

    A game of orthodox turns can be opened by any chess program; one of Chess960 says that it is,
    and where it began. Any other has the game's name as its variant, its turns in the notation in
    which people write them, and a remark that says what it is. A game that begins elsewhere than
    at its start says so with its position text.

    Raises:
        NotYetOpen: when players must still remember it.
    """
    state = opened(game)
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(game, state, begun)]
    turns = textwrap.fill(
        " ".join(_words(state)), _WIDTH, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines) + f"\n\n{turns}\n"


def to_recording(game: GameSoFar, recorder: Recorder) -> str:
    """Return a game as the board felt it, for `firmware-bridge replay`, one JSON object a line.

    Raises:
        NotYetOpen: when players must still remember it, nothing has been felt of it yet, or
            somebody far away played, whose turns no recording has a place for.
    """
    opened(game)
    if game.agreement.away:
        raise NotYetOpen("Turns played far away have no place in a recording: take the JSON.")
    recording = recorder.recording()
    if recording is None:
        raise NotYetOpen("Nothing has been felt of this game since the service started.")
    return "".join(f"{line}\n" for line in write(recording))


def opened(game: GameSoFar) -> State:
    """Return where a game stands, secrets included.

    Raises:
        NotYetOpen: when players must still remember it.
    """
    if game.agreement.terms().hides and game.state.audited != "":
        raise NotYetOpen("What the pieces hid at the other board has not been opened.")
    left = isinstance(game, RecordedGame) and game.left
    if game.agreement.terms().secret and game.state.stage != "over" and not left:
        raise NotYetOpen("This game opens when it is over: its players must remember it.")
    return game.state


def _facts(game: GameSoFar) -> dict[str, Any]:
    hides = game.agreement.terms().hides
    told = (
        (fact.kind, fact_forms.told(fact.kind, fact.data, hides=hides))
        for fact in facts(game.records)
    )
    return {"facts": [{"kind": kind, "data": data} for kind, data in told]}


def _turn(played: Played, after: str, *, timed: bool) -> dict[str, Any]:
    return {
        **({"t_ms": played.t_ms} if timed else {}),
        "side": played.side,
        "turn": str(played.turn),
        "written": played.before.written(played.turn),
        "position": after,
    }


def _outcome(state: State) -> dict[str, Any] | None:
    ending = state.ending
    return None if ending is None else {"winner": ending.winner, "reason": ending.reason}


def _record(record: Record) -> dict[str, Any]:
    # Who looked on is part of the game; from which machine is not.
    data = {} if record.kind == "opened" else dict(record.data)
    return {"t_ms": record.t_ms, "kind": record.kind, "data": data}


def _tags(game: GameSoFar, state: State, begun: str) -> Iterator[tuple[str, str]]:
    agreement, ending = game.agreement, state.ending
    yield "Event", catalogue("en", agreement.game).text("name")
    yield "Site", "?"
    far = agreement.away is not None  # both hosts write the same bytes, whatever their clocks say
    yield "Date", "????.??.??" if far else begun[:10].replace("-", ".") or "????.??.??"
    yield "Round", "-"
    yield "White", agreement.players.get("white") or "?"
    yield "Black", agreement.players.get("black") or "?"
    yield "Result", _result(state)
    traits = state.position.game.traits
    if not traits.orthodox or traits.chess960:
        yield "Variant", catalogue("en", agreement.game).text("name")
    for side in SIDES:
        if not far and (given := state.hints_given(side)):
            yield f"{side.capitalize()}Hints", str(given)
    options = ", ".join(f"{name}={value}" for name, value in sorted(agreement.options.items()))
    if options:
        yield "VariantOptions", options
    yield from _times(state.clock.control)
    yield "Rated", "yes" if rated(agreement.terms(), state) else "no"
    if ending:
        yield "Termination", _TERMINATIONS.get(ending.reason, "normal")
    start = state.first
    if traits.chess960 or start != start.game.start():
        yield "SetUp", "1"
        yield "FEN", (start.fen if _orthodox(state) else None) or str(start)


def _times(control: TimeControl) -> Iterator[tuple[str, str]]:
    """Yield the time controls, which stand under names of their own where the sides' differ."""
    both = [":".join(map(_period, control.of(side))) or "-" for side in SIDES]
    if not control.odds:
        yield "TimeControl", both[0]
        return
    yield "TimeControl", "?"
    yield "WhiteTimeControl", both[0]
    yield "BlackTimeControl", both[1]


def _period(period: Period) -> str:
    """Return a period as PGN writes it, in seconds; what PGN cannot write in plain words."""
    if period.mode.in_days:
        return f"1/{period.base_ms // 1000}"
    increment = period.mode.increment_ms
    if increment is None:
        return str(period)
    turns = f"{period.turns}/" if period.turns else ""
    bonus = f"+{increment / 1000:g}" if increment else ""
    return f"{turns}{period.base_ms / 1000:g}{bonus}"


def _result(state: State) -> str:
    return "*" if state.ending is None else RESULTS[state.ending.winner]


def _orthodox(state: State) -> bool:
    return state.position.game.traits.orthodox


def _words(state: State) -> Iterator[str]:
    """Yield move numbers and turns; a decision of the same player gets no number of its own."""
    if not _orthodox(state):
        yield from _NO_CHESS.split()
    number, mover = state.first.fullmove_number - 1, None
    for played in state.played:
        if played.side == "white" and mover != "white":
            number += 1
            yield f"{number}."
        elif mover is None:
            number += 1
            yield f"{number}..."
        mover = played.side
        yield from played.before.written(played.turn).split()
    yield _result(state)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
