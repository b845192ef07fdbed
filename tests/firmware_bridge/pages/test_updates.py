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


@pytest.mark.parametrize(
    ("state", "wished"), [("waiting", "now"), ("done", "back"), ("altered", "back")]
)
async def test_a_wish_takes_the_pin_and_is_left_once(machine, state, wished):
    status = {"state": state, "told": TOLD, "before": "1.0.0"}
    async with at(machine, status) as (_, browser):
        assert f'data-entry="/api/v1/update/{wished}"' in (await browser.get("/update")).text
        address, other = f"/api/v1/update/{wished}", {"now": "back", "back": "now"}[wished]
        wrong = await browser.post(address, json={"key": "0000" + PIN[4:]})
        assert (wrong.status_code, [*(machine / "wishes").iterdir()]) == (403, [])
        refused = await browser.post(f"/api/v1/update/{other}", json={"key": PIN})
        assert refused.status_code == 409
        assert (await browser.post(address, json={"key": PIN})).status_code == 202
        assert [path.name for path in (machine / "wishes").iterdir()] == [wished]
        assert "<form" not in (await browser.get("/update")).text
        assert (await browser.post(address, json={"key": PIN})).status_code == 409
