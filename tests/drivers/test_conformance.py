"""The project's own drivers on the conformance suite: real bytes over a pty."""

from contextlib import asynccontextmanager

from drivers.description import load_description
from drivers.piece_set import Face, Piece, PieceSet
from drivers.serial_board import SerialBoard
from drivers.simulator.driver import simulated_board
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from drivers.testing.conformance import BLACK_PAWN, KING, ROOK, WHITE_PAWN, Bench, ConformanceSuite


def pieces():
    looks = {WHITE_PAWN: "wP", BLACK_PAWN: "bP", KING: "wK", ROOK: "wR"}
    return PieceSet(
        pieces=tuple(
            Piece(name=look, faces=(Face(tag=tag, label=look, look=look),))
            for tag, look in looks.items()
        ),
    )


class StationBench(Bench):
    def __init__(self, driver, station, hands):
        super().__init__(driver)
        self.station = station
        self.hands = hands

    async def perform(self):
        await self.station.play(
            Step(t=0.02 * number, button=hand.button)
            if hand.button
            else Step(t=0.02 * number, cell=hand.cell, reading=hand.tag)
            for number, hand in enumerate(self.hands)
        )

    def lit(self):
        return set(self.station.board.lights)

    async def unplug(self):
        self.station.set_plugged(plugged=False)

    async def replug(self):
        self.station.set_plugged(plugged=True)


class TestSerialBoardWithTags(ConformanceSuite):
    board = "full"

    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        description = load_description(self.board)
        station = Station(description, pieces(), tmp_path / "board")
        station.arrange(start)
        async with station, SerialBoard(description, str(tmp_path / "board")) as driver:
            yield StationBench(driver, station, hands)


class TestSerialBoardWithReeds(TestSerialBoardWithTags):
    board = "starter"

    def reading(self, tag):
        return True


class TestSimulatedBoard(ConformanceSuite):
    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        description = load_description("simulated")
        station = Station(description, pieces(), tmp_path / "simulated")
        station.arrange(start)
        driver = simulated_board(description, str(tmp_path / "simulated"))
        async with station, driver:
            yield StationBench(driver, station, hands)
