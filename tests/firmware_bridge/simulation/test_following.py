"""The simulated board's pieces follow a display that may die at any time."""

import asyncio

from drivers.beside import begin
from firmware_bridge.simulation.following import follow
from tests.patience import PATIENCE

BROKEN_OFF = b"HTTP/1.1 200 OK\r\nContent-Length: 2316\r\n\r\n{"


async def test_a_display_that_dies_in_the_middle_of_a_word_is_asked_again():
    asked = asyncio.Queue()

    async def die(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(BROKEN_OFF)
        writer.close()
        asked.put_nowait(True)

    async with await asyncio.start_server(die, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        following = begin(follow(None, f"http://127.0.0.1:{port}/"), "follow")
        async with asyncio.timeout(PATIENCE):
            for _ in range(2):
                await asked.get()
        following.cancel()
