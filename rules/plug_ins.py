"""What installed packages add by entry points: whole classes, or a sentence that says why not."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import TypeVar

_Kind = TypeVar("_Kind")


class NotUsable(Exception):  # noqa: N818 - it says what happened
    """What an entry point names cannot be used; the message says what, where and why."""


def package_of(point: EntryPoint) -> str:
    """Return which package an entry point is of."""
    return f"the package {point.dist.name}" if point.dist else point.value


def loaded(point: EntryPoint) -> object:
    """Return what an entry point names.

    Raises:
        NotUsable: its module cannot be imported, or has no such name.

    Example:
        >>> loaded(EntryPoint("half", "nowhere:Half", "firmware_bridge.penalties"))
        Traceback (most recent call last):
        ...
        rules.plug_ins.NotUsable: nowhere:Half (ModuleNotFoundError: No module named 'nowhere')
    """
    try:
        return point.load()
    except Exception as error:
        at = f"{point.value} of {package_of(point)}" if point.dist else point.value
        raise NotUsable(f"{at} ({type(error).__name__}: {error})") from error


def class_at(point: EntryPoint, kind: type[_Kind]) -> type[_Kind]:
    """Return the class that an entry point names, whole or not.

    Raises:
        NotUsable: it cannot be loaded, or is no class of this kind.
    """
    found = loaded(point)
    if not (isinstance(found, type) and issubclass(found, kind)):
        raise NotUsable(f"{point.value} is no class of {kind.__name__}")
    return found


def whole_class_at(point: EntryPoint, kind: type[_Kind]) -> type[_Kind]:
    """Return the class that an entry point names.

    Raises:
        NotUsable: it cannot be loaded, is no class of this kind, or does not define all that it
            must: methods, and values of the class.
    """
    found = class_at(point, kind)
    values = (name for base in kind.__mro__ for name in vars(base).get("__annotations__", ()))
    absent = (name for name in values if not hasattr(found, name))
    if lacking := sorted({*getattr(found, "__abstractmethods__", ()), *absent}):
        raise NotUsable(f"{point.value} lacks {', '.join(lacking)}")
    return found
