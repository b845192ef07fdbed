"""What an owner's own hands and sensors are known to do: a TOML file that `fit` writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from firmware_bridge.config.loading import ConfigError, read_toml
from firmware_bridge.reconciler.settings import IMPOSSIBLE, SHIPPED, Habits

LIMITS: Mapping[str, float] = {"bounce": 0.08, "overlap": 0.25, "crossing": 0.6, "slow": 1.5}
"""The times that may be fitted, in seconds, each with the longest that can be told from hands."""


def load_habits(path: Path) -> Habits:
    """Return the shipped habits with what a file says otherwise.

    Raises:
        ConfigError: the file cannot be read, or says what no habit can be.
    """
    try:
        data = read_toml(path)
    except ConfigError as error:
        error.add_note("`firmware-bridge fit` writes such a file.")
        raise
    for name in sorted(data.keys() - {"times", "weights"}):
        raise ConfigError(f"{path}: habits know no {name!r}; they know times and weights.")
    least = {name: getattr(SHIPPED, name) for name in LIMITS}
    times = _numbers(path, data.get("times", {}), {n: (least[n], LIMITS[n]) for n in LIMITS})
    free = {name: (IMPOSSIBLE, 0.0) for name, log in SHIPPED.weights.items() if log > IMPOSSIBLE}
    weights = _numbers(path, data.get("weights", {}), free)
    return replace(SHIPPED, **times, weights={**SHIPPED.weights, **weights})


def _numbers(
    path: Path, given: object, bounds: Mapping[str, tuple[float, float]]
) -> dict[str, float]:
    """Return numbers by their names, each within its bounds."""
    if not isinstance(given, dict):
        raise ConfigError(f"{path}: times and weights are tables, such as [times].")
    for name, value in given.items():
        if name not in bounds:
            raise ConfigError(f"{path}: {name!r} cannot be fitted; {', '.join(bounds)} can.")
        least, most = bounds[name]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not least <= value <= most:
            raise ConfigError(f"{path}: {name} must be a number from {least:g} to {most:g}.")
    return {name: float(value) for name, value in given.items()}


def written(habits: Habits, told: str) -> str:
    """Return the file of what is otherwise than shipped, and in a line what it was fitted to."""
    lines = [f"# {told}", "[times] # seconds"]
    times = {name: getattr(habits, name) for name in LIMITS}
    lines += [f"{n} = {value:g}" for n, value in times.items() if value != getattr(SHIPPED, n)]
    lines += ["", "[weights] # natural logarithms"]
    logs = habits.weights.items()
    lines += [f"{name} = {log:g}" for name, log in logs if log != SHIPPED.weights[name]]
    return "\n".join(lines) + "\n"
