"""A real process killed in mid-game, again and again: the game resumed is the acknowledged one."""

import json
import os
import random
import select
import time
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from firmware_bridge.journal import Journal
from firmware_bridge.messages import Chosen
from firmware_bridge.messages.records import Record
from tests.firmware_bridge.journal.killing import Writing, forked, heard_until_ended, kill, rebuilt
from tests.firmware_bridge.table.carrying_out import go_on
from tests.sample import SAMPLE

KILLS = 200 if os.environ.get("FIRMWARE_BRIDGE_NIGHTLY") else 8
"""For each game."""
KILLS_WITH_COMPUTER = KILLS if KILLS > 8 else 3
"""The same where a computer plays."""
BLUNDERS = 0.4
"""The share of illegal attempts."""


class Playing(Writing):
    """A table at which people, and a computer if one has a side, play and blunder."""

    def __init__(self, game, journal, acknowledge, unfinished=None, computers=None):
        kinds = {"settings": {"time": "90m+5s"}, "dice": random.Random(1).choice}
        super().__init__(game, journal, acknowledge, unfinished, computers=computers, **kinds)

    def go_on(self, chooser):
        """Carry out what a computer plays, let it choose, or play a turn for the person."""
        if self.view.phase == "executing":
            go_on(self)
        elif self.table.awaits_computer:
            turn = chooser.choice(list(islice(self.position.turns(), 100)))
            self.t += 0.5
            self.feed(Chosen(self.t, str(turn), self.table.state.number))
        elif chooser.random() < BLUNDERS:
            self.blunder(chooser)
        else:
            self.random_turns(chooser.random(), 1)

    def blunder(self, chooser):
        """Set a piece of the opponent elsewhere, press, and put it back."""
        position, side = self.position, self.position.side
        theirs = sorted(s for s, label in position.placement.items() if label[0] != side[0])
        free = sorted(position.game.squares - position.placement.keys())
        source, target = chooser.choice(theirs), chooser.choice(free)
        self.carry(source, target)
        self.press(side)
        self.carry(target, source)
        assert str(self.position) == str(position)


def shape(state):
    """Return what must be the same after the crash, as JSON values.

    It must fit into one write to a pipe, which a kill cannot cut in two.
    """
    clock = state.clock.stop(state.t_ms)
    # What an obligation forbids is not in the text of a position, but in its turns.
    turns = [str(turn) for turn in islice(state.position.turns(), 20)]
    return [
        *(str(state.position), turns, [str(played.turn) for played in state.played[-10:]]),
        *(clock.white.left, clock.black.left, state.t_ms, state.number, state.stage),
        *(dict(state.offences), repr(state.trouble), repr(state.ending), list(state.distrusted)),
    ]


def play_until_killed(folder, game, computers, seed, pipe):
    """What the killed process does: go on where the last one was stopped, and never end."""

    def acknowledge(name, table):
        line = {"game": name, "records": len(table.records), "shape": shape(table.state)}
        data = (json.dumps(line) + "\n").encode()
        assert len(data) <= select.PIPE_BUF
        os.write(pipe, data)

    journal = Journal(folder)
    writing = Playing(game, journal, acknowledge, journal.last_game(), computers)
    chooser = random.Random(seed)
    while True:
        if writing.table.state.stage == "over":
            writing = Playing(game, journal, acknowledge, computers=computers)
        writing.go_on(chooser)


def killed(folder, game, computers, seed, end=kill):
    """Run a process, end it at a random instant; return what it acknowledged last."""
    play = partial(play_until_killed, folder, game, computers, seed)
    child, reader = forked(folder, play)
    chooser = random.Random(seed)
    heard = b""
    for _ in range(chooser.randrange(1, 12)):
        heard += os.read(reader, 65_536)
    time.sleep(chooser.uniform(0, 0.015))
    heard += heard_until_ended(folder, child, reader, end)
    return json.loads(heard.splitlines()[-1])


def found_as_acknowledged(folder, last):
    """Return the records of the game, which is exactly the one acknowledged last."""
    with closing(Journal(folder)) as journal:
        found = journal.read(last["game"])
    assert all(isinstance(record, Record) for record in found)
    acknowledged = found[: last["records"]]
    assert len(acknowledged) == last["records"], "an acknowledged record is lost"
    # One batch may have reached the disk without its acknowledgement: one input's records.
    assert len({record.t_ms for record in found[last["records"] :]}) <= 1
    assert shape(rebuilt(acknowledged)) == last["shape"]
    return found


@pytest.mark.timeout(600)
@pytest.mark.parametrize("computers", [{}, {"black": 1}], ids=["people", "computer"])
@pytest.mark.parametrize("game", SAMPLE)
def test_the_resumed_game_is_exactly_the_acknowledged_one(tmp_path: Path, game, computers):
    attempts = executing = 0
    for seed in range(KILLS_WITH_COMPUTER if computers else KILLS):
        last = killed(tmp_path, game, computers, seed)
        found = found_as_acknowledged(tmp_path, last)
        attempts += any(record.kind == "attempt" for record in found)
        executing += rebuilt(found[: last["records"]]).executing
    assert attempts or computers, "nobody tried anything illegal"
    assert computers or not executing
