import html
import json
import re
from importlib import resources
from itertools import product

import pytest

import rules
from firmware_bridge import puzzles
from firmware_bridge.games import metadata
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.pages.app_help import pages_at


@pytest.mark.parametrize("game", rules.games())
async def test_every_screen_is_shown_and_what_it_has_done_can_be_done(tmp_path, game):
    screens = metadata.of(game).learn
    async with pages_at(tmp_path) as (_, browser):
        for number, told in enumerate(screens, start=1):
            for language in LANGUAGES:
                page = await browser.get(f"/learn/{game}/{number}", params={"language": language})
                assert page.status_code == 200
            if told.turn or told.offence:
                address = f"/api/v1/learn/{game}/{number}?language=en"
                shown = (await browser.post(address, json={})).json()
                assert shown["done"]
                assert "Well done" not in shown["text"]


async def test_what_is_tried_is_answered_with_the_reason(browser):
    address = "/api/v1/learn/mockery/1"
    good = (await browser.post(address, json={"move": "e2e4"})).json()
    assert good["legal"]
    assert good["scene"]["pieces"]["e4"]["kind"] == "P"
    bad = (await browser.post(address, json={"move": "a1a5"})).json()
    assert not bad["legal"]
    assert bad["text"] == "Illegal. Something stands in the way."
    assert "a1" in bad["scene"]["pieces"]
    german = await browser.post(f"{address}?language=de", json={"move": "f3g5"})
    assert german.json()["text"] == "Gut gemacht. Springer von f3 nach g5."


async def test_nobody_is_told_to_do_what_is_shown_to_be_illegal(browser):
    number = metadata.lesson("indistinguishable", "no-such-move")
    text = (await browser.get(f"/learn/indistinguishable/{number}")).text
    assert "Why not?" in text
    assert "The arrow shows such a move. Try it." in text


@pytest.mark.parametrize("path", ["/learn/draughts/1", "/learn/realm/0", "/learn/realm/99"])
async def test_screens_that_are_not_there_are_not_found(browser, path):
    assert (await browser.get(path)).status_code == 404
    assert (await browser.post(f"/api/v1{path}", json={})).status_code == 404


@pytest.mark.parametrize("body", [{"move": "e9e99"}, {"move": 4}, {"turn": "e2e4"}, {"move": ""}])
async def test_what_is_no_movement_is_refused(browser, body):
    answer = await browser.post("/api/v1/learn/mockery/1", json=body)
    assert answer.status_code == 400


async def test_the_index_leads_to_every_game(browser):
    text = (await browser.get("/learn")).text
    for game in rules.games():
        assert f"/learn/{game}/1" in text
    for query in ("", "?language=de"):
        led = (await browser.get(f"/learn/realm{query}")).headers["location"]
        assert led == f"/learn/realm/1{query}"


@pytest.mark.parametrize("game", rules.games())
async def test_every_screen_is_done_piece_by_piece_as_its_arrows_say(browser, game):
    for number, told in enumerate(metadata.of(game).learn, start=1):
        page = (await browser.get(f"/learn/{game}/{number}")).text
        scene = json.loads(re.search(r'id="scene">(.*?)</script>', page)[1])
        moves = [step_of(arrow) for arrow in scene["advised"]]
        assert bool(moves) == bool(told.turn or told.offence), (game, number)
        for drawn, wide in (("what the arrow shows", 4), ("touch what is ringed", 2)):
            assert (drawn in page) == (wide in map(len, moves)), (game, number)
        for made in range(len(moves)):
            body = {"move": moves[made], "made": moves[:made]}
            sent = await browser.post(f"/api/v1/learn/{game}/{number}", json=body)
            answer = sent.json()
            assert answer["done"] == (made + 1 == len(moves)), (game, number)
            assert answer["text"].startswith("Well done.") == answer["done"]


def step_of(arrow):
    """Return what the drawn page sends when an arrow is followed, or what is ringed is touched."""
    source, target = arrow["source"], arrow["target"]
    return target if source == target else source + target


@pytest.mark.parametrize(
    ("screen", "steps", "after"),
    [
        ("reality-check/2", ["e8d6", "d1"], {"d6", "d1"}),
        ("reality-check/2", ["d1", "e8d6"], {"d6", "d1"}),
        ("reality-check/3", ["e2"], {"e2"}),
        ("reversi/2", ["e3d5", "b3"], {"d5", "b3"}),
    ],
)
async def test_flips_drops_and_conversions_are_done_by_hand_in_any_order(
    browser, screen, steps, after
):
    for made, step in enumerate(steps):
        body = {"move": step, "made": steps[:made]}
        answer = (await browser.post(f"/api/v1/learn/{screen}", json=body)).json()
        assert answer["legal"]
        assert answer["done"] == (made + 1 == len(steps))
    assert after <= answer["scene"]["pieces"].keys()


async def test_a_disc_is_seen_turned_over_before_the_piece_is_moved(browser):
    address = "/api/v1/learn/reality-check/2"
    again = (await browser.post(address, json={"move": "a1a5"})).json()
    turned = (await browser.post(address, json={"move": "d1"})).json()
    faces = [answer["scene"]["pieces"]["d1"]["kind"] for answer in (again, turned)]
    assert faces == ["R", "N"]


def spoilt(monkeypatch, tmp_path, package, spoil):
    """Let Reversi Chess have another data file; return that of today, spoilt."""
    text = (resources.files(package) / "reversi.toml").read_text(encoding="utf-8")
    (tmp_path / "reversi.toml").write_text(spoil(text), encoding="utf-8")
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda text: text[: text.index("[[learn]]")], r"- \[\[learn\]\] is missing"),
        (lambda text: text[text.index("[look]") :], "- demonstration is missing"),
        (
            lambda text: text.replace("b2b3", "b2b6", 1).replace('"e3d5"', '"e3d4"'),
            "(?s)- learn screen 1 has .*- turn 1 of the demonstration is refused",
        ),
        (lambda text: text.replace('"6k1/', '"9k1/'), "- learn screen 1 has a position or turn"),
        (lambda text: text.replace("e3d5~b3", "a1a8", 1), r"- look.picture has a position or turn"),
        (
            lambda text: text.replace("(?P<square>", "((?P<square>", 1),
            "- remarks.0.turn: .*regular",
        ),
        (lambda text: f"x = {'[' * 9999}", "recursion"),
        (lambda text: f"x = 1\n{text}", "- x: Extra inputs"),
    ],
    ids=[
        "no screens",
        "no demonstration",
        "two mistakes",
        "a wrong position",
        "a wrong picture",
        "a wrong pattern",
        "nested without end",
        "an unknown key",
    ],
)
def test_all_that_a_data_file_lacks_is_named_when_the_game_is_loaded(
    spoil, named, tmp_path, monkeypatch
):
    spoilt(monkeypatch, tmp_path, "firmware_bridge.games", spoil)
    with pytest.raises(rules.UnusableGame, match=named):
        metadata.of.__wrapped__("reversi")


@pytest.mark.parametrize("wrong", ["9K/8", "6k1/8/8/8/8/8/8/8 w - - 0 1", "ways"])
def test_a_puzzle_that_the_game_refuses_is_named_and_the_others_stay(
    wrong, tmp_path, monkeypatch, caplog
):
    def spoil(text):
        head, position, rest = text.split('"', 2)
        if wrong == "ways":
            return f'{head}"{position}"\nways = {{ a1a9 = {{}} }}{rest}'
        return f'{head}"{wrong}"{rest}'

    whole = puzzles.of("reversi")
    spoilt(monkeypatch, tmp_path, "firmware_bridge.puzzles", spoil)
    assert puzzles.of.__wrapped__("reversi") == whole[1:]
    assert "puzzle reversi-1 is left out" in caplog.text


CHESS = (
    "not-your-piece", "empty-square", "no-such-move", "path-blocked", "own-piece-there",
    "exposes-king", "still-in-check", "castling-rights", "castling-through-check",
    "needs-promotion",
)  # fmt: skip


def refused_in(game):
    """The reasons of chess with which a game refuses hands, in all positions of its show."""
    loaded = rules.load(game)
    position, met = loaded.start(), set()
    for text in metadata.of(game).demonstration:
        for move in product(sorted(loaded.squares), repeat=2):
            try:
                position.parse_turn("".join(move))
            except rules.IllegalTurn as refusal:
                met.add(refusal.reason)
        position = position.play(position.parse_turn(text))
    return met & {*CHESS}


def test_a_game_without_kings_refuses_hands_for_what_it_can_meet_alone():
    assert refused_in("reality-check") == {*CHESS[:5]}


@pytest.mark.parametrize(
    "game", [g for g, made in rules.games().items() if "rules.games" in str(made)]
)
async def test_why_something_was_illegal_is_shown_in_the_same_game(tmp_path, game):
    loaded = rules.load(game)
    async with pages_at(tmp_path, game) as (_, browser):
        own = set(loaded.own_reasons) - {"no-such-square", "die-not-met"}  # no hands make these
        for reason in sorted({*(CHESS if loaded.traits.kings else refused_in(game)), *own}):
            number = metadata.lesson(game, reason)
            screen = metadata.screens(game)[number - 1]
            explained = {screen.reason_in(loaded), *screen.explains}
            assert reason in explained, f"no [[learn]] of {game} has {reason!r} in `explains`"
            page = await browser.get(f"/learn/{game}/{number}?language=en")
            assert page.status_code == 200
            if number > len(metadata.of(game).learn):
                assert loaded.reasons[reason] in html.unescape(page.text)


def test_an_offence_that_no_screen_shows_leads_to_the_first_one():
    assert metadata.lesson("realm", "of a reason that no screen shows") == 1
    assert metadata.lesson("mockery", "invisible-target") == 2
