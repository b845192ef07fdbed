"""The lights on the pages: the same colours and patterns as on the board, from the same table."""

from __future__ import annotations

from drivers.signals import SIGNALS, Pattern

_MOTION: dict[Pattern, str] = {
    "steady": "none",
    "steady-dim": "none",
    "slow-blink": "slow-blink 1.6s infinite",
    "fast-blink": "fast-blink 0.4s infinite",
    "double-blink": "double-blink 1.6s infinite",
    "triple-blink": "triple-blink 2s infinite",
    "slow-pulse": "slow-pulse 2s ease-in-out infinite",
    "chase": "chase 1.2s linear infinite",
}
_DASH: dict[Pattern, str] = {
    "steady": "none",
    "steady-dim": "none",
    "slow-blink": "26 14",
    "fast-blink": "10 10",
    "double-blink": "34 8 8 8",
    "triple-blink": "30 6 6 6 6 6",
    "slow-pulse": "none",
    "chase": "24 12",
}
"""A pattern must also tell signals apart for those who have motion switched off."""


def signals_css() -> str:
    """Return the style sheet that gives every signal its colour, motion and outline."""
    rules = []
    for signal in SIGNALS.values():
        red, green, blue = signal.colour
        dim = "--signal-strength: 0.55;" if signal.pattern == "steady-dim" else ""
        rules.append(
            f".{signal.id} {{ --signal: rgb({red} {green} {blue}); "
            f"--signal-motion: {_MOTION[signal.pattern]}; "
            f"--signal-dash: {_DASH[signal.pattern]}; "
            f"--signal-border: {'solid' if _DASH[signal.pattern] == 'none' else 'dashed'}; {dim} }}"
        )
    return "\n".join(rules) + "\n"
