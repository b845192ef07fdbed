"""What installed packages add by entry points: made from its name and its settings, or refused."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint

from drivers.port import DriverError


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
        """Return what an entry point makes of these settings.

        Args:
            points: what is installed, by name.
            name: whose settings these are.
            settings: what people have configured.
            given: what it is called with besides, in front.

        Raises:
            DriverError: there is none, it cannot be loaded, or it takes other settings.
        """
        if name not in points:
            known = ", ".join(sorted(points)) or "none"
            raise DriverError(f'There is no {self.what} "{name}". Installed: {known}.')
        try:
            make = points[name].load()
        except ImportError as error:
            raise DriverError(
                f'The {self.what} "{name}" needs a library that is not installed: {error}.'
            ) from error
        except AttributeError as error:
            raise self._none(name) from error
        self._check(name, make, settings, len(given))
        made = make(*given, **settings)
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
