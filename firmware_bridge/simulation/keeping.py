"""The simulated board's pieces stay where they are while it is switched off, as real ones do."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter

from drivers.port import DriverError
from drivers.simulator.station import Station
from drivers.simulator.table_top import Spot
from firmware_bridge.journal.small_file import keep

_SPOTS: TypeAdapter[tuple[Spot, ...]] = TypeAdapter(tuple[Spot, ...])


async def keep_pieces(station: Station, file: Path) -> None:
    """Put the pieces where this file tells, if it does, and write there wherever they go.

    On a full disk it tells where they were before: they can be put right by hand.
    """
    _lay_out(station, file)
    written = None
    async for _ in station.glances():
        spots = tuple(station.board.top.spots())
        if spots != written:
            with suppress(OSError):
                await asyncio.to_thread(keep, file, _SPOTS.dump_json(spots))
                written = spots


def _lay_out(station: Station, file: Path) -> None:
    with suppress(OSError, ValueError, DriverError):
        station.lay_out(_SPOTS.validate_json(file.read_bytes()))
