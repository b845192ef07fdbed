"""How long a broker is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

import aiomqtt

PATIENCE = 10.0
"""Seconds that a broker may take to answer."""
_Answer = TypeVar("_Answer")


async def answered(call: Awaitable[_Answer], patience: float = PATIENCE) -> _Answer:
    """Wait for what only the broker can answer.

    The client's own limits are not used (`timeout=math.inf`): until Python 3.12 they lose an order
    to end that comes together with the answer, and a task that has lost it never ends.

    Args:
        call: what a client that has no limits of its own returned.
        patience: seconds.

    Raises:
        aiomqtt.MqttError: no answer in time, or the connection is lost.
    """
    try:
        async with asyncio.timeout(patience):
            return await call
    except TimeoutError:
        raise aiomqtt.MqttError(f"no answer within {patience:g} seconds") from None
