"""Reviews games that are over when somebody asks, one after the other, and keeps what came of it.

It is kept in memory alone. The process that looks at the positions gives way to everything else.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from drivers.beside import alone, begin, end, log
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.journal import JournalDamaged, StorageFailed
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.recordings.export import NotYetOpen
from firmware_bridge.service.adviser import Adviser, Analysis, Care
from firmware_bridge.service.game_archive import Archive
from firmware_bridge.service.review import Question, Review, questions, review
from firmware_bridge.service.seat_process import Fault, Opponent, Start

_LOG = logging.getLogger(__name__)

CARE = Care(LEVELS[-2], ceiling_s=2.0)
"""The highest level takes four times as long and seldom says otherwise."""
TRIES = 3
"""So often the process may fail in one review."""
KEPT = 20
"""Games whose reviews are remembered, or waited for."""


class Busy(Exception):  # noqa: N818 - says what is the matter
    """Too many reviews are waited for."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a review has come.

    Attributes:
        done: positions that have been looked at.
        of: how many there are; 0 until that is known.
        review: what came of it, in the end.
        failed: whether nothing will come of it.
    """

    done: int = 0
    of: int = 0
    review: Review | None = None
    failed: bool = False

    @property
    def over(self) -> bool:
        """Whether it goes on no more."""
        return self.failed or self.review is not None


class Reviewer:
    """The reviews of the games of one archive."""

    def __init__(self, archive: Archive, start: Start = Opponent.start) -> None:
        self._archive = archive
        self._adviser = Adviser(CARE, start)
        self._known: dict[str, Progress] = {}
        self._working: asyncio.Task[None] | None = None

    def progress(self, game_id: str) -> Progress | None:
        """Return how far the review of a game has come, `None` if nobody asked for it."""
        return self._known.get(game_id)

    def ask(self, game_id: str) -> None:
        """Have a game reviewed, if it has no review yet or the last one failed.

        Raises:
            Busy: when too many wait.
        """
        if (known := self._known.get(game_id)) is None or known.failed:
            self.forget(game_id)
            self._make_room()
            self._known[game_id] = Progress()
        if self._working is None or self._working.done():
            self._working = begin(self._work(), "reviews")

    def forget(self, game_id: str) -> None:
        """Forget the review of a game that is forgotten."""
        self._known.pop(game_id, None)

    def _make_room(self) -> None:
        if len(self._known) < KEPT:
            return
        over = next((name for name, known in self._known.items() if known.over), None)
        if over is None:
            raise Busy("Too many games wait for their review.")
        self.forget(over)

    async def close(self) -> None:
        """End what is under way."""
        if self._working is not None:
            await end(self._working)
        await self._adviser.close()  # that may have been cut short

    async def _work(self) -> None:
        try:
            while waiting := [name for name, known in self._known.items() if not known.over]:
                await alone(self._review(waiting[0]))
        finally:
            await self._adviser.close()

    async def _review(self, game_id: str) -> None:
        try:
            recorded = await self._archive.recorded(game_id)
            asked = await asyncio.to_thread(questions, recorded)
            answers = await self._answers(game_id, recorded.agreement, asked)
            found = await asyncio.to_thread(review, recorded, answers)
        except (Fault, KeyError, NotYetOpen, JournalDamaged, StorageFailed) as error:
            _LOG.warning("game %s cannot be reviewed: %s", game_id, error)
            self._note(game_id, Progress(failed=True))
        except Exception as error:  # noqa: BLE001 - whatever it is, the other games are reviewed
            log(f"review of {game_id}", error)
            self._note(game_id, Progress(failed=True))
        else:
            self._note(game_id, Progress(len(asked), len(asked), found))

    async def _answers(
        self, game_id: str, agreement: Agreement, asked: tuple[Question, ...]
    ) -> dict[int, Analysis]:
        """Return what is thought of each position.

        Raises:
            Fault: when the process fails too often.
        """
        answers: dict[int, Analysis] = {}
        faults = 0
        for done, question in enumerate(asked):
            self._note(game_id, Progress(done, len(asked)))
            while question.number not in answers and game_id in self._known:
                try:
                    answers[question.number] = await self._adviser.analyse(
                        agreement, question.told, question.position
                    )
                except Fault:
                    faults += 1
                    if faults == TRIES:
                        raise
        return answers

    def _note(self, game_id: str, progress: Progress) -> None:
        if game_id in self._known:  # it may have been forgotten meanwhile
            self._known[game_id] = progress
