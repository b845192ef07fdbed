import re

import pytest

from drivers.board_reasons import Reason
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.pages.forms import TABLE_RULES
from firmware_bridge.service.alerts import why
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.pages.app_help import PIN, code, pages_at


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/", "/setup", "/referee", "/play/white", "/play/black"])
async def test_every_page_exists_in_every_language(browser, path, language):
    response = await browser.get(path, params={"language": language})
    assert response.status_code == 200
    assert f'lang="{language}"' in response.text


async def test_what_can_be_read_is_in_the_page_before_any_script_runs(hands, browser):
    await hands.set_up()
    text = (await browser.get("/")).text
    assert "White begins: make a move." in text
    assert "Reversi Chess" in text


@pytest.mark.parametrize("path", ["/setup", "/learn"])
async def test_boxes_of_games_are_drawn_once_all_of_the_page_is_there(browser, path):
    """Drawn while a page came in pieces, boxes stayed empty for good in one load of four."""
    text = (await browser.get(path)).text
    assert 'class="box' in text
    assert re.search(r"<script [^>]*blocking=\"render\"", text)


@pytest.mark.parametrize("path", ["/", "/setup", "/referee", "/play/white"])
async def test_pages_need_nothing_that_the_policy_forbids(tmp_path, path):
    async with pages_at(tmp_path, client="127.0.0.1") as (_, browser):
        text = (await browser.get(path)).text
        assert not re.search(r"<script(?! type=\"(module\" src=|application/json\"))", text)
        assert not re.search(r"\son\w+=|\sstyle=|javascript:", text)
        assert "://" not in re.sub(r"https?://(10\.0\.0\.1|www\.w3\.org)", "", text)


async def test_seat_keys_are_shown_at_the_machine_alone_and_never_in_a_path(hands, browser):
    key = code(hands)
    assert key not in (await browser.get("/setup")).text
    await browser.post("/api/v1/referee", json={"key": PIN})
    text = (await browser.get("/setup")).text
    assert f"http://10.0.0.1/play/white#key={key}" in text


async def test_a_board_that_cannot_carry_a_game_says_why(browser):
    text = (await browser.get("/setup")).text
    assert "Not on this board. Needed: It feels which piece stands on a square, and" in text


@pytest.mark.parametrize("path", ["/nothing", "/play/green", "/static/nothing.css"])
async def test_a_page_that_is_not_there_says_so_in_the_readers_form(browser, path):
    page = await browser.get(path, headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert "There is no such page" in page.text
    data = await browser.get(path, headers={"Accept": "application/json"})
    assert data.json() == {"error": "Not Found"}


@pytest.mark.parametrize(
    "path",
    ["/static/look.css", "/static/board.js", "/static/signals.css", "/static/pieces.svg"],
)
async def test_what_pages_are_made_of_is_served(browser, path):
    assert (await browser.get(path)).status_code == 200


async def test_paths_do_not_lead_out(browser):
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        assert (await browser.get(path)).status_code == 404


async def test_health_tells_life_from_readiness(hands, browser):
    assert (await browser.get("/readyz")).status_code == 200
    hands.controller.link_changed(why(Reason("unpowered")))
    assert (await browser.get("/healthz")).status_code == 200
    response = await browser.get("/readyz")
    assert response.status_code == 503
    assert "Is it still powered?" in response.text


@pytest.mark.parametrize("board_page", ["http://127.0.0.1:9/", ":9"])
async def test_the_way_to_the_boards_own_page_keeps_the_language(tmp_path, board_page):
    told = {"pages": {"referee_pin": PIN, "board_page": board_page}}
    async with pages_at(tmp_path, client="127.0.0.1", config=told) as (_, browser):
        here = f"http://{browser.base_url.host}:9/"
        there = board_page if len(board_page) > 2 else here
        for place in ("/setup", "/games", "/learn/realm/1"):
            page = (await browser.get(f"{place}?language=de")).text
            assert f'href="{there}?language=de"' in page
        begun = (await browser.get("/setup?language=de&at=board")).text
        assert f'data-after="{there}?language=de"' in begun


@pytest.mark.parametrize("path", ["/static/look.css", "/static/signals.css", "/static/text.woff2"])
async def test_a_browser_that_has_a_file_is_told_so_until_it_changes(browser, path):
    first = await browser.get(path)
    assert first.headers["cache-control"] == "no-cache"
    known = {"If-None-Match": first.headers["etag"]}
    again = await browser.get(path, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    other = await browser.get(path, headers={"If-None-Match": '"of another version"'})
    assert (other.status_code, other.content) == (200, first.content)


@pytest.mark.parametrize("path", ["/kiosk", "/referee", "/save", "/board"])
async def test_a_wrong_pin_is_told_above_the_keys_where_it_is_in_sight(tmp_path, path):
    async with pages_at(tmp_path, kiosk=True, client="127.0.0.1") as (_, browser):
        text = (await browser.get(path)).text
        assert text.index('data-part="refused"') < text.index('class="keypad"')


async def test_codes_of_seats_find_their_place_when_people_follow_two_computers(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        place = '<details class="more-settings" data-part="seats"'
        for players in ({"white": "computer 1", "black": "computer 2"}, {}):
            await hands.controller.begin(Agreement("reversi", players=players))
            text = (await browser.get("/setup")).text
            assert (f"{place} hidden>" in text, f"{place}>" in text) == (bool(players), not players)
            assert "/static/seats.js" in text


@pytest.mark.parametrize(
    ("game", "idle"),
    [
        ("chess", {"record", "sealed"}),
        ("indistinguishable", {"take_backs", "coach", "record"}),
        ("reality-check", {"take_backs", "coach"}),
    ],
)
async def test_only_rules_of_the_table_that_a_game_can_have_are_offered(browser, game, idle):
    text = (await browser.get("/setup")).text
    offered = re.search(rf'value="{game}"[^>]* data-rules="([^"]*)"', text)[1].split()
    assert offered == [name for name in TABLE_RULES if name not in idle]


@pytest.mark.parametrize(
    ("players", "mine"),
    [({}, "white"), ({"black": "computer 2"}, "white"), ({"white": "computer 2"}, "black")],
)
async def test_who_plays_the_computer_is_asked_for_a_side(tmp_path, players, mine):
    async with pages_at(tmp_path) as (hands, browser):
        await hands.controller.begin(Agreement("reversi", players=players))
        text = (await browser.get("/setup")).text
        assert re.findall(r'name="mine" value="(\w+)" checked', text) == [mine]


async def test_the_referee_is_asked_who_has_won_and_not_for_a_side(browser):
    await browser.post("/api/v1/referee", json={"key": PIN})
    text = (await browser.get("/referee?language=en")).text
    assert re.search(r'Who has won <select name="winner">', text)
