"""A finished game as others can read it: JSON always, PGN where it fits, and as it was felt.

A game in which players must remember opens only when it is over; until then there is nothing to
export but what the public view shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from firmware_bridge.recordings import write
from firmware_bridge.words import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware_bridge.clock.control import Period
    from firmware_bridge.records import Record
    from firmware_bridge.referee.state import Played, State
    from firmware_bridge.table import Table
    from firmware_bridge.tape import Tape

FORMAT = "firmware-bridge-game"
VERSION = 1
_RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
_TERMINATIONS = {
    "flag-fall": "time forfeit",
    "flag-fall-bare-king": "time forfeit",
    "illegal-turns": "rules infraction",
    "arbiter": "adjudication",
}
_WIDTH = 80


class NotYetOpen(Exception):  # noqa: N818 - names what is the matter
    """The game must not be told before it is over, or there is nothing of it to tell."""


def to_json(table: Table) -> dict[str, Any]:
    """Return a game as JSON values: what was agreed, every turn with its position, and the result.

    Raises:
        NotYetOpen: when players must still remember it.
    """
    state = _open(table)
    agreement = table.agreement.to_data()
    return {
        "format": FORMAT,
        "version": VERSION,
        **agreement,
        "start": str(state.played[0].before if state.played else state.position),
        "turns": [_turn(played, after) for played, after in _pairs(state)],
        "outcome": _outcome(state),
        "records": [_record(record) for record in table.records if record.kind != "beat"],
    }


def to_pgn(table: Table) -> str:
    """Return a game as PGN, with the game's name as its variant.

    Turns stand in the notation in which people write them. A game that begins elsewhere than at
    its start says so with its position text, which other programs may not know.

    Raises:
        NotYetOpen: when players must still remember it.
    """
    state = _open(table)
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(table, state)]
    return "\n".join(lines) + "\n\n" + "\n".join(_wrapped(_words(state))) + "\n"


def to_recording(table: Table, tape: Tape) -> str:
    """Return a game as the board felt it, for `firmware-bridge replay`, one JSON object a line.

    Raises:
        NotYetOpen: when players must still remember it, or nothing has been felt of it yet.
    """
    _open(table)
    recording = tape.recording()
    if recording is None:
        raise NotYetOpen("Nothing has been felt of this game since the service started.")
    return "".join(f"{line}\n" for line in write(recording))


def _open(table: Table) -> State:
    state = table.state
    if table.agreement.terms().secret and state.stage != "over":
        raise NotYetOpen("This game opens when it is over: its players must remember it.")
    return state


def _pairs(state: State) -> Iterator[tuple[Played, str]]:
    """Yield every turn with the text of the position it led to."""
    for played, following in zip(state.played, state.played[1:], strict=False):
        yield played, str(following.before)
    if state.played:
        yield state.played[-1], str(state.position)


def _turn(played: Played, after: str) -> dict[str, Any]:
    return {
        "t_ms": played.t_ms,
        "side": played.side,
        "turn": str(played.turn),
        "written": played.before.written(played.turn),
        "position": after,
    }


def _outcome(state: State) -> dict[str, Any] | None:
    ending = state.ending
    return None if ending is None else {"winner": ending.winner, "reason": ending.reason}


def _record(record: Record) -> dict[str, Any]:
    return {"t_ms": record.t_ms, "kind": record.kind, "data": dict(record.data)}


def _tags(table: Table, state: State) -> Iterator[tuple[str, str]]:
    agreement, ending = table.agreement, state.ending
    yield "Event", catalogue("en", agreement.game).text("name")
    yield "Site", "?"
    yield "Date", "????.??.??"
    yield "Round", "-"
    yield "White", agreement.players.get("white") or "?"
    yield "Black", agreement.players.get("black") or "?"
    yield "Result", _result(state)
    yield "Variant", catalogue("en", agreement.game).text("name")
    options = ", ".join(f"{name}={value}" for name, value in sorted(agreement.options.items()))
    if options:
        yield "VariantOptions", options
    yield "TimeControl", ":".join(map(_period, state.clock.control.periods)) or "-"
    if ending:
        yield "Termination", _TERMINATIONS.get(ending.reason, "normal")
    start = state.played[0].before if state.played else state.position
    if str(start) != str(start.game.start()):
        yield "SetUp", "1"
        yield "FEN", str(start)


def _period(period: Period) -> str:
    """Return a period as PGN writes it, in seconds; what PGN cannot write in plain words."""
    if period.mode not in ("sudden-death", "fischer"):
        return str(period)
    turns = f"{period.turns}/" if period.turns else ""
    bonus = f"+{period.bonus_ms / 1000:g}" if period.bonus_ms else ""
    return f"{turns}{period.base_ms / 1000:g}{bonus}"


def _result(state: State) -> str:
    return "*" if state.ending is None else _RESULTS[state.ending.winner]


def _words(state: State) -> Iterator[str]:
    """Yield move numbers and turns; a decision of the same player gets no number of its own."""
    number, mover = 0, None
    for played in state.played:
        if played.side == "white" and mover != "white":
            number += 1
            yield f"{number}."
        elif number == 0:
            number = 1
            yield "1..."
        mover = played.side
        yield from played.before.written(played.turn).split()
    yield _result(state)


def _wrapped(words: Iterator[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
