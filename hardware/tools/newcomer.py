"""Walk a newcomer's way through a card's first hour: `python -m hardware.tools.newcomer --help`.

A card's image is started in a machine whose kernel is a process (`hardware.tools.user_mode`), and
everything else is done in a browser by somebody who knows only what is to be read there: the first
start is answered for a machine without a board, then a game is begun and a turn is made in it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import time
from pathlib import Path

from playwright.sync_api import Error, Page, expect, sync_playwright

from hardware.tools.card import CARD_BYTES, MIB, ROOT, Card
from hardware.tools.emulated_disk import copy_disk
from hardware.tools.emulated_machine import PIN, TrialError
from hardware.tools.trial import BOOT, CHECKOUT, report
from hardware.tools.update_trial import CARD, TAP, THERE, lend_modules, mounted, network
from hardware.tools.user_mode import UserModeMachine

CABLE = "etc/NetworkManager/system-connections/cable.nmconnection"
ADDRESS = f"""[connection]
id=cable
type=ethernet
interface-name={CARD}
[ipv4]
method=manual
address1={THERE}/24
"""
"""What a router would tell the machine."""
BROWSER = ("--no-sandbox", f"--host-resolver-rules=MAP *.local {THERE}")
TURN = "e2", "e4"


class Newcomer:
    """Somebody with a telephone in the machine's network, and the card in the machine."""

    def __init__(self, card: Card, kernel: Path, page: Page) -> None:
        self._card, self._kernel, self.page = card, kernel, page
        self._begun = time.monotonic()
        self._machine = self._switched_on()

    def _switched_on(self) -> UserModeMachine:
        return UserModeMachine(self._card, kernel=self._kernel, network=TAP)

    def waits(self, words: str, address: str = "") -> None:
        """Look for words while the machine starts, opening an address again and again if given."""
        until = time.monotonic() + BOOT
        while time.monotonic() < until:
            try:
                if address:
                    self.page.goto(address)
                found = self.page.get_by_text(words, exact=True).first
                return expect(found).to_be_visible(timeout=2_000)
            except (Error, AssertionError):
                time.sleep(1)
            if self._machine.restarts:  # a kernel that is a process ends where others begin anew
                self._machine.cut()
                self._machine = self._switched_on()
        raise TrialError(f"{self.page.url} does not show {words!r}.")

    def reads(self, words: str) -> None:
        """See words on the page; they are told, and the page is kept as a picture."""
        expect(self.page.get_by_text(re.compile(words)).first).to_be_visible()
        self.page.screenshot(path=self._card.folder / f"{words.lower().split()[0]}.png")
        self._tells(words)

    def _tells(self, words: str) -> None:
        """Tell what was seen, where, and how many seconds after the power came."""
        report(words, address=self.page.url, seconds=round(time.monotonic() - self._begun))

    def presses(self, words: str, role: str = "button") -> None:
        """Press what is called so."""
        self.page.get_by_role(role, name=re.compile(words)).first.click()  # type: ignore[arg-type]

    def moves(self, source: str, target: str) -> None:
        """Drag the piece from one square to another."""
        cells = [
            self.page.get_by_role("button", name=re.compile(f"^{c},")) for c in (source, target)
        ]
        cells[0].drag_to(cells[1])

    def walks(self) -> None:
        """Go from the first start's page to the computer's answer in the first game."""
        self.waits("First start", "http://firmware-bridge.local:8321/")
        self.page.get_by_label("Which board is it?").select_option(
            label="simulated: to try without a board"
        )
        self.page.get_by_label("The referee's PIN").fill(PIN)
        self.presses("Write down and restart")
        self.reads("Written down")
        self.waits("Board")
        self.reads("Black presses the clock to begin")
        self.presses("Board", "link")
        self.page.get_by_label("The referee's PIN").fill(PIN)
        self.reads("for whoever knows the referee's PIN")
        self.presses("Enter")
        self.presses("Play the computer")
        self.reads("White begins|White to move")
        self.moves(*TURN)
        self.reads("Press the clock")
        self.presses("White's clock")
        self.reads("Black is thinking|White to move")
        expect(self.page.get_by_text("White to move").first).to_be_visible()
        self._tells("a turn and its answer")

    def leaves(self) -> None:
        """Switch the machine off."""
        self._machine.cut()


def main() -> None:
    """Walk, and print a line for everything seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where image and card of a PC are kept")
    parser.add_argument("--kernel", type=Path, default=Path("/usr/bin/linux.uml"))
    parser.add_argument("--modules", type=Path, default=Path("/usr/lib/uml/modules"))
    wanted = parser.parse_args()
    card = Card(wanted.folder.resolve(), "amd64")
    image = card.folder / "card.img"
    if not image.exists():
        script = CHECKOUT / "hardware" / "install" / "make-card"
        subprocess.run([script, card.architecture, "trixie", card.folder], check=True)  # noqa: S603
    card.insert(image)
    with mounted(card.path, ROOT) as root:
        lend_modules(card, root, wanted.modules)
        (root / CABLE).write_text(ADDRESS)
        (root / CABLE).chmod(0o600)
    copy_disk(card.path, card.before)
    with network(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=BROWSER)
        page = browser.new_page(viewport={"width": 390, "height": 844}, locale="en")
        page.set_default_timeout(60_000)
        expect.set_options(timeout=60_000)
        newcomer = Newcomer(card, wanted.kernel, page)
        try:
            newcomer.walks()
        finally:
            newcomer.leaves()
    if card.filesystem_bytes() < CARD_BYTES - card.root_place()[0] - MIB:
        raise TrialError("The root did not grow to the end of the card.")


if __name__ == "__main__":
    main()
