"""One sitting at a new board: finds it, walks through it, learns its pieces, leaves its files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path

import rules
from drivers import port_search
from drivers.description import BoardDescription, description_path, load_description
from drivers.driver_registry import create
from drivers.piece_set import PieceSet, load_piece_set
from drivers.port import Driver, DriverError
from firmware_bridge.calibration.dialogue import Dialogue, converse, say
from firmware_bridge.calibration.enrolment import enrolment_for
from firmware_bridge.calibration.files import Files, keep_pieces
from firmware_bridge.calibration.firmware_loading import Loading
from firmware_bridge.calibration.page import WalkPage
from firmware_bridge.calibration.procedure import PARTS, Procedure
from firmware_bridge.calibration.prompts import Line, words_of
from firmware_bridge.calibration.results import board_file, summary, unfinished
from firmware_bridge.calibration.stages import PICO, Bench, Built, load_stages
from firmware_bridge.config.schema import BoardConfig
from firmware_bridge.games import USUAL
from firmware_bridge.games.shelf import usable
from firmware_bridge.words import catalogue
from rules.interface import Game

BRING_UP = "bring-up"
"""Stage by stage while the board is built; walked only where it is asked for."""
FIRMWARE = "firmware"
"""The Pico's, loaded; only where it is asked for."""
PIECES = "pieces"
ALL_PARTS = (*PARTS, PIECES)


class StoppedEarlyError(Exception):
    """People stopped before everything was asked; the message says how to go on."""


@dataclass(slots=True)
class CalibrationSession:
    """What is to be done at this sitting.

    Attributes:
        files: where results are kept.
        parts: the parts of `ALL_PARTS` to go through.
        games: the games whose pieces are enrolled; none for what fits the board.
        two_faced: whether chessmen have a tag for the other colour below.
        spares: whether pieces for promotions are enrolled too.
        page: shows all this, at the terminal too; nobody need open it.
        resident: whether the service holds this: it loads firmware by itself where that is due,
            and takes the files into use without anybody copying lines.
    """

    board: BoardConfig
    files: Files
    parts: tuple[str, ...] = ALL_PARTS
    games: tuple[str, ...] = ()
    two_faced: bool = False
    spares: bool = False
    page: WalkPage = field(default_factory=WalkPage)
    language: str = "en"
    resident: bool = False
    _by_kind: bool = False

    async def hold(self) -> None:
        """Go through everything.

        Raises:
            DriverError: the board cannot be found or used.
            FilesError: a file cannot be read or written.
            StoppedEarlyError: people wanted to go on another time.
        """
        if BRING_UP in self.parts:
            await self._bring_up()
        if FIRMWARE in self.parts:
            await self._load_firmware(self.board.description)
        if not {*self.parts} - {BRING_UP, FIRMWARE}:
            return
        await self._find()
        if of_board := tuple(part for part in self.parts if part in PARTS):
            await self._examine(of_board)
        known = self.files.board if self.files.board.exists() else self.board.description
        found = load_description(known)
        if self._by_kind:
            self._tell_line("setup-by-kind")
        elif PIECES in self.parts and (found.tier != "occupancy" or self.parts != ALL_PARTS):
            await self._enrol(found)
        if not self.resident:
            self._tell_configuration()

    def _tell_line(self, key: str, **gaps: str) -> None:
        self.page.tell(Line(key, gaps).told(words_of(self.language)))

    async def _find(self) -> None:
        """Look for the port where none is named."""
        board = self.board
        if board.driver != "serial" or "port" in board.settings:
            return
        self._tell_line("setup-looking")
        description = load_description(board.description)
        port, heard = await port_search.find_port(description, port_search.ports())
        if port is None:
            lines = "".join(f"\n  {text}" for text in heard) or " There is no serial port at all."
            raise DriverError(
                f"No board found.{lines}\nIs it plugged in? A board of another maker is found by "
                "`firmware-bridge boards`; or name the port: -s board.settings.port=..."
            )
        self._tell_line("setup-found", port=port)
        self.board = board.model_copy(update={"settings": {**board.settings, "port": port}})

    async def _examine(self, parts: tuple[str, ...]) -> None:
        """Walk through these parts (anew, if they were done before), and write what was found."""
        description = load_description(self.board.description)
        book = self.files.read_notebook(description)
        walk = Procedure(description, book, parts, self.language)
        if walk.asks is None and self.parts != ALL_PARTS:
            walk.begin_anew()
        if walk.asks is not None:
            await self._talk(walk, description, partial(self._keep, walk))
        if walk.asks is not None:
            done, total = walk.progress
            raise StoppedEarlyError(f"Stopped after {done} of {total} steps; start again to go on.")
        self._by_kind = walk.book.by_kind
        for sentence in summary(walk.lie, walk.book, self.language):
            self.page.tell(sentence)
        text = description_path(self.board.description).read_text(encoding="utf-8")
        self.files.keep_board(board_file(text, walk.lie))
        if not walk.lie.rewired or description.controller not in {"pico", "simulated"}:
            return
        if self.resident and description.controller == "pico":
            self._tell_line("setup-firmware-rewired")
            await self._load_firmware(self.files.board)
        else:
            raise DriverError(
                "The board itself must know of the other order of its wires before it can go on. "
                f"Run\n  firmware-bridge firmware install --board {self.files.board}\n"
                "and then this command again with  --only pieces"
            )

    async def _bring_up(self) -> None:
        """Walk along while the board is built: first without it, then with what it says itself."""
        source = self.board.description
        description, stages = load_description(source), load_stages(source)
        steps = [Built(stage, n, len(stages)) for n, stage in enumerate(stages, start=1)]
        book = self.files.read_notebook(description)
        if all(step.key in book.answers for step in steps):
            for step in steps:
                book = book.without(step.key)
        # What is walked in one go: without a board, of its Pico alone, with it.
        for _, group in groupby(steps, lambda step: (step.stage.board, step.stage.name == PICO)):
            here = tuple(group)
            walk = Procedure(description, book, (), self.language, here)
            speaks = here[0].stage.board
            if walk.asks is not None and here[0].stage.name == PICO and self.resident:
                await self._load_firmware(source)
            if speaks and walk.asks is not None:
                await self._find()
            driver = None if speaks else Bench(description)
            await self._talk(walk, description, partial(self._keep, walk), driver)
            if walk.asks is not None:
                raise StoppedEarlyError("Stopped; start again to go on with this stage.")
            book = walk.book
        self.page.tell(unfinished(book, self.language))

    async def _load_firmware(self, source: str | Path) -> None:
        """Load the firmware of this description, however the Pico is found."""
        description = load_description(source)
        port = str(self.board.settings.get("port", ""))
        loading = Loading(description, self.language, self.page.tell, self.page.touch, port)
        if not await loading.run(self.page.attend(loading)):
            raise StoppedEarlyError("Stopped; start again to load the firmware.")

    def _keep(self, walk: Procedure) -> None:
        self.files.keep_notebook(walk.book)

    async def _enrol(self, found: BoardDescription) -> None:
        """Learn the pieces of one game after the other."""
        for game in self.games or _usual_games(found):
            await self._learn(rules.load(game), found)

    async def _learn(self, game: Game, found: BoardDescription) -> None:
        file = self.files.pieces
        known = load_piece_set(file) if file.exists() else PieceSet()
        enrolment = enrolment_for(
            game,
            found,
            known,
            two_faced=self.two_faced,
            spares=self.spares,
            language=self.language,
        )

        def keep() -> None:
            learnt = enrolment.result()
            if learnt.pieces or file.exists():  # till then the set that is configured holds
                keep_pieces(file, learnt)

        if enrolment.remaining:
            name = catalogue(self.language, game.id).text("name")
            self._tell_line("setup-pieces", game=name, number=str(enrolment.remaining))
            await self._talk(enrolment, found, keep)
        if enrolment.remaining:
            raise StoppedEarlyError(f"{enrolment.remaining} tags to go; start again to go on.")

    async def _talk(
        self,
        dialogue: Dialogue,
        description: BoardDescription,
        keep: Callable[[], None],
        driver: Driver | None = None,
    ) -> None:
        driver = driver or create(self.board.driver, description, self.board.settings)
        said, page = self.page.attend(dialogue, description), self.page

        def after_each() -> None:
            keep()
            page.touch()

        await converse(driver, dialogue, after_each, said=said, tell=page.tell, gone=page.gone)

    def _tell_configuration(self) -> None:
        board, files = self.board, self.files
        lines = [f"driver = {json.dumps(board.driver)}"]
        if files.board.exists():
            lines.append(f"description = {json.dumps(str(files.board))}")
        if files.pieces.exists():
            lines.append(f"pieces = {json.dumps(str(files.pieces))}")
        if board.settings:
            pairs = (f"{key} = {json.dumps(value)}" for key, value in board.settings.items())
            lines.append(f"settings = {{ {', '.join(pairs)} }}")
        say(Line("setup-configuration").told(words_of(self.language)))
        say("\n".join(["\n[board]", *lines]))


def _usual_games(board: BoardDescription) -> tuple[str, ...]:
    """Return games whose pieces together are those of all: discs where they are read, and men."""
    games = usable().items()
    discs = (name for name, game in games if game.traits.least_tier == board.tier == "face")
    return (*discs, USUAL)
