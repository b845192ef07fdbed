"""What happened at the table, line by line, in the words of the referee's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from firmware_bridge.messages.records import Record
from firmware_bridge.pages.texts import Say
from firmware_bridge.views import Announcement


def since(t_ms: int) -> str:
    """Return how long after the start something happened: `3:07`, `1:03:07`."""
    minutes, seconds = divmod(t_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def told(line: Record, say: Say) -> str:
    """Return one line of a game's history as a sentence."""
    teller = _TELLERS.get(line.kind)
    if teller is None:
        return say(f"page-history-{line.kind}", **_texts(line.data))
    return teller(line.data, say)


def _attempt(data: Mapping[str, object], say: Say) -> str:
    turn = f"{data['move']}." if data.get("move") else ""
    words = {"side": f"side-{data['side']}", "turn": turn, "reason": f"why-{data['reason']}"}
    return say.aloud(Announcement("page-history-attempt", words))


def _call(data: Mapping[str, object], say: Say) -> str:
    by, details = data.get("by"), data.get("data")
    words = _texts(details) if isinstance(details, dict) else {}
    if "side" in words:
        words["side"] = f"side-{words['side']}"
    if "winner" in words:
        words["result"] = _result(words)
    who = f"side-{by}" if by else "page-at-the-table"
    return say(f"page-call-{data['what']}", **{**words, "who": who})


def _ruled(data: Mapping[str, object], say: Say) -> str:
    said = cast("list[tuple[str, dict[str, str]]]", data.get("said", []))
    return " ".join(say(key, **words) for key, words in said)


def _taken(data: Mapping[str, object], say: Say) -> str:
    return say("page-history-taken", side=f"side-{data['side']}", turn=str(data["turn"]))


def _hinted(data: Mapping[str, object], say: Say) -> str:
    turn = data.get("turn")
    return say("page-history-hint", turn=str(turn)) if turn else say("hint-none")


def _seated(data: Mapping[str, object], say: Say) -> str:
    how = "seated" if data.get("taken") else "seat-left"
    return say(f"page-history-{how}", side=f"side-{data.get('side')}")


def _result(data: Mapping[str, object]) -> str:
    winner = data.get("winner")
    return f"result-{winner}-wins" if winner in ("white", "black") else "result-draw"


def _texts(data: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in data.items() if value is not None}


_TELLERS: Mapping[str, Callable[[Mapping[str, object], Say], str]] = {
    "begun": lambda _, say: say("page-history-begun", game="name"),
    "committed": lambda data, say: say(
        "page-history-committed", side=f"side-{data['side']}", hash=str(data["sha256"])
    ),
    "pledged": lambda data, say: say("page-history-pledged", side=f"side-{data['at']}"),
    "taken": _taken,
    "attempt": _attempt,
    "ruled": _ruled,
    "kings": lambda data, say: say("page-history-kings", result=_result(data)),
    "ended": lambda data, say: say("over", result=_result(data), reason=f"reason-{data['reason']}"),
    "hinted": _hinted,
    "call": _call,
    "seated": _seated,
    "asked": lambda data, say: say(f"page-history-{'asked' if data.get('what') else 'heard'}"),
    "line": lambda data, say: say(f"page-history-line{'-out' if data.get('out') else ''}"),
    "weakened": lambda data, say: say("page-history-weakened", side=f"side-{data['side']}"),
}
"""Record kinds that one sentence with the record's own data does not tell."""
