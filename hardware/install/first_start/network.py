"""Where no known network answers, the machine makes its own, with a page that asks for another.

Runs as root beside everything else on a card, from the first start on: a router's password may
change in years. Whoever joins may also play, at the service's own address.
"""

from __future__ import annotations

import hmac
import html
import os
import socket
import threading
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from .__main__ import ASKING, BOOT, PROTECTED, ROOT, run
from .answers import Answers
from .page import Polite, field_of, links, sheet, words_of
from .radio import ADDRESS, NAMES, OWN, PASSWORD, PROFILES, Radio, own_network
from .writing import CONFIGURATION, CONNECTION, write_network
from .writing import replace as replace_text

PATIENCE_S = 60.0
"""How long the known networks may stay away before we make our own: a router restarts in less."""
RETRY_S = 300.0
"""After so long without guests the known networks are looked for again."""
LOOK_S = 5.0
"""The pause between two looks at how it stands."""
TRIES, TRY_S = 5, 30.0
"""Of a PIN: so many at once, and one more after so many seconds."""


class Net(Protocol):
    """What `Radio` does."""

    def exists(self) -> bool:
        """Tell whether there is a wireless device at all."""

    def is_connected(self) -> bool:
        """Tell whether anything but our own network leads anywhere."""

    def in_sight(self) -> tuple[str, ...]:
        """Return the names of networks that are heard."""

    def open_own(self) -> None:
        """Make our own network."""

    def close_own(self) -> None:
        """End our own network."""

    def join(self, connection: str) -> str:
        """Join a network; return the key of what is wrong, or nothing."""

    def guests(self) -> int:
        """Return how many have joined our own network."""


@dataclass
class Asked:
    """What the page shows, and what was answered on it.

    Attributes:
        sight: the networks that were heard before ours began.
        known: what was answered before; the password is not shown.
        wrong: keys of what is wrong with it.
        answered: what is to be tried now.
    """

    sight: tuple[str, ...] = ()
    known: Answers = field(default_factory=Answers)
    wrong: tuple[str, ...] = ()
    answered: Answers | None = None


class Keeper:
    """Looks after the machine's network.

    Args:
        net: the network.
        asked: shared with the page.
        write: writes a network down.
        clock: the monotonic clock.
    """

    def __init__(
        self, net: Net, asked: Asked, write: Callable[[Answers], None], clock: Callable[[], float]
    ) -> None:
        self._net, self._asked, self._write, self._clock = net, asked, write, clock
        self._alone_since = clock()
        self._own_since: float | None = None

    @property
    def asks(self) -> bool:
        """Whether our own network is there."""
        return self._own_since is not None

    def step(self) -> None:
        """Look once, and do what is due."""
        now = self._clock()
        if self._own_since is None:
            if self._net.is_connected() or not self._net.exists():
                self._alone_since = now
            elif now - self._alone_since >= PATIENCE_S:
                self._open(now)
        elif self._net.is_connected():  # a cable
            self._close(now)
        elif self._asked.answered:
            self._try(self._asked.answered)
        elif now - self._own_since >= RETRY_S and not self._net.guests():
            self._close(now)  # the known ones get `PATIENCE_S` to be heard

    def _open(self, now: float) -> None:
        self._asked.sight = self._net.in_sight()
        try:
            self._net.open_own()
        except OSError:
            self._alone_since = now  # tried again after the same patience
        else:
            self._own_since = now

    def _close(self, now: float) -> None:
        self._net.close_own()
        self._own_since, self._alone_since = None, now

    def _try(self, answers: Answers) -> None:
        self._asked.answered, self._asked.known = None, answers
        self._net.close_own()
        self._own_since = None
        try:
            self._write(answers)
            wrong = self._net.join(CONNECTION)
        except OSError:
            wrong = "bad-join"
        self._asked.wrong = (wrong,) if wrong else ()
        if wrong:
            self._open(self._clock())


class NetworkPage(ThreadingHTTPServer):
    """Asks for a network, whoever has joined ours; every name leads here then.

    Args:
        address: where to listen.
        asked: shared with the keeper.
        pin: the referee's, if there is one to be known.
        first: whether the page of the first start asks for everything, network included.
    """

    daemon_threads = True

    def __init__(
        self,
        address: tuple[str, int],
        asked: Asked,
        pin: Callable[[], str],
        first: Callable[[], bool],
    ) -> None:
        super().__init__(address, Handler)
        self.asked, self.pin, self.first = asked, pin, first
        self._tries = [0.0] * TRIES
        self._lock = threading.Lock()

    def is_called(self, host: str) -> bool:
        """Tell whether a request's `Host` is the address that our network has."""
        return host.partition(":")[0] == ADDRESS

    def judge(self, pin: str) -> str:
        """Return the key of what is wrong with a PIN, or nothing."""
        if not (right := self.pin()):
            return ""
        with self._lock:
            if time.monotonic() - self._tries[0] < TRIES * TRY_S and self._tries[0]:
                return "bad-too-many"
            self._tries = [*self._tries[1:], time.monotonic()]
        if hmac.compare_digest(pin.encode(), right.encode()):
            self._tries = [0.0] * TRIES
            return ""
        return "bad-pin-wrong"


class Handler(Polite):
    """One request."""

    server: NetworkPage

    def do_GET(self) -> None:  # noqa: N802 - its name there
        """Ask; whoever looks for another site is led here, so that telephones show the page."""
        if not self.server.is_called(self.headers.get("Host", "")):
            self.lead(f"http://{ADDRESS}/")
        elif self.server.first():
            self.lead(f"http://{ADDRESS}:8321/")
        elif self.may_ask():
            asked, url = self.server.asked, urlsplit(self.path)
            language = parse_qs(url.query).get("language", [asked.known.language])[0]
            self.show(200, self._page(replace(asked.known, language=language), asked.wrong))

    def do_POST(self) -> None:  # noqa: N802 - its name there
        """Take the answer; it is tried once this answer is out."""
        if not self.may_ask():
            return
        if (posted := self.posted()) is None:
            return
        answers, _ = posted
        keys = ("network", "password", "country", "language")
        wrong = [key for key in answers.problems() if key.removeprefix("bad-") in keys]
        wrong += [] if answers.network else ["bad-network-needed"]
        wrong += [] if wrong else [key for key in (self.server.judge(answers.pin),) if key]
        if wrong:
            self.show(422, self._page(answers, tuple(wrong)))
            return
        self.show(200, _tried(answers))
        self.server.asked.answered = replace(answers, pin="")

    def _page(self, answers: Answers, wrong: tuple[str, ...]) -> str:
        words = words_of(answers)
        faults = "".join(f"<li>{words[key]}</li>" for key in wrong)
        told = f'<div role="alert"><ul>{faults}</ul></div>' if faults else ""
        sight = "".join(f"<option>{html.escape(name)}</option>" for name in self.server.asked.sight)
        name = 'maxlength="32" autocomplete="off" list="sight" required'
        hidden = 'type="password" maxlength="64" autocomplete="off"'
        digits = 'maxlength="12" inputmode="numeric" type="password" autocomplete="off" required'
        pin = field_of(words, "pin-again", "", digits, name="pin") if self.server.pin() else ""
        inside = f"""<p>{links()}<h1>{words["network-title"]}</h1>{told}<p>{words["network-why"]}
<p><a href="http://{ADDRESS}:8321/">{words["network-play"]}</a>
<form method="post" action="/"><input type="hidden" name="language" value="{words["language"]}">
{field_of(words, "network", answers.network, name)}<datalist id="sight">{sight}</datalist>
{field_of(words, "password", "", hidden)}
{field_of(words, "country", answers.country, 'maxlength="2"')}
{pin}<p><button>{words["network-go"]}</button></form>"""
        return sheet(words, words["network-title"], inside)


def _tried(answers: Answers) -> str:
    words, name = words_of(answers), html.escape(answers.network)
    inside = f"""<h1>{words["network-tried"].replace("{name}", name)}</h1>
<p>{words["network-tried-next"]}"""
    return sheet(words, words["network-title"], inside)


def pin_of(root: Path = ROOT) -> str:
    """Return the referee's PIN as configured, or nothing."""
    try:
        values = tomllib.loads((root / CONFIGURATION).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(values.get("pages", {}).get("referee_pin", ""))


def keep_network(answers: Answers) -> None:
    """Write a network down, below the layer in memory as well where the card is protected."""
    write_network(answers, ROOT)
    if PROTECTED.is_mount():
        run("mount", "-o", "remount,rw", str(PROTECTED))
        try:
            write_network(answers, PROTECTED)
            os.sync()
        finally:
            run("mount", "-o", "remount,ro", str(PROTECTED))


def main() -> None:
    """Look after the network for ever."""
    replace_text(
        ROOT / PROFILES / f"{OWN}.nmconnection", own_network(socket.gethostname()), mode=0o600
    )
    replace_text(ROOT / NAMES, f"address=/#/{ADDRESS}\n")
    asked, radio = Asked(), Radio()
    keeper = Keeper(radio, asked, keep_network, time.monotonic)
    page: NetworkPage | None = None
    while True:
        keeper.step()
        if keeper.asks and page is None:
            page = NetworkPage((ADDRESS, 80), asked, pin_of, (BOOT / ASKING).exists)
            threading.Thread(target=page.serve_forever, daemon=True).start()
            print(f"No known network answers; ours is there, password {PASSWORD}.", flush=True)  # noqa: T201
        elif not keeper.asks and page is not None:
            page.shutdown()
            page.server_close()
            page = None
        time.sleep(1.0 if keeper.asks else LOOK_S)


if __name__ == "__main__":
    main()
