"""Write the table of docs/laboratory.md, and balance.json, from the games in docs/laboratory."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

from firmware_bridge.opponents.laboratory import findings, rows

HERE = Path(__file__).parent
PAGE = HERE / "laboratory.md"
SUMMARY = HERE.parent / "firmware_bridge" / "games" / "balance.json"
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
HEAD = ("game", "level", "games", "White's points %", "decided %", "plies")


def measured() -> dict[str, list[dict[str, Any]]]:
    """Return all games that were played, by the game."""
    found = {}
    for path in sorted((HERE / "laboratory").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            games = [json.loads(line) for line in file]
        found[games[0]["game"]] = games
    return found


def table(played: dict[str, list[dict[str, Any]]]) -> str:
    """Return what came of the usual options of each game, and of all sets of options together."""
    lines = [HEAD, ("---",) * len(HEAD)]
    for game, games in played.items():
        found = findings(games)
        lines.append(_line(game, games, rows(found)[1]))
        if len(found) > 1:
            together = rows(findings(_as_one_set(games)))[1]
            lines.append(_line(f"{game}, all {len(found)} sets of options", games, together))
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _line(told: str, games: list[dict[str, Any]], row: list[str]) -> tuple[str, ...]:
    return told, str(games[0]["player"]), *row[1:5]


def _as_one_set(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return games of several sets of options as of one; their pairs are told apart by numbers."""
    first = {text: 10**6 * n for n, text in enumerate(sorted({game["options"] for game in games}))}
    return [{**g, "options": "{}", "number": first[g["options"]] + g["number"]} for g in games]


def summary(played: dict[str, list[dict[str, Any]]]) -> str:
    """Return the figures of every set of options for the page, as JSON."""
    told = {game: [one._asdict() for one in findings(games)] for game, games in played.items()}
    return json.dumps(told, indent=1) + "\n"


if __name__ == "__main__":
    played = measured()
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda _: table(played), page, count=1), encoding="utf-8")
    SUMMARY.write_text(summary(played), encoding="utf-8")
