"""The firmware's own modules, from where they lie in an installed package or in a checkout."""

from __future__ import annotations

import sys

from drivers.pico.image import SOURCES

if str(SOURCES) not in sys.path:
    sys.path.append(str(SOURCES))  # the firmware is no package of ours: a Pico has it at the top

from boardware import ticks
from boardware.board import Board
from boardware.parts import Parts, identity

__all__ = ["Board", "Parts", "identity", "ticks"]
