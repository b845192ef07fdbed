"""What installed packages add by entry points: loaded, and made from settings, or refused.

This is the one door: whatever a module of somebody else raises becomes a sentence here that says
what, of which package, and why.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from drivers.errors import DriverError

_LOG = logging.getLogger(__name__)
_OURS = "firmware-bridge"


class NotLoaded(Exception):  # noqa: N818 - it says what happened
    """What an entry point names cannot be loaded; the message says what, where and why."""


@cache
def installed(group: str, own: tuple[EntryPoint, ...] = ()) -> Mapping[str, EntryPoint]:
    """Return what there is of a group by its name, ours first; none is imported.

    What a package offers under a name that is taken is told in the log and left out.

    Args:
        group: such as `firmware_bridge.drivers`.
        own: what we have besides our own entry points.
    """
    found: dict[str, EntryPoint] = {}
    for point in (*own, *sorted(entry_points(group=group), key=_ours_first)):
        first = found.setdefault(point.name, point)
        if first != point:
            why = f"{point.value}{_package(point)} has the name of {first.value}{_package(first)}"
            _LOG.error("%s of the group %s is left out: %s", point.name, group, why)
    return found


def _ours_first(point: EntryPoint) -> tuple[bool, str]:
    name = point.dist.name if point.dist else ""
    return name not in ("", _OURS), name


def _package(point: EntryPoint) -> str:
    return f" of the package {point.dist.name}" if point.dist else ""


def loaded(point: EntryPoint) -> object:
    """Return what an entry point names.

    Raises:
        NotLoaded: its module cannot be imported, or has no such name.

    Example:
        >>> loaded(EntryPoint("half", "nowhere:Half", "firmware_bridge.penalties"))
        Traceback (most recent call last):
        ...
        drivers.plug_ins.NotLoaded: nowhere:Half (ModuleNotFoundError: No module named 'nowhere')
    """
    try:
        return point.load()
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise NotLoaded(f"{point.value}{_package(point)} ({why})") from error


@dataclass(frozen=True, slots=True)
class PlugInKind:
    """A kind of plug-in, in the words in which its mistakes are told.

    Attributes:
        what: such as `board driver`.
        type: the class that everything made must be of.
        setting: how a setting is written in the configuration; the gap `name` is its name.
    """

    what: str
    type: type
    setting: str

    def make(
        self,
        points: Mapping[str, EntryPoint],
        name: str,
        settings: Mapping[str, object],
        *given: object,
    ) -> object:
        """Make what an entry point names, with what is given, in front, and these settings.

        Raises:
            DriverError: there is none, it cannot be loaded, it lacks something, or it takes no such
                settings.
        """
        if name not in points:
            known = ", ".join(sorted(points)) or "none"
            raise DriverError(f'There is no {self.what} "{name}". Installed: {known}.')
        try:
            make = loaded(points[name])
        except NotLoaded as error:
            lacks = isinstance(error.__cause__, ModuleNotFoundError)
            trouble = "needs a library that is not installed" if lacks else "cannot be loaded"
            raise DriverError(f'The {self.what} "{name}" {trouble}: {error}.') from error
        if not callable(make):
            raise self._none(name)
        if lacking := ", ".join(sorted(getattr(make, "__abstractmethods__", ()))):
            value = points[name].value
            raise DriverError(f'The {self.what} "{name}" cannot be used: {value} lacks {lacking}.')
        self._check(name, make, settings, len(given))
        try:
            made = make(*given, **settings)
        except DriverError:
            raise
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise DriverError(
                f'The {self.what} "{name}" does not take these settings ({why}).'
            ) from error
        if not isinstance(made, self.type):
            raise self._none(name)
        return made

    def _none(self, name: str) -> DriverError:
        return DriverError(f'"{name}" is installed as a {self.what}, but it is none.')

    def _check(
        self, name: str, make: Callable[..., object], settings: Mapping[str, object], given: int
    ) -> None:
        try:
            parameters = list(inspect.signature(make).parameters.values())[given:]
        except (TypeError, ValueError) as error:
            raise self._none(name) from error
        known = {parameter.name for parameter in parameters}
        needed = {p.name for p in parameters if p.default is inspect.Parameter.empty}
        if strange := sorted(set(settings) - known):
            raise DriverError(
                f'The {self.what} "{name}" knows no setting "{strange[0]}". '
                f"It takes: {', '.join(sorted(known)) or 'none'}."
            )
        if missing := sorted(needed - set(settings)):
            raise DriverError(
                f'The {self.what} "{name}" needs the setting "{missing[0]}": write  '
                f"{self.setting.format(name=missing[0])}  in the configuration."
            )
