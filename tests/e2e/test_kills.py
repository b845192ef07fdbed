"""`kill -9` of the service at any instant of a game costs nobody anything, computer or not.

Board and hands go on meanwhile. What was shown as taken is there, nothing is there twice, and
nobody was charged.
"""

import asyncio
import http.client
import json
import subprocess
from contextlib import suppress
from random import Random

import pytest

import rules
from drivers.beside import meanwhile
from drivers.description import load_description
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from drivers.simulator.table_top import TRAY
from firmware_bridge.journal.journal import newest
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.simulation.following import carry
from firmware_bridge.simulation.piece_sets import arrangement_of, simulated_pieces
from tests.commands import run_on
from tests.e2e.conftest import get
from tests.e2e.test_service_process import COMMAND
from tests.nightly import at_night

KILLS = 500
GAME = "chess"
"""All its turns are shown, so that it is seen what was acknowledged."""
CHARGED = {"ruled", "attempt"}


class Hands:
    """Hands at a simulated board: they play on whenever there is a service.

    Args:
        folder: where the port and the journal are.
        computer: the side that a computer has in the first game, if any; then colours change.
        game: the id of what is played.
    """

    carries, plays, begins = {"executing"}, {"playing"}, "black"
    """In which phases they do what the display asks for, and make turns, and what they press to go
    on."""

    def __init__(self, folder, computer, game=GAME):
        self.folder, self.computer = folder, computer
        self.game = rules.load(game)
        pieces = simulated_pieces(self.game)
        self.station = Station(load_description("simulated"), pieces, folder / "board")
        self.station.arrange(arrangement_of(self.game))
        self.display, self.games, self.seen = "", 1, 0

    def written(self):
        """Return what is written down of the newest game."""
        records = newest(self.folder / "data")
        assert not CHARGED & {record.kind for record in records}, "somebody was charged"
        return records

    def taken(self):
        """Return the turns that are written down."""
        return [record.data["turn"] for record in self.written() if record.kind == "taken"]

    def begin_anew(self):
        """Set the pieces up for another game where the last one is over; return whether it is."""
        over = any(record.kind == "ended" for record in self.written())
        if over:
            self.station.arrange(arrangement_of(self.game))
            self.games, self.seen = self.games + 1, 0
        return over

    async def play(self, dice):
        while True:
            with suppress(OSError, ValueError, http.client.HTTPException):  # it is gone
                await self.do_what_is_next(dice)
            await asyncio.sleep(0.02)

    async def do_what_is_next(self, dice):
        game = self.games
        scene = json.loads(await asyncio.to_thread(get, f"{self.display}api/v1/state"))
        if game != self.games:
            return  # it is what was shown at the end of the game before
        if scene["link"] or scene["phase"] == "over":  # that may still be the game before
            return
        shown = turns_of(scene["turns"])
        self.seen = max(self.seen, shown)
        if scene["phase"] in self.carries:
            await carry(self.station, scene)
        elif scene["phase"] in {"ready", "paused"}:
            await self.press(self.begins)
        elif scene["phase"] in self.plays:
            await self.make_turn(dice, shown)
        elif scene["phase"] == "set-up":
            await self.set_out(scene)

    async def set_out(self, scene):
        """Set pieces out: all stand as they were arranged."""

    async def make_turn(self, dice, shown):
        """Make a turn in what is shown, and press until it is written down."""
        recorded = RecordedGame.of(self.written())
        position, before = recorded.state.position, len(self.taken())
        if before != shown:
            return  # it has gone on meanwhile
        if position.side in recorded.agreement.elsewhere:
            return
        turns = [turn for turn in position.turns() if simple(position.deed(turn))]
        if not turns:
            return  # the game is over, or nearly
        await self.carry(position.deed(dice.choice(turns)))
        while len(self.taken()) == before:
            await self.press(position.side)

    async def press(self, button):
        """Press a button when hands rest, and wait until that is seen."""
        await asyncio.sleep(0.2)
        await self.station.play([Step(button=button)])
        await asyncio.sleep(0.2)

    async def carry(self, deed):
        """Do with hands what a turn is."""
        names = {cell: name for name, cell in self.station.board.top.place.items()}
        for square in deed.taken:
            await self.station.play([Step(piece=names[square], to=TRAY)])
        ((source, target),) = deed.moves
        await self.station.play([Step(piece=names[source], to="hand")])
        await self.station.play([Step(t=0.05, piece=names[source], to=target)])


def turns_of(told):
    """Return how many turns were taken by what is told of the last ones."""
    if not told:
        return 0
    last = told[-1]
    return 2 * last["number"] - (last["side"] == "white")


def simple(deed):
    """Return whether one piece is carried, and no other one is fetched or turned over."""
    return len(deed.moves) == 1 and not (deed.becomes or deed.placed or deed.flips)


async def live(hands, seconds):
    """Run the service for so long and kill it; what it has shown as taken must be there."""
    players = {f"players.{hands.computer}": "computer 1"} if hands.computer else {}
    settings = {"game.id": GAME, "game.settings.time": "90m", **players}
    run = run_on(hands.folder / "board", hands.folder / "data", settings)
    before = [] if hands.begin_anew() else hands.taken()
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        hands.display = (await process.stdout.readline()).split()[-1].decode()
        await asyncio.sleep(seconds)
    finally:
        process.kill()
        await process.wait()
    taken = hands.taken()
    assert taken[: len(before)] == before, "what was written down is otherwise now"
    assert len(taken) >= hands.seen, "what was shown is lost"
    return len(taken)


@at_night("takes half an hour")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("computer", [None, "black"])
async def test_a_kill_costs_nothing(tmp_path, computer):
    hands, dice = Hands(tmp_path, computer), Random(f"kills {computer}")
    async with hands.station, meanwhile(hands.play(Random(1))):
        made, turns = 0, 0
        for _ in range(KILLS):
            before, turns = turns, await live(hands, dice.uniform(0.0, 3.0))
            made += max(0, turns - before)
    assert made > KILLS / 10
