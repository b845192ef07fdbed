"""A Chessnut board as its published protocol describes it, at a pty instead of a HID device."""

from drivers.testing import Device

CODES = {label: code for code, label in enumerate(
    [None, "bQ", "bK", "bB", "bP", "bN", "wR", "wP", "bR", "wB", "wN", "wQ", "wK"]
)}  # fmt: skip


class ChessnutBoard(Device):
    telling = False

    def heard(self, data):
        if data == b"\x21\x01\x00":
            self.telling = True
            self.changed(None)
        elif data.startswith(b"\x0a\x08"):
            self.lights = {
                f"{'abcdefgh'[7 - bit]}{8 - row}"
                for row, byte in enumerate(data[2:])
                for bit in range(8)
                if byte >> bit & 1
            }
        elif data == b"\x29\x01\x00":
            self.report(b"\x2a\x02\x50\x00")

    def position(self):
        codes = [0] * 64
        for cell, label in self.stands.items():
            codes[63 - ((int(cell[1]) - 1) * 8 + "abcdefgh".index(cell[0]))] = CODES[label]
        return bytes(codes[i] | codes[i + 1] << 4 for i in range(0, 64, 2))

    def report(self, message):
        """A HID report comes as a whole, padded to 65 bytes."""
        self.send_whole(message.ljust(65, b"\0"))

    def changed(self, cell):
        if self.telling:
            self.report(b"\x01\x3d" + self.position())
