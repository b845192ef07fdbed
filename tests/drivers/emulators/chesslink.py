"""A Millennium ChessLink board as its published protocol describes it."""

from drivers.testing import Device

from .squares import cell_from_a8


def with_parity(text):
    return bytes(c if c.bit_count() % 2 else c | 0x80 for c in text.encode())


def checked(text):
    check = 0
    for letter in text:
        check ^= ord(letter)
    return f"{text}{check:02X}"


class ChessLinkBoard(Device):
    patterns = ()
    damaged = 0.0
    """Share of replies in which one bit is wrong."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self._text = ""

    def heard(self, data):
        self._text += bytes(byte & 0x7F for byte in data if byte.bit_count() % 2).decode()
        while self._text:
            length = {"L": 167, "S": 3, "X": 3, "V": 3, "T": 3}.get(self._text[0])
            if length is None:
                self._text = self._text[1:]
                continue
            if len(self._text) < length:
                return
            command, self._text = self._text[:length], self._text[length:]
            assert checked(command[:-2]) == command
            self.obey(command[:-2])

    def obey(self, command):
        if command == "S":
            self.tell()
        elif command == "V":
            self.send(with_parity(checked("v0107")))
        elif command == "X":
            self.lights = set()
            self.send(with_parity(checked("x")))
        elif command.startswith("L"):
            self.patterns = [int(command[i : i + 2], 16) for i in range(3, 165, 2)]
            self.lights = {
                f"{file}{rank + 1}"
                for f, file in enumerate("abcdefgh")
                for rank in range(8)
                if all(
                    self.patterns[9 * column + line]
                    for column in (f, f + 1)
                    for line in (7 - rank, 8 - rank)
                )
            }
            self.send(with_parity(checked("l")))

    def tell(self):
        labels = [self.stands.get(cell_from_a8(index), "w.") for index in range(64)]
        text = "".join(x[1] if x[0] == "w" else x[1].lower() for x in labels)
        self.send(with_parity(checked("s" + text)))

    def send(self, data):
        """Send a reply; where the line is bad, some are damaged."""
        data = bytearray(data)
        if self._random.random() < self.damaged:
            data[self._random.randrange(len(data))] ^= 1 << self._random.randrange(7)
        super().send(data)

    def changed(self, cell):
        self.tell()
