"""The shipped driver and the real firmware together, on the suite that every driver must pass."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from drivers.port import ButtonEvent, CellEvent, Snapshot
from drivers.serial_board import SerialBoard
from drivers.testing.conformance import HANDS, Bench, ConformanceSuite
from drivers.testing.waiting import in_time
from tests.hardware.micropython_package import needs_micropython
from tests.hardware.pico import Pico
from tests.nightly import NIGHTLY

pytestmark = [pytest.mark.node, needs_micropython]


class FirmwareBench(Bench):
    def __init__(self, driver, pico, hands):
        super().__init__(driver)
        self.pico = pico
        self.hands = hands

    async def perform(self):
        for hand in self.hands:
            if hand.button:
                await self.press(hand.button)
            elif hand.tag is None:
                self.pico.lift(hand.cell)
            else:
                self.pico.put(hand.cell, bytes.fromhex(hand.tag))
            if not hand.button:
                await self.until(lambda hand=hand: self.noticed(hand))

    def noticed(self, hand):
        """Whether this was told; a tag follows its contact by two reads."""
        felt = [event.reading for event in self.seen
                if isinstance(event, CellEvent) and event.cell == hand.cell]  # fmt: skip
        tag = hand.tag and (hand.tag if self.pico.description.tags else True)
        return bool(felt) and felt[-1] == tag

    async def press(self, button):
        before = len(self.presses())
        self.pico.press(button)
        await self.until(lambda: len(self.presses()) > before)
        self.pico.press(button, down=False)
        await asyncio.sleep(0.06)

    def presses(self):
        return [event for event in self.seen if isinstance(event, ButtonEvent)]

    def lit(self):
        if self.pico.description.leds.colours == "rgb":
            leds = "[n for n, colour in enumerate(bench.leds.colours) if any(colour)]"
        else:
            leds = "list(bench.leds.lit())"
        lit = self.pico.bench(leds)
        positions = self.pico.description.led_positions
        return {
            cell
            for cell, at in zip(self.pico.description.built, positions, strict=True)
            if at in lit
        }

    async def unplug(self):
        self.pico.unplug()

    async def replug(self):
        self.pico.plug()


async def all_told(driver, due):
    """Wait until the board has told of everything that stands on it: a tag takes some reads."""
    told = {}
    async for event in driver.events():
        if isinstance(event, Snapshot):
            told = dict(event.readings)
        elif isinstance(event, CellEvent):
            told[event.cell] = event.reading
        if told == due:
            return


class TestFirmwareWithReeds(ConformanceSuite):
    """One board is on for all duties: each takes what stands there off and puts its own."""

    board = "starter"

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def _powered(cls, tmp_path_factory):
        cls.pico = Pico(tmp_path_factory.mktemp("pico"), cls.board)
        cls.pico.plug()
        yield
        cls.pico.unplug()

    def reading(self, tag):
        return True

    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        description, port = self.pico.description, self.pico.port
        bench = FirmwareBench(SerialBoard(description, port), self.pico, hands)
        self.pico.bench(f"[bench.lift(cell) for cell in range({len(description.built)})]")
        for cell, tag in start.items():
            self.pico.put(cell, bytes.fromhex(tag))
        async with SerialBoard(description, port) as scout:
            await in_time(all_told(scout, {cell: self.reading(start[cell]) for cell in start}))
        async with bench.driver:
            yield bench


class TestFirmwareWithTags(TestFirmwareWithReeds):
    board = "full"
    if not NIGHTLY:  # by day what the driver does alike on every board is tried on one of them
        test_it_knows_its_board = None
        test_closing_ends_the_events_and_may_be_repeated = None
        test_lights_and_sounds_may_come_at_any_time = None

    @pytest.mark.parametrize("action", HANDS if NIGHTLY else ["a capture, victim first"])
    async def test_the_same_hands_give_the_same_events(self, action, tmp_path):
        await super().test_the_same_hands_give_the_same_events(action, tmp_path)

    def reading(self, tag):
        return tag

    def expected(self, hands):
        """A reed tells at once that something stands there; its tag follows."""
        events = []
        for event in super().expected(hands):
            if isinstance(event, tuple) and event[1] is not None:
                events.append((event[0], True))
            events.append(event)
        return events
