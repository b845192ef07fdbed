"""Updates from an address: a real server, and a sentence for whatever it may do."""

import json
import os
import shutil
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hardware.install.updater import fetch
from hardware.install.updater.__main__ import Updater
from hardware.install.updater.fetch import Fetcher

WORDS = Path(fetch.__file__).with_name("words.toml")
NAME = "firmware-bridge-1.1.0.update"
BUNDLE = os.urandom(300_000)


class Answers(BaseHTTPRequestHandler):
    """Answers as the test's `Server` is set up to."""

    def do_GET(self):
        server = self.server
        server.asked.append((self.path, self.headers.get("Range")))
        if self.path.endswith("/latest"):
            self.answer(server.code, server.latest)
        elif not self.path.endswith(NAME):
            self.answer(404, b"")
        else:
            asked = self.headers.get("Range")
            same = asked and self.headers.get("If-Range") == server.tag
            start = int(asked.removeprefix("bytes=").removesuffix("-")) if same else 0
            self.answer(206 if same else 200, server.bundle, start, server.tag)

    def answer(self, code, contents, start=0, tag=None):
        self.send_response(code)
        if self.server.length:
            self.send_header("Content-Length", self.server.size or len(contents) - start)
        if tag:
            self.send_header("ETag", tag)
        self.end_headers()
        broken = start + self.server.breaks if tag and self.server.breaks else None
        self.wfile.write(contents[start:broken])

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    code, latest, bundle, tag = 200, b"1.1.0\n", BUNDLE, '"one"'
    length, size = True, 0
    breaks = 0

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.asked = []

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/board/latest"


@pytest.fixture
def server():
    with Server() as serving:
        threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True).start()
        yield serving
        serving.shutdown()


class Machine(Fetcher):
    """A root on which 1.0.0 runs, that asks the test's server."""

    def __init__(self, root):
        super().__init__(root, pause=0)
        home = root / "opt/firmware-bridge"
        release = home / "releases/20260101000000-1.0.0"
        release.mkdir(parents=True)
        (home / "current").symlink_to(release)
        self.folder.mkdir(parents=True)
        (root / "etc/firmware-bridge").mkdir(parents=True)

    def asks(self, address):
        (self.root / "etc/firmware-bridge/update-address").write_text(f"{address}\n")
        self.run()
        return self.says

    @property
    def says(self):
        return json.loads(self.status.read_text())["state"] if self.status.exists() else None

    @property
    def fetched(self):
        place = self.folder / NAME
        return place.read_bytes() if place.exists() else None


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_without_an_address_nobody_is_asked_and_what_was_told_is_forgotten(machine, server):
    machine.asks("nonsense")
    (machine.root / "etc/firmware-bridge/update-address").unlink()
    machine.run()
    assert (server.asked, machine.says) == ([], None)


def test_what_is_newer_is_fetched_once_and_root_takes_it_over(machine, server):
    assert machine.asks(server.address) is None
    assert machine.fetched == BUNDLE
    machine.run()
    assert [path for path, _ in server.asked].count(f"/board/{NAME}") == 1
    updater = Updater(machine.root)
    updater.collect()
    assert [path.name for path in updater.spool.glob("*.update")] == [NAME]
    assert machine.fetched is None
    machine.run()
    assert machine.fetched is None


@pytest.mark.parametrize("told", ["1.0.0", "1.0.0rc9", "0.9.12"])
def test_what_is_not_newer_is_not_fetched(machine, server, told):
    server.latest = told.encode()
    assert machine.asks(server.address) == "newest"
    assert len(server.asked) == 1


def test_what_did_not_stay_is_not_fetched_again(machine, server):
    kept = machine.root / "opt/firmware-bridge/kept"
    kept.mkdir()
    (kept / NAME).touch()
    assert machine.asks(server.address) == "once"
    assert len(server.asked) == 1


def test_a_broken_connection_is_taken_up_where_it_broke(machine, server):
    server.breaks = 100_000
    assert machine.asks(server.address) is None
    assert machine.fetched == BUNDLE
    ranges = [asked for path, asked in server.asked if path.endswith(NAME)]
    assert ranges == [None, "bytes=100000-", "bytes=200000-"]


def test_what_is_left_of_it_is_fetched_the_next_day(machine, server):
    server.breaks = 20_000
    assert machine.asks(server.address) == "cut"
    assert machine.fetched is None
    server.breaks = 0
    assert machine.asks(server.address) is None
    assert (machine.fetched, server.asked[-1][1]) == (BUNDLE, "bytes=100000-")


def test_another_file_of_the_same_name_is_fetched_from_its_beginning(machine, server):
    server.breaks = 20_000
    machine.asks(server.address)
    server.breaks, server.tag, server.bundle = 0, '"two"', BUNDLE[::-1]
    assert machine.asks(server.address) is None
    assert machine.fetched == BUNDLE[::-1]


def test_half_of_an_older_version_is_thrown_away(machine, server):
    (machine.folder / "firmware-bridge-1.0.5.update.part").write_bytes(b"half")
    machine.asks(server.address)
    assert not [*machine.folder.glob("*.part")]


def test_cut_off_before_it_got_its_name_it_gets_it_later(machine, server):
    machine.asks(server.address)
    (machine.folder / NAME).rename(machine.folder / f"{NAME}.part")
    server.asked.clear()
    assert machine.asks(server.address) is None
    assert machine.fetched == BUNDLE
    assert len(server.asked) == 1


TROUBLES = [
    ("answers", {"code": 503}),
    ("answers", {"latest": b"1.2.0"}),  # and no such bundle is there
    ("nonsense", {"latest": b"<html>Log in</html>"}),
    ("nonsense", {"length": False}),
    *(("nonsense", {"size": size}) for size in ("\xb2", "9" * 5000, "-1", " ")),
    ("large", {"size": fetch.LARGEST + 1}),
]


@pytest.mark.parametrize(("why", "answers"), TROUBLES)
def test_an_answer_that_is_no_use_is_told(machine, server, why, answers):
    vars(server).update(answers)
    assert machine.asks(server.address) == why
    assert machine.fetched is None


def test_nobody_there_is_told(machine, server):
    address = server.address
    server.shutdown()
    server.server_close()
    assert machine.asks(address) == "unreached"


@pytest.mark.parametrize("address", ["file:///etc/passwd", "example.org", "https://", "http://[/x"])
def test_what_is_no_address_is_told(machine, address):
    assert machine.asks(address) == "address"


def test_a_card_without_room_is_told_before_anything_is_fetched(machine, server, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 0))
    assert machine.asks(server.address) == "room"
    assert not [*machine.folder.glob("*.part")]


def test_a_card_that_takes_nothing_more_is_told(machine, server, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Fetcher, "go_on", lambda *_: full(_))
    assert machine.asks(server.address) == "unwritten"


def test_root_follows_no_link_of_whoever_fetched(machine):
    secret = machine.root / "secret"
    secret.write_bytes(b"secret")
    (machine.folder / "link.update").symlink_to(secret)
    (machine.folder / "folder.update").mkdir()
    os.mkfifo(machine.folder / "pipe.update")
    updater = Updater(machine.root)
    updater.collect()
    assert [*updater.spool.glob("*.update"), *machine.folder.iterdir()] == []
    assert secret.read_bytes() == b"secret"


def test_a_file_exchanged_for_a_link_at_the_last_instant_is_thrown_away(machine, monkeypatch):
    secret = machine.root / "secret"
    secret.write_bytes(b"secret")
    (machine.folder / NAME).write_bytes(b"bundle")
    replace = Path.replace

    def exchanged(path, target):
        path.unlink()
        path.symlink_to(secret)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", exchanged)
    updater = Updater(machine.root)
    updater.collect()
    assert ([*updater.spool.glob("*.update")], secret.read_bytes()) == ([], b"secret")


def test_every_trouble_has_a_sentence_in_both_languages():
    words = tomllib.loads(WORDS.read_text())
    states = {"address", "unreached", "answers", "nonsense", "newest", "once", "large", "fetching"}
    for language in ("en", "de"):
        assert states | {"cut", "unwritten", "room"} <= words[language].keys()
