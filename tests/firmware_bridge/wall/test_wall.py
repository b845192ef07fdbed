"""The real command on a real broker: what a page hears, and what people see in a browser."""

import json
import os
import re
import subprocess
import sys
import urllib.request

import paho.mqtt.publish
import pytest

from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.firmware_bridge.wall.states import published
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
    command = [sys.executable, "-m", "firmware_bridge", "wall", *(f"--set={c}" for c in changes)]
    output = tmp_path / "wall.log"
    with output.open("w") as file:
        env = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=env)
    try:
        yield until(lambda: re.search(r"at (http\S+)", output.read_text()))[1]
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0, output.read_text()


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
    with urllib.request.urlopen(f"{wall}api/v1/boards", timeout=PATIENCE) as answer:
        scene = json.load(answer)
    return scene, {card["id"]: card for card in scene["cards"]}


def test_boards_that_were_there_before_and_such_that_come_later(broker, wall):
    publish(broker, ("a/availability", "online"), ("a/state", published("Board A")))
    until(lambda: boards(wall)[1].get("a", {}).get("state"))
    publish(broker, ("b/availability", "online"), ("b/state", published("Board B", "realm")))
    until(lambda: boards(wall)[1].get("b", {}).get("state"))
    scene, _ = boards(wall)
    assert scene["connected"]
    assert scene["totals"] == {"boards": 2, "online": 2}


def test_a_broker_that_restarts_is_said_and_found_again(broker, wall):
    publish(broker, ("a/state", published("Board A")))
    until(lambda: "a" in boards(wall)[1])
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
    first = page.eval_on_selector_all(
        ".card", "cards => cards.sort((a, b) => a.style.order - b.style.order)[0].dataset.board"
    )
    assert first == "b"
    publish(broker, ("a/state", published("Board A", result="1-0", phase="over")))
    page.wait_for_selector(".results b")
    assert "Board A: 1-0 Ada - Ben" in page.inner_text(".results")
    page.fill('[data-part="find"]', "zoe")
    assert page.locator(".card:visible").count() == 1
    broker.kill()
    page.wait_for_selector('[data-part="no-broker"]:visible')
    assert complaints == []


def test_without_a_broker_it_says_what_is_missing():
    command = [sys.executable, "-m", "firmware_bridge", "wall"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 3
    assert "mqtt.host is not set" in done.stderr
    assert "Traceback" not in done.stderr
