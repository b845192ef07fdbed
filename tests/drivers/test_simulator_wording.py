"""The simulated board's page in other languages, without a browser."""

import re

import httpx
import pytest

from drivers.description import load_description
from drivers.piece_set import PieceSet
from drivers.signals import SIGNALS
from drivers.simulator.control_page import make_app
from drivers.simulator.station import Station
from drivers.simulator.wording import PAGE, Language, Wording, liked, shipped
from firmware_bridge.pages.texts import speaking

GAP = re.compile(r"\{\w+\}")


async def page(tmp_path, wording, query=""):
    station = Station(load_description("simulated"), PieceSet(), tmp_path / "board")
    transport = httpx.ASGITransport(app=make_app(station, wording))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return (await client.get(f"/{query}")).text


@pytest.mark.parametrize("language", shipped(), ids=lambda language: language.code)
def test_a_light_has_one_name_on_the_board_and_on_the_pages(language):
    say = speaking(language.code, None)
    for signal in SIGNALS:
        assert language.texts[f"signal-{signal}"] == say(f"light-{signal}")


def test_all_languages_say_the_same_things():
    first, *others = shipped()
    for other in others:
        assert other.texts.keys() == first.texts.keys()
        for key, text in first.texts.items():
            assert sorted(GAP.findall(other.texts[key])) == sorted(GAP.findall(text)), key


@pytest.mark.parametrize(
    ("accepts", "code"),
    [
        ("de-AT,de;q=0.9,en;q=0.7", "de"),
        ("en;q=0.5, DE;q=0.8", "de"),
        ("fr,en;q=0.3", "en"),
        *((text, "") for text in ("", "fr", "*", ";q=1", "de;q=x,,", "\u00e9;q=")),
    ],
)
def test_a_browser_is_given_the_language_that_it_likes_best(accepts, code):
    assert liked(accepts, {"en", "de"}) == code


def test_everything_that_the_page_says_by_itself_has_words():
    asked = set()
    for script in PAGE.glob("*.js"):
        asked |= set(re.findall(r'say\("([\w-]+)"', script.read_text(encoding="utf-8")))
    words = shipped()[0].texts
    assert asked
    assert asked <= words.keys()
    assert {f"signal-{signal}" for signal in SIGNALS} <= words.keys()


async def test_the_page_is_in_the_language_that_is_asked_for(tmp_path):
    english = await page(tmp_path, Wording())
    german = await page(tmp_path, Wording(), "?language=de")
    assert '<html lang="en" dir="ltr">' in english
    assert "Pull the cable" in english
    assert '<html lang="de" dir="ltr">' in german
    assert "Kabel ziehen" in german
    assert "Pull the cable" not in german
    assert await page(tmp_path, Wording(), "?language=xx") == english


async def test_a_language_may_be_there_without_being_offered(tmp_path):
    backwards = Language("he-XB", shipped()[0].texts, "rtl", offered=False)
    wording = Wording((*shipped(), backwards))
    assert 'dir="rtl"' in await page(tmp_path, wording, "?language=he-XB")
    assert "he-XB" not in await page(tmp_path, wording)


@pytest.mark.parametrize(("address", "leads"), [("", False), ("http://127.0.0.1:8321/", True)])
async def test_it_leads_to_the_display_if_there_is_one(tmp_path, address, leads):
    text = await page(tmp_path, Wording(display=address))
    assert (">Display</a>" in text) is leads
