"""Chips as their data sheets describe them, seen from their pins. Run on MicroPython too."""


class ShiftRegisters:
    """A chain of 74HC165: one bit a contact, closed contacts pull their input low.

    `serial` is the level at the farthest register's serial input.
    """

    bus = (1, 0, 4_000_000)  # polarity, phase, and the fastest clock at 3.3 V

    def __init__(self, contacts, load_pin):
        self.closed = set()
        self.load_pin = load_pin
        self.serial = 0
        self.unplugged = False  # also what is read of registers without a supply
        self.transfers = 0
        self.loading = False
        self._size = (contacts + 7) // 8 * 8
        self._bits = self._open = (1 << self._size) - 1  # the first contact is the highest bit

    def power(self, on):
        """Cut or return the supply; what they hold then is anything."""
        self.unplugged = not on

    def on_pin(self, number, level):
        if number == self.load_pin:
            self.loading = not level
        if self.loading:
            self._bits = self._open
            for contact in self.closed:
                self._bits &= ~(1 << (self._size - 1 - contact))

    def exchange(self, byte):
        self.transfers += 1
        first = self._bits >> (self._size - 8)
        if self.loading:
            first = 255 * (first >> 7)  # nothing is shifted
        else:
            self._bits = (self._bits << 8 | 255 * self.serial) & self._open
        return 255 if self.unplugged else first


def crc_a(data):
    """CRC_A bit by bit, as the standard defines it."""
    crc = 0x6363
    for byte in data:
        for bit in range(8):
            feedback = (crc ^ (byte >> bit)) & 1
            crc >>= 1
            if feedback:
                crc ^= 0x8408
    return [crc & 255, crc >> 8]


class Tag:
    """An ISO 14443 A tag: answers wake-up, anticollision and select, level by level."""

    def __init__(self, uid):
        self.levels = []
        rest = list(uid)
        while len(rest) > 4:
            self.levels.append([0x88] + rest[:3])
            rest = rest[3:]
        self.levels.append(rest)

    def hear(self, data, bits):
        """Return the answer, or None for silence."""
        if bits == 7:
            return [0x44, 0x00] if data[0] in (0x26, 0x52) else None
        commands = [0x93, 0x95, 0x97]
        if data[0] not in commands or commands.index(data[0]) >= len(self.levels):
            return None
        level = commands.index(data[0])
        part = self.levels[level]
        check = part[0] ^ part[1] ^ part[2] ^ part[3]
        if data[1] == 0x20:
            return part + [check]
        if data[1] == 0x70 and data[2:7] == part + [check] and data[7:] == crc_a(data[:7]):
            sak = [0x04 if level + 1 < len(self.levels) else 0x00]
            return sak + crc_a(sak)
        return None


class Mfrc522Chip:
    """An MFRC522, registers and FIFO, with the tags in its field."""

    bus = (0, 0, 10_000_000)

    def __init__(self, version=0x92):
        self.tags = []
        self.version = version
        self.dead = False
        self.garble = 0  # how many of the next answers are damaged
        self.garbled = -1  # which answer of all is damaged
        self.answered = 0
        self.stuck = False  # whether it ends no command any more
        self.fields = 0  # how often the field was switched on
        self.address = None
        self.powered = True
        self.reset()

    def reset(self):
        """Forget everything: awake, no timer, no modulation, antenna off (data sheet, 9.2)."""
        self.registers = [0] * 64
        self.registers[0x01] = 0x20
        self.registers[0x11] = 0x3F
        self.registers[0x14] = 0x80
        self.fifo = []
        self.waking = 0

    def power(self, on):
        """Cut or return the supply; a chip without one answers nothing, whatever MISO rests at."""
        self.powered = on
        if on:
            self.reset()

    @property
    def field(self):
        return self.registers[0x14] & 3 == 3

    def selected(self):
        self.address = None

    def exchange(self, byte):
        if self.dead:
            return 0xFF
        if not self.powered:
            return 0
        if self.address is None:
            self.address = byte
            return 0
        register = self.address >> 1 & 0x3F
        if self.address & 0x80:
            self.address = byte
            return self._get(register)
        self._set(register, byte)
        return 0

    def _get(self, register):
        if register == 0x01 and self.waking:
            self.waking -= 1
            return self.registers[1] | 0x10
        if register == 0x09:
            return self.fifo.pop(0) if self.fifo else 0
        if register == 0x0A:
            return len(self.fifo)
        if register == 0x37:
            return self.version
        return self.registers[register]

    def _set(self, register, value):
        if register == 0x01:
            self._command(value)
        elif register == 0x04:
            if value & 0x80:
                self.registers[4] |= value & 0x7F
            else:
                self.registers[4] &= ~value
        elif register == 0x09:
            self.fifo.append(value)
        elif register == 0x0A:
            if value & 0x80:
                self.fifo = []
        else:
            if register == 0x14 and value & 3 == 3 and not self.field:
                self.fields += 1
            self.registers[register] = value
            if register == 0x0D and value & 0x80 and self.registers[1] & 0x0F == 0x0C:
                self._transceive(value & 7)

    def _command(self, value):
        if value & 0x0F == 0x0F:
            self.reset()
            return
        if self.registers[1] & 0x10 and not value & 0x10:
            self.waking = 2
        self.registers[1] = value

    def _transceive(self, bits):
        sent, self.fifo = self.fifo, []
        self.registers[6] = 0
        if self.stuck:
            return
        timed = self.registers[0x2A] == 0x80
        ticks = (self.registers[0x2C] << 8 | self.registers[0x2D]) + 1
        assert not timed or 20 <= ticks <= 200, "0.5 to 5 ms"
        answers = []
        # Tags understand nothing but full modulation, and frames that begin as the standard says.
        if self.field and self.registers[0x15] & 0x40 and self.registers[0x11] & 3 == 1:
            answers = [tag.hear(sent, bits) for tag in self.tags]
            answers = [answer for answer in answers if answer]
        if not answers:
            self.registers[4] |= 0x01 if timed else 0  # without its timer it listens for ever
            return
        self.registers[4] |= 0x20
        if any(answer != answers[0] for answer in answers):
            self.registers[6] |= 0x08
        self.fifo = list(answers[0])
        if self.garble or self.answered == self.garbled:
            self.garble = max(0, self.garble - 1)
            self.fifo[0] ^= 0x10
        self.answered += 1


_REVERSED = bytes(sum((byte >> bit & 1) << 7 - bit for bit in range(8)) for byte in range(256))


class Pn532Chip:
    """A PN532 on SPI, lowest bit first: status, data out, data in.

    After its supply has come it looks for no tag until it is told how its SAM works, and then tries
    for ever until it is told how often (user manual, 7.2.10, 7.3.1).
    """

    bus = (0, 0, 5_000_000)
    ack = b"\x00\x00\xff\x00\xff\x00"

    def __init__(self):
        self.tags = []
        self.fields = 0
        self.busy = 0  # how often it is asked in vain whether it is done
        self._data = bytearray()
        self.power(True)

    def power(self, on):
        """Cut or return the supply."""
        self.powered = on
        self.reset()

    def reset(self):
        """Forget everything, as after a spark."""
        self.configured = self.patient = self.field = False
        self.replies = []
        self._data = bytearray()

    def selected(self):
        """Take in what was written while it was selected before."""
        data, self._data = self._data, bytearray()
        if data and data[0] == 1:
            self._obey(bytes(data[1:]))
        elif data and data[0] == 3 and self.replies:
            self.replies.pop(0)

    def exchange(self, byte):
        if not self.powered:
            return 0
        self._data.append(_REVERSED[byte])
        at = len(self._data) - 1
        if self._data[0] == 2 and at == 1:
            self.busy -= 1
            return _REVERSED[1 if self.replies and self.busy < 0 else 0]
        if self._data[0] == 3 and at and self.replies and at <= len(self.replies[0]):
            return _REVERSED[self.replies[0][at - 1]]
        return 0

    def _obey(self, raw):
        if not self.powered:
            return
        if raw == self.ack:  # the host gives the command up
            self.replies = []
            return
        start = raw.find(b"\x00\xff") + 2
        command, data = raw[start + 3], list(raw[start + 4 : start + 2 + raw[start]])
        answer = self._answer(command, data)
        self.replies.append(self.ack)
        if answer is not None:
            body = bytes((0xD5, command + 1)) + answer
            head = bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF))
            self.replies.append(head + body + bytes((-sum(body) & 0xFF, 0)))

    def _answer(self, command, data):
        """Return what a command gives, or None for what goes on for ever."""
        if command == 0x14:
            self.configured = True
        elif command == 0x32 and data[0] == 5:
            self.patient = data[3] == 0
        elif command == 0x32 and data == [1, 0]:
            self.field = False
        elif command == 0x4A:
            return self._listed(data[0])
        return b""

    def _listed(self, most):
        if not self.configured or not (self.tags or self.patient):
            return None
        self.field = True
        self.fields += 1
        found = self.tags[:most]
        listed = bytes((len(found),))
        for number, tag in enumerate(found):
            uid = b"".join(bytes(part[1:] if part[0] == 0x88 else part) for part in tag.levels)
            listed += bytes((number + 1, 0, 0x44, 0, len(uid))) + uid
        return listed


class Ws2812Chain:
    """LEDs on a data line: each keeps the first 24 bits and hands on the rest."""

    def __init__(self, count):
        self.count = count
        self.frames = 0
        self.power(on=True)

    def power(self, on):
        """Cut or return the supply: the LEDs come back dark."""
        self.powered = on
        self.colours = [(0, 0, 0)] * self.count

    def latch(self, data):
        if not self.powered:
            return
        self.frames += 1
        for led in range(min(self.count, len(data) // 3)):
            green, red, blue = data[led * 3 : led * 3 + 3]
            self.colours[led] = (red, green, blue)


class Max7219Chain:
    """Cascaded MAX7219: 16 bits a chip, taken over when LOAD rises; they start up in any state."""

    bus = (0, 0, 10_000_000)

    def __init__(self, chips, load_pin):
        self.load_pin = load_pin
        self.powered = True
        self.registers = [[1] * 16 for _ in range(chips)]
        self._bits = []

    def power(self, on):
        """Cut or return the supply: it comes back asleep, one digit scanned, all dark."""
        self.powered = on
        self.registers = [[0] * 16 for _ in self.registers]

    def on_pin(self, number, level):
        if number == self.load_pin and level and self._bits:
            words = self._bits[-2 * len(self.registers) :] if self.powered else []
            for chip, registers in enumerate(reversed(self.registers) if words else ()):
                registers[words[2 * chip] & 15] = words[2 * chip + 1]
            self._bits = []

    def exchange(self, byte):
        self._bits.append(byte)
        return 0

    def lit(self):
        """LEDs that are on: segment DP is the highest bit."""
        found = set()
        for chip, registers in enumerate(self.registers):
            if not registers[0x0C] or registers[9]:
                continue
            assert not registers[0x0F], "the display test lights everything"
            for digit in range(registers[0x0B] + 1):
                for segment in range(8):
                    if registers[digit + 1] & (0x80 >> segment):
                        found.add(chip * 64 + digit * 8 + segment)
        return found


class Ht16k33Chip:
    """An HT16K33: commands in one byte, or an address and RAM contents."""

    def __init__(self):
        self.power(on=True)

    def power(self, on):
        """Cut or return the supply: it comes back with its oscillator off and its display dark."""
        self.powered = on
        self.ram = bytearray(16)
        self.on = self.display = False
        self.dimming = 15

    def writeto(self, data):
        if not self.powered:
            raise OSError(5)  # nobody acknowledges the address
        first = data[0]
        if first < 16:
            for offset, byte in enumerate(data[1:]):
                self.ram[(first + offset) % 16] = byte
        elif first & 0xF0 == 0x20:
            self.on = bool(first & 1)
        elif first & 0xF0 == 0x80:
            self.display = bool(first & 1)
        elif first & 0xF0 == 0xE0:
            self.dimming = first & 15

    def lit(self):
        if not (self.on and self.display):
            return set()
        return {n for n in range(128) if self.ram[n >> 3] >> (n & 7) & 1}
