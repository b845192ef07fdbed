"""A whole board on the bench: firmware, emulated chips, and a host at the other end."""

import bench
import machine
from boardware.board import Board
from boardware.parts import Parts, identity

from drivers.description import load_description
from drivers.link import codec
from drivers.link.board_session import BoardSession
from drivers.pico.image import config


class Line:
    """What stands for PIO and DMA."""

    def __init__(self, pin):
        self.pin = pin

    def busy(self):
        return False

    def send(self, data):
        bench.now.leds.latch(bytes(data))


class Host:
    """The far end of the wire: greets, acknowledges, and keeps what it hears."""

    def __init__(self):
        self.to_board = b""
        self.heard = []
        self.reading = True
        self._reader = codec.FrameReader()
        self.expected = None

    def read(self):
        data, self.to_board = self.to_board[:64], self.to_board[64:]
        return data

    def write(self, data):
        if not self.reading:
            return 0
        for body in self._reader.feed(data):
            message = codec.decode(body)
            self.heard.append(message)
            if isinstance(message, codec.Hello):
                self.expected = message.first
            if isinstance(message, codec.Cell | codec.Button | codec.Notice):
                if message.seq == self.expected:
                    self.expected = (self.expected + 1) % 65536
                self.say(codec.Ack(self.expected))
        return len(data)

    def say(self, message):
        self.to_board += codec.frame(codec.encode(message))

    def greet(self):
        self.say(codec.AskHello(codec.VERSION, 7, 0, 0, 0))

    def of(self, *kinds):
        return [message for message in self.heard if isinstance(message, kinds)]


class Dog:
    fed = 0

    def feed(self):
        self.fed += 1


class Built:
    """One board as it is built, its chips on the bench, with hands at it and a host behind it."""

    def __init__(self, board):
        self.description = board if not isinstance(board, str) else load_description(board)
        self.config = config(self.description)
        self.bench = bench.build(self.config)
        self.host = Host()

    def number(self, cell):
        return self.description.built.index(cell)

    def put(self, cell, *uids):
        self.bench.put(self.number(cell), *uids)

    def lift(self, cell):
        self.bench.lift(self.number(cell))

    def felt(self):
        """Cell events so far, as (cell, reading), repetitions left out."""
        seen = {}
        for event in self.host.of(codec.Cell):
            seen[event.seq] = (self.description.built[event.cell], event.reading)
        return list(seen.values())


class OnBench(Built):
    """One board, run in steps of `pass_us` of its time."""

    def __init__(self, clock, board, pass_us=500):
        super().__init__(board)
        self.clock = clock
        self.pass_us = pass_us
        self.dog = Dog()
        self.restart()

    @classmethod
    def greeted(cls, clock, board):
        """A board that has started, its readers one by one, and that its host has greeted."""
        started = cls(clock, board)
        started.run(600)
        started.host.greet()
        started.run(100)
        return started

    def restart(self):
        """Let the firmware begin, as when the power comes."""
        self.parts = Parts(self.config, machine, Line)
        self.session = BoardSession(identity(self.config, bytes(8)), 1, self.clock.ms())
        self.board = Board(self.parts, self.session, self.host, self.dog)

    def run(self, ms):
        end = self.clock.now_us + ms * 1000
        while self.clock.now_us < end:
            self.board.step()
            self.clock.now_us += self.pass_us
