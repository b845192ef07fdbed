"""Updates by bundle: what is signed runs, or what ran before, in a root of each test's own."""

import http.server
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import threading
import tomllib
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from hardware.install.updater import __main__ as program
from hardware.install.updater import signed
from hardware.install.updater.__main__ import Updater
from hardware.install.updater.releases import order
from hardware.install.updater.service import PLAYED, Service
from hardware.tools import bundle as maker
from tests.commands import script
from tests.nightly import NIGHTLY, at_night

ROOT = Path(__file__).parents[2]
OLD = "20260101000000-1.0.0"
NOTES = {"en": "Better.", "de": "Besser."}
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"

pytestmark = pytest.mark.skipif(
    not os.environ.get("CI") and not shutil.which("ssh-keygen"), reason="needs ssh-keygen"
)


by_pip = at_night("pip takes its time")


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ours", "stolen", "strange"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", folder / name],
            check=True,
        )
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return wheel_of("2.0.0", tmp_path_factory.mktemp("wheel"))


def wheel_of(version, folder):
    """A release that says its version, and nothing more."""
    name = f"firmware_bridge-{version}"
    written = folder / f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(written, "w") as packed:
        packed.writestr("firmware_bridge.py", f"def main():\n    print({version!r})\n")
        info = f"{name}.dist-info"
        packed.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: firmware-bridge\nVersion: {version}\n",
        )
        packed.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        packed.writestr(
            f"{info}/entry_points.txt",
            "[console_scripts]\nfirmware-bridge = firmware_bridge:main\n",
        )
        packed.writestr(f"{info}/RECORD", "")
    return written


def contents_of(wheel, version="2.0.0", machine=None, pythons=(HERE,)):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(maker, "PYTHONS", pythons)
        return maker.payload({machine or platform.machine(): [wheel]}, version, NOTES)


class Ran(NamedTuple):
    """How the updater ended."""

    returncode: int
    said: str


class Board:
    """A root as the installer leaves it, whose systemd is a script that notes what it is asked."""

    def __init__(self, root, keys):
        self.root, self.home = root, root / "opt/firmware-bridge"
        old = self.home / "releases" / OLD
        share = old / "share/firmware-bridge"
        share.mkdir(parents=True)
        (old / "bin").mkdir()
        (old / "bin/firmware-bridge").write_text("#!/bin/sh\necho 1.0.0\n")
        (old / "bin/firmware-bridge").chmod(0o755)
        public = [(keys / f"{name}.pub").read_text() for name in ("ours", "stolen")]
        (share / "allowed_signers").write_text(
            "".join(f'release namespaces="firmware-bridge-update" {key}' for key in public)
        )
        (share / "withdrawn_signers").write_text(public[1])
        for link in ("current", "updater"):
            (self.home / link).symlink_to(old)
        self.spool = root / "var/spool/firmware-bridge"
        self.wishes = self.spool / "wishes"
        self.wishes.mkdir(parents=True)
        self.bin = root / "bin"
        self.bin.mkdir()
        self.systemd("exit 0")
        self.loader("exit 0")

    def systemd(self, script):
        self.program("systemctl", script)

    def loader(self, script):
        """What loads a firmware does this; it is told all that systemd is asked for."""
        self.program("systemd-run", script)

    def program(self, name, script):
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def bring(self, contents, name="new.update", *, wished=True):
        """Have a bundle lie where a stick's are copied to, and somebody with the PIN wish it."""
        (self.spool / name).write_bytes(contents)
        if wished:
            self.wish()

    def serves_at(self, port):
        """Let the service be one that answers here."""
        place = self.root / "etc/firmware-bridge/config.toml"
        place.parent.mkdir(parents=True)
        place.write_text(f"[pages]\nport = {port}\n")

    def wish(self, what="install"):
        (self.wishes / what).touch()

    def update(self, before=""):
        """Run the updater as a process, with lines of Python before it."""
        environment = {"PATH": f"{self.bin}:{os.environ['PATH']}"}
        return Ran(*script(self.lines_of_update(before), environment))

    def lines_of_update(self, before):
        return (
            "from pathlib import Path\nfrom hardware.install.updater.__main__ import Updater\n"
            f"{before}\nUpdater(Path({str(self.root)!r}), watched_for=0.01).run()"
        )

    @property
    def left(self):
        """What has not been dealt with."""
        return [path for path in self.spool.rglob("*") if path != self.wishes]

    @property
    def says(self):
        return json.loads((self.home / "update.json").read_text())["state"]

    @property
    def before(self):
        return json.loads((self.home / "update.json").read_text())["before"]

    @property
    def runs(self):
        command = self.home / "current/bin/firmware-bridge"
        return subprocess.run([command], capture_output=True, text=True, check=True).stdout.strip()

    @property
    def releases(self):
        return sorted(path.name for path in (self.home / "releases").iterdir())


@pytest.fixture
def board(tmp_path, keys):
    return Board(tmp_path / "root", keys)


@pytest.fixture(scope="module")
def good(wheel, keys):
    return maker.sealed(contents_of(wheel), keys / "ours")


QUICK = """
from hardware.install.updater import releases
def made(release, wheels):
    (release / "bin").mkdir()
    command = release / "bin/firmware-bridge"
    command.write_text("#!/bin/sh\\necho 2.0.0\\n")
    command.chmod(0o755)
    (release / "share").symlink_to(RELEASE / "share")
releases.make_environment = made
"""
"""Puts a release in place without the seconds that pip takes."""


def quick(board):
    return QUICK.replace("RELEASE", f"Path({str(board.home / 'releases' / OLD)!r})")


@by_pip
def test_a_bundle_becomes_the_release_that_runs(board, good):
    board.bring(good)
    done = board.update()
    assert (done.returncode, board.says, board.runs) == (0, "done", "2.0.0"), done.said
    assert (board.home / "updater").readlink() == (board.home / "current").readlink()
    share = board.home / "current/share/firmware-bridge"
    assert (share / "updater/words.toml").exists()
    assert os.access(share / "show-display", os.X_OK)
    assert board.left == []
    assert not (board.home / "trial.json").exists()


def test_a_bundle_made_twice_is_the_same(wheel, keys, good):
    assert maker.sealed(contents_of(wheel), keys / "ours") == good


@by_pip
def test_the_projects_own_wheel_is_the_same_each_time(tmp_path):
    first, second = (maker.own_wheel(tmp_path / name) for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    assert "drivers/pico/firmware/main.py" in zipfile.ZipFile(first).namelist()


def test_what_comes_as_source_is_compiled_for_its_machine(tmp_path, monkeypatch):
    for name in ("pure-1-py3-none-any", "half-2-cp311-cp311-linux_aarch64", "c-3-cp311-abi3-linux"):
        (tmp_path / f"{name}.whl").touch()
    (tmp_path / "source-4.tar.gz").touch()
    programs = tmp_path / "bin"
    programs.mkdir()
    made = f"{tmp_path}/source-4-cp311-cp311-linux_aarch64.whl"
    (programs / "mmdebstrap").write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/told\ntouch {made}\n')
    (programs / "mmdebstrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    with pytest.raises(SystemExit, match=r"of half, source for Python 3\.13 on"):
        maker.wheels_of("aarch64", tmp_path)
    bookworm, trixie = (tmp_path / "told").read_text().splitlines()
    for told, debian in ((bookworm, "bookworm"), (trixie, "trixie")):
        assert told.endswith(f"{debian} /dev/null")
        assert "gcc-aarch64-linux-gnu" in told
        assert "/srv/source-4.tar.gz" in told


def made_for(wheel, keys, **kind):
    """A bundle that we have signed, of another kind than these boards need."""
    return maker.sealed(contents_of(wheel, **kind), keys / "ours")


def signed_for_something_else(contents, keys):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(maker, "NAMESPACE", "file")
        return maker.sealed(contents, keys / "ours")


BAD = [
    ("format", lambda good, **_: b"PK\x03\x04" + good),
    ("incomplete", lambda good, **_: good[: len(good) // 2]),
    ("altered", lambda good, **_: good[:-2000] + b"x" + good[-1999:]),
    ("altered", lambda contents, keys, **_: signed_for_something_else(contents, keys)),
    ("unsigned", lambda good, contents, **_: signed.MAGIC + b"%d\n" % len(contents) + contents),
    ("stranger", lambda contents, keys, **_: maker.sealed(contents, keys / "strange")),
    ("withdrawn", lambda contents, keys, **_: maker.sealed(contents, keys / "stolen")),
    ("older", lambda wheel, keys, **_: made_for(wheel, keys, version="0.9.9")),
    ("older", lambda wheel, keys, **_: made_for(wheel, keys, version="1.0.0")),  # what runs
    ("machine", lambda wheel, keys, **_: made_for(wheel, keys, machine="riscv64")),
    ("machine", lambda wheel, keys, **_: made_for(wheel, keys, pythons=("3.7",))),
]
"""Why a bundle is refused, and one that is refused for it."""


def test_a_name_that_is_no_text_is_told_and_holds_nothing_up(board, good):
    """As a stick's file may have, or whatever the user puts there who fetches."""
    name = os.fsdecode(b"aged-\xff.update")
    board.bring(good[: len(good) // 2], name)
    done = board.update()
    assert (done.returncode, board.says) == (0, "incomplete"), done.said
    told = json.loads((board.home / "update.json").read_text())["told"]
    assert all(r"aged-\udcff" in each.encode().decode() for each in told.values())
    assert board.left == []
    board.bring(good, name)
    done = board.update(quick(board))
    assert (done.returncode, board.says, board.runs) == (0, "done", "2.0.0"), done.said


def test_a_folder_on_the_boot_drive_is_no_bundle_and_holds_nothing_up(board, good):
    boot = board.root / "boot/firmware"
    (boot / "a.update").mkdir(parents=True)
    (boot / "new.update").write_bytes(good)
    done = board.update(quick(board))
    assert (done.returncode, board.says, board.runs) == (0, "done", "2.0.0"), done.said
    assert (boot / "a.update").is_dir()


@pytest.mark.parametrize(("why", "bad"), BAD)
def test_a_bad_bundle_is_refused_by_name_and_what_ran_goes_on(board, wheel, keys, good, why, bad):
    board.bring(bad(good=good, contents=contents_of(wheel), wheel=wheel, keys=keys))
    done = board.update()
    assert (done.returncode, board.says) == (0, why), done.said
    assert (board.runs, board.releases) == ("1.0.0", [OLD])
    assert board.left == []
    assert (board.home / "kept/new.update").exists()


TROUBLES = {
    "room": "import shutil; shutil.disk_usage = lambda _: shutil._ntuple_diskusage(9, 9, 0)",
    "unreadable": "import shutil\ndef gone(*_): raise OSError\nshutil.copyfileobj = gone",
    "unbuilt": "from hardware.install.updater import releases\n"
    "releases.make_environment = lambda *_: open('/')",
}


@pytest.mark.parametrize("why", TROUBLES)
def test_what_goes_wrong_on_the_way_is_told_and_leaves_nothing(board, good, why):
    board.bring(good)
    board.update(TROUBLES[why])
    assert (board.says, board.runs, board.releases) == (why, "1.0.0", [OLD])


FULL = """
from hardware.install.updater import status, signed
write = status.write
def on_a_full_card(place, contents):
    if (Path(HOME) / "incoming").exists():
        raise OSError(28, "No space left on device")
    write(place, contents)
status.write = on_a_full_card
"""
"""There is no room for anything as long as a bundle's contents lie there."""


def test_a_card_that_is_full_meanwhile_is_told_as_soon_as_there_is_room(board, good):
    board.bring(good, wished=False)
    done = board.update(FULL.replace("HOME", repr(str(board.home))))
    assert (done.returncode, board.says, board.left) == (0, "unbuilt", []), done.said
    assert "No space left on device" in done.said
    assert (board.runs, board.releases) == ("1.0.0", [OLD])


NOT_A_BYTE = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"


@pytest.mark.parametrize("lies", ["spool", "offered", "accepted"])
def test_a_card_that_takes_not_a_byte_is_told_to_the_log_and_the_bundle_goes(board, good, lies):
    """Lying where it was brought, where it waits for a wish, or where it is taken from."""
    folder = {"spool": board.spool, "offered": board.spool / "offered"}.get(lies)
    folder = folder or board.home / "accepted"
    folder.mkdir(exist_ok=True)
    (folder / "new.update").write_bytes(good)
    board.wish()
    done = board.update(NOT_A_BYTE)
    assert (done.returncode, board.left) == (0, []), done.said
    assert "new.update could not be" in done.said
    assert "Make room" in done.said
    assert (board.runs, board.releases) == ("1.0.0", [OLD])
    assert not any((board.home / "kept").glob("*"))
    board.bring(good, "another.update")
    assert board.update(quick(board)).returncode == 0
    assert (board.says, board.runs) == ("done", "2.0.0")


def test_a_version_that_is_never_ready_is_taken_back(board, good):
    board.bring(good)
    board.systemd(f'case "$(readlink {board.home}/current)" in *2.0.0) exit 1 ;; esac')
    done = board.update(quick(board))
    assert (board.says, board.runs) == ("not-ready", "1.0.0"), done.said
    assert (board.home / "kept/new.update").read_bytes() == good
    assert board.update(quick(board)).returncode == 0
    assert board.runs == "1.0.0"


def test_a_release_brings_its_firmware_while_the_service_stands_still(board, good):
    noted = board.root / "noted"
    board.systemd(f'echo "$1" >> {noted}')
    late = board.wishes / "now"  # whoever presses it when the game has ended just then
    load = 'echo "$@" | tr " " "\\n" | grep /bin/'
    board.loader(f"touch {late}; {{ {load}; echo loaded; }} >> {noted}")
    board.bring(good)
    board.update(quick(board))
    told = noted.read_text().split()
    command = (board.home / "current").resolve() / "bin/firmware-bridge"
    assert told[:4] == ["stop", str(command), "loaded", "restart"]
    assert (board.says, board.runs, board.left) == ("done", "2.0.0", [])


def test_a_firmware_that_is_not_kept_takes_the_version_back_and_the_old_firmware_too(board, good):
    noted = board.root / "noted"
    board.loader(f'echo "$@" >> {noted}; case "$*" in *2.0.0/bin*) exit 4 ;; esac')
    board.bring(good)
    board.update(quick(board))
    assert (board.says, board.runs) == ("firmware", "1.0.0")
    loaded = [line.split("/bin/")[0][-5:] for line in noted.read_text().splitlines()]
    assert loaded == ["2.0.0", "1.0.0"]
    assert "User=firmware-bridge" in noted.read_text()


def test_a_version_that_crashes_three_times_is_taken_back(board, good):
    board.bring(good)
    board.systemd('[ "$1" != show ] || echo 3')
    board.update(quick(board))
    assert (board.says, board.runs) == ("crashed", "1.0.0")
    assert (board.home / "updater").readlink().name == OLD


def test_an_update_waits_for_the_game(board, monkeypatch):
    updater = Updater(board.root)
    bundle = signed.Bundle("new.update", {"version": "2.0.0"}, board.root)
    monkeypatch.setattr(Updater, "examined", lambda *_: bundle)
    monkeypatch.setattr(program, "unpack", lambda _: None)
    monkeypatch.setattr(program.Releases, "build", lambda *_: board.root)
    playing = iter([True, True, False])
    monkeypatch.setattr(Service, "playing", lambda _: next(playing))
    slept = []
    monkeypatch.setattr(program.time, "sleep", slept.append)
    updater.prepare(board.spool / "new.update", board.root / "scratch")
    assert (len(slept), board.says) == (2, "waiting")


@pytest.mark.parametrize(
    ("answer", "running"),
    [
        *((json.dumps({"phase": phase}).encode(), True) for phase in sorted(PLAYED)),
        *((json.dumps({"phase": phase}).encode(), False) for phase in ("idle", "over")),
        *((text, False) for text in (b"", b"{}", b"[]", b"nonsense")),
    ],
)
def test_what_the_service_says_is_what_waits_for_a_game(board, answer, running):
    class Service(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Service) as service:
        threading.Thread(target=service.serve_forever, args=(0.01,), daemon=True).start()
        board.serves_at(service.server_port)
        assert Updater(board.root).service.playing() is running
        service.shutdown()
    assert not Updater(board.root).service.playing(), "nobody plays where no service runs"


@pytest.mark.parametrize("answer", [b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", b"gone\r\n"])
def test_a_service_that_ends_in_mid_answer_is_none_that_plays(board, answer):
    with socket.create_server(("127.0.0.1", 0)) as listens:
        board.serves_at(listens.getsockname()[1])

        def answers():
            for _ in range(2):
                asked, _ = listens.accept()
                with asked:
                    asked.recv(4096)
                    asked.sendall(answer)

        threading.Thread(target=answers, daemon=True).start()
        service = Updater(board.root).service
        assert (service.playing(), service.refuses_its_journal()) == (False, False)


def test_nobody_waits_for_a_game_whose_players_will_not(board, monkeypatch):
    (board.wishes / "now").touch()
    monkeypatch.setattr(Service, "playing", lambda _: True)
    Updater(board.root).wait_for_the_game("2.0.0")
    assert board.left == []


def test_what_a_stick_brings_is_offered_and_waits_for_a_wish(board, good):
    board.bring(good[:9], wished=False)
    board.update()
    assert board.says == "format"
    board.bring(good, wished=False)
    for _ in range(2):  # a start of the machine changes nothing
        assert board.update(quick(board)).returncode == 0
        assert board.says == "runs"
        offer = json.loads((board.spool / "offered/offer.json").read_text())
        assert (offer["state"], offer["version"], offer["notes"]) == ("offered", "2.0.0", NOTES)
        assert (board.runs, board.releases) == ("1.0.0", [OLD])
    board.wish()
    board.update(quick(board))
    assert (board.says, board.runs, board.left) == ("done", "2.0.0", [])


def test_the_newest_is_offered_in_whatever_order_they_come(board, tmp_path, keys):
    bundles = {
        version: maker.sealed(contents_of(wheel_of(version, tmp_path), version), keys / "ours")
        for version in ("1.9", "1.10", "1.2")
    }
    for version, bundle in bundles.items():
        board.bring(bundle, f"{version}.update", wished=False)
        board.update(quick(board))
    assert json.loads((board.spool / "offered/offer.json").read_text())["version"] == "1.10"
    assert (board.says, (board.home / "kept/1.2.update").exists()) == ("lesser", True)
    assert board.releases == [OLD]


@pytest.mark.parametrize("count", range(1, 30, 1 if NIGHTLY else 19))
def test_killed_while_it_offers_it_offers_all_the_same(board, good, count):
    board.bring(good, wished=False)
    killed = board.update(quick(board) + STEPS.format(count=count)).returncode
    assert (killed in (0, 99), board.runs) == (True, "1.0.0")
    assert board.update(quick(board)).returncode == 0
    assert (board.spool / "offered/offer.json").exists()
    assert [*board.spool.glob("*.update")] == []
    board.wish()
    board.update(quick(board))
    assert (board.says, board.runs, board.left) == ("done", "2.0.0", [])


def test_who_holds_the_card_is_asked_no_more(board, good):
    boot = board.root / "boot/firmware"
    boot.mkdir(parents=True)
    (boot / "new.update").write_bytes(good)
    board.update(quick(board))
    assert (board.says, board.runs, [*boot.iterdir()]) == ("done", "2.0.0", [])


SLOW = "\nimport time\ntime.strftime = lambda *_: '19700101000000'"
"""A Pi without a network has no idea which year it is."""


def updated(board, good):
    """Let a board have had an update."""
    board.bring(good)
    board.update(quick(board) + SLOW)
    assert (board.says, board.runs) == ("done", "2.0.0")
    assert board.before == "1.0.0"
    (board.wishes / "back").touch()
    return board


def test_the_version_before_runs_again_when_it_is_wished(board, good):
    updated(board, good).update(quick(board))
    assert (board.says, board.runs, board.left) == ("done", "1.0.0", [])
    assert ((board.home / "updater").readlink().name, board.before) == (OLD, "")
    (board.wishes / "back").touch()
    board.update(quick(board))
    assert (board.says, board.runs, board.left) == ("nothing-before", "1.0.0", [])
    # What was left lies between them, and did not run before.
    updated(board, good).update(quick(board))
    assert (board.says, board.runs, board.left) == ("done", "1.0.0", [])


def test_a_version_before_that_runs_no_more_is_left_again(board, good):
    updated(board, good)
    board.systemd(f'case "$(readlink {board.home}/current)" in *1.0.0) exit 1 ;; esac')
    board.update(quick(board))
    assert (board.says, board.runs, board.before, board.left) == ("stays", "2.0.0", "1.0.0", [])


@pytest.mark.parametrize("count", range(1, 30, 1 if NIGHTLY else 19))
def test_killed_on_the_way_back_it_leaves_a_release_that_runs(board, good, count):
    killed = updated(board, good).update(quick(board) + STEPS.format(count=count)).returncode
    assert killed in (0, 99)
    assert board.runs in ("1.0.0", "2.0.0")
    done = board.update(quick(board))
    assert done.returncode == 0, done.said
    assert board.runs in ("1.0.0", "2.0.0")
    assert not (board.home / "trial.json").exists()
    assert board.left == []


STEPS = """
import os, sys
left = {count}
NOTED = {{"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.symlink", "os.chmod",
         "shutil.rmtree", "shutil.copyfile", "subprocess.Popen"}}
def step(event, arguments):
    global left
    if event not in NOTED or (event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        return
    left -= 1
    if left == 0:
        os._exit(99)
sys.addaudithook(step)
"""
"""Ends the process, as a power cut does, right before it changes something for the nth time."""


@pytest.mark.parametrize("fate", ["kept", "taken back"])
def test_killed_at_any_step_it_leaves_a_release_that_runs_and_goes_on(tmp_path, keys, good, fate):
    stride, count, killed = (1 if NIGHTLY else 25), 1, 99
    while killed == 99:
        board = Board(tmp_path / str(count), keys)
        board.bring(good)
        if fate != "kept":
            board.systemd(f'case "$(readlink {board.home}/current)" in *2.0.0) exit 1 ;; esac')
        killed = board.update(quick(board) + STEPS.format(count=count)).returncode
        assert killed in (0, 99)
        assert board.runs in ("1.0.0", "2.0.0")
        done = board.update(quick(board))
        assert done.returncode == 0, done.said
        assert board.runs == ("2.0.0" if fate == "kept" else "1.0.0"), count
        assert not (board.home / "trial.json").exists()
        assert board.releases[1:] == (
            [(board.home / "current").readlink().name] if fate == "kept" else []
        )
        assert not [*board.home.glob("releases/*/unproven")]
        assert board.left == []
        count += stride
    assert count > 30


@pytest.mark.parametrize(
    ("older", "newer"),
    [("1.0.0", "1.0.1"), ("1.9", "1.10"), ("1.0.0rc1", "1.0.0"), ("1.0.0b2", "1.0.0rc1")],
)
def test_versions_are_ordered_as_people_read_them(older, newer):
    assert order(older) < order(newer)
    assert order(f"{newer}-abc1234") == order(newer)


def test_every_sentence_is_there_in_both_languages():
    words = tomllib.loads((ROOT / "hardware/install/updater/words.toml").read_text())
    assert words["en"].keys() == words["de"].keys()
    assert {*dict(BAD), *TROUBLES} - {"unbuilt"} <= words["en"].keys()
