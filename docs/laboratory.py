"""Write docs/laboratory.md and balance.json from `docs/laboratory`: `python docs/laboratory.py`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from firmware_bridge.opponents.laboratory import Finding, findings, rows

HERE = Path(__file__).parent
RAW, PAGE = HERE / "laboratory", HERE / "laboratory.md"
SUMMARY = HERE.parent / "firmware_bridge" / "games" / "balance.json"
MARK = "<!-- made by docs/laboratory.py -->\n"


def measured() -> dict[str, tuple[dict[str, Any], list[Finding]]]:
    """Return by game how it was measured and what came out."""
    found = {}
    for path in sorted(RAW.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            games = [json.loads(line) for line in file]
        found[games[0]["game"]] = (games[0], findings(games))
    return found


def _all_together(path: Path) -> list[str]:
    """Return a row for all sets of options, whose pairs are told apart by their numbers."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        games = [json.loads(line) for line in file]
    first = {text: 10**6 * n for n, text in enumerate(sorted({game["options"] for game in games}))}
    pooled = [{**g, "options": "{}", "number": first[g["options"]] + g["number"]} for g in games]
    return ["**all**", *rows(findings(pooled))[1][1:]]


def tables() -> str:
    """Return a table a game, each with the command that measured it."""
    parts = []
    for game, (how, found) in measured().items():
        most = max(finding.games for finding in found)
        sets = " --sets" if len(found) > 1 else ""
        command = f"firmware-bridge opponent laboratory {game}{sets} --player {how['player']}"
        head, *body = rows(found)
        pooled = [_all_together(RAW / f"{game}.jsonl.gz")] if len(found) > 1 else []
        lines = [head, ["---"] * len(head), *body, *pooled]
        table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
        parts.append(f"\n`{command} --games {most} --seed {how['seed']}`\n\n{table}")
    return "".join(parts)


def summary() -> str:
    """Return the same for the page, as JSON."""
    told = {
        game: [finding._asdict() for finding in found] for game, (_, found) in measured().items()
    }
    return json.dumps(told, indent=1) + "\n"


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text[: text.index(MARK)] + MARK + tables(), encoding="utf-8")
    SUMMARY.write_text(summary(), encoding="utf-8")
