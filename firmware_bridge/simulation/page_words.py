"""What the simulated board's page says: its own words, and the games' names in all languages."""

from __future__ import annotations

from dataclasses import replace

from drivers.simulator.wording import Language, Wording, shipped
from firmware_bridge.games.shelf import usable
from firmware_bridge.simulation.piece_sets import listed
from firmware_bridge.words import PSEUDO, catalogue, pseudo


def simulated_wording(display: str = "") -> Wording:
    """Return the wording; `display` is the address of the game's display, empty without one."""
    known = tuple(replace(own, texts={**own.texts, **_arrangements(own.code)}) for own in shipped())
    backwards = {key: pseudo(text) for key, text in known[0].texts.items()}
    return Wording((*known, Language(PSEUDO, backwards, "rtl", offered=False)), display)


def _arrangements(language: str) -> dict[str, str]:
    """Return what is set up for each game, and for its options, in words."""
    called = {}
    for game, kind in usable().items():
        own = catalogue(language, game)
        name = own.text("name")
        called[f"arrangement-{game}"] = name
        for option, values in kind.allowed.items():
            for value in listed(values)[1:]:
                chosen = own.text(f"option-{option}") if value is True else str(value)
                text = own.texts.get(chosen, chosen).partition(":")[0]
                key = f"{game}-{option if value is True else value}".replace("_", "-")
                called[f"arrangement-{key}"] = f"{name} ({text})"
    return called
