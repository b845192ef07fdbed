"""However many strangers guess, whoever stands at the machine enters at once."""

import asyncio

from firmware_bridge.pages.keys import ALL_TRIES
from tests.security.doors import PIN, ask, open_doors, stranger

STRANGERS = 200


async def test_the_machines_referee_enters_while_two_hundred_strangers_guess(tmp_path, caplog):
    async with open_doors(tmp_path) as hands:

        async def guess(number, key):
            path = ("/api/v1/referee", "/api/v1/kiosk/leave")[number % 2]
            return (await ask(hands.port, path, {"key": key}, stranger(number)))[0]

        for _ in range(2):
            found = await asyncio.gather(*(guess(n, f"{n:06d}") for n in range(STRANGERS)))
            assert set(found) <= {403, 429}
        assert set(found) == {429}
        assert caplog.text.count("wrong PIN") == ALL_TRIES
        assert caplog.text.count("too many tries") < 40
        # The right one helps no stranger now, or guessing would go on; the machine has its own.
        assert await guess(0, PIN) == 429
        for path in ("/api/v1/referee", "/api/v1/kiosk/leave"):
            assert (await ask(hands.port, path, {"key": PIN}))[0] == 202
