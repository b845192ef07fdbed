"""Finds a board driver by the name that the configuration gives.

A module of `drivers.commercial` with the name of a board file (with `_` for `-`) is that board's
driver: it exposes `DRIVER`. All others are entry points of the group `firmware_bridge.drivers`, so
any installed package can add one. Each is called with the board's description and the settings of
the configuration.
"""

from __future__ import annotations

import inspect
import pkgutil
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from drivers import commercial
from drivers.description import shipped
from drivers.port import Driver, DriverError
from drivers.probes import probe_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drivers.description import BoardDescription
    from drivers.probes import Probe

GROUP = "firmware_bridge.drivers"


def names() -> tuple[str, ...]:
    """Return the names of all installed drivers."""
    return tuple(sorted(_points()))


def _points() -> dict[str, EntryPoint]:
    """Return where to find every driver, by its name; none is imported."""
    boards = {module.name.replace("_", "-") for module in pkgutil.iter_modules(commercial.__path__)}
    own = (
        EntryPoint(name, f"{commercial.__name__}.{name.replace('-', '_')}:DRIVER", GROUP)
        for name in boards & set(shipped())
    )
    return {point.name: point for point in (*own, *entry_points(group=GROUP))}


def probes() -> Mapping[str, Probe]:
    """Return the probes that drivers carry; one whose library is not installed finds nothing."""
    carried = {}
    for name, point in _points().items():
        try:
            probe = probe_of(point.load())
        except (ImportError, AttributeError):
            continue
        if probe is not None:
            carried[name] = probe
    return carried


def create(name: str, description: BoardDescription, settings: Mapping[str, object]) -> Driver:
    """Return a driver, not yet opened.

    Args:
        name: an installed driver's name.
        description: the board that is expected.
        settings: what the driver needs to know besides, such as `port`.

    Raises:
        DriverError: no such driver, it cannot be loaded, or the settings are not what it takes.
    """
    points = _points()
    if name not in points:
        raise DriverError(f'There is no board driver "{name}". Installed: {", ".join(names())}.')
    try:
        make = points[name].load()
    except ImportError as error:
        raise DriverError(
            f'The board driver "{name}" needs a library that is not installed: {error}.'
        ) from error
    except AttributeError as error:
        raise DriverError(f'"{name}" is installed as a board driver, but: {error}.') from error
    _check_settings(name, make, settings)
    driver = make(description, **settings)
    if not isinstance(driver, Driver):
        raise DriverError(f'"{name}" is installed as a board driver, but it is none.')
    return driver


def _check_settings(name: str, make: Callable[..., object], settings: Mapping[str, object]) -> None:

    try:
        parameters = list(inspect.signature(make).parameters.values())[1:]
    except (TypeError, ValueError) as error:
        raise DriverError(f'"{name}" is installed as a board driver, but it is none.') from error
    known = {parameter.name for parameter in parameters}
    needed = {p.name for p in parameters if p.default is inspect.Parameter.empty}
    if strange := sorted(set(settings) - known):
        raise DriverError(
            f'The board driver "{name}" knows no setting "{strange[0]}". '
            f"It takes: {', '.join(sorted(known)) or 'none'}."
        )
    if missing := sorted(needed - set(settings)):
        raise DriverError(
            f'The board driver "{name}" needs the setting "{missing[0]}": write  '
            f'settings = {{ {missing[0]} = "..." }}  under [board] in the configuration.'
        )
