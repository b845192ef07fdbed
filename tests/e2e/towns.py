"""A friend's town: a service that is killed and started, and hands at its simulated board."""

import asyncio
import itertools
import json
import sqlite3
import subprocess
from contextlib import closing, suppress
from http.client import HTTPException
from random import Random

from drivers.simulator.orders import Step
from firmware_bridge.distance.friends import befriend
from firmware_bridge.journal.letter_book import FOLDER
from firmware_bridge.messages.records import Record
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.referee.fact_forms import told
from firmware_bridge.referee.facts import facts
from firmware_bridge.service.compatibility import hides
from firmware_bridge.simulation.following import carry
from firmware_bridge.simulation.piece_sets import arrangement_of
from firmware_bridge.views.course import course
from rules.values import opponent
from tests.commands import run_on
from tests.e2e.conftest import get, post
from tests.e2e.test_kills import CHARGED, Hands, turns_of
from tests.e2e.test_service_process import COMMAND
from tests.firmware_bridge.table.two_boards import some_start
from tests.patience import free_port

TURNS = 8
"""After so many turns of a game somebody gives up."""
PIN = "4321"
PRESSES = 6
"""So often a clock is pressed before what was done is done again."""
ID_OF_LINE = """SELECT id FROM games JOIN records ON game = number
    WHERE seq = 1 AND json_extract(data, '$.line') = ?"""
OF_LINE = """SELECT t_ms, kind, data FROM records WHERE game = (SELECT game FROM records
    WHERE seq = 1 AND json_extract(data, '$.line') = ?) ORDER BY seq"""


class Town(Hands):
    """One of two friends: hands at a board, and a service that is killed and started.

    Args:
        folder: where the port, the journal and the keys are.
        side: his.
        friend: the other one, as he knows him.
        carrier: what carries letters, as settings.
        game: what he plays.
    """

    def __init__(self, folder, side, friend, carrier, game):
        folder.mkdir()
        super().__init__(folder, opponent(side), game.id)
        self.side, self.carrier, self.process, self.line = side, carrier, None, ""
        self.friend = friend
        befriend(folder / "data", friend)

    def set_up(self, game, line):
        """Lay the pieces down for a game that both have agreed on."""
        self.game, self.line, self.seen = game, line, 0
        self.station.arrange(arrangement_of(game))

    def written(self):
        """Return what is written down of the game with the friend, whatever is on the table."""
        rows = self.found(OF_LINE, self.line)
        records = tuple(Record(t_ms, kind, json.loads(data)) for t_ms, kind, data in rows)
        assert not CHARGED & {record.kind for record in records}, "somebody was charged"
        return records

    def found(self, query, line):
        """Return what the journal has of the game with these letters."""
        path = self.folder / "data" / "journal.sqlite"
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
            return database.execute(query, (line,)).fetchall()

    def letters(self, line):
        """Return what is kept of the letters of a game, wherever it lies."""
        there = (self.folder / "data" / FOLDER).rglob(f"*{line}*")
        return b"".join(path.read_bytes() for path in there if path.is_file())

    async def part(self):
        """End the friendship, be killed, and put it back as from a saved state."""
        with suppress(OSError):  # it has not begun to serve again
            await self.ask("distance/forget", {"friend": self.friend.name})
        await self.kill()
        befriend(self.folder / "data", self.friend)

    async def delete(self, line):
        """Delete the game with these letters; return whether that was said to be done."""
        ((game,),) = self.found(ID_OF_LINE, line)
        with suppress(OSError, HTTPException):
            await self.ask(f"games/{game}/delete", {"key": PIN})
            return True
        return False

    @property
    def facts(self):
        """What both hosts tell alike."""
        secret = hides(self.game)
        return [
            (each.kind, told(each.kind, each.data, hides=secret)) for each in facts(self.written())
        ]

    @property
    def over(self):
        return any(record.kind == "ended" for record in self.written())

    @property
    def audited(self):
        """What going through the opened game has shown, `None` before."""
        return next((dict(r.data) for r in self.written() if r.kind == "audited"), None)

    async def start(self):
        settings = {"game.id": self.game.id, "game.settings.time": "90m", "pages.referee_pin": PIN}
        settings |= {f"distance.{name}": value for name, value in self.carrier.items()}
        run = run_on(self.folder / "board", self.folder / "data", settings)
        with (self.folder / "log").open("a") as log:
            self.process = await asyncio.create_subprocess_exec(
                *COMMAND, *run, stdout=subprocess.PIPE, stderr=log
            )
        self.display = (await self.process.stdout.readline()).split()[-1].decode()

    async def kill(self):
        with suppress(ProcessLookupError):  # it has ended by itself, which its log tells
            self.process.kill()
        await self.process.wait()

    async def ask(self, path, body=None):
        address = f"{self.display}api/v1/{path}"
        if body is None:
            return json.loads(await asyncio.to_thread(get, address))
        return await asyncio.to_thread(post, address, body)

    @property
    def reached(self):
        """How many turns are written down, as a display counts them."""
        recorded = RecordedGame.of(self.written())
        last = course(recorded.agreement.terms(), recorded.state).turns
        return turns_of([{"number": each.number, "side": each.side} for each in last])

    async def make_turn(self, dice, shown):
        """Give up after some turns; else as on any evening."""
        if shown >= TURNS and shown % 2 == (self.side == "black"):
            await self.ask("table/actions", {"call": "resign"})
        else:
            await super().make_turn(dice, shown)


class Hider(Town):
    """A friend whose discs hide what lies below, with any discs that look so for the other's."""

    carries, plays = {"executing", "restoring"}, {"playing", "decision"}

    def __init__(self, folder, side, friend, carrier, game):
        super().__init__(folder, side, friend, carrier, game)
        self.begins, self.dice = side, Random(f"discs {side}")

    def set_up(self, game, line):
        """Lay his own discs somehow; the friend's too, where it is known which faces they show."""
        super().set_up(game, line)
        start = some_start(game, self.side, self.dice)
        known = {s for s, label in start.placement.items() if label[0] == self.side[0]}
        known |= set() if game.free_start else start.placement.keys()
        arranged = arrangement_of(game, start)
        self.station.arrange({cell: tag for cell, tag in arranged.items() if cell in known})

    async def set_out(self, scene):
        """Be bound to one's discs; then lay what stands for the friend's as it is shown."""
        if not any(kind == "pledged" and data["at"] == self.side for kind, data in self.facts):
            await self.press(self.side)
            return
        lying = set(self.station.board.top.place.values())
        for cell in scene["pieces"].keys() - lying:
            await carry(self.station, {**scene, "restore": [{"source": None, "target": cell}]})

    async def make_turn(self, dice, shown):
        state = RecordedGame.of(self.written()).state
        position, before = state.position, len(self.facts)
        if state.put or state.executing or position.side != self.side:
            return  # the friend is to move, or what is shown is of a turn ago
        turns = [turn for turn in position.turns() if by_hand(position.deed(turn))]
        if position.awaited == "roll":
            await self.press(self.side)
        elif len(state.played) >= TURNS or not turns:
            await self.ask("table/actions", {"call": "resign"})
        else:
            deed = position.deed(dice.choice(turns))
            if deed.moves:
                await self.carry(deed)
            presses = itertools.count()
            while len(self.facts) == before:
                if next(presses) % PRESSES == 0:
                    await self.turn_over(deed)
                await self.press(self.side)

    async def turn_over(self, deed):
        """Turn over what is to be; again, where nobody has felt it as the service was away.

        Of a disc that looks alike on both sides nobody can see that it was turned over meanwhile.
        """
        on = {cell: name for name, cell in self.station.board.top.place.items()}
        for square, _ in deed.flips:
            await self.station.play([Step(piece=on[square], flip=True)])


def by_hand(deed):
    """Return whether a turn of discs is carrying one, turning over, or both."""
    return deed.physical and len(deed.moves) < 2 and not (deed.taken or deed.placed or deed.becomes)


def directly():
    """Return the settings of two hosts, of which the second calls the first, with no broker."""
    port = free_port()
    called = {"carrier": "direct", "settings.port": port}
    calling = {"settings.boards": f"127.0.0.1:{port}", "settings.port": free_port()}
    return called, called | calling
