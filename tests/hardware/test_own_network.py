"""A machine that no known network answers makes its own, and asks there for another."""

import json
import re
import stat
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.install.first_start import network
from hardware.install.first_start.answers import WORDS, Answers, answers_of
from hardware.install.first_start.network import (
    PATIENCE_S,
    RETRY_S,
    TRIES,
    Asked,
    Keeper,
    NetworkPage,
    pin_of,
)
from hardware.install.first_start.radio import ADDRESS, OWN, Radio, own_network
from hardware.install.first_start.writing import connection
from tests.patience import PATIENCE, until

HOUSE = Answers(network="house", password="right-password")


class World:
    """A house: which networks are on the air, what the router takes, and one radio."""

    def __init__(self):
        self.t = 0.0
        self.air = {"house": "right-password"}
        self.known = None  # what was written down
        self.joined = None
        self.own = False
        self.cable = False
        self.stations = 0
        self.can_own = True

    def exists(self):
        return True

    def is_connected(self):
        # NetworkManager joins what it knows by itself, but one radio is in one network only.
        if self.known and not self.own and self.air.get(self.known.network) == self.known.password:
            self.joined = self.known.network
        if self.joined not in self.air:
            self.joined = None
        return self.cable or self.joined is not None

    def in_sight(self):
        return tuple(self.air)

    def open_own(self):
        if not self.can_own:
            raise OSError("no such mode")
        self.own, self.joined = True, None

    def close_own(self):
        self.own = False

    def join(self, connection):
        if self.known.network not in self.air:
            return "bad-join-not-there"
        return "" if self.is_connected() else "bad-join-refused"

    def guests(self):
        return self.stations


class Night:
    """The keeper in this house, second by second."""

    def __init__(self, known=None):
        self.world, self.asked = World(), Asked()
        self.world.known = known
        self.keeper = Keeper(self.world, self.asked, self.write, lambda: self.world.t)

    def write(self, answers):
        self.world.known = answers

    def run(self, seconds):
        for _ in range(int(seconds)):
            self.world.t += 1
            self.keeper.step()

    @property
    def reached(self):
        """Whether anybody can reach the machine at all."""
        return self.world.own or self.world.is_connected()


def test_a_machine_whose_network_answers_never_makes_one():
    night = Night(HOUSE)
    night.run(3600)
    assert (night.world.joined, night.world.own, night.keeper.asks) == ("house", False, False)


def test_a_router_that_restarts_is_waited_for():
    night = Night(HOUSE)
    night.world.air = {}
    night.run(PATIENCE_S - 5)
    assert not night.world.own
    night.world.air = {"house": "right-password"}
    night.run(3600)
    assert night.world.joined == "house"


def test_without_any_network_there_is_a_page_and_a_good_answer_ends_it():
    night = Night()
    night.run(PATIENCE_S + 1)
    assert night.keeper.asks
    assert night.asked.sight == ("house",)
    night.asked.answered = HOUSE
    night.run(2)
    assert (night.world.joined, night.keeper.asks, night.asked.wrong) == ("house", False, ())


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (Answers(network="house", password="wrong-password"), "bad-join-refused"),
        (Answers(network="huose", password="right-password"), "bad-join-not-there"),
    ],
)
def test_after_a_wrong_answer_the_page_is_back_and_says_why(answer, wrong):
    night = Night()
    night.run(PATIENCE_S + 1)
    night.asked.answered = answer
    night.run(2)
    assert night.keeper.asks
    assert night.asked.wrong == (wrong,)
    assert night.asked.known.network == answer.network
    night.asked.answered = HOUSE
    night.run(2)
    assert night.world.joined == "house"


def test_a_router_that_comes_hours_later_is_joined_unless_somebody_is_a_guest():
    night = Night(HOUSE)
    night.world.air = {}
    night.world.stations = 1
    night.run(PATIENCE_S + 1)
    assert night.world.own
    for _ in range(3 * int(RETRY_S)):
        night.run(1)
        assert night.world.own, "whoever is playing over our network is not thrown out"
    night.world.air = {"house": "right-password"}
    night.world.stations = 0
    night.run(RETRY_S + PATIENCE_S)
    assert night.world.joined == "house"


def test_a_cable_ends_our_own_network():
    night = Night()
    night.run(PATIENCE_S + 1)
    night.world.cable = True
    night.run(2)
    assert not night.world.own


def test_a_device_that_cannot_make_a_network_is_left_to_look_for_others():
    night = Night(HOUSE)
    night.world.air, night.world.can_own = {}, False
    night.run(10 * PATIENCE_S)
    assert not night.keeper.asks
    night.world.air = {"house": "right-password"}
    night.run(2)
    assert night.world.joined == "house"


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["router", "gone", "changed", "cable", "pulled", "guest", "alone", "answer"]
        ),
        st.integers(1, 500),
    ),
    max_size=12,
)


@given(EVENTS)
def test_whatever_happens_somebody_can_reach_it_soon(events):
    night = Night(HOUSE)
    world = night.world
    for event, seconds in events:
        match event:
            case "router":
                world.air = {"house": "right-password"}
            case "gone":
                world.air = {}
            case "changed":
                world.air = {"house": "another-password"}
                world.joined = None
            case "cable" | "pulled":
                world.cable = event == "cable"
            case "guest" | "alone":
                world.stations = int(event == "guest")
            case "answer":
                night.asked.answered = HOUSE if night.keeper.asks else None
        night.run(seconds)
    night.run(PATIENCE_S + 2)
    for _ in range(int(PATIENCE_S) + 2):  # in which it may just have looked for others again
        night.run(1)
        if night.reached:
            break
    assert night.reached or world.t < PATIENCE_S
    world.air, world.stations = {world.known.network: world.known.password}, 0
    night.run(RETRY_S + 2 * PATIENCE_S + 5)
    assert world.cable or world.joined, "and the house's network is joined when it is there again"


NMCLI = """#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
words = [word for word in sys.argv[1:] if not word.startswith("--")]
with (here / "called").open("a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
answer = json.loads((here / "answers.json").read_text())
for key, (code, out, err) in answer.items():
    if key in " ".join(words):
        sys.stdout.write(out)
        sys.stderr.write(err)
        sys.exit(code)
"""


@pytest.fixture
def radio(tmp_path):
    """A radio with a command in NetworkManager's place, that answers as this one does."""
    command = tmp_path / "nmcli"
    command.write_text(NMCLI.format(python=sys.executable))
    command.chmod(command.stat().st_mode | stat.S_IXUSR)

    def answering(**answers):
        found = {key.replace("_", " "): value for key, value in answers.items()}
        (tmp_path / "answers.json").write_text(json.dumps(found))
        return Radio(str(command))

    return answering


@pytest.mark.parametrize(
    ("devices", "connected"),
    [
        ("wifi:connected:house\nloopback:connected (externally):lo\n", True),
        (f"wifi:connected:{OWN}\n", False),
        (f"ethernet:connected:Wired\nwifi:connected:{OWN}\n", True),
        ("wifi:connecting (getting IP configuration):house\n", False),
        ("ethernet:unavailable:\nwifi:disconnected:\n", False),
        ("wifi:connected:a\\:b\n", True),
    ],
)
def test_what_networkmanager_tells_of_devices_is_understood(radio, devices, connected):
    asked = radio(device=(0, devices, ""))
    assert asked.is_connected() == connected
    assert asked.exists() == ("wifi" in devices)


def test_networks_in_sight_are_named_once_as_they_are(radio):
    listed = "house\n\nCaf\\:e\nhouse\n"
    assert radio(device_wifi_list=(0, listed, "")).in_sight() == ("house", "Caf:e")


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("Error: Connection activation failed: (7) Secrets were required, but not provided.\n",
         "bad-join-refused"),
        ("Error: Connection activation failed: (53) The Wi-Fi network could not be found\n",
         "bad-join-not-there"),
        ("Error: Timeout expired (60 seconds)\n", "bad-join"),
    ],
)  # fmt: skip
def test_why_a_network_was_not_joined_is_told(radio, said, key):
    assert radio(connection_up=(4, "", said)).join("first-start") == key
    assert radio(connection_up=(0, "", "")).join("first-start") == ""
    assert all(words[key] for words in WORDS.values())


def test_our_own_network_fails_aloud(radio):
    with pytest.raises(OSError, match="not supported"):
        radio(connection_up=(4, "", "Error: AP mode is not supported\n")).open_own()


def test_our_own_network_is_one_that_every_telephone_joins():
    text = own_network("brett-2")
    lines = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    assert bytes(map(int, lines["ssid"].rstrip(";").split(";"))) == b"brett-2"
    assert (lines["mode"], lines["method"], lines["key-mgmt"]) == ("ap", "disabled", "wpa-psk")
    assert "method=shared" in text
    assert lines["autoconnect"] == "false"
    assert len(lines["psk"]) >= 8


def test_an_open_network_and_a_key_in_digits_are_written_as_they_are():
    open_one = connection(Answers(network="café"))
    assert "security" not in open_one
    assert "psk" not in open_one
    key = "0123456789ABCDEF" * 4
    assert f"psk={key.lower()}\n" in connection(Answers(network="house", password=key))
    answers = answers_of({"board": "starter", "network": "x", "password": key, "country": "gb"})
    assert answers.problems() == ()
    assert answers.country == "GB"


@contextmanager
def served(pin="", first=False, asked=None):
    page = NetworkPage(
        ("127.0.0.1", 0), asked or Asked(("house", "<b>")), lambda: pin, lambda: first
    )
    thread = threading.Thread(target=page.serve_forever)
    thread.start()
    try:
        yield page, f"http://127.0.0.1:{page.server_address[1]}"
    finally:
        page.shutdown()
        thread.join()
        page.server_close()


def ask(address, host=ADDRESS, **said):
    answer = httpx.request(
        "POST" if said else "GET", address, data=said, headers={"Host": host}, timeout=PATIENCE
    )
    return answer.status_code, answer.headers.get("Location") or answer.text


def test_a_telephone_that_looks_for_the_internet_is_led_to_the_page():
    with served() as (_, address):
        for host in ("connectivitycheck.gstatic.com", "captive.apple.com", "firmware-bridge.local"):
            assert ask(f"{address}/generate_204", host) == (302, f"http://{ADDRESS}/")
    with served(first=True) as (_, address):
        assert ask(address) == (302, f"http://{ADDRESS}:8321/")


@pytest.mark.parametrize("language", WORDS)
def test_the_page_offers_what_is_heard_and_takes_an_answer(language):
    with served() as (page, address):
        status, text = ask(f"{address}/?language={language}")
        assert (status, "<option>house</option>" in text, "<b></option>" in text) == (
            200,
            True,
            False,
        )
        status, text = ask(address, network="house", password="right-password", language=language)
        assert (status, "house" in text) == (200, True)
        until(lambda: page.asked.answered)  # only after the answer, which our network carries
        assert page.asked.answered.network == "house"
        assert "right-password" not in text


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"network": ""}, "bad-network-needed"),
        ({"network": "x" * 33}, "bad-network"),
        ({"network": "house", "password": "short"}, "bad-password"),
        ({"network": "house", "country": "Germany"}, "bad-country"),
        ({"network": "house", "pin": "1111"}, "bad-pin-wrong"),
        ({"network": "house"}, "bad-pin-wrong"),
    ],
)
def test_what_cannot_be_is_named_and_nothing_is_tried(said, problem):
    with served(pin="271828") as (page, address):
        pin = {} if problem == "bad-pin-wrong" else {"pin": "271828"}
        status, text = ask(address, **pin, **said, language="de")
        assert status == 422
        assert WORDS["de"][problem] in text
        assert page.asked.answered is None


def test_nobody_guesses_the_pin():
    with served(pin="271828") as (page, address):
        for _ in range(TRIES):
            _, text = ask(address, network="house", pin="0000", language="de")
            assert WORDS["de"]["bad-pin-wrong"] in text
        status, text = ask(address, network="house", pin="271828")
        assert (status, WORDS["en"]["bad-too-many"] in text) == (422, True)
        assert page.asked.answered is None


def test_the_pin_is_the_configurations(tmp_path):
    assert pin_of(tmp_path) == ""
    file = tmp_path / "etc/firmware-bridge/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[pages]\nreferee_pin = "271828"\n')
    assert pin_of(tmp_path) == "271828"


def test_the_unit_may_do_what_the_program_needs():
    card = Path(network.__file__).parents[1] / "card/etc/systemd/system"
    unit = (card / "firmware-bridge-network.service").read_text()
    assert "-m first_start.network" in unit
    assert "CAP_NET_BIND_SERVICE" in unit, "a telephone looks for the page at port 80"
    assert re.search(r"extra=.*dnsmasq-base", (card.parents[3] / "make-card").read_text())
