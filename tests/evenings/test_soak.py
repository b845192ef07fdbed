"""Game after game on one board keeps no more in memory than one."""

import pytest

from tests.evenings.evening import Evening
from tests.nightly import NIGHTLY

GAMES, TURNS, SETTLED = (60, 50, 25) if NIGHTLY else (4, 3, 2)
"""How many games of how many turns, and after how many of them all caches are full."""


class Soak(Evening):
    """The service, on which one game is begun after the other."""

    async def hands(self):
        self.kept = []
        for _ in range(GAMES):
            await self.until(lambda view: view.phase in {"ready", "playing"})
            self.kept.append(self.objects())
            if self.view.phase == "ready":
                await self.until(lambda view: view.phase == "playing", self.press_black)
            while len(self.taken) < TURNS and self.position.outcome is None:
                await self.make_turn()
            await self.begin_anew()
        self.over = True

    async def begin_anew(self):
        """Set the pieces up again, for another game."""
        controller = self.service.controller
        before, game_id = self.pieces.standing(), controller.game_id
        self.position, self.taken = self.game.start(), []
        self.pieces.arrange(self.position.placement)
        await controller.begin(controller.agreement)
        assert controller.game_id != game_id
        now = self.pieces.standing()
        for cell in before.keys() - now.keys():
            self.feel(cell, None)
        for cell, reading in now.items():
            self.feel(cell, reading)

    def check(self):
        """What is written down is of all the games, and not looked at here."""


@pytest.mark.timeout(3600)
def test_what_is_kept_does_not_grow_from_game_to_game(tmp_path, monkeypatch):
    soak = Soak(0, tmp_path, monkeypatch, plan=[], doings=[])
    soak.run()
    assert len(soak.kept) == GAMES
    assert soak.kept[-1] < 1.05 * soak.kept[SETTLED], soak.kept
