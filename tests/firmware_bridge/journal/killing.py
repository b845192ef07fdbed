"""Processes that write down what a table tells, and are killed."""

import os
import signal
import traceback

from firmware_bridge.referee import referee
from firmware_bridge.referee.game_state import State
from firmware_bridge.table import Agreement
from tests.firmware_bridge.table.driving import Driven


class Writing(Driven):
    """A table whose every batch is written down and then acknowledged.

    Args:
        game: the game's id.
        journal: where it is written down.
        acknowledge: called with the game's name and the table once the disk has it.
        unfinished: name and records of the game to go on with, if any.
        **kinds: what any driven table takes.
    """

    def __init__(self, game, journal, acknowledge=lambda *_: None, unfinished=None, **kinds):
        self.journal, self.acknowledge = journal, acknowledge
        self.name = None if unfinished else journal.new_game()
        super().__init__(game, **kinds)
        if unfinished:
            self.name, records = unfinished
            state = rebuilt(records)
            made = not state.executing  # or hands have still to carry it out
            stands = state.position if made else state.played[-1].before
            readings = {cell: self.reading(label) for cell, label in stands.placement.items()}
            self.come_back(records, readings)
            self.say("resume")

    def take(self, batch):
        if self.name:
            self.journal.append(self.name, batch.records)
            self.acknowledge(self.name, self.table)
        return super().take(batch)


def rebuilt(records):
    agreement = Agreement.from_data(records[0].data)
    terms = agreement.terms()
    state = State.begin(terms, terms.game.start())
    return referee.rebuild(terms, state, records)


def forked(folder, act):
    """Let a process do this with a pipe to write to; return its number and what it is read from.

    What goes wrong in it is found in the folder.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            act(writer)
        except BaseException:  # noqa: BLE001 - told to the parent, which fails with it
            (folder / "error").write_text(traceback.format_exc())
        finally:
            os._exit(1)
    os.close(writer)
    return child, reader


def kill(process):
    os.kill(process, signal.SIGKILL)


def heard_until_ended(folder, child, reader, end=kill):
    """End a process in the middle of what it does; return what it has written besides."""
    end(child)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as pipe:
        heard = pipe.read()
    assert os.WIFSIGNALED(status), (folder / "error").read_text()
    return heard
