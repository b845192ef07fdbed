"""The drivers for boards that people own, on the conformance suite: real bytes over a pty."""

from contextlib import asynccontextmanager

from drivers.commercial.certabo import certabo_board, sentio_board
from drivers.commercial.chesslink import chesslink_board
from drivers.commercial.chessnut import chessnut_board
from drivers.commercial.cpp import cpp_board
from drivers.commercial.dgt import dgt_board
from drivers.description import load_description
from tests.drivers.conformance import BLACK_PAWN, KING, ROOK, WHITE_PAWN, Bench, ConformanceSuite
from tests.drivers.emulators.certabo import CertaboBoard, SentioBoard
from tests.drivers.emulators.chesslink import ChessLinkBoard
from tests.drivers.emulators.chessnut import ChessnutBoard
from tests.drivers.emulators.cpp import CppBoard
from tests.drivers.emulators.dgt import DgtBoard

LABELS = {WHITE_PAWN: "wP", BLACK_PAWN: "bP", KING: "wK", ROOK: "wR"}


class DeviceBench(Bench):
    def __init__(self, driver, device, hands):
        super().__init__(driver)
        self.device = device
        self.hands = hands

    async def perform(self):
        for cell, label in self.hands:
            self.device.put(cell, label)
            await self.device.noticed()

    def lit(self):
        return self.device.lights

    async def unplug(self):
        self.device.unplug()

    async def replug(self):
        self.device.lights = set()
        self.device.plug()


class CommercialSuite(ConformanceSuite):
    has_buttons = False

    def label(self, tag):
        return LABELS[tag]

    def reading(self, tag):
        return f"piece:{LABELS[tag]}"

    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        port = tmp_path / "port"
        device = self.device(port, {cell: self.label(tag) for cell, tag in start.items()})
        async with device, self.driver(load_description(self.board), port=str(port)) as driver:
            made = [(h.cell, h.tag and self.label(h.tag)) for h in hands if not h.button]
            yield DeviceBench(driver, device, made)


class TestDgt(CommercialSuite):
    board, device, driver = "dgt", DgtBoard, staticmethod(dgt_board)
    has_lights = False


class TestCertabo(CommercialSuite):
    board, device, driver = "certabo", CertaboBoard, staticmethod(certabo_board)

    def label(self, tag):
        return tag[:10]

    def reading(self, tag):
        return tag[:10]


class TestSentio(CommercialSuite):
    board, device, driver = "sentio", SentioBoard, staticmethod(sentio_board)

    def reading(self, tag):
        return True


class TestChessLink(CommercialSuite):
    board, device, driver = "chesslink", ChessLinkBoard, staticmethod(chesslink_board)


class TestChessnut(CommercialSuite):
    board, device, driver = "chessnut", ChessnutBoard, staticmethod(chessnut_board)


class TestCpp(CommercialSuite):
    board, device, driver = "cpp", CppBoard, staticmethod(cpp_board)
    has_lights = False
