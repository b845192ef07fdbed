"""MicroPython's `machine`, its pins leading to the current bench."""

import bench


class Pin:
    IN, OUT, OPEN_DRAIN, PULL_UP = 0, 1, 2, 1

    def __init__(self, number, mode=-1, pull=-1, value=None):
        self.number = number
        self._bench = bench.now
        if mode != -1:
            bench.now.modes[number] = mode
        if pull == self.PULL_UP and mode == self.IN:
            bench.now.pulls.add(number)
        if value is not None:
            bench.now.set_pin(number, value)

    def value(self, level=None):
        if level is None:
            return self._bench.get_pin(self.number)
        assert self._bench.modes.get(self.number) in (self.OUT, self.OPEN_DRAIN), "not an output"
        self._bench.set_pin(self.number, level)
        return level


class SPI:
    """One of two blocks; each pin belongs to one block and has one purpose there."""

    def __init__(self, block, baudrate, *, polarity, phase, sck, mosi, miso):
        for pin, place in ((miso, 0), (sck, 2), (mosi, 3)):
            assert pin.number >> 3 & 1 == block, "wrong SPI block"
            assert pin.number & 3 == place, "the pin has another SPI purpose"
        wanted_polarity, wanted_phase, fastest = bench.now.buses[sck.number]
        assert (polarity, phase) == (wanted_polarity, wanted_phase), "the chip wants another mode"
        assert baudrate <= fastest, "too fast for the chip"
        self._answer = bench.now.clocks[sck.number]

    def readinto(self, buffer, write=0):
        for index in range(len(buffer)):
            buffer[index] = self._answer(write)

    def write(self, data):
        for byte in data:
            self._answer(byte)

    def write_readinto(self, data, buffer):
        for index in range(len(data)):
            buffer[index] = self._answer(data[index])


class I2C:
    def __init__(self, block, scl, sda, freq):
        assert scl.number >> 1 & 1 == block == sda.number >> 1 & 1, "wrong I2C block"
        assert (scl.number & 1, sda.number & 1) == (1, 0), "the pin has another I2C purpose"

    def writeto(self, address, data):
        if address not in bench.now.i2c:
            raise OSError(5)
        bench.now.i2c[address].writeto(data)
        return len(data)


class PWM:
    def __init__(self, pin):
        self._pitch = 0

    def freq(self, hertz):
        self._pitch = hertz

    def duty_u16(self, duty):
        bench.now.tone = self._pitch if duty else None
        if duty:
            bench.now.tones.append(self._pitch)


class WDT:
    def __init__(self, timeout):
        assert timeout <= 8388

    def feed(self):
        bench.now.fed += 1


class _Registers:
    def __getitem__(self, address):
        assert address == 0xD0000004
        return bench.now.gpio_in()


mem32 = _Registers()


def unique_id():
    return b"BENCH\x00\x00\x01"


def reset():
    bench.now.resets += 1
    raise SystemExit
