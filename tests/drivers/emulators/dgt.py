"""A DGT e-Board as its published protocol describes it."""

import asyncio

from drivers.testing import Device

from .squares import index_from_a8

CODES = {label: code for code, label in enumerate(
    [None, "wP", "wR", "wN", "wB", "wK", "wQ", "bP", "bR", "bN", "bB", "bK", "bQ"]
)}  # fmt: skip


class DgtBoard(Device):
    updating = False

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.asked_for_changes = asyncio.Event()

    def heard(self, data):
        for command in data:
            if command == 0x42:
                self.send([0x86, 0, 67, *self.dump()])
            elif command in {0x43, 0x44, 0x4B}:
                self.updating = True
                self.asked_for_changes.set()
            elif command == 0x45:
                self.send([0x91, 0, 8, *b"01234"])
            elif command == 0x40:
                self.updating = False

    def dump(self):
        codes = [0] * 64
        for cell, label in self.stands.items():
            codes[index_from_a8(cell)] = CODES[label]
        return codes

    def changed(self, cell):
        if self.updating:
            self.send([0x8E, 0, 5, index_from_a8(cell), CODES[self.stands.get(cell)]])


class HastyDgtBoard(DgtBoard):
    """It tells a set-down before the lift that came before, and some lifts not at all."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self._late = []

    def changed(self, cell):
        if cell not in self.stands:
            self._late.append(cell)
            return
        super().changed(cell)
        for lifted in self._late:
            if self._random.random() < 0.5:
                super().changed(lifted)
        self._late.clear()
