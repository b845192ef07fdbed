"""Games that are over can be looked at again and taken home; others cannot."""

import contextlib
import io
import json
import re
import sqlite3

import chess.pgn
import pytest
import segno

import rules
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Call, Chosen, Hinted
from firmware_bridge.messages.records import Record
from firmware_bridge.opponents.protocol import Known
from firmware_bridge.pages import game_review
from firmware_bridge.pages.past_games import frames
from firmware_bridge.pages.texts import speaking
from firmware_bridge.recordings import export
from firmware_bridge.service.review import Review, TurningPoint
from firmware_bridge.service.reviewer import Progress
from tests.firmware_bridge.pages.app_help import PIN, pages_at
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import in_turn
from tests.patience import soon
from tests.sample import SAMPLE


async def play(hands):
    """Play the fool's mate, which Black wins, with an illegal attempt in it."""
    await hands.begin("e2e5")
    await hands.wait(1.0)
    await hands.move("e5e2")
    for turn, side in (("f2f3", "white"), ("e7e5", "black"), ("g2g4", "white"), ("d8h4", "black")):
        await hands.turn(turn, side)


def embedded(page):
    return json.loads(re.search(r'id="frames">(.*?)</script>', page.text, re.DOTALL)[1])


async def test_a_phone_that_is_pointed_at_the_end_is_led_to_the_game(tmp_path):
    async with pages_at(tmp_path) as (hands, browser):
        await play(hands)
        assert 'data-part="home"' in (await browser.get("/")).text
        assert 'data-part="home"' not in (await browser.get("http://127.0.0.1/")).text
        (entry,) = (await browser.get("/api/v1/games")).json()
        picture = await browser.get(f"/games/{entry['id']}/code.svg")
        assert picture.headers["content-type"] == "image/svg+xml"
        led = segno.make(f"http://10.0.0.1/games/{entry['id']}", error="m", mask=0)
        assert re.findall(' d="(.*?)"', picture.text)[-1] in led.svg_inline(border=2)
        assert (await browser.get("/games/20200101-1/code.svg")).status_code == 404


@pytest.mark.parametrize("game", ["reversi", "indistinguishable"])
async def test_a_finished_game_is_listed_replayed_and_exported_for_everyone(tmp_path, game):
    async with pages_at(tmp_path, game) as (hands, browser):
        await play(hands)
        (entry,) = (await browser.get("/api/v1/games")).json()
        assert entry["outcome"] == {"winner": "black", "reason": "checkmate", "rated": True}
        listed = await browser.get("/games?language=de")
        assert entry["id"] in listed.text
        assert "Schwarz gewinnt. Schachmatt." in listed.text
        led = await browser.get("/games/newest")
        assert led.headers["location"] == f"/games/{entry['id']}"
        page = await browser.get("/games/newest?language=en", follow_redirects=True)
        assert page.url.path == f"/games/{entry['id']}"
        steps = embedded(page)
        assert [step["turn"] for step in steps] == ["", "f3", "e5", "g4", "Qh4#"]
        assert steps[-1]["pieces"]["h4"] | {"marks": []} == {
            "kind": "Q", "side": "black", "marks": [],
        }  # fmt: skip
        assert any("e2 to e5." in note for note in steps[0]["notes"])
        pgn = chess.pgn.read_game(
            io.StringIO((await browser.get(f"/api/v1/games/{entry['id']}.pgn")).text)
        )
        assert pgn.headers["Result"] == "0-1"
        assert pgn.headers["Date"] == entry["begun"][:10].replace("-", ".")
        told = (await browser.get(f"/api/v1/games/{entry['id']}.json")).json()
        assert [turn["turn"] for turn in told["turns"]] == ["f2f3", "e7e5", "g2g4", "d8h4"]
        felt = await browser.get(f"/api/v1/games/{entry['id']}.jsonl")
        assert json.loads(felt.text.splitlines()[0])["game"] == game


async def test_the_last_game_can_be_had_when_the_next_one_is_on_the_table(hands, browser):
    await play(hands)
    ended = hands.controller.game_id
    for _ in range(2):
        hands.t += 10.0
        await hands.set_up()
    assert hands.controller.game_id != ended
    for kind in ("json", "pgn", "jsonl"):
        answer = await browser.get(f"/api/v1/games/{ended}.{kind}")
        assert answer.status_code == 200, kind
    assert [game["id"] for game in (await browser.get("/api/v1/games")).json()] == [ended]


async def test_a_game_is_deleted_without_a_keyboard_on_a_kiosk(tmp_path):
    async with pages_at(tmp_path, kiosk=True) as (hands, browser):
        await play(hands)
        page = await browser.get("/games/newest", follow_redirects=True)
        assert page.text.count("data-digit=") == 11


@pytest.mark.parametrize("game", ["reversi", "indistinguishable"])
async def test_a_game_that_is_not_over_is_not_told(tmp_path, game):
    async with pages_at(tmp_path, game) as (hands, browser):
        await hands.begin()
        assert (await browser.get("/api/v1/games")).json() == []
        for page in ("", "/known"):
            led = await browser.get(f"/games/newest{page}?language=de")
            assert led.headers["location"] == "/games?language=de", "nothing is over yet"
        for kind in ("json", "pgn", "jsonl"):
            answer = await browser.get(f"/api/v1/games/{hands.controller.game_id}.{kind}")
            assert answer.status_code == 409
            assert "over" in answer.json()["error"]
        page = await browser.get(
            f"/games/{hands.controller.game_id}", headers={"accept": "text/html"}
        )
        assert page.status_code == 409
        assert "This game is not over yet" in page.text
        assert "frames" not in page.text


async def test_a_game_that_nobody_played_is_not_found(browser):
    for address in ("/games/nothing", "/api/v1/games/nothing.json"):
        assert (await browser.get(address)).status_code == 404
    assert (await browser.get("/api/v1/games/nothing.exe")).status_code == 404


async def test_a_broken_old_game_is_told_and_hinders_no_new_one(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await play(hands)
        ended = hands.controller.game_id
        await hands.controller.begin(hands.controller.agreement)
        with contextlib.closing(sqlite3.connect(tmp_path / "journal.sqlite")) as card:
            card.execute("UPDATE records SET data = '{' WHERE seq = 1 AND game = 1")
            card.commit()
        answer = await browser.get(f"/api/v1/games/{ended}.json")
        assert answer.status_code == 500
        assert "All other games can be read" in answer.json()["error"]
        games = await browser.get("/games", headers={"accept": "text/html"})
        assert games.status_code == 200
        assert ended not in games.text
        assert (await browser.get("/setup")).status_code == 200
        assert (await browser.post("/api/v1/game", json={"game": "mockery"})).status_code == 202


@pytest.mark.parametrize(("game", "language"), in_turn(SAMPLE, ["en", "de"]))
def test_every_step_shows_what_stood_there(game, language):
    driven = Driven(game)
    driven.random_turns(seed=5, count=12)
    driven.say("resign", driven.position.side)
    recorded = export.RecordedGame.of(tuple(driven.table.records))
    assert recorded.state == driven.table.state
    steps = frames(recorded, speaking(language, game))
    assert len(steps) == len(driven.table.state.played) + 1
    position = rules.load(game).start()
    for step, played in zip(steps, (*driven.table.state.played, None), strict=True):
        shown = {
            square: (piece["side"][0] + piece["kind"], piece.get("under"))
            for square, piece in step["pieces"].items()
        }
        position = played.before if played else driven.position
        assert shown == {square: opened(label) for square, label in position.placement.items()}
    assert steps[-1]["notes"]


def opened(label):
    """Return what a label's piece shows, and what lies under it."""
    side, name, down = label[0], label[1:].partition(":")[0], label.partition(":")[2]
    if not down:
        return side + name, None
    up = name.replace(down, "", 1)
    return side + up, down


def test_a_game_whose_end_was_taken_back_is_not_over(tmp_path):
    journal = Journal(tmp_path)
    begun = Record(0, "begun", {"game": "reversi", "players": {}})
    journal.append("a", [begun, Record(5, "ended", {"winner": None, "reason": "flag-fall"})])
    journal.append("a", [Record(6, "opened", {"address": "::1"})])
    assert [game.id for game in journal.finished(9)] == ["a"]
    journal.append("a", [Record(7, "call", {"what": "take-back"})])
    assert journal.finished(9) == ()
    journal.close()


async def test_an_adjourned_game_is_taken_up_from_the_set_up_page(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await hands.begin("e2e4")
        adjourned = hands.controller.game_id
        assert "take-up" not in (await browser.get("/setup")).text
        await browser.post("/api/v1/referee", json={"key": PIN})
        await browser.post("/api/v1/referee/actions", json={"call": "adjourn"})
        await browser.post("/api/v1/game", json={"game": "mockery"})
        page = (await browser.get("/setup?language=de")).text
        assert f"/api/v1/games/{adjourned}/take-up" in page
        assert "Weiterspielen" in page
        answer = await browser.post(f"/api/v1/games/{adjourned}/take-up", json={})
        assert answer.status_code == 202
        assert hands.controller.game_id == adjourned
        again = await browser.post(f"/api/v1/games/{hands.controller.game_id}x/take-up", json={})
        assert again.status_code == 404


async def test_strangers_take_nothing_up(browser):
    assert (await browser.post("/api/v1/games/x/take-up", json={})).status_code == 403


async def test_a_review_is_asked_for_awaited_and_told_in_the_readers_language(hands, browser):
    address = "/api/v1/games/newest/review"
    assert (await browser.post(address, json={})).status_code == 404
    address = f"/api/v1/games/{hands.controller.game_id}/review"
    assert (await browser.post(address, json={})).status_code == 409
    await play(hands)
    state = f"{address}/state?language=de"
    assert (await browser.get(state)).json() == {"goes_on": False, "message": ""}
    assert (await browser.post(address, json={})).status_code == 202
    waiting = (await browser.get(state)).json()
    assert waiting["goes_on"]
    assert waiting["message"]
    reviewer, game_id = hands.controller.reviewer, hands.controller.game_id
    await soon(lambda: reviewer.progress(game_id).review)
    found = (await browser.get(state)).json()
    assert found["chances"][-1] == 0
    (point,) = [one for one in found["turning_points"] if one["number"] == 2]
    assert point["turn"] == "g4"
    assert point["text"].startswith("Aussichten von ")
    assert point["advised"]
    assert found["worst"]["title"].endswith("Weiß, g4")
    assert found["worst"]["frame"]["advised"] == point["advised"]
    await reviewer.close()


def test_what_could_not_be_known_is_told_with_its_chances():
    driven = Driven("reality-check")
    driven.random_turns(seed=4, count=2)
    driven.say("resign", driven.position.side)
    recorded = export.RecordedGame.of(driven.table.records)
    played = recorded.state.played[0]
    known = Known(12, {"c4": {"bNR:R": 0.25, "bPN:P": 0.75}})
    better = next(turn for turn in played.before.turns() if turn != played.turn)
    point = TurningPoint(0, played.side, played.turn, better, 0.5, 0.25, known)
    done = Progress(1, 1, Review((0.5, 0.25), (point,)))
    told = game_review.told(done, recorded, speaking("en", "reality-check"))
    (shown,) = told["turning_points"]
    assert shown["known"] == [
        "What could be known then: 12 positions were possible.",
        "c4: pawn underneath 75 %, rook underneath 25 %",
    ]


async def test_hints_that_were_given_stand_beside_the_result(tmp_path):
    async with pages_at(tmp_path, practice=True) as (hands, browser):
        await hands.begin()
        controller = hands.controller
        await controller.submit(Call(controller.now(), "hint", "white"))
        await controller.submit(Hinted(controller.now(), controller.table.state.number, "e2e4"))
        scene = (await browser.get("/api/v1/state")).json()
        assert "Hint: Pawn from e2 to e4." in scene["more"]
        assert not [line for line in scene["news"] if "Hint" in line]
        await controller.submit(Call(controller.now(), "resign", "white"))
        page = await browser.get("/games/newest?language=de", follow_redirects=True)
        assert "Weiß (Tipps: 1)" in page.text
        assert [step["notes"][:1] for step in embedded(page)] == [["Tipp: e4"]]


async def test_a_game_with_a_computer_is_given_out_as_it_was_felt(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        wanted = {"game": "mockery", "players": {"black": "computer 2"}}
        await browser.post("/api/v1/game", json=wanted)
        await hands.begin("e2e4")
        controller = hands.controller
        number = controller.table.state.number
        await controller.submit(Chosen(controller.now(), "e7e5", number))
        await controller.submit(Call(controller.now(), "resign", "white"))
        address = f"/api/v1/games/{controller.game_id}.jsonl"
        given = await browser.get(address)
        assert '"chosen": "e7e5", "number": 1' in given.text
        page = await browser.get("/games/newest?language=en", follow_redirects=True)
        assert address in page.text


@pytest.mark.parametrize("game", ["reversi", "indistinguishable"])
async def test_a_game_that_was_broken_off_is_listed_and_gone_through(tmp_path, game):
    async with pages_at(tmp_path, game, client="127.0.0.1") as (hands, browser):
        await hands.begin("e2e4")
        left = hands.controller.game_id
        assert (await browser.get(f"/games/{left}")).status_code == 409
        assert (await browser.get("/api/v1/games")).json() == []
        await browser.post("/api/v1/game", json={"game": game})
        (entry,) = (await browser.get("/api/v1/games")).json()
        assert (entry["id"], entry["outcome"]) == (left, None)
        assert "Abgebrochen." in (await browser.get("/games?language=de")).text
        page = await browser.get(f"/games/{left}?language=en")
        assert "Broken off." in page.text
        assert [step["turn"] for step in embedded(page)] == ["", "e4"]
        given = (await browser.get(f"/api/v1/games/{left}.json")).json()
        assert [turn["turn"] for turn in given["turns"]] == ["e2e4"]
        for kind in ("pgn", "jsonl"):
            assert (await browser.get(f"/api/v1/games/{left}.{kind}")).status_code == 200
        table = hands.controller.game_id
        assert (await browser.get(f"/api/v1/games/{table}.json")).status_code == 409
        await browser.post("/api/v1/game", json={"game": game})
        assert len((await browser.get("/api/v1/games")).json()) == 1  # no turn was made in it
