"""The drivers for boards that people own, on the conformance suite: real bytes over a pty."""

from contextlib import asynccontextmanager
from dataclasses import replace

from drivers.commercial.certabo import certabo_board, sentio_board
from drivers.commercial.chesslink import chesslink_board
from drivers.commercial.chessnut import chessnut_board
from drivers.commercial.cpp import cpp_board
from drivers.commercial.dgt import dgt_board
from drivers.description import load_description
from drivers.testing import DeviceBench
from drivers.testing.conformance import BLACK_PAWN, KING, ROOK, WHITE_PAWN, ConformanceSuite
from tests.drivers.emulators.certabo import CertaboBoard, SentioBoard
from tests.drivers.emulators.chesslink import ChessLinkBoard
from tests.drivers.emulators.chessnut import ChessnutBoard
from tests.drivers.emulators.cpp import CppBoard
from tests.drivers.emulators.dgt import DgtBoard

LABELS = {WHITE_PAWN: "wP", BLACK_PAWN: "bP", KING: "wK", ROOK: "wR"}


class CommercialSuite(ConformanceSuite):
    def label(self, tag):
        return LABELS[tag]

    def reading(self, tag):
        return f"piece:{LABELS[tag]}"

    def made(self, hands):
        """What hands do, with pieces as this board knows them."""
        done = [hand for hand in hands if not hand.button]
        return [replace(hand, tag=hand.tag and self.label(hand.tag)) for hand in done]

    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        port = tmp_path / "port"
        device = self.device(port, {cell: self.label(tag) for cell, tag in start.items()})
        async with device, self.driver(load_description(self.board), port=str(port)) as driver:
            yield DeviceBench(driver, device, self.made(hands))


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
