import asyncio
import threading
import tomllib
from dataclasses import replace
from importlib import resources

import pytest

from drivers.signals import SIGNALS
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Said
from firmware_bridge.pages.assets import signals_css
from firmware_bridge.pages.texts import speaking, texts
from firmware_bridge.pages.view_model import public_scene, referee_scene, seat_scene
from firmware_bridge.views import Announcement, Judged
from tests.firmware_bridge.pages.app_help import PIN, pages_at
from tests.firmware_bridge.pages.test_actions import promoting
from tests.firmware_bridge.table.driving import Driven
from tests.firmware_bridge.table.test_decisions import CAPTURING, turned
from tests.patience import PATIENCE, soon


async def test_nothing_public_tells_whose_piece_is_whose(tmp_path):
    async with pages_at(tmp_path, "indistinguishable") as (hands, browser):
        await hands.begin("e2e4")
        scene = (await browser.get("/api/v1/state")).json()
        assert {piece["side"] for piece in scene["pieces"].values()} == {None}
        assert list(scene["pieces"]) == sorted(scene["pieces"])
        assert scene["lights"] == {}
        page = (await browser.get("/")).text
        assert "side&#34;: &#34;white" not in page
        assert "history" not in scene


def opened(driven):
    seen = driven.table.summary().referee_view(driven.t)
    say = speaking("en", seen.public.game)
    return referee_scene(seen, say, public_scene(seen.public, say))["pieces"]


def test_the_referee_sees_whose_pieces_are_and_what_they_hide():
    driven = Driven("indistinguishable")
    driven.carry("e7", "e5")
    driven.wait(1)
    assert driven.view.phase == "restoring"
    pieces = opened(driven)
    sides = [pieces[square]["side"] for square in ("e2", "e7", "e5")]
    assert sides == ["white", "black", None], "what stands astray is what everyone sees"
    discs = opened(Driven("reality-check", position=CAPTURING))
    assert [discs[square][what] for square in ("d1", "d9") for what in ("side", "under")] == (
        ["white", "N", "black", "n".upper()]
    )


@pytest.mark.parametrize("other", ["chess960", "reality-check"])
async def test_of_another_game_nothing_is_shown_before_it_is_on_disk(
    hands, browser, monkeypatch, other
):
    async def seen():
        hands.controller.hub.touch()
        scene = (await browser.get("/api/v1/state")).json()
        return scene["described"], scene["id"], hands.controller.game_id

    begins, written, append = threading.Event(), threading.Event(), Journal.append

    def late(*what):
        begins.set()
        written.wait(PATIENCE)
        append(*what)

    before = await seen()
    monkeypatch.setattr(Journal, "append", late)
    begun = asyncio.create_task(hands.controller.begin(Agreement(other)))
    await soon(begins.is_set)
    assert await seen() == before
    written.set()
    await begun
    assert not set(await seen()) & set(before)


async def test_the_way_back_is_drawn_while_the_board_is_wrong(hands, browser):
    await hands.begin("e2e5")
    scene = (await browser.get("/api/v1/state")).json()
    assert scene["tone"] == "urgent"
    assert scene["restore"] == [{"source": "e5", "target": "e2"}]
    assert scene["lights"] == {"e2": "must-go-here", "e5": "must-go-back"}
    assert scene["headline"] == "Put the white pawn back on e2."
    assert scene["why"] == {"label": "Why was that?", "address": "learn/reversi/8"}
    await hands.move("e5e2")
    assert (await browser.get("/api/v1/state")).json()["why"] is None


def test_an_absent_board_lights_nothing_and_wants_nothing():
    driven, say = Driven("mockery"), speaking("en", "mockery")
    driven.carry("e2", "e5")
    driven.wait(1)
    there = public_scene(driven.view, say)
    assert there["lights"] == {"e2": "must-go-here", "e5": "must-go-back"}
    assert len(there["legend"]) == 2
    away = public_scene(driven.view, say, link=[Announcement("board-no-port")])
    assert (away["lights"], away["legend"], away["headline"]) == ({}, [], "")


async def test_that_the_board_is_ready_is_said_and_what_to_do_is_written(tmp_path):
    async with pages_at(tmp_path, time="30m") as (hands, browser):
        await hands.set_up()
        scene = (await browser.get("/api/v1/state")).json()
        assert [said["text"] for said in scene["aloud"]["said"]] == ["The board is ready."]
        assert (scene["headline"], scene["news"]) == ("Black presses the clock to begin.", [])
        assert [scene["sides"][side]["to_act"] for side in ("white", "black")] == [False, True]
        await hands.move("e2e4")
        begun = (await browser.get("/api/v1/state")).json()
        assert begun["headline"] == "Press White's clock to begin with this move."
        assert [begun["sides"][side]["to_act"] for side in ("white", "black")] == [True, False]


def test_a_clock_is_asked_for_only_where_a_press_is_what_comes_next():
    driven = Driven("mockery", settings={"time": "5m"})

    def asked(**more):
        sides = public_scene(driven.view, speaking("en", driven.view.game), **more)["sides"]
        return [side for side in sides if sides[side]["asked"]]

    assert asked() == []
    driven.carry("e2", "e4")
    assert asked() == ["white"]
    assert asked(link=[Announcement("board-unpowered")]) == []
    driven.press("white")
    driven.say("pause", "black")
    assert asked() == ["black"]
    driven.say("resume", "black")
    driven.carry("d7", "d4")
    driven.press("black")
    assert [want.key for want in driven.view.wants] == ["want-back"]
    assert asked() == []
    driven.say("pause", "black")
    assert [want.key for want in driven.view.wants] == ["want-resume"]  # the board is not judged
    assert asked() == ["black"]
    driven.say("resume", "black")
    driven.carry("d4", "d7")
    driven.carry("a7", "a4", after=0)
    driven = driven.resumed()
    driven.wait(1)
    assert [want.key for want in driven.view.wants] == ["want-back", "want-resume"]
    assert asked() == []
    driven = Driven("reality-check", options={"dice": 1})
    for source, target, side in (("c3", "c4", "white"), ("c7", "c6", "black")):
        driven.carry(source, target)
        driven.press(side)
    assert [want.key for want in driven.view.wants] == ["awaited-roll", "due-roll"]
    assert asked() == ["black"]


async def test_under_an_alarm_nothing_stale_and_nothing_twice_is_shown(tmp_path):
    async with pages_at(tmp_path, time="30m", penalty="1m") as (hands, browser):
        await hands.begin()
        before = (await browser.get("/api/v1/state")).json()["news"]
        assert before
        for _ in range(2):
            await hands.turn("e2e5")
            scene = (await browser.get("/api/v1/state")).json()
            assert [line.partition(" ")[0] for line in scene["news"]] == ["Illegal.", "60"]
            assert not set(scene["news"]) & {scene["headline"], *scene["more"], *before}
            await hands.move("e5e2")
        scene = (await browser.get("/api/v1/state")).json()
        assert scene["tone"] == ""
        assert [line.partition(" ")[0] for line in scene["news"]] == ["Illegal.", "60"]
        await hands.move("e2e4")
        assert (await browser.get("/api/v1/state")).json()["news"] == []  # this one is legal


async def test_an_end_tells_nothing_of_what_was_illegal_before(hands, browser):
    await hands.begin("e2e5")
    await hands.move("e5e2")
    assert (await browser.get("/api/v1/state")).json()["news"][0].startswith("Illegal.")
    await browser.post("/api/v1/referee", json={"key": PIN})
    resigned = {"call": "resign", "side": "black"}
    await browser.post("/api/v1/referee/actions", json=resigned)
    scene = (await browser.get("/api/v1/state")).json()
    assert scene["headline"] == "White wins. The other side has given up."
    assert not [line for line in scene["news"] if line.startswith("Illegal.")]


@pytest.mark.parametrize(("options", "count"), [({}, 16), ({"free": True}, 0)])
def test_realms_are_told_and_those_of_an_illegal_attempt_are_outlined(options, count):
    driven = Driven("realm", options=options)
    words = texts("en", "realm")

    def scene():
        return public_scene(driven.view, lambda key, **gaps: words.text(key, gaps))

    assert len(scene()["regions"]) == count
    assert sorted(" ".join(scene()["regions"]).split()) == (scene()["squares"] if count else [])
    assert scene()["outlined"] == []
    driven.carry("c2", "c5")
    driven.carry("f2", "f4")
    driven.press("white")
    concerned = ["c1 c2 d1 d2", "c5 c6 d5 d6", "e1 e2 f1 f2", "e3 e4 f3 f4"]
    assert sorted(scene()["outlined"]) == (concerned if count else [])
    driven.carry("c5", "c2")
    driven.carry("f4", "f2")
    assert scene()["outlined"] == []


async def test_what_is_announced_together_is_spoken_in_its_order(tmp_path):
    async with pages_at(tmp_path, time="30m", penalty="5m") as (hands, browser):
        await hands.begin("e2e5")
        said = (await browser.get("/api/v1/state")).json()["aloud"]["said"]
        assert [item["number"] for item in said] == list(range(1, len(said) + 1))
        assert said[-2]["text"].startswith("Illegal.")
        assert "5 minutes" in said[-1]["text"]


def test_what_is_not_of_the_game_is_never_as_loud_as_why_a_turn_is_illegal():
    opened, why = Announcement("referee-opened"), Announcement("opponents-piece")
    driven = Driven("indistinguishable")
    driven.carry("e2", "e5")
    driven.press("white")
    for news, loud in (([opened], False), ([opened, why], True)):
        scene = public_scene(driven.view, speaking("en", "indistinguishable"), news=news)
        assert (scene["tone"], scene["loud"]) == ("urgent", loud)
        assert "referee" in scene["news"][-1]


async def test_a_question_is_shown_to_all_and_answered_in_words(hands, browser):
    await promoting(hands)
    scene = (await browser.get("/api/v1/state")).json()
    labels = [choice["label"] for choice in scene["question"]]
    assert labels[0] == "Promote to queen"
    assert len(labels) == 4
    assert scene["news"] == ["The position has been corrected."]  # that play goes on is heard


def test_what_may_be_declared_stands_in_the_games_own_words():
    capturing = Driven("reality-check", position=CAPTURING)
    for driven, declared in ((capturing, ["Reality Check!"]), (Driven("realm"), [])):
        say = speaking("en", driven.view.game)
        scene = public_scene(driven.view, say)
        assert [each["label"] for each in scene["declarations"]] == declared
        for side, his in (("white", declared), ("black", [])):  # on his phone each his own turn's
            seen = seat_scene(driven.table.summary().seat(side, driven.t), say, scene)
            assert [each["label"] for each in seen["declarations"]] == his
        owing = replace(driven.view, judged=Judged("in-progress", reason="must-flip"))
        for made in (owing, replace(driven.view, judged=Judged("complete"))):
            assert public_scene(made, say)["declarations"] == []
        elsewhere = public_scene(replace(driven.view, away="white"), say)
        assert elsewhere["declarations"] == []


def test_what_a_friend_proposes_is_answered_one_touch_away_and_not_on_a_phone():
    driven, say = Driven("chess"), speaking("en", "chess")
    told = [Announcement("distance-proposed", {"name": "Ada"})]
    scene = public_scene(driven.view, say, news=told)
    assert scene["why"] == {"label": "Answer", "address": "distance"}
    seat = driven.table.summary().seat("white", driven.t)
    assert seat_scene(seat, say, scene)["why"] is None


def test_no_reason_is_shown_where_nobody_was_told_one():
    driven, say = Driven("indistinguishable", settings={"time": "45m"}), speaking("en", "chess")
    driven.carry("e2", "e4")
    driven.press("white")
    driven.carry("e4", "e5")  # perhaps by the same hand
    driven.press("black")
    assert driven.said[-1] == "want-board-right"
    for told, shown in (("want-board-right", False), ("illegal-move", True)):
        scene = public_scene(driven.view, say, news=[Announcement(told)])
        assert scene["headline"] == "Put the pawn back on e4."
        assert bool(scene["why"]) == shown
        seat = driven.table.summary().seat("black", driven.t)
        assert seat_scene(seat, say, scene)["why"] == scene["why"]


def test_the_clock_leads_on_no_phone_where_no_press_ends_a_turn():
    say = speaking("en", "mockery")
    for press, leading in ((False, []), (True, ["white"])):
        driven = Driven("mockery", settings={"press": press})
        scene, summary = public_scene(driven.view, say), driven.table.summary()
        seats = {side: summary.seat(side, driven.t) for side in ("white", "black")}
        shown = [side for side in seats if seat_scene(seats[side], say, scene)["presses"]]
        assert shown == leading


def test_who_is_not_yet_bound_to_his_discs_is_shown_to_be_the_one_to_press():
    view, say = Driven("reality-check", begin=False).view, speaking("en", "reality-check")
    for unbound, acts in (
        ({"white", "black"}, "black"),
        ({"black"}, "black"),
        ({"white"}, "white"),
    ):
        sides = public_scene(replace(view, away="white", unbound=frozenset(unbound)), say)["sides"]
        assert [side for side in sides if sides[side]["to_act"]] == [acts]


@pytest.mark.parametrize("away", [None, "black"])
def test_a_draw_is_offered_beside_the_board_to_somebody_far_away_and_once(away):
    driven, say = Driven("chess"), speaking("en", "chess")
    offered = replace(driven.view, begun=True, offer=("draw", "white"))
    for view, draws in ((replace(offered, offer=None), away is not None), (offered, False)):
        exits = public_scene(replace(view, away=away), say)["exits"]
        assert ("offer-draw" in [each["call"] for each in exits]) is draws


def test_a_declaration_is_shown_and_not_offered_again():
    driven = Driven("reality-check", position=CAPTURING)
    driven.press("declare")
    say = texts("en", "reality-check")
    scene = public_scene(driven.view, lambda key, **gaps: say.text(key, gaps))
    assert scene["headline"] == "White to move."
    assert "White has declared: Reality Check!" in scene["more"]
    assert scene["declarations"] == []


@pytest.mark.parametrize(
    ("game", "turns", "place"),
    [("reality-check", ("c3c4", "c7c6/f7"), "marked"), ("mockery", ("e2e4", "a7a6"), "legend")],
)
def test_what_a_mark_on_a_piece_means_is_said_once(game, turns, place):
    driven = Driven(game, settings={"time": "5m"})
    driven.play(*turns)
    scene = public_scene(driven.view, speaking("en", game))
    marks = {mark for piece in scene["pieces"].values() for mark in piece["marks"]}
    said = {each["signal"].removeprefix("mark-") for each in scene[place]}
    assert marks
    assert marks <= said
    assert (place == "marked") == bool(scene["marked"])
    driven.say("resign", "white")  # then the lights are out, and marks are drawn still
    scene = public_scene(driven.view, speaking("en", game))
    assert [each["signal"] for each in scene["marked"]] == [f"mark-{mark}" for mark in marks]


@pytest.mark.parametrize(("language", "read"), [("en", "Bxh1=Q up to a8"), ("de", "Lxh1=D bis a8")])
def test_what_a_turn_converts_is_written_in_words(language, read):
    assert speaking(language, "reversi").lettered("Bxh1=Q~a8") == read


def test_every_signal_has_colour_motion_and_an_outline_of_its_own():
    css = signals_css()
    looks = set()
    for signal in SIGNALS.values():
        rule = css.partition(f".{signal.id} {{")[2].partition("}")[0]
        assert f"rgb({' '.join(map(str, signal.colour))})" in rule
        looks.add(rule)
    assert len(looks) == len(SIGNALS)


def test_the_languages_say_the_same_things():
    def around(language):
        source = resources.files("firmware_bridge.words").joinpath(f"pages.{language}.toml")
        return tomllib.loads(source.read_text(encoding="utf-8"))

    assert around("de").keys() == around("en").keys()


async def test_pieces_put_anywhere_after_the_game_need_no_way_back(hands, browser):
    await hands.begin()
    await browser.post("/api/v1/referee", json={"key": PIN})
    over = {"call": "award", "data": {"winner": "draw", "reason": "test"}}
    assert (await browser.post("/api/v1/referee/actions", json=over)).status_code == 202
    await hands.move("e2e5")
    await hands.turn("d2d5")
    scene = (await browser.get("/api/v1/state")).json()
    assert (scene["phase"], scene["tone"], scene["restore"]) == ("over", "done", [])


def test_a_press_before_the_flip_is_seen_to_be_heard_and_only_as_long_as_the_flip_is_lacking():
    driven = Driven("reality-check", settings={"time": "5m"})
    driven.play("c3c4")
    driven.carry("c7", "c6")
    shown = []

    def news():
        said = [Announcement(o.key, o.words) for o in driven.outputs if isinstance(o, Said)]
        return public_scene(driven.view, speaking("en", driven.view.game), news=said)["news"]

    shown.append(news())
    driven.press("black")
    driven.wait(1)
    shown.append(news())
    driven.cell("e7", None)
    driven.cell("e7", turned(driven.position.placement["e7"]))
    shown.append(news())
    assert shown == [[], ["The turn is not finished."], []]


def test_what_came_too_early_is_not_told_to_press_first_beside_where_it_goes_back():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.carry("d2", "d4")
    driven.carry("g8", "f6")
    driven.carry("b8", "c6")
    driven.wait(1)
    said = [Announcement(o.key, o.words) for o in driven.outputs if isinstance(o, Said)]
    scene = public_scene(driven.view, speaking("en", driven.view.game), news=said)
    assert scene["headline"] == "Put the black knight back on b8."
    assert scene["news"] == [
        "White has not pressed the clock: the turn stands.",
        "That was too early: the clock has not been pressed.",
    ]
