"""Write the pages of docs/tables from the code: `.venv/bin/python docs/reference_tables.py`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import rules
from firmware_bridge.reconciler.settings import FACTORS, IMPOSSIBLE, SHIPPED
from rules.reasons import COMMON

FOLDER = Path(__file__).parent / "tables"
TIERS = {"occupancy": "reeds", "identity": "tags", "face": "faces"}


def _page(title: str, told: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"# {title}\n\n{told} `docs/reference_tables.py` makes this page.\n\n{table}\n"


def factors() -> str:
    """Return what speaks against a story, one factor a line."""
    rows = []
    for name, row in FACTORS.items():
        tiers = row["tiers"]
        felt = "all" if len(tiers) == len(TIERS) else ", ".join(TIERS[tier] for tier in tiers)
        log = SHIPPED.weights[name]
        weight = "never" if log <= IMPOSSIBLE else f"{log:.1f}"
        rows.append((name, weight, row["settles"], felt, row["says"], row["source"]))
    head = ("factor", "weight", "settled by", "felt on", "says", "source")
    return _page("Factors", "What speaks against a [story](../reconciler.md#stories).", head, rows)


def reasons() -> str:
    """Return why a turn can be refused, one code a line."""
    owned = {game.name: game.own_reasons for game in rules.games().values()}
    rows = [
        (f"`{code}`", sentence, of)
        for of, codes in ({"all": COMMON} | owned).items()
        for code, sentence in codes.items()
    ]
    told = "What `IllegalTurn.reason` can say."
    return _page("Reasons", told, ("code", "said to players", "games"), rows)


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {"factors.md": factors(), "reasons.md": reasons()}


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
