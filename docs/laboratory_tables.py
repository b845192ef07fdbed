"""Write docs/laboratory/README.md and balance.json from what lies beside it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from firmware_bridge.opponents.laboratory import findings, rows

HERE = Path(__file__).parent
RAW = HERE / "laboratory"
PAGE = RAW / "README.md"
SUMMARY = HERE.parent / "firmware_bridge" / "games" / "balance.json"
HEAD = """# The laboratory's tables

Made by `docs/laboratory_tables.py`; [what they say](../laboratory.md).
"""


def measured() -> dict[str, list[dict[str, Any]]]:
    """Return all games that were played, by the game."""
    found = {}
    for path in sorted(RAW.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            games = [json.loads(line) for line in file]
        found[games[0]["game"]] = games
    return found


def page(played: dict[str, list[dict[str, Any]]]) -> str:
    """Return a table a game, each with the command that measured it."""
    return HEAD + "".join(_table(games) for games in played.values())


def _table(games: list[dict[str, Any]]) -> str:
    how, found = games[0], findings(games)
    head, *body = rows(found)
    command = _command(how, max(finding.games for finding in found), sets=len(found) > 1)
    if len({finding.games for finding in found}) > 1:
        command += ", of each set the first ones, as many as its interval needs"
    if len(found) > 1:
        body.append(_all_together(games))
    lines = [head, ["---"] * len(head), *body]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    return f"\n{command}\n\n{table}"


def _command(how: dict[str, Any], games: int, *, sets: bool) -> str:
    played = f"--player {how['player']} --games {games} --seed {how['seed']}"
    every = "--sets " if sets else ""
    return f"`firmware-bridge opponent laboratory {how['game']} {every}{played}`"


def _all_together(games: list[dict[str, Any]]) -> list[str]:
    """Return a row for all sets of options, whose pairs are told apart by their numbers."""
    first = {text: 10**6 * n for n, text in enumerate(sorted({game["options"] for game in games}))}
    pooled = [{**g, "options": "{}", "number": first[g["options"]] + g["number"]} for g in games]
    return ["**all**", *rows(findings(pooled))[1][1:]]


def summary(played: dict[str, list[dict[str, Any]]]) -> str:
    """Return the same for the page, as JSON."""
    told = {game: [one._asdict() for one in findings(games)] for game, games in played.items()}
    return json.dumps(told, indent=1) + "\n"


if __name__ == "__main__":
    played = measured()
    PAGE.write_text(page(played), encoding="utf-8")
    SUMMARY.write_text(summary(played), encoding="utf-8")
