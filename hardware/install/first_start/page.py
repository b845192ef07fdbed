"""The page that asks, and its server."""

from __future__ import annotations

import contextlib
import html
import ipaddress
import re
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from pathlib import Path
from typing import Protocol, cast
from urllib.parse import parse_qs, urlsplit

from .answers import AS_SAVED, BOARDS, ROTATIONS, USES, WORDS, Answers, answers_of
from .restoring import GAMES, SENT, NotTaken, receive

MOST_POSTED = 4096
"""Bytes: several times what all the fields together can hold."""
STYLE = """body{font:1.1rem/1.5 sans-serif;max-width:34em;margin:1em auto;padding:0 1em;color:#111;
background:#fff}input,select,button{font:inherit;min-height:2.75rem;max-width:100%;width:24em;
box-sizing:border-box}input[type=checkbox]{width:1.5rem;min-height:1.5rem;vertical-align:middle}
fieldset{margin:1em 0;min-width:0;border:1px solid #767676}small{display:block;color:#444}
[role=alert]:not(:empty){border-left:.4em solid #b00020;padding:.2em 1em}button{font-weight:bold}"""


SEND = """document.getElementById("restore").addEventListener("submit",async(event)=>{
event.preventDefault();const form=event.target,told=document.getElementById("told");
told.textContent=form.dataset.wait;
const answer=await fetch(form.action,{method:"POST",body:form.saved.files[0],
headers:{"Content-Type":"application/octet-stream"}}).catch(()=>null);
if(answer?.ok)location.replace("/");
else told.textContent=await answer?.text()||form.dataset.lost})"""
"""Sends a file as it is; what is told of it stands on the page that is loaded then."""

WAIT = """setInterval(()=>fetch("/api/v1/state").then((here)=>here.ok&&location.replace("/"))
.catch(()=>{}),3000)"""
"""Goes on to the service as soon as that answers here: what knows no state is this server still."""


def page(
    answers: Answers, wrong: Iterable[str] = (), *, password: str = "", restored: str = ""
) -> str:
    """Return the page that asks, filled with what is known, and what is wrong with it.

    Args:
        answers: what was answered so far; passwords in it are not shown.
        wrong: sentences.
        password: what stood in the field when it was posted.
        restored: a sentence, where everything was restored from a file before.
    """
    words = words_of(answers)
    faults = "".join(f"<li>{html.escape(each)}</li>" for each in wrong)
    told = f'<div role="alert"><p>{words["wrong"]}<ul>{faults}</ul></div>' if faults else ""
    offered = (AS_SAVED, *BOARDS) if restored else tuple(BOARDS)
    boards = {"": words["choose"], **{each: words[f"board-{each}"] for each in offered}}
    turned = {each: words[f"rotation-{each}"] for each in ROTATIONS}
    status = f'<p role="status">{html.escape(restored)}' if restored else ""
    # One that the service makes stands in its log, which nobody before this page can read.
    digits = (
        f'{"" if restored else "required "}maxlength="12" inputmode="numeric" autocomplete="off"'
    )
    checked = " checked" if answers.protected else ""
    inside = f"""<p>{links()}<h1>{words["title"]}</h1>{told}{status}<form method="post" action="/">
<input type="hidden" name="language" value="{words["language"]}">
{_choice(words["board"], "board", boards, answers.board)}
{_choice(words["use"], "use", {each: words[each] for each in USES}, answers.use)}
{_choice(words["rotation"], "rotation", turned, answers.rotation)}
{field_of(words, "pin", answers.pin, digits)}
<fieldset><legend>{words["network-title"]}</legend>
{field_of(words, "hostname", answers.hostname, 'maxlength="63" autocapitalize="none"')}
{field_of(words, "network", answers.network, 'maxlength="32" autocomplete="off"')}
{field_of(words, "password", password, 'type="password" maxlength="64" autocomplete="off"')}
{field_of(words, "country", answers.country, 'maxlength="2"')}
</fieldset>
<p><label><input type="checkbox" name="protected" value="yes"{checked}>
{words["protected"]}</label><small>{words["protected-help"]}</small>
<p><button>{words["go"]}</button></form>
<form id="restore" action="/restore?language={words["language"]}"
data-wait="{words["restore-wait"]}" data-lost="{words["bad-sent"]}">
<fieldset><legend>{words["restore"]}</legend>
<p><input type="file" name="saved" accept=".zip" aria-label="{words["restore-file"]}" required>
<small>{words["restore-help"]}</small><p id="told" role="alert">
<p><button>{words["restore-go"]}</button>
</fieldset></form><script>{SEND}</script>"""
    return sheet(words, words["title"], inside)


def words_of(answers: Answers) -> dict[str, str]:
    """Return what a page says, escaped, and as `language` in which; in English if need be."""
    language = answers.language if answers.language in WORDS else "en"
    words = {key: html.escape(text) for key, text in WORDS[language].items()}
    return {**words, "language": language}


def links() -> str:
    """Return what leads to the page in each language."""
    return " · ".join(
        f'<a href="/?language={code}" lang="{code}">{html.escape(other["name"])}</a>'
        for code, other in WORDS.items()
    )


def sheet(words: Mapping[str, str], title: str, inside: str) -> str:
    """Return a whole page of these words."""
    return f"""<!doctype html><html lang="{words["language"]}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{title}</title>
<style>{STYLE}</style>
{inside}</html>"""


def _choice(label: str, name: str, values: Mapping[str, str], chosen: str) -> str:
    options = "".join(
        f'<option value="{value}"{" selected" if value == chosen else ""}>{shown}</option>'
        for value, shown in values.items()
    )
    return f'<p><label>{label}<br><select name="{name}">{options}</select></label>'


def field_of(words: Mapping[str, str], key: str, value: str, more: str, name: str = "") -> str:
    """Return a field with its label and its help, in words that are escaped already."""
    kept = html.escape(value)
    return (
        f'<p><label>{words[key]}<br><input name="{name or key}" value="{kept}" {more}></label>'
        f"<small>{words[f'{key}-help']}</small>"
    )


def done(answers: Answers) -> str:
    """Return the page that says what comes next, and becomes the service's own by itself."""
    words, address = words_of(answers), f"http://{answers.hostname}.local:8321/"
    inside = f"""<h1>{words["done"]}</h1>
<p>{words["done-next"]} <a href="{address}">{address}</a><script>{WAIT}</script>"""
    return sheet(words, words["title"], inside)


def is_near(address: str) -> bool:
    """Tell whether an address is this machine's or of a network in a house, not of the internet."""
    found = ipaddress.ip_address(address)
    return found.is_private or found.is_link_local


class FirstStart(ThreadingHTTPServer):
    """Asks until the answers are usable and written down.

    Args:
        address: where to listen.
        known: what a file on the card answered.
        wrong: what was wrong with that file: keys of `WORDS`, and details.
        finish: writes answers down; OSError or ValueError if it cannot.
        restore: puts everything in place from a file, in a language; returns what it answers and
            what is told of it, or raises NotTaken.
    """

    daemon_threads = True

    def __init__(
        self,
        address: tuple[str, int],
        known: Answers,
        wrong: tuple[tuple[str, str], ...],
        finish: Callable[[Answers], None],
        restore: Callable[[Path, str], tuple[Answers, str]],
    ) -> None:
        super().__init__(address, Page)
        self.known, self.wrong = known, wrong
        self._finish, self._restore = finish, restore
        self.restored = ""
        self._lock = threading.Lock()
        self.finished: Answers | None = None

    def is_called(self, host: str) -> bool:
        """Tell whether a request's `Host` is this machine's own.

        A name of another site may lead here too (DNS rebinding), and its page could then read and
        post what it likes; an address in numbers cannot.
        """
        found = re.fullmatch(r"(\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(:[0-9]*)?", host.lower())
        name = (found[2] or found[3]) if found else ""
        own = {socket.gethostname().lower(), self.known.hostname}
        if name in {"localhost", *own, *(f"{each}.local" for each in own)}:
            return True
        with contextlib.suppress(ValueError):
            return bool(ipaddress.ip_address(name))
        return False

    def take(self, answers: Answers) -> tuple[tuple[str, str], ...]:
        """Write answers down and end, or return what is wrong with them."""
        with self._lock:
            if self.finished:
                return ()
            wrong = tuple((key, "") for key in answers.problems())
            if wrong:
                return wrong
            try:
                self._finish(answers)
            except (OSError, ValueError) as failed:
                return (("bad-writing", str(failed)),)
            self.finished = answers
        return ()

    def take_saved(self, body: BufferedIOBase, length: int, language: str) -> None:
        """Restore everything from a file that is being sent, and go on asking for the rest.

        Raises:
            NotTaken: nothing was changed.
        """
        with self._lock:
            try:
                known, self.restored = self._restore(receive(body, length), language)
            except OSError as failed:
                raise NotTaken("bad-writing", str(failed)) from failed
            finally:
                (GAMES / SENT).unlink(missing_ok=True)
            self.known, self.wrong = replace(known, language=language), ()


class Called(Protocol):
    """A server that knows its own names."""

    def is_called(self, host: str) -> bool:
        """Tell whether a request's `Host` is its own."""


class Polite(BaseHTTPRequestHandler):
    """One request, answered to nobody from elsewhere."""

    timeout = 10  # s: whoever says nothing must not hold a thread for ever

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - its name there
        """Keep quiet: passwords were posted."""

    def may_ask(self) -> bool:
        """Refuse strangers, and what another site's page has a browser read or post here."""
        host = self.headers.get("Host", "")
        origin = self.headers.get("Origin", f"http://{host}")
        linked = self.headers.get("Sec-Fetch-Mode") == "navigate" and self.command == "GET"
        ours = linked or self.headers.get("Sec-Fetch-Site") not in ("cross-site", "same-site")
        near = is_near(self.client_address[0])
        called = cast("Called", self.server).is_called(host)
        if near and ours and called and origin == f"http://{host}":
            return True
        self.show(403, "")
        return False

    def show(self, status: int, text: str) -> None:
        """Answer with a page."""
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        self.wfile.write(body)

    def posted(self) -> tuple[Answers, str] | None:
        """Return what a form answers, and the password as typed; `None` where it is refused."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MOST_POSTED:
            self.show(413, "")
            return None
        body = self.rfile.read(int(length)).decode(errors="replace")
        given = {name: values[0] for name, values in parse_qs(body).items()}
        try:
            return answers_of(given), given.get("password", "")
        except ValueError:
            self.show(400, "")
            return None

    def lead(self, address: str) -> None:
        """Lead a browser elsewhere."""
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()


class Page(Polite):
    """One request."""

    server: FirstStart

    def do_GET(self) -> None:
        """Ask, in the language that was asked for."""
        if not self.may_ask():
            return
        url = urlsplit(self.path)
        if url.path != "/":  # as the display's browser does, to know whether the kiosk was left
            self.show(404, "")
        elif self.server.finished:
            self.show(200, done(self.server.finished))
        else:
            language = parse_qs(url.query).get("language", [""])[0]
            known = self.server.known
            known = replace(known, language=language) if language in WORDS else known
            told = self._sentences(known, self.server.wrong)
            self.show(200, page(known, told, restored=self.server.restored))

    def do_POST(self) -> None:
        """Take the answers, or say what is wrong with them."""
        if not self.may_ask():
            return
        length = self.headers.get("Content-Length", "")
        url = urlsplit(self.path)
        if url.path == "/restore" and length.isdecimal():
            self._take_saved(int(length), parse_qs(url.query).get("language", [""])[0])
            return
        if (posted := self.posted()) is None:
            return
        answers, password = posted
        known = self.server.known
        if answers.network and answers.network == known.network and not answers.password:
            answers = replace(answers, password=known.password)
        answers = replace(answers, timezone=answers.timezone or known.timezone)  # no form asks it
        wrong = self.server.take(answers)
        if wrong:
            told = self._sentences(answers, wrong)
            restored = self.server.restored
            self.show(422, page(answers, told, password=password, restored=restored))
            return
        self.show(200, done(answers))
        threading.Thread(target=self.server.shutdown).start()

    def _take_saved(self, length: int, language: str) -> None:
        language = language if language in WORDS else "en"
        try:
            self.server.take_saved(self.rfile, length, language)
        except NotTaken as refused:
            self.show(422, f"{WORDS[language][refused.key]} {refused.detail}".strip())
            self.close_connection = True  # what is left of the file is no request
        else:
            self.show(200, "")

    @staticmethod
    def _sentences(answers: Answers, wrong: Iterable[tuple[str, str]]) -> list[str]:
        words = WORDS.get(answers.language, WORDS["en"])
        return [f"{words[key]} {detail}".strip() for key, detail in wrong]
