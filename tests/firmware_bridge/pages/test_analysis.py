"""What is thought of a game that is over can be seen meanwhile, and never helps a player."""

import asyncio

import pytest

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.opponents.protocol import WON, Judgement
from firmware_bridge.pages import game_analysis
from firmware_bridge.pages.texts import speaking
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.service.analyst import Thought, practised
from firmware_bridge.service.review import Question, asked_at, questions
from rules.interface import IllegalTurn
from tests.firmware_bridge.pages.app_help import pages_at
from tests.firmware_bridge.pages.test_games import play
from tests.firmware_bridge.table.driving import Driven
from tests.patience import PATIENCE
from tests.sample import SAMPLE


async def thought(browser, address, ready):
    async with asyncio.timeout(PATIENCE):
        while True:
            state = (await browser.get(f"{address}/state?language=de")).json()
            if ready(state):
                return state
            await asyncio.sleep(0.05)


async def test_a_position_is_thought_about_while_it_is_watched(hands, browser):
    await play(hands)
    address = f"/api/v1/games/{hands.controller.game_id}/analysis"
    assert not (await browser.get(f"{address}/state")).json()["goes_on"]
    assert (await browser.post(address, json={"number": 3, "branch": []})).status_code == 202
    state = await thought(browser, address, lambda state: "lines" in state)
    assert state["number"] == 3
    assert state["lines"][0]["score"] == "-#1"
    assert state["lines"][0]["text"] == "Dh4#"
    assert state["chance"] == 0
    assert {"source": "d8", "target": "h4"} in state["frame"]["advised"]
    tried = {"number": 0, "branch": ["e2e4", "e7e5"]}
    assert (await browser.post(address, json=tried)).status_code == 202
    state = await thought(browser, address, lambda state: len(state.get("lines", ())) == 3)
    assert state["branch"] == ["e2e4", "e7e5"]
    assert state["frame"]["pieces"]["e4"]["kind"] == "P"
    assert "e2" not in state["frame"]["pieces"]
    assert len({line["turns"][0] for line in state["lines"]}) == 3
    await hands.controller.analyst.close()


@pytest.mark.parametrize(
    ("tried", "status"),
    [
        ({"number": 0, "branch": ["e2e5"]}, 409),
        ({"number": 4, "branch": ["e2e4"]}, 409),
        ({"number": -1, "branch": []}, 400),
        ({"number": 0, "branch": ["x" * 401]}, 400),
    ],
)
async def test_what_cannot_be_tried_is_refused(hands, browser, tried, status):
    await play(hands)
    address = f"/api/v1/games/{hands.controller.game_id}/analysis"
    assert (await browser.post(address, json=tried)).status_code == status


async def test_nothing_is_analysed_while_people_play(hands, browser):
    await play(hands)
    address = f"/api/v1/games/{hands.controller.game_id}/analysis"
    looked = {"number": 0, "branch": []}
    await hands.controller.begin(Agreement("reversi", settings=GameSettings.of({})))
    await hands.begin()
    assert hands.controller.table.state.stage == "playing"
    assert (await browser.post(address, json=looked)).status_code == 409
    assert "lines" not in (await browser.get(f"{address}/state")).json()
    running = f"/api/v1/games/{hands.controller.game_id}/analysis"
    assert (await browser.post(running, json=looked)).status_code == 409
    assert (await browser.get(f"{running}/state")).status_code == 409


async def test_a_game_that_is_practised_is_analysed_while_it_goes_on(tmp_path):
    async with pages_at(tmp_path, "mockery", practice=True) as (hands, browser):
        assert (await browser.get("/games/now")).status_code == 404
        await hands.begin()
        assert hands.controller.table.state.stage == "playing"
        page = await browser.get("/games/now?language=de")
        assert page.status_code == 200
        listed = (await browser.get("/games?language=de")).text
        assert "/games/now" in listed
        address = "/api/v1/games/now/analysis"
        answer = await browser.post(address, json={"number": 0, "branch": []})
        assert answer.status_code == 202
        assert (await thought(browser, address, lambda state: "lines" in state))["lines"]
        await hands.controller.analyst.close()


@pytest.mark.parametrize("game", [*SAMPLE, "indistinguishable"])
def test_what_hides_something_is_not_open_where_it_is_practised(game):
    hides = game in ("indistinguishable", "reality-check")
    for practice in (True, False):
        table = Driven(game, settings={"practice": practice}).table
        assert practised(table) == (practice and not hides)


async def test_no_other_game_on_the_table_is_open(hands, browser):
    await hands.begin()
    for address in ("/games/now", "/api/v1/games/now/analysis/state"):
        assert (await browser.get(address)).status_code == 404


@pytest.mark.parametrize("game", SAMPLE)
def test_it_is_told_what_the_side_to_act_was_told(game):
    driven = Driven(game)
    driven.random_turns(seed=3, count=6)
    driven.say("resign", driven.position.side)
    recorded = RecordedGame.of(driven.table.records)
    asked = questions(recorded)
    assert asked
    for question in asked:
        assert asked_at(recorded, question.number) == question


@pytest.mark.parametrize("side", ["white", "black"])
def test_secrets_change_no_byte_of_what_it_is_told_of_a_branch(side):
    """Two starts that a side cannot tell apart, and the same turns tried from either."""
    game = rules.load("reality-check")
    worlds = game.believe(side, game.start().knowledge(side)).worlds()
    heard = []
    for start in (worlds[0], worlds[-1]):
        driven = Driven("reality-check", position=str(start))
        driven.say("resign", start.side)
        branch = [] if side == start.side else ["d3b5"]
        heard.append(asked_at(RecordedGame.of(driven.table.records), 0, branch).told)
    assert heard[0] == heard[1]


def test_a_branch_goes_no_further_than_the_end_of_the_game():
    driven = Driven("reversi")
    driven.play("f2f3", "e7e5", "g2g4", "d8h4")
    recorded = RecordedGame.of(driven.table.records)
    assert asked_at(recorded, 3, ("d8h4",)).position.outcome
    with pytest.raises(IllegalTurn):
        asked_at(recorded, 3, ("d8h4", "a2a3"))


@pytest.mark.parametrize(
    ("side", "score", "told"),
    [
        ("white", 123, "+1.2"),
        ("black", 123, "-1.2"),
        ("white", WON - 1, "#1"),
        ("white", WON - 3, "#2"),
        ("black", WON - 3, "-#2"),
        ("black", -WON + 2, "#1"),
    ],
)
def test_scores_are_written_for_white(side, score, told):
    position = rules.load("reversi").start()
    line = ("e2e4", "e7e5") if side == "white" else ("e7e5",)
    if side == "black":
        position = position.play(position.parse_turn("e2e4"))
    thought = Thought(Question(0, position, ()), (Judgement(score, line),))
    shown = game_analysis.told(thought, speaking("en", "reversi"))["lines"][0]
    assert shown["score"] == told
    assert shown["turns"] == list(line)
