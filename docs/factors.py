"""Write the table of factors into docs/reconciler.md: `.venv/bin/python docs/factors.py`."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.reconciler.settings import FACTORS, IMPOSSIBLE, SHIPPED

PAGE = Path(__file__).parent / "reconciler.md"
HEAD = "| factor | weight | settled by | felt on | says | source |\n|---|---|---|---|---|---|\n"
TIERS = {"occupancy": "reeds", "identity": "tags", "face": "faces"}


def table() -> str:
    """Return the table as Markdown, one factor a line."""
    lines = []
    for name, row in FACTORS.items():
        tiers = row["tiers"]
        felt = "all" if len(tiers) == len(TIERS) else ", ".join(TIERS[tier] for tier in tiers)
        log = SHIPPED.weights[name]
        weight = "never" if log <= IMPOSSIBLE else f"{log:.1f}"
        cells = (name, weight, row["settles"], felt, row["says"], row["source"])
        lines.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(lines)


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(HEAD)
    end = text.find("\n\n", start)
    rest = text[end + 1 :] if end >= 0 else ""
    PAGE.write_text(text[:start] + table() + rest, encoding="utf-8")
