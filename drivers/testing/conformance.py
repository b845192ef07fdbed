"""What every board driver must do: the same events for the same hands.

A driver's test file subclasses `ConformanceSuite`, says how to build a bench for it, and inherits
all tests. The names of the tests are the list of duties.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

from drivers.beside import begin
from drivers.port import (
    BoardEvent,
    ButtonEvent,
    CellEvent,
    Driver,
    Lights,
    LinkChanged,
    Reading,
    Snapshot,
)
from drivers.testing.waiting import in_time, soon

Felt = tuple[str, "Reading"] | str
"""A cell with what it reads, or a button."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One thing that hands do: lift (`tag` None), put down, or press a button."""

    cell: str = ""
    tag: str | None = None
    button: str = ""


WHITE_PAWN, BLACK_PAWN, KING, ROOK = (f"0457{number:02X}00000000" for number in (1, 2, 3, 4))
START = {"e2": WHITE_PAWN, "d5": BLACK_PAWN, "e1": KING, "h1": ROOK}
HANDS: Mapping[str, Sequence[Hand]] = {
    "a move with the clock": [Hand("e2"), Hand("e4", WHITE_PAWN), Hand(button="white")],
    "a capture, victim first": [Hand("d5"), Hand("e2"), Hand("d5", WHITE_PAWN)],
    "a capture, capturer first": [Hand("e2"), Hand("d5"), Hand("d5", WHITE_PAWN)],
    "an adjustment": [Hand("e1"), Hand("e1", KING), Hand("h1"), Hand("h1", ROOK)],
    "castling": [Hand("e1"), Hand("g1", KING), Hand("h1"), Hand("f1", ROOK)],
    "a slide": [
        Hand("h1"), Hand("h2", ROOK), Hand("h2"), Hand("h3", ROOK), Hand("h3"), Hand("h4", ROOK)
    ],
    "the board cleared": [Hand("e2"), Hand("d5"), Hand("e1"), Hand("h1")],
}  # fmt: skip


@dataclass
class Bench:
    """A driver, already opened, and the hands at its board."""

    driver: Driver
    seen: list[BoardEvent] = field(default_factory=list)

    async def perform(self) -> None:
        """Let the hands do what was announced when the bench was made."""

    def lit(self) -> set[str]:
        """Return the cells that are lit on the board itself; a board without lights lights none."""
        return set()

    async def unplug(self) -> None:
        """Take the device away."""

    async def replug(self) -> None:
        """Bring the device back."""

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until this is true."""
        await soon(condition, lambda: f"it never came to that; seen: {self.seen}")


class ConformanceSuite(ABC):
    """The duties. Subclasses give `bench` and say what their board cannot do.

    Attributes:
        has_lights: whether it has lights.
        can_be_unplugged: whether it can disappear.
        pytestmark: has its tests run in an event loop, whatever is configured where they stand.
    """

    has_lights: ClassVar[bool] = True
    can_be_unplugged: ClassVar[bool] = True
    pytestmark: ClassVar[object] = pytest.mark.asyncio

    @abstractmethod
    def bench(
        self, tmp_path: Path, start: dict[str, str], hands: list[Hand]
    ) -> AbstractAsyncContextManager[Bench]:
        """Return an opened driver of a board on which `start` stands.

        Args:
            tmp_path: an empty folder.
            start: cell -> tag.
            hands: what `Bench.perform` is to do.
        """

    def reading(self, tag: str) -> Reading:
        """Return what this board reports of a piece with this tag."""
        return tag

    @asynccontextmanager
    async def watched(
        self,
        tmp_path: Path,
        hands: Iterable[Hand] = (),
        start: Mapping[str, str] = START,
    ) -> AsyncIterator[Bench]:
        """Give a bench whose events are collected in `Bench.seen`."""
        async with self.bench(tmp_path, dict(start), list(hands)) as bench:
            watching = begin(self._watch(bench), "watch")
            yield bench
            if not watching.done():
                await bench.driver.__aexit__(None, None, None)
                await in_time(watching)

    @staticmethod
    async def _watch(bench: Bench) -> None:
        async for event in bench.driver.events():
            bench.seen.append(event)

    def expected(self, hands: Iterable[Hand]) -> Sequence[Felt]:
        """Return what hands must come to."""
        return [
            hand.button or (hand.cell, None if hand.tag is None else self.reading(hand.tag))
            for hand in hands
        ]

    @staticmethod
    def felt(events: Iterable[BoardEvent]) -> list[Felt]:
        """Return what was felt and pressed."""
        return [
            (event.cell, event.reading) if isinstance(event, CellEvent) else event.button
            for event in events
            if isinstance(event, CellEvent | ButtonEvent)
        ]

    async def test_it_says_that_the_board_is_there_and_then_what_stands_on_it(
        self, tmp_path: Path
    ) -> None:
        async with self.watched(tmp_path) as bench:
            await bench.until(lambda: any(isinstance(event, Snapshot) for event in bench.seen))
            link, snapshot = bench.seen[:2]
            assert isinstance(link, LinkChanged)
            assert link.up
            assert link.text.endswith(".")
            assert isinstance(snapshot, Snapshot)
            assert dict(snapshot.readings) == {
                cell: self.reading(tag) for cell, tag in START.items()
            }

    @pytest.mark.parametrize("action", HANDS)
    async def test_the_same_hands_give_the_same_events(self, action: str, tmp_path: Path) -> None:
        async with self.watched(tmp_path, HANDS[action]) as bench:
            buttons = bench.driver.description.button_names
            hands = [hand for hand in HANDS[action] if not hand.button or hand.button in buttons]
            await bench.until(lambda: any(isinstance(event, Snapshot) for event in bench.seen))
            await bench.perform()
            await bench.until(lambda: len(self.felt(bench.seen)) >= len(self.expected(hands)))
            await asyncio.sleep(0.05)
            assert self.felt(bench.seen) == self.expected(hands), bench.seen
            times = [event.t for event in bench.seen]
            assert times == sorted(times)

    async def test_lights_and_sounds_may_come_at_any_time(self, tmp_path: Path) -> None:
        async with self.bench(tmp_path, dict(START), []) as bench:
            await bench.driver.show(Lights({"e4": "check", "nowhere": "fault"}))
            await bench.driver.sound("attention")

    async def test_the_newest_lights_win(self, tmp_path: Path) -> None:
        if not self.has_lights:
            pytest.skip("this board has no lights")
        async with self.watched(tmp_path) as bench:
            await bench.until(lambda: any(isinstance(event, Snapshot) for event in bench.seen))
            await bench.driver.show(Lights({"a1": "setup"}))
            await bench.driver.show(Lights({"e4": "check", "d5": "must-go-back"}))
            await bench.until(lambda: bench.lit() == {"e4", "d5"})
            await bench.driver.show(Lights())
            await bench.until(lambda: bench.lit() == set())

    async def test_a_board_that_disappears_is_found_again(self, tmp_path: Path) -> None:
        if not self.can_be_unplugged:
            pytest.skip("this board cannot disappear")
        async with self.watched(tmp_path) as bench:
            await bench.until(lambda: any(isinstance(event, Snapshot) for event in bench.seen))
            await bench.unplug()
            await bench.until(
                lambda: any(isinstance(event, LinkChanged) and not event.up for event in bench.seen)
            )
            await bench.driver.show(Lights({"e4": "check"}))
            await bench.driver.sound("illegal")
            del bench.seen[:]
            await bench.replug()
            await bench.until(lambda: bench.seen and isinstance(bench.seen[-1], Snapshot))
            assert any(isinstance(event, LinkChanged) and event.up for event in bench.seen)
            if self.has_lights:
                await bench.until(lambda: bench.lit() == {"e4"})

    async def test_closing_ends_the_events_and_may_be_repeated(self, tmp_path: Path) -> None:
        async with self.watched(tmp_path) as bench:
            await bench.until(lambda: bench.seen)
            await bench.driver.__aexit__(None, None, None)
            await bench.driver.__aexit__(None, None, None)

    async def test_it_knows_its_board(self, tmp_path: Path) -> None:
        async with self.bench(tmp_path, dict(START), []) as bench:
            assert set(START) <= set(bench.driver.description.cells)
