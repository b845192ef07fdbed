"""Boards that speak over Bluetooth what they also speak over a cable."""

from __future__ import annotations

from dataclasses import replace

from drivers.commercial.ble import Gatt
from drivers.commercial.chesslink import ChessLinkSession
from drivers.commercial.chessnut import ChessnutSession
from drivers.commercial.cpp import CppRadioSession
from drivers.commercial.wires import over_bluetooth

_CHESSNUT_TAIL = "-2877-41c3-b46e-cf057c562023"
CHESSNUT_MOVE = Gatt(
    f"1b7e8272{_CHESSNUT_TAIL}",
    f"1b7e8262{_CHESSNUT_TAIL}",
    ("Chessnut Move",),
    answers=f"1b7e8273{_CHESSNUT_TAIL}",
)
CHESSNUT = replace(CHESSNUT_MOVE, names=("Chessnut",), others=CHESSNUT_MOVE.names)
CHESSLINK = Gatt(
    "49535343-8841-43f4-a8d4-ecbe34729bb3",
    "49535343-1e4d-4bd9-ba61-23c647249616",
    ("MILLENNIUM CHESS",),
    fragment=20,
)
CPP = Gatt(
    "f53513ca-b2c9-11ec-a0c1-639b8957db99",
    "f535147e-b2c9-11ec-a0c2-8bbd706ec4e6",
    ("CPP", "OPENCHESSBOARD"),
    service="f5351050-b2c9-11ec-a0c0-b3bc53b08d33",
)


chessnut_over_bluetooth = over_bluetooth(ChessnutSession, CHESSNUT)
chesslink_over_bluetooth = over_bluetooth(ChessLinkSession, CHESSLINK)
cpp_over_bluetooth = over_bluetooth(CppRadioSession, CPP)
