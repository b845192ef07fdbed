"""What happened at the table, line by line, in the words of the referee's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware_bridge.pages.scene import Say
    from firmware_bridge.views import HistoryLine


def told(line: HistoryLine, say: Say) -> str:
    """Return one line of the referee's history as a sentence."""
    data = line.data
    match line.kind:
        case "begun":
            return say("page-history-begun", game="name")
        case "attempt":
            move, why = str(data.get("move") or ""), f"why-{data['reason']}"
            return say("page-history-attempt", side=f"side-{data['side']}", move=move, reason=why)
        case "kings":
            return say("page-history-kings", result=_result(data))
        case "ended":
            return say("over", result=_result(data), reason=f"reason-{data['reason']}")
        case "call":
            return _call(data, say)
        case _:
            return say(f"page-history-{line.kind}", **_texts(data))


def _call(data: Mapping[str, object], say: Say) -> str:
    by, details = data.get("by"), data.get("data")
    words = _texts(details) if isinstance(details, dict) else {}
    if "side" in words:
        words["side"] = f"side-{words['side']}"
    if "winner" in words:
        words["result"] = _result(words)
    who = f"side-{by}" if by else "page-at-the-table"
    return say(f"page-call-{data['what']}", **{**words, "who": who})


def _result(data: Mapping[str, object]) -> str:
    winner = data.get("winner")
    return f"result-{winner}-wins" if winner in ("white", "black") else "result-draw"


def _texts(data: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in data.items() if value is not None}
