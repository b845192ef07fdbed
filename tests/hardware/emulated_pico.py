"""A Pico whose chip is emulated instruction by instruction, with MicroPython's own image on it.

Time is the chip's: however slow or busy this machine is, what is seen there is the same. `rp2040py`
runs processor, PIO, DMA, timers, flash and watchdog; the bench stands at its pins. It takes no time
for reading flash, so a real Pico is somewhat slower where code is not in the cache.
"""

import bench
from littlefs import LittleFS, UserContext
from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.device.load_flash import load_uf2
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.rp2040 import RP2040
from rp2040py.usb.cdc import USBCDC
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from tests.hardware.board_on_bench import Built

FILES_AT, BLOCK, BLOCKS = 0xA0000, 4096, 352
"""Where MicroPython keeps its files in a Pico's flash of 2 MB."""
FRAME_MS = 1
"""How often a host looks at a full-speed device."""
OUTPUT_LEVELS = (0, 1)
CLK_PERI_CTRL = 0x40008048
PERIPHERAL_HZ = {0: 125e6, 1: 125e6, 2: 48e6}
"""What SPI is clocked from, which the emulator leaves open: the system's clock, its PLL, USB's."""


def disk(files):
    """Return a file system as MicroPython makes it, with these files (path -> contents)."""
    context = UserContext(buffsize=BLOCK * BLOCKS)
    made = LittleFS(
        context=context,
        block_size=BLOCK,
        block_count=BLOCKS,
        prog_size=256,
        disk_version=0x00020000,
    )
    for name, contents in files.items():
        folder = name.rpartition("/")[0]
        if folder:
            made.makedirs(folder, exist_ok=True)
        with made.open(name, "wb") as file:
            file.write(contents)
    made.unmount()
    return bytes(context.buffer)


class Cable:
    """USB as a host sees it: what the chip offers is fetched only while the host reads."""

    def __init__(self, chip, heard):
        self._usb = chip.usb_ctrl
        self._port = USBCDC(self._usb)
        self._port.on_serial_data = heard
        self._control = self._usb.on_endpoint_read
        self._started = self._usb.dpram_updated
        self._usb.on_endpoint_read = self._asked
        self._usb.dpram_updated = self._offered
        self._wanted = []
        self._held = []
        self._waiting = bytearray()
        self.reading = True

    def write(self, data):
        self._waiting += data
        self._hand_over()

    def read_again(self):
        """Fetch what the chip has offered meanwhile."""
        self.reading = True
        held, self._held = self._held, []
        for offer in held:
            self._started(*offer)

    def unplugged(self):
        """Forget what was on its way: the chip has restarted."""
        self._wanted, self._held = [], []
        self._waiting.clear()

    def _asked(self, endpoint, size):
        """Wait with the answer until there is something to send, as a host does."""
        if endpoint == 0:
            self._control(endpoint, size)
        else:
            self._wanted.append((endpoint, size))
            self._hand_over()

    def _hand_over(self):
        if self._wanted and self._waiting:
            endpoint, size = self._wanted.pop(0)
            self._usb.endpoint_read_done(endpoint, bytes(self._waiting[:size]))
            del self._waiting[:size]

    def _offered(self, offset, value):
        data_to_host = offset >= 0x88 and not offset & 4
        if data_to_host and not self.reading:
            self._held.append((offset, value))
        else:
            self._started(offset, value)


class OnChip(Built):
    """One board with an emulated chip, as far as its power is on.

    Args:
        board: a description or its name.
        uf2: MicroPython's image.
        files: what lies on its disk.
    """

    stopped = False  # read by the emulator
    restarts = 0

    def __init__(self, board, uf2, files):
        super().__init__(board)
        self.clock = SimulationClock()
        self.rp2040 = RP2040(self.clock)
        self.rp2040.simulator = self  # who runs processor and PIO, in step
        self.rp2040.logger = ConsoleLogger(LogLevel.ERROR)
        self.rp2040.load_bootrom(BOOTROM_B1)
        load_uf2(uf2, self.rp2040)
        made = disk(files)
        self.rp2040.flash[FILES_AT : FILES_AT + len(made)] = made
        self.rp2040.watchdog.on_watchdog_trigger = self._restart
        self.said = bytearray()
        self.cable = Cable(self.rp2040, self._hear)
        self._enough = self.clock.create_alarm(self._stop)
        self.waves = {}
        for number in range(30):
            self._watch(number)
        for block, spi in enumerate(self.rp2040.spi):
            self._wire(block, spi)
        self.rp2040.core.pc = FLASH_START_ADDRESS

    @property
    def ms(self):
        """Milliseconds since the power came."""
        return self.clock.nanos / 1e6

    def run(self, ms):
        """Let so many milliseconds of the chip's time pass."""
        end = self.ms + ms
        while self.ms < end:
            self.cable.write(self.host.read())
            self.stopped = False
            self._enough.schedule(min(FRAME_MS, end - self.ms) * 1e6)
            while not self.stopped:
                execute_batch(self, 1)

    def run_until(self, seen, most_ms):
        """Run until this is true; return for how many milliseconds it was not."""
        begun = self.ms
        while not seen():
            assert self.ms < begun + most_ms, f"not within {most_ms} ms"
            self.run(FRAME_MS)
        return self.ms - begun

    def press(self, name, down=True):
        (pin,) = (button.pin for button in self.description.buttons if button.name == name)
        self.rp2040.gpio[pin].set_input_value(not down)

    def record(self, pin):
        """Keep the moments (nanoseconds) at which a pin's level changes, with that level."""
        return self.waves.setdefault(pin, [])

    def _hear(self, data):
        self.said += data
        self.host.write(bytes(data))

    def _stop(self):
        self.stopped = True

    def _restart(self):
        self.restarts += 1
        self.cable.unplugged()
        self.rp2040.enter_reset(from_watchdog=True)
        self.rp2040.leave_reset()

    def _watch(self, number):
        def changed(level, _before):
            if level in OUTPUT_LEVELS:
                if number in self.waves:
                    self.waves[number].append((self.clock.nanos, int(level)))
                bench.now.set_pin(number, int(level))

        self.rp2040.gpio[number].add_listener(changed)
        if number in self.config["buttons"]:
            self.rp2040.gpio[number].set_input_value(True)

    def _wire(self, block, spi):
        clocks = [pin for pin in bench.now.clocks if pin >> 3 & 1 == block]
        if not clocks:
            return
        (clock,) = clocks
        answers = []
        done = self.clock.create_alarm(lambda: spi.complete_transmit(answers.pop()))

        def transmit(byte):
            polarity, phase, fastest = bench.now.buses[clock]
            control = spi.read_uint32(0)
            assert (control >> 6 & 1, control >> 7 & 1) == (polarity, phase), "another mode"
            self.rp2040.clk_peri = PERIPHERAL_HZ[self.rp2040.read_uint32(CLK_PERI_CTRL) >> 5 & 7]
            assert spi.clock_frequency <= fastest, "too fast for the chip"
            answers.append(bench.now.clocks[clock](byte))
            done.schedule(8e9 / spi.clock_frequency)

        spi.on_transmit = transmit
