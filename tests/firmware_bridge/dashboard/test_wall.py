"""The real command on a real broker: what a page hears, and what people see in a browser."""

import json
import re
import signal

import httpx
import paho.mqtt.publish
import pytest

from tests.browser import violations
from tests.commands import running
from tests.e2e.faces import SCREENS, faults
from tests.firmware_bridge.dashboard.states import published
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.nightly import NIGHTLY, at_night
from tests.patience import PATIENCE, until

pytestmark = pytest.mark.broker


@pytest.fixture
def broker(tmp_path):
    with Mosquitto(tmp_path) as mosquitto:
        yield mosquitto


@pytest.fixture
def wall(tmp_path, broker):
    """Run the wall; give its address."""
    changes = ["mqtt.host=127.0.0.1", f"mqtt.port={broker.port}", "pages.port=0"]
    output = tmp_path / "wall.log"
    with running("wall", *(f"--set={change}" for change in changes), output=output) as process:
        yield until(lambda: re.search(r"at (http\S+)", output.read_text()))[1]
        process.send_signal(signal.SIGHUP)  # as when its terminal is closed
        assert process.wait() == 0, output.read_text()


def publish(broker, *messages):
    paho.mqtt.publish.multiple(
        [
            (
                f"firmware-bridge/{topic}",
                told if isinstance(told, str) else json.dumps(told),
                1,
                True,
            )
            for topic, told in messages
        ],
        "127.0.0.1",
        broker.port,
    )


def boards(wall):
    scene = httpx.get(f"{wall}api/v1/boards", timeout=PATIENCE).json()
    return scene, {card["id"]: card for card in scene["cards"]}


def test_boards_that_come_sooner_or_later_and_a_broker_that_restarts_are_told(broker, wall):
    publish(broker, ("a/availability", "online"), ("a/state", published("Board A")))
    until(lambda: boards(wall)[1].get("a", {}).get("state"))
    publish(broker, ("b/availability", "online"), ("b/state", published("Board B", "realm")))
    until(lambda: boards(wall)[1].get("b", {}).get("state"))
    scene, _ = boards(wall)
    assert scene["connected"]
    assert scene["totals"] == {"boards": 2, "online": 2}

    broker.kill()
    until(lambda: not boards(wall)[0]["connected"])
    broker.start()
    until(lambda: boards(wall)[0]["connected"])
    publish(broker, ("a/state", published("Board A", turns=5)))
    until(lambda: boards(wall)[1]["a"]["state"]["turns"] == 5)


@pytest.mark.browser
def test_people_see_boards_results_and_faults(broker, wall, browser):
    publish(
        broker,
        ("a/availability", "online"),
        ("a/state", published("Board A")),
        ("b/availability", "online"),
        ("b/state", published("Board B", "mockery", faults=["e4"])),
        ("c/state", published("Board C", players={"white": "<b>Eve</b>", "black": "Zoe"})),
    )
    page = browser.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: line.type == "error" and complaints.append(line.text))
    page.goto(wall)
    page.wait_for_selector('[data-board="a"] [data-square="e2"].piece.white')
    assert "Sensors: e4" in page.inner_text('[data-board="b"]')
    assert "<b>Eve</b>" in page.inner_text('[data-board="c"]')
    assert "Not heard from yet" in page.inner_text('[data-board="c"]')
    assert "3 boards, 2 online, 1 needs help" in page.inner_text('[data-part="totals"]')
    publish(broker, ("c/availability", "offline"))
    page.wait_for_selector('[data-board="c"].attention:has-text("Lost in the middle of a game")')
    assert violations(page) == []
    first = page.eval_on_selector_all(
        ".card", "cards => cards.sort((a, b) => a.style.order - b.style.order)[0].dataset.board"
    )
    assert first == "b"
    publish(broker, ("a/state", published("Board A", result="1-0", phase="over")))
    page.wait_for_selector(".results b")
    assert "Board A: 1-0 Ada - Ben" in page.inner_text(".results")
    two = {"shared": "0123456789abcdef"}  # they play one game, far away from each other
    publish(broker, *((f"{name}/state", published(f"Town {name}", **two)) for name in ("x", "y")))
    page.wait_for_selector('.card:has-text("Town x \u2013 Town y")')
    assert page.locator(".card:visible").count() == 4
    publish(
        broker,
        *((f"{name}/state", published(f"Town {name}", result="0-1", **two)) for name in "xy"),
    )
    page.wait_for_selector('.results li:has-text("0-1")')
    assert page.locator(".results li").count() == 2
    assert faults(page, {"phone": SCREENS["phone"]}) == {}
    page.fill('[data-part="find"]', "zoe")
    assert page.locator(".card:visible").count() == 1
    page.fill('[data-part="find"]', "nobody")
    page.wait_for_selector('[data-part="none"]:has-text("called that"):visible')
    broker.kill()
    page.wait_for_selector('[data-part="no-broker"]:visible')
    assert complaints == []


TURN = 12_000
"""Milliseconds that a page of the wall stays."""
BOARDS = 500 if NIGHTLY else 150
HELP = {
    "t-3": ("Sensors: e4", {"faults": ["e4"]}),
    "t-70": ("Put it back.", {"urgent": True, "headline": "Put it back."}),
    "t-90": ("cannot be read at “phase”", {"phase": "asleep"}),
    "t-91": ("No such port.", {"link": "No such port."}),
}
NAMES = [
    "",
    " ",
    "x" * 300,
    "\u202etfel\u2066",
    "a\nb\x07",
    "Z" + "\u0353" * 60,
    "<b>&amp;",
    "__proto__",
]
SHOWN = """() => [...document.querySelectorAll(".card:not([hidden])")].map((card) => {
  const { left, top, right, bottom } = card.getBoundingClientRect();
  return { board: card.dataset.board, order: Number(card.style.order), text: card.innerText,
           inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight };
})"""


@pytest.mark.browser
def test_a_whole_hall_is_seen_without_hands_and_who_needs_help_first(broker, wall, browser):
    state = published("", players={"white": "Ada", "black": "Ben"})
    told = {f"t-{n}": {**state, "board": f"Table {n}"} for n in range(BOARDS)}
    for number, name in enumerate(NAMES):
        told[f"t-{number}"] |= {"board": name, "players": {"white": name, "black": name}}
    for board, (_, change) in HELP.items():
        told[board] |= change
    publish(broker, *((f"{board}/availability", "online") for board in told))
    publish(broker, *((f"{board}/state", state) for board, state in told.items()))
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.clock.install(time=0)
    page.goto(wall)
    until(lambda: f"{BOARDS} boards" in page.inner_text('[data-part="totals"]'))
    page.clock.pause_at(10_000 * TURN)  # pages turn as long as somebody looks at them here
    assert "4 need help" in page.inner_text('[data-part="totals"]')
    seen = set()
    pages = int(page.inner_text('[data-part="page"]').split()[-1])
    assert 1 < pages <= 1 + BOARDS // 70
    for _ in range(pages):
        cards = sorted(page.evaluate(SHOWN), key=lambda card: card["order"])
        assert {card["board"] for card in cards[: len(HELP)]} == set(HELP)
        for card in cards[: len(HELP)]:
            assert HELP[card["board"]][0] in card["text"]
        assert all(card["inside"] for card in cards)
        seen |= {card["board"] for card in cards}
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        page.clock.run_for(TURN)
    assert seen == set(told)
    assert complaints == []


@at_night("a whole hall is looked at by day")
@pytest.mark.browser
def test_few_boards_are_large_and_many_are_small(broker, wall, browser):
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    publish(broker, ("t-0/availability", "online"))
    page.goto(f"{wall}?language=de")
    until(lambda: page.inner_text('[data-part="totals"]') == "1 Brett, 1 verbunden")
    page.goto(f"{wall}?language=en")
    until(lambda: page.inner_text('[data-part="totals"]') == "1 board, 1 online")
    widths = []
    for number in (1, 12, 60):
        publish(broker, *((f"t-{n}/availability", "online") for n in range(number)))
        publish(broker, *((f"t-{n}/state", published(f"Table {n}")) for n in range(number)))
        until(lambda number=number: f"{number} online" in page.inner_text('[data-part="totals"]'))
        until(lambda number=number: page.locator(".card").count() == number)
        widths.append(page.locator(".card").first.bounding_box()["width"])
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert widths[0] > 1.5 * widths[1] > 2.5 * widths[2]


def test_without_a_broker_it_says_what_is_missing(tmp_path):
    output = tmp_path / "wall.log"
    with running("wall", output=output) as process:
        assert process.wait() == 3
    assert "mqtt.host is not set" in output.read_text()
    assert "Traceback" not in output.read_text()
