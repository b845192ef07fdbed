"""Finds a board driver by the name that the configuration gives.

A module of `drivers.commercial` with the name of a board file (with `_` for `-`) is that board's
driver: it exposes `DRIVER`. All others are entry points of the group `firmware_bridge.drivers`, so
any installed package can add one. Each is called with the board's description and the settings of
the configuration.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from typing import cast

from drivers import commercial
from drivers.claims import broken_claims
from drivers.description import BoardDescription, shipped
from drivers.plug_ins import NotLoaded, PlugInKind, installed, loaded
from drivers.port import Driver, DriverError
from drivers.probes import Probe, probe_of

GROUP = "firmware_bridge.drivers"
_KIND = PlugInKind(
    "board driver",
    Driver,
    'settings = {{ {name} = "..." }}  under [board]',
)


def names() -> tuple[str, ...]:
    """Return the names of all installed drivers."""
    return tuple(sorted(_points()))


def _points() -> Mapping[str, EntryPoint]:
    """Return where to find every driver, by its name; none is imported."""
    boards = {module.name.replace("_", "-") for module in pkgutil.iter_modules(commercial.__path__)}
    own = (
        EntryPoint(name, f"{commercial.__name__}.{name.replace('-', '_')}:DRIVER", GROUP)
        for name in sorted(boards & set(shipped()))
    )
    return installed(GROUP, tuple(own))


def probes() -> Mapping[str, Probe]:
    """Return the probes that drivers carry; one whose library is not installed finds nothing."""
    carried = {}
    for name, point in _points().items():
        try:
            probe = probe_of(loaded(point))
        except NotLoaded:
            continue
        if probe is not None:
            carried[name] = probe
    return carried


def own_board(name: str) -> str:
    """Return the board that a driver is for: what its probe names, or the shipped one of its name.

    Empty where there is none: a driver for many boards, or one that is not there.
    """
    point = _points().get(name)
    try:
        probe = None if point is None else probe_of(loaded(point))
    except NotLoaded:  # told when it is made
        probe = None
    if probe is not None and probe.description:
        return probe.description
    return name if name in shipped() else ""


def create(name: str, description: BoardDescription, settings: Mapping[str, object]) -> Driver:
    """Return a driver, not yet opened.

    Raises:
        DriverError: no such driver, it cannot be loaded, the settings are not what it takes, or the
            description promises what its parts do not do.
    """
    for claim in broken_claims(description):
        raise DriverError(f'The board "{description.name}" is described wrongly. {claim}')
    return cast("Driver", _KIND.make(_points(), name, settings, description))
