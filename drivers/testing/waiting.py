"""How long tests wait for what must come: for a condition, never for a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 100.0
"""Seconds: longer than a machine stands still, shorter than a test may take."""


async def soon(
    condition: Callable[[], T],
    what: str | Callable[[], str] = "it never came to that",
    pause: float = 0.005,
) -> T:
    """Wait for a condition while everything else goes on; return what it gave.

    Raises:
        AssertionError: with `what`, when it never comes to that.
    """
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() >= end:
            raise AssertionError(what() if callable(what) else what)
        await asyncio.sleep(pause)
    return found


async def in_time(awaitable: Awaitable[T]) -> T:
    """Return what comes of this, which must come."""
    async with asyncio.timeout(PATIENCE):
        return await awaitable
