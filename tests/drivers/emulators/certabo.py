"""Certabo and Sentio boards as their published protocol describes them."""

import asyncio

from drivers.testing import Device

from .squares import cell_from_a8, index_from_a8


class CertaboBoard(Device):
    """`stands` holds tags here: ten hexadecimal digits."""

    coloured = False
    scan_time = 0.01
    breaks = True
    """Line feeds come in the middle of lines."""

    def switched_on(self):
        self.scanned = asyncio.Condition()
        self.send(b"D\r\n" if self.coloured else b"L\r\n")

    def heard(self, data):
        if data.startswith(b"\xff\x55"):
            if self.coloured and len(data) == 247 and data.endswith(b"\r\n"):
                self.lights = self.lit_by_corners([sum(data[i : i + 3]) for i in range(2, 245, 3)])
        elif len(data) == 8 and not self.coloured:
            self.lights = {
                f"{'abcdefgh'[bit]}{8 - row}"
                for row, byte in enumerate(data)
                for bit in range(8)
                if byte >> bit & 1
            }

    @staticmethod
    def lit_by_corners(levels):
        """The squares all four of whose corners are lit."""
        return {
            f"{file}{rank + 1}"
            for f, file in enumerate("abcdefgh")
            for rank in range(8)
            if all(
                levels[9 * line + column] for line in (rank, rank + 1) for column in (7 - f, 8 - f)
            )
        }

    async def noticed(self):
        """Wait for four scans: the first may be under way, and most of three count."""
        for _ in range(4):
            async with self.scanned:
                await self.scanned.wait()

    def numbers(self):
        tags = [self.stands.get(cell_from_a8(index), "0000000000") for index in range(64)]
        return [byte for tag in tags for byte in bytes.fromhex(tag)]

    async def run(self):
        while True:
            text = "".join(f"{number} " for number in self.numbers())
            if self.breaks:
                place = self._random.randrange(len(text))
                text = f"{text[:place]}\n{text[place:]}"
            self.send(f":{text}\r\n".encode())
            await self.sent()
            async with self.scanned:
                self.scanned.notify_all()
            await asyncio.sleep(self.scan_time)


class NoisyCertaboBoard(CertaboBoard):
    """In every few scans a tag is missing or seen where none is."""

    def numbers(self):
        numbers = super().numbers()
        if self._random.random() < 0.3:
            start = 5 * self._random.randrange(64)
            numbers[start : start + 5] = self._random.choice(
                ([0] * 5, [3, 0, 84, self._random.randrange(256), 9], [0, 0, 0, 7, 0])
            )
        return numbers


class SentioBoard(CertaboBoard):
    breaks = False

    def numbers(self):
        rows = [0] * 8
        for cell in self.stands:
            index = index_from_a8(cell)
            rows[index // 8] |= 0x80 >> index % 8
        return rows
