import pytest

from tests.firmware_bridge.pages.app_help import PIN, pages_at

WRONG = "000000"


async def test_the_show_is_on_every_display_in_its_language_until_the_screen_is_touched(tmp_path):
    async with pages_at(tmp_path, kiosk=True, client="127.0.0.1") as (hands, browser):
        await hands.set_up()
        assert (await browser.get("/api/v1/state")).json()["show"] is None
        hands.t += 20
        await hands.kiosk_manager.look()
        english = (await browser.get("/api/v1/state")).json()["show"]
        german = (await browser.get("/api/v1/state?language=de")).json()["show"]
        assert english["pieces"] == german["pieces"]
        assert english["line"] != german["line"]
        assert (await browser.post("/api/v1/kiosk/wake", json={})).status_code == 202
        assert (await browser.get("/api/v1/state")).json()["show"] is None


async def test_nobody_far_away_ends_the_show(tmp_path):
    async with pages_at(tmp_path, kiosk=True) as (hands, browser):
        await hands.set_up()
        hands.t += 20
        await hands.kiosk_manager.look()
        assert (await browser.post("/api/v1/kiosk/wake", json={})).status_code == 403
        assert (await browser.get("/api/v1/state")).json()["show"] is not None


async def test_the_kiosk_is_left_by_pin_alone(tmp_path):
    async with pages_at(tmp_path, kiosk=True) as (_, browser):
        assert 'class="kiosk"' in (await browser.get("/kiosk")).text
        answer = await browser.post("/api/v1/kiosk/leave", json={"key": WRONG})
        assert answer.status_code == 403
        assert (await browser.get("/api/v1/kiosk")).json() == {"kiosk": True, "left": False}
        answer = await browser.post("/api/v1/kiosk/leave", json={"key": PIN})
        assert answer.status_code == 202
        assert (await browser.get("/api/v1/kiosk")).json() == {"kiosk": False, "left": True}
        assert 'class="kiosk"' not in (await browser.get("/kiosk")).text


@pytest.mark.parametrize("place", ["kiosk", "referee", "board", "save"])
async def test_a_pin_is_entered_without_a_keyboard_wherever_a_kiosk_asks_for_it(tmp_path, place):
    for kiosk in (True, False):
        async with pages_at(tmp_path / str(kiosk), kiosk=kiosk) as (_, browser):
            page = (await browser.get(f"/{place}")).text
            assert page.count("data-digit=") == (11 if kiosk else 0)


async def test_what_never_was_a_kiosk_is_not_said_to_be_left(tmp_path):
    async with pages_at(tmp_path) as (_, browser):
        assert "This is no kiosk." in (await browser.get("/kiosk?language=en")).text


async def test_tries_are_few_and_shared_with_the_referees(tmp_path):
    async with pages_at(tmp_path, kiosk=True) as (_, browser):
        for place in ("kiosk/leave", "referee", "kiosk/leave", "referee", "kiosk/leave"):
            answer = await browser.post(f"/api/v1/{place}", json={"key": WRONG})
            assert answer.status_code == 403
        answer = await browser.post("/api/v1/kiosk/leave", json={"key": PIN})
        assert answer.status_code == 429
        assert (await browser.get("/api/v1/kiosk")).json() == {"kiosk": True, "left": False}


@pytest.mark.parametrize(
    ("kiosk", "config", "code"),
    [(False, {}, "de"), (True, {}, "en"), (False, {"language": "en"}, "en")],
)
async def test_a_browser_of_ones_own_is_answered_in_its_language(tmp_path, kiosk, config, code):
    async with pages_at(tmp_path, kiosk=kiosk, config=config) as (_, browser):
        page = await browser.get("/learn", headers={"accept-language": "de-AT,en;q=0.5"})
        assert f'<html lang="{code}"' in page.text


@pytest.mark.parametrize("place", ["/", "/setup", "/learn"])
async def test_a_chosen_language_stays(tmp_path, place):
    async with pages_at(tmp_path, kiosk=True) as (_, browser):
        assert '<html lang="en"' in (await browser.get(place)).text
        await browser.get("/?language=de")
        page = (await browser.get(place)).text
        assert '<html lang="de"' in page
        assert f'href="{place}?language=en"' in page


async def test_an_invented_language_is_not_remembered(browser):
    answer = await browser.get("/?language=xx")
    assert "set-cookie" not in answer.headers
    assert '<html lang="en"' in answer.text
