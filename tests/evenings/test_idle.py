"""A board that nobody plays on keeps its memory, its files and its tasks as they are."""

import asyncio

import pytest

from tests.evenings.evening import Evening
from tests.nightly import NIGHTLY

HOURS = 24 if NIGHTLY else 0.1
SETTLED = 120
"""Seconds after which all is there that is kept."""


class Idle(Evening):
    """The service, with the pieces set up, and nobody there."""

    async def hands(self):
        await self.until(lambda view: view.phase != "waiting")
        await asyncio.sleep(SETTLED)
        self.before = self.kept()
        await asyncio.sleep(HOURS * 3600)
        self.after = self.kept()
        self.over = True

    def kept(self):
        return self.objects(), *self.held()


@pytest.mark.timeout(3600)
def test_what_is_kept_does_not_grow_while_nobody_plays(tmp_path, monkeypatch):
    idle = Idle(0, tmp_path, monkeypatch, plan=[], doings=[])
    idle.run()
    assert idle.after[0] < 1.05 * idle.before[0], "objects"
    for what, before, after in zip(
        ("files", "tasks"), idle.before[1:], idle.after[1:], strict=True
    ):
        assert after <= before + 2, what
