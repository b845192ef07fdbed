"""The page that a card asks at its first start, and what it writes down."""

import io
import re
import shutil
import sys
import threading
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import shipped
from firmware_bridge.config import Config, load_config
from firmware_bridge.journal import Journal
from firmware_bridge.saved.archive import save
from firmware_bridge.words import offered
from hardware.install.first_start import __main__ as program
from hardware.install.first_start import imager, restoring, writing
from hardware.install.first_start import page as asking_page
from hardware.install.first_start.answers import (
    BOARDS,
    NAMES,
    WORDS,
    Answers,
    answers_of,
    read_file,
)
from hardware.install.first_start.page import FirstStart, is_near, page
from tests.patience import PATIENCE

INSTALL = Path(__file__).parents[2] / "hardware" / "install"
WELL = {
    "language": "de",
    "board": "starter",
    "use": "kiosk",
    "hostname": "Brett-2",
    "network": 'Café; \\ "zu Hause"',
    "password": 'geheim \\ "12',
    "country": "de",
    "timezone": "Europe/Berlin",
    "pin": "271828",
    "rotation": "90",
    "protected": "yes",
}


@pytest.fixture
def card(tmp_path):
    (tmp_path / "etc/firmware-bridge").mkdir(parents=True)
    shutil.copy(INSTALL / "config.toml", tmp_path / "etc/firmware-bridge")
    shutil.copy(INSTALL / "card/etc/fstab", tmp_path / "etc")
    return tmp_path


def write_down(card, **said):
    answers = answers_of({**WELL, **said})
    assert answers.problems() == ()
    writing.write_down(answers, BOARDS.get(answers.board, ""), card)
    return load_config(card / "etc/firmware-bridge/config.toml")


def boot_line(card):
    (line,) = re.findall("^LABEL=BOOT.*", (card / "etc/fstab").read_text(), re.MULTILINE)
    return line


def test_what_was_answered_is_what_the_service_starts_with(card):
    configuration = card / writing.CONFIGURATION
    configuration.chmod(0o640)
    config = write_down(card)
    assert configuration.stat().st_mode & 0o777 == 0o640, "it stays whose and what mode it was"
    assert (config.language, config.board.driver) == ("de", "serial")
    assert config.board.description == "starter"
    assert (config.pages.kiosk, config.pages.host) == (True, "0.0.0.0")
    assert config.pages.names == ("brett-2.local", "brett-2")
    assert config.pages.referee_pin == "271828"
    assert (card / "etc/hostname").read_text() == "brett-2\n"
    assert "regdom=DE" in (card / "etc/modprobe.d/first-start.conf").read_text()


def test_a_card_is_protected_by_choice_and_no_longer_by_choice(card):
    write_down(card)
    assert "tmpfs" in (card / writing.OVERLAY).read_text()
    assert " ro," in boot_line(card)
    before = (card / "etc/fstab").read_text()
    write_down(card, protected="")
    assert not (card / writing.OVERLAY).exists()
    assert " rw," in boot_line(card)
    assert before.count("\n") == (card / "etc/fstab").read_text().count("\n")


def test_answers_can_be_given_again_and_leave_what_a_person_wrote(card):
    write_down(card)
    configuration = card / writing.CONFIGURATION
    configuration.write_text(configuration.read_text() + "\n[sound]\nvolume = 40 # at night\n")
    config = write_down(card, use="home", board="full", pin="", network="", password="")
    assert (config.pages.kiosk, config.board.description) == (False, "full")
    assert (config.sound.volume, config.pages.referee_pin) == (40, "271828")
    assert "at night" in configuration.read_text()
    assert (card / writing.NETWORK).exists(), "an empty network keeps the one there is"


def test_a_network_is_kept_by_bytes_and_key_that_root_alone_reads(card):
    write_down(card)
    file = card / writing.NETWORK
    assert file.stat().st_mode & 0o777 == 0o600
    lines = dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
    assert bytes(map(int, lines["ssid"].rstrip(";").split(";"))).decode() == WELL["network"]
    assert WELL["password"] not in file.read_text()
    known = answers_of({**WELL, "network": "IEEE", "password": "password"})
    standards_own = "psk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
    assert standards_own in writing.connection(known)


def test_with_a_cable_nothing_is_written_of_networks(card):
    write_down(card, network="", password="", country="")
    assert not (card / "etc/NetworkManager").exists()
    assert not (card / "etc/modprobe.d").exists()


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("language", "xx", "bad-language"),
        ("board", "../../etc/passwd", "bad-board"),
        ("board", "", "bad-board"),
        ("use", "bar", "bad-use"),
        ("hostname", "two words", "bad-hostname"),
        ("hostname", "-a", "bad-hostname"),
        ("hostname", "a\nb", "bad-hostname"),
        ("network", "é" * 17, "bad-network"),
        ("network", "", "bad-password-alone"),
        ("password", "short", "bad-password"),
        ("password", "x" * 64, "bad-password"),
        ("password", "0" * 65, "bad-password"),
        ("rotation", "45", "bad-rotation"),
        ("password", "Passwörter", "bad-password"),
        ("country", "Germany", "bad-country"),
        ("pin", "123", "bad-pin"),
        ("pin", "12345x", "bad-pin"),
    ],
)
def test_what_cannot_be_is_named_in_every_language(name, value, problem):
    assert answers_of({**WELL, name: value}).problems() == (problem,)
    assert all(words[problem] for words in WORDS.values())


@given(
    st.fixed_dictionaries({name: st.just(WELL[name]) | st.text(max_size=20) for name in NAMES}),
    st.sampled_from(
        ["", "[pages]\n", '[board]\ndriver="x"\n[pages]\nkiosk =true\n', "language='a'"]
    ),
)
def test_whatever_is_typed_is_refused_or_makes_a_usable_configuration(said, before):
    answers = answers_of(said)
    assert page(answers)
    if not answers.problems():
        text = writing.configured(before, answers, BOARDS[answers.board])
        config = Config.model_validate(tomllib.loads(text))
        assert (config.language, config.board.description) == (answers.language, answers.board)
        assert config.pages.names[1] == answers.hostname


def test_the_first_start_speaks_every_language_that_pages_offer_and_offers_boards_that_are_there():
    assert set(WORDS) == set(offered())
    assert len({frozenset(words) for words in WORDS.values()}) == 1
    assert set(BOARDS) <= set(shipped())


@pytest.fixture
def file(tmp_path):
    return tmp_path / "first-start.toml"


def test_a_file_on_the_card_can_answer_all_or_only_begin(file):
    file.write_bytes('\ufeffboard = "starter"\r\nprotected = true\r\nlanguage = "de"\r\n'.encode())
    answers, wrong = program.from_file(file)
    assert (answers.board, answers.protected, answers.language, wrong) == (
        "starter",
        True,
        "de",
        (),
    )
    file.write_text('network = "here"\npassword = "12345678"\n')
    answers, wrong = program.from_file(file)
    assert (answers.board, answers.network, wrong) == ("", "here", ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('board = "no such"', ("bad-board", "")),
        ('network = "here"\npassword = "short"', ("bad-password", "")),
        ('wifi = "here"', ("bad-file", "wifi")),
        ("\xff\xfe", ("bad-file", "")),
        ("board = starter", ("bad-file", "line 1")),
    ],
)
def test_a_file_that_cannot_be_used_is_told_and_not_lost(file, text, told):
    file.write_bytes(text.encode("latin-1"))
    (wrong,) = program.from_file(file)[1]
    assert wrong[0] == told[0]
    assert told[1] in wrong[1]
    assert file.exists()


def test_the_example_on_the_card_says_nothing_but_names_every_answer():
    text = (INSTALL / "first-start.example.toml").read_text()
    assert read_file(text.encode()) == Answers()
    filled = re.sub(r"^# (?=\w+ = )", "", text, flags=re.MULTILINE)
    assert set(re.findall(r"^(\w+) = ", filled, re.MULTILINE)) == set(NAMES)
    assert set(program.from_file(INSTALL / "first-start.example.toml")[1]) == set()
    read_file(filled.encode())


@pytest.fixture
def machine(card, monkeypatch):
    """A machine that asks, and every command that it ran; one that contains `fails` fails."""
    (card / "boot").mkdir()
    (card / "boot" / program.ASKING).touch()
    machine = SimpleNamespace(card=card, ran=[], fails=None, asking=card / "boot" / program.ASKING)

    def run(*command):
        if machine.fails and machine.fails in command:
            raise OSError("no such unit")
        machine.ran.append(command)

    monkeypatch.setattr(program, "run", run)
    monkeypatch.setattr(program, "ROOT", card)
    monkeypatch.setattr(program, "PROTECTED", card / "not mounted")
    monkeypatch.setattr(program, "BOOT", card / "boot")
    return machine


IMAGER = {
    "user-data": """#cloud-config
hostname: Tisch-3
manage_etc_hosts: true
packages:
- avahi-daemon
timezone: Europe/Berlin
users:
- name: pi
  passwd: $5$salt$hash
  ssh_authorized_keys:
    - ssh-ed25519 AAAA somebody
    - ssh-rsa BBBB another
  sudo: ALL=(ALL) NOPASSWD:ALL
ssh_pwauth: true
""",
    "network-config": """network:
  version: 2
  wifis:
    wlan0:
      dhcp4: true
      regulatory-domain: "DE"
      access-points:
        "Café: \\"unten\\"":
          hidden: true
          password: "%s"
      optional: true
"""
    % ("0f" * 32),
    "meta-data": "instance-id: rpi-imager-1\n",
}


@pytest.fixture
def imaged(machine):
    """A card that Raspberry Pi Imager has written, with its settings."""
    for name, text in IMAGER.items():
        (machine.asking.parent / name).write_text(text)
    (machine.card / "usr/share/zoneinfo/Europe").mkdir(parents=True)
    (machine.card / "usr/share/zoneinfo/Europe/Berlin").touch()
    return machine


def test_what_was_set_in_the_imager_is_known_and_kept(imaged):
    answers, wrong = program.from_file(imaged.asking)
    assert (answers.hostname, answers.network, answers.country) == (
        "tisch-3", 'Café: "unten"', "DE",
    )  # fmt: skip
    assert (wrong, answers.board) == ((), "")
    program.finish(replace(answers, board="starter", pin="2718"))
    network = (imaged.card / writing.NETWORK).read_text()
    assert f"psk={'0f' * 32}\n" in network
    assert (imaged.card / "etc/localtime").readlink() == Path("../usr/share/zoneinfo/Europe/Berlin")
    assert (imaged.card / "etc/hostname").read_text() == "tisch-3\n"
    boot = imaged.asking.parent
    assert [path.name for path in boot.iterdir()] == ["authorized_keys"]
    keys = (boot / "authorized_keys").read_text().splitlines()
    assert keys == ["ssh-ed25519 AAAA somebody", "ssh-rsa BBBB another"]


def test_the_cards_own_file_counts_before_what_the_imager_was_told(imaged):
    imaged.asking.write_text('board = "full"\nhostname = "club"\n')
    (imaged.asking.parent / "authorized_keys").write_text("ssh-ed25519 CCCC mine\n")
    answers, wrong = program.from_file(imaged.asking)
    assert (answers.hostname, answers.timezone, wrong) == ("club", "Europe/Berlin", ())
    program.finish(answers)
    assert "CCCC" in (imaged.asking.parent / "authorized_keys").read_text()


@pytest.mark.parametrize("text", ["a: [", "\t", "hostname: {", b"\xff".decode("latin-1")])
def test_what_the_imager_wrote_and_cannot_be_read_is_told(imaged, text):
    (imaged.asking.parent / "user-data").write_bytes(text.encode("latin-1"))
    _, ((key, told),) = program.from_file(imaged.asking)
    assert (key, told.startswith("user-data: ")) == ("bad-imager", True)
    program.finish(answers_of(WELL))
    assert not imaged.asking.exists()


@given(said=st.recursive(st.none() | st.text(max_size=9) | st.integers(), lambda inner: st.one_of(
    st.lists(inner, max_size=3),
    st.dictionaries(st.sampled_from(["network", "wifis", "wlan0", "access-points", "password",
        "users", "ssh_authorized_keys", "hostname", "timezone"]), inner, max_size=4))))  # fmt: skip
def test_settings_of_any_shape_are_answers_or_none(tmp_path_factory, said):
    boot = tmp_path_factory.mktemp("boot")
    for name in ("user-data", "network-config"):
        (boot / name).write_text(yaml.safe_dump(said))
    assert isinstance(answers_of(imager.settings(boot)), Answers)
    imager.take_keys(boot)


def test_a_place_that_nobody_knows_leaves_the_clock_alone(imaged):
    program.finish(answers_of({**WELL, "timezone": "Atlantis/Deep"}))
    assert not (imaged.card / "etc/localtime").exists()
    assert answers_of({"timezone": "../../etc/shadow"}).problems() == ("bad-board", "bad-timezone")


@pytest.mark.parametrize(("use", "change"), [("kiosk", "enable"), ("home", "disable")])
def test_the_display_belongs_to_a_kiosk_alone(machine, use, change):
    program.finish(answers_of({**WELL, "use": use}))
    assert machine.ran == [("systemctl", f"--root={machine.card}", change, program.DISPLAY)]
    assert not machine.asking.exists()


def test_a_card_asks_again_as_long_as_anything_failed(machine):
    machine.fails = "enable"
    with pytest.raises(OSError, match="no such unit"):
        program.finish(answers_of(WELL))
    assert machine.asking.exists()


def test_a_protected_card_is_written_below_its_layer_in_memory(machine, tmp_path, monkeypatch):
    monkeypatch.setattr(program, "ROOT", tmp_path / "in memory")
    monkeypatch.setattr(program, "PROTECTED", machine.card)
    monkeypatch.setattr(Path, "is_mount", lambda path: path == machine.card)
    program.finish(answers_of({**WELL, "protected": ""}))
    places = [command[-1] for command in machine.ran if command[0] == "mount"]
    assert places == [str(machine.card), str(machine.card / "boot")]
    assert not (tmp_path / "in memory").exists()
    assert load_config(machine.card / writing.CONFIGURATION).board.description == "starter"


@pytest.mark.parametrize(
    ("address", "near"),
    [("127.0.0.1", True), ("192.168.1.9", True), ("169.254.3.4", True), ("93.184.216.34", False)],
)
def test_the_page_is_for_networks_in_a_house(address, near):
    assert is_near(address) == near


class Asking:
    """A first start that asks, and what it wrote down."""

    def __init__(self):
        self.finished = []
        self.broken = ""
        known = answers_of({"language": "de", "network": "here", "password": "in the file"})
        self.server = FirstStart(
            ("127.0.0.1", 0),
            known,
            (("bad-country", ""),),
            self._finish,
            lambda sent, language: restoring.restore(sent, language, self.root),
        )
        self.root = None
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def _finish(self, answers):
        if self.broken:
            raise OSError(self.broken)
        self.finished.append(answers)

    def ask(self, query="", said=None, **headers):
        body = (
            said
            if said is None or isinstance(said, bytes)
            else urllib.parse.urlencode(said).encode()
        )
        request = urllib.request.Request(self.url + query, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()


@pytest.fixture
def asking():
    asking = Asking()
    yield asking
    asking.server.shutdown()
    asking.thread.join(PATIENCE)
    asking.server.server_close()


def test_the_page_asks_with_what_the_file_began_but_shows_no_password(asking):
    status, text = asking.ask()
    assert status == 200
    assert 'lang="de"' in text
    assert WORDS["de"]["bad-country"] in text
    assert 'value="here"' in text
    assert "in the file" not in text
    assert all(f'value="{board}"' in text for board in BOARDS)
    assert 'lang="en"' in asking.ask("?language=en")[1]
    assert asking.ask("?language=xx")[0] == 200
    assert asking.ask("api/v1/kiosk")[0] == 404


def test_the_page_asks_until_the_answers_are_usable_and_forgets_none(asking):
    status, text = asking.ask(said={**WELL, "pin": "<b>", "country": "Germany"})
    assert status == 422
    assert all(WORDS["de"][key] in text for key in ("bad-pin", "bad-country"))
    assert 'value="Caf\xe9; \\ &quot;zu Hause&quot;"' in text
    assert "<b>" not in text
    asking.broken = "no space left"
    status, text = asking.ask(said=WELL)
    assert (status, "no space left" in text) == (422, True)
    asking.broken = ""
    assert asking.thread.is_alive()
    status, text = asking.ask(said=WELL)
    assert (status, "http://brett-2.local:8321/" in text) == (200, True)
    asking.thread.join(PATIENCE)
    assert not asking.thread.is_alive()
    assert asking.finished == [answers_of(WELL)]


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8321", "localhost:8321", "[::1]", "192.168.1.9", "firmware-bridge.local",
     "Firmware-Bridge:8321"],
)  # fmt: skip
def test_the_page_is_found_by_addresses_and_by_its_own_names(asking, host):
    assert asking.ask(Host=host)[0] == 200
    assert asking.ask(said={**WELL, "pin": "x"}, Host=host, Origin=f"http://{host}")[0] == 422


def test_the_network_of_the_file_needs_no_second_password(asking):
    asking.ask(said={**WELL, "network": "here", "password": ""})
    assert [each.password for each in asking.finished] == ["in the file"]


@pytest.mark.parametrize(
    ("said", "headers", "status"),
    [
        (WELL, {"Origin": "http://elsewhere.example"}, 403),
        (WELL, {"Origin": "http://elsewhere.example", "Host": "elsewhere.example"}, 403),
        (WELL, {"Host": "elsewhere.example"}, 403),
        (WELL, {"Host": "elsewhere.example@127.0.0.1"}, 403),
        (WELL, {"Host": "127.0.0.1.elsewhere.example"}, 403),
        (WELL, {"Origin": "null"}, 403),
        (WELL, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
        (None, {"Host": "elsewhere.example"}, 403),
        (None, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({**WELL, "more": "1"}, {}, 400),
        ({**WELL, "network": "x" * 5000}, {}, 413),
        (WELL, {"Content-Length": "many"}, 413),
    ],
)
def test_what_no_form_of_ours_sends_is_refused_and_the_page_stays(asking, said, headers, status):
    assert asking.ask(said=said, **headers)[0] == status
    assert asking.ask()[0] == 200
    assert asking.finished == []


@pytest.fixture
def second_card(asking, card, tmp_path, monkeypatch):
    """A card that asks, and what was saved on the first one: its own board, and a kiosk."""
    program_file = tmp_path / "firmware-bridge"
    program_file.write_text(f'#!/bin/sh\nexec {sys.executable} -m firmware_bridge "$@"\n')
    program_file.chmod(0o755)
    (tmp_path / "games").mkdir()
    monkeypatch.setattr(restoring, "PROGRAM", program_file)
    for module in (restoring, asking_page):
        monkeypatch.setattr(module, "GAMES", tmp_path / "games")
    asking.root, asking.games = card, tmp_path / "games"
    first = Config.model_validate(
        {
            "data": tmp_path / "first",
            "language": "de",
            "board": {"driver": "gpio", "description": "starter-header"},
            "pages": {"kiosk": True, "names": ["brett.local"], "referee_pin": "271828"},
        }
    )
    Journal(first.data).close()
    save(first, tmp_path / "saved.zip", keys=True)
    asking.saved = (tmp_path / "saved.zip").read_bytes()
    return asking


def test_everything_saved_on_another_card_is_restored_and_the_rest_still_asked(second_card, card):
    assert second_card.ask("restore?language=de", said=second_card.saved) == (200, "")
    page_then = second_card.ask()[1]
    assert "Wiederhergestellt: 0 Partien" in page_then
    assert 'value="as-saved" selected' in page_then
    assert 'value="kiosk" selected' in page_then
    assert 'value="brett"' in page_then
    assert "271828" not in page_then
    config = write_down(card, board="as-saved", use="kiosk", hostname="brett", pin="")
    assert (config.board.driver, config.board.description) == ("gpio", "starter-header")
    assert config.pages.referee_pin == "271828"
    assert (second_card.games / "journal.sqlite").exists()
    assert not (second_card.games / restoring.SENT).exists()


def test_a_file_that_cannot_be_restored_is_told_and_the_card_asks_on(
    second_card, card, monkeypatch
):
    before = (card / writing.CONFIGURATION).read_bytes()
    status, told = second_card.ask("restore?language=de", said=second_card.saved[:-100])
    assert (status, "Kopiere sie noch einmal" in told) == (422, True)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    status, told = second_card.ask("restore", said=second_card.saved)
    assert (status, WORDS["en"]["bad-room"] in told) == (422, True)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**9))
    with pytest.raises(restoring.NotTaken, match="bad-sent"):
        restoring.receive(io.BytesIO(b"half"), 8)
    assert (card / writing.CONFIGURATION).read_bytes() == before
    assert WORDS["de"]["restore-go"] in second_card.ask()[1]
    assert second_card.ask("restore", said=second_card.saved, Host="elsewhere.example")[0] == 403
