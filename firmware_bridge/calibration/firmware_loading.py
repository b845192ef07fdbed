"""The firmware comes onto a Pico: plugged in, loaded, checked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from drivers.beside import alone
from drivers.description import BoardDescription
from drivers.pico import boot_drive, install
from drivers.pico.image import image
from drivers.port import DriverError
from firmware_bridge.calibration.dialogue import QUIT, Heard
from firmware_bridge.calibration.prompts import Line, words_of

AGAIN = "r"
LOOK_S = 1.0
"""How often it is looked for what was plugged in: nobody waits longer after a plug."""
RESTART_S = 30.0
"""How long a Pico may take from its boot drive to MicroPython's port; it takes two or three."""
SETTLE_S = 2.0
"""How long a port takes to vanish and come back after a restart."""


class Loading:
    """Asks for a Pico, at a port if one is named, and loads it as soon as there is one."""

    shines = ()

    def __init__(
        self,
        description: BoardDescription,
        language: str,
        tell: Callable[[str], None],
        changed: Callable[[], None],
        port: str = "",
    ) -> None:
        self._description = description
        self._words = words_of(language)
        self._tell_text = tell
        self._changed = changed
        self._port = port
        self._asked: Line | None = None
        self._meanings: dict[str, str] = {}

    @property
    def asks(self) -> str | None:
        """What hands should do now, or what is going on."""
        return self._asked.told(self._words) if self._asked else None

    @property
    def words(self) -> Mapping[str, str]:
        """What may be entered now."""
        return {word: self._words.text(key) for word, key in self._meanings.items()}

    async def run(self, said: Heard) -> bool:
        """Load and check; return whether that was done, and nobody `said` to stop before."""
        while True:
            try:
                return await alone(self._attempt(said))
            except DriverError as failed:
                self._tell_text(str(failed))
                self._ask(Line("setup-firmware-failed"), AGAIN)
                if await self._answer(said, (AGAIN,)) == QUIT:
                    return False

    async def _attempt(self, said: Heard) -> bool:
        """Load once; return whether that was done, and not stopped before."""
        if port := await self._plugged(said):
            await self._load(port)
            self._asked = None
        return bool(port)

    async def _plugged(self, said: Heard) -> str:
        """Return the port of a Pico with MicroPython, or nothing where people stopped."""
        while True:
            if drive := boot_drive.find():
                await self._bring_micropython(drive)
            if port := self._found():
                return port
            self._ask(Line("setup-firmware-plug"))
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._answer(said, ())
            except TimeoutError:
                continue
            return ""

    def _found(self) -> str:
        if self._port:
            return self._port if Path(self._port).exists() else ""
        ports = install.picos()
        return install.find_pico() if ports else ""

    async def _bring_micropython(self, drive: Path) -> None:
        chip = boot_drive.chip_of(drive)
        micropython = boot_drive.image_for(chip)
        if micropython is None:
            raise install.InstallError(
                f"No MicroPython for a {chip} lies in {boot_drive.IMAGES}.\n{install.FLASH}"
            )
        self._ask(Line("setup-firmware-micropython", {"chip": chip}))
        await asyncio.to_thread(boot_drive.copy, micropython, drive)
        end = time.monotonic() + RESTART_S
        while boot_drive.find() or not self._found():
            if time.monotonic() > end:
                raise install.InstallError(
                    f"The {chip} has its MicroPython but does not come back. Unplug it, and plug "
                    "it in without the button."
                )
            await asyncio.sleep(LOOK_S / 4)

    async def _load(self, port: str) -> None:
        self._ask(Line("setup-firmware-loading", {"port": port}))
        files = image(self._description)
        loop = asyncio.get_running_loop()

        def tell(text: str) -> None:
            loop.call_soon_threadsafe(self._tell_text, text)

        await asyncio.to_thread(install.install, port, files, tell)
        self._ask(Line("setup-firmware-checking", {"port": port}))
        await asyncio.sleep(SETTLE_S)
        try:
            self._tell_text(await install.check(self._description, self._found() or port))
        except install.FaultyError as faulty:  # loaded all the same; what is not built is not there
            self._tell_text(str(faulty))

    async def _answer(self, said: Heard, known: tuple[str, ...]) -> str:
        while True:
            word = await said.get()
            if word == QUIT or word in known:
                return str(word)
            if isinstance(word, str):
                gaps = {"word": word, "words": ", ".join(self._meanings)}
                self._tell_text(self._words.text("setup-no-answer", gaps))

    def _ask(self, asked: Line, *words: str) -> None:
        meanings = {AGAIN: "setup-firmware-again", QUIT: "setup-stop"}
        before = self.asks
        self._asked = asked
        self._meanings = {word: meanings[word] for word in (*words, QUIT)}
        if self.asks != before:
            self._changed()
