"""The page of versions tells what root's updater wrote, and leaves it wishes for the PIN."""

import json

import pytest

from tests.firmware_bridge.pages.app_help import PIN, pages_at

TOLD = {"en": "Version 2 is ready.", "de": "Version 2 ist bereit."}


@pytest.fixture
def machine(tmp_path):
    """A machine with an updater."""
    (tmp_path / "wishes").mkdir()
    return tmp_path


def at(machine, status=None):
    if status is not None:
        text = status if isinstance(status, str) else json.dumps(status)
        (machine / "update.json").write_text(text)
    updates = {
        "status": machine / "update.json",
        "wishes": machine / "wishes",
        "fetched": machine / "fetch.json",
        "offered": machine / "offer.json",
    }
    return pages_at(machine, config={"updates": updates})


@pytest.mark.parametrize("status", [None, "", "[]", "{}", '{"state": 1, "told": 3}'])
async def test_without_an_updater_it_tells_the_version_alone(machine, status):
    async with at(machine, status) as (_, browser):
        page = await browser.get("/update")
        assert page.status_code == 200
        assert "<form" not in page.text


async def test_it_tells_how_an_update_stands_in_the_readers_language(machine):
    async with at(machine, {"state": "building", "told": TOLD}) as (_, browser):
        assert TOLD["en"] in (await browser.get("/update")).text
        german = (await browser.get("/update?language=de")).text
        assert TOLD["de"] in german
        assert "<form" not in german


async def test_it_tells_how_it_went_with_the_address_beside_it(machine):
    fetched = {"en": "Not reached.", "de": "Nicht erreicht."}
    (machine / "fetch.json").write_text(json.dumps({"state": "unreached", "told": fetched}))
    async with at(machine, {"state": "building", "told": TOLD}) as (_, browser):
        german = (await browser.get("/update?language=de")).text
        assert TOLD["de"] in german
        assert fetched["de"] in german


OFFER = {
    "state": "offered",
    "version": "2.0.0",
    "told": TOLD,
    "notes": {"en": "Better <tea>.", "de": "Besserer Tee."},
}


def offers(machine, **other):
    (machine / "offer.json").write_text(json.dumps(OFFER | other))


async def test_it_tells_what_is_new_and_offers_both_ways(machine):
    offers(machine)
    async with at(machine, {"state": "done", "told": TOLD, "before": "1.0.0"}) as (_, browser):
        page = (await browser.get("/update")).text
        assert "Better &lt;tea&gt;." in page
        for wish, version in {"install": "2.0.0", "back": "1.0.0"}.items():
            assert f'data-entry="/api/v1/update/{wish}"' in page
            assert version in page
        assert "Besserer Tee." in (await browser.get("/update?language=de")).text


@pytest.mark.parametrize("state", ["building", "waiting", "restarting", "watching"])
async def test_nothing_else_is_offered_while_one_is_put_in_place(machine, state):
    offers(machine)
    async with at(machine, {"state": state, "told": TOLD, "before": "1.0.0"}) as (_, browser):
        for wish in ("install", "back"):
            answer = await browser.post(f"/api/v1/update/{wish}", json={"key": PIN})
            assert answer.status_code == 409
        assert "Better" not in (await browser.get("/update")).text


@pytest.mark.parametrize("notes", [None, 3, [], "x", {"en": None}])
async def test_notes_that_are_none_spoil_nothing(machine, notes):
    offers(machine, notes=notes)
    async with at(machine, {"state": "done", "told": TOLD}) as (_, browser):
        assert (await browser.get("/update")).status_code == 200


@pytest.mark.parametrize(
    ("state", "wished"),
    [("waiting", "now"), ("done", "back"), ("altered", "back"), ("done", "install")],
)
async def test_a_wish_takes_the_pin_and_is_left_once(machine, state, wished):
    status = {"state": state, "told": TOLD, "before": "" if wished == "install" else "1.0.0"}
    if wished == "install":
        offers(machine)
    async with at(machine, status) as (_, browser):
        assert f'data-entry="/api/v1/update/{wished}"' in (await browser.get("/update")).text
        address, other = f"/api/v1/update/{wished}", "back" if wished != "back" else "now"
        wrong = await browser.post(address, json={"key": "0000" + PIN[4:]})
        assert (wrong.status_code, [*(machine / "wishes").iterdir()]) == (403, [])
        refused = await browser.post(f"/api/v1/update/{other}", json={"key": PIN})
        assert refused.status_code == 409
        assert (await browser.post(address, json={"key": PIN})).status_code == 202
        assert [path.name for path in (machine / "wishes").iterdir()] == [wished]
        assert "<form" not in (await browser.get("/update")).text
        assert (await browser.post(address, json={"key": PIN})).status_code == 409


async def test_a_way_back_need_not_wait_for_the_game_either(machine):
    (machine / "wishes/back").touch()  # until it is on trial
    async with at(machine, {"state": "waiting", "told": TOLD, "before": "1.0.0"}) as (_, browser):
        assert 'data-entry="/api/v1/update/now"' in (await browser.get("/update")).text
        assert (await browser.post("/api/v1/update/now", json={"key": PIN})).status_code == 202
        assert "<form" not in (await browser.get("/update")).text
