"""What the wall makes of messages, without a broker."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.dashboard.hall import LARGEST, LONGEST, MOST, Hall
from firmware_bridge.mqtt.published_state import state
from firmware_bridge.pages.texts import speaking, texts
from tests.firmware_bridge.dashboard.states import payload, published
from tests.firmware_bridge.table.driving import Driven

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECOND = NOON.timestamp()


@pytest.fixture
def hall():
    return Hall("club/hall")


def tell(hall, board, what, text, now=0.0, wall_clock=SECOND):
    hall.take(f"club/hall/{board}/{what}", text, now, wall_clock)


def cards(hall, number=0, now=0.0):
    return [json.loads(card) for card in hall.changed_since(number, now)]


def test_a_board_is_there_with_all_that_it_told(hall):
    tell(hall, "attic", "availability", b"online")
    tell(hall, "attic", "state", payload("The attic", now=NOON))
    (card,) = cards(hall)
    assert card["id"] == "attic"
    assert card["presence"] == "online"
    assert card["state"]["board"] == "The attic"
    assert card["state"]["pieces"]["e1"] == "wK"
    assert hall.totals() == {"boards": 1, "online": 1}


def test_only_what_changed_is_told_again(hall):
    for board in ("a", "b", "c"):
        tell(hall, board, "state", payload(board))
    number = hall.number
    tell(hall, "b", "state", payload("b", turns=1))
    assert [card["id"] for card in cards(hall, number)] == ["b"]
    assert cards(hall, hall.number) == []


def test_the_age_of_a_kept_state_is_known(hall):
    tell(hall, "a", "state", payload("a", now=NOON), 100.0, SECOND + 30)
    assert cards(hall, now=102.0)[0]["age_ms"] == 32_000


@pytest.mark.parametrize("wrong", [-500, 100_000])
def test_a_board_whose_clock_is_wrong_does_no_harm(hall, wrong):
    tell(hall, "a", "state", payload("a", now=NOON), 100.0, SECOND + wrong)
    assert 0 <= cards(hall, now=100.0)[0]["age_ms"] <= 70_000


def test_a_board_that_says_nothing_any_more_is_silent_until_it_speaks(hall):
    tell(hall, "a", "availability", b"online", 0.0)
    tell(hall, "a", "state", payload("a"), 1.0)
    hall.silence(100.0)
    assert cards(hall)[0]["presence"] == "online"
    hall.silence(200.0)
    assert cards(hall)[0]["presence"] == "silent"
    tell(hall, "a", "state", payload("a"), 201.0)
    assert cards(hall)[0]["presence"] == "online"


def test_a_board_that_is_switched_off_is_not_silent(hall):
    tell(hall, "a", "state", payload("a"), 0.0)
    tell(hall, "a", "availability", b"offline", 1.0)
    hall.silence(1000.0)
    assert cards(hall)[0]["presence"] == "offline"


def test_a_board_of_which_only_a_kept_state_is_known_was_not_heard_from_yet(hall):
    tell(hall, "a", "state", payload("a"), 0.0)
    assert cards(hall)[0]["presence"] == "unheard"
    assert hall.totals() == {"boards": 1, "online": 0}
    tell(hall, "a", "availability", b"online", 1.0)
    assert cards(hall)[0]["presence"] == "online"


def test_a_result_is_told_once_and_only_if_the_wall_saw_the_game(hall):
    tell(hall, "old", "state", payload("old", result="1-0", phase="over"))
    assert not hall.results
    tell(hall, "a", "state", payload("Board 7"))
    for _ in range(2):
        tell(hall, "a", "state", payload("Board 7", result="0-1", phase="over"))
    assert [(r["board"], r["result"], r["players"]) for r in hall.results] == [
        ("Board 7", "0-1", "Ada - Ben")
    ]


def test_an_empty_state_takes_the_board_off_the_wall(hall):
    tell(hall, "a", "state", payload("a"))
    tell(hall, "a", "state", b"")
    assert len(hall) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"squares": "e4 <script>"},
        {"pieces": {"e4": "wX"}},
        {"pieces": {"<b>": "wK"}},
        {"lights": {"e4": "a b"}},
        {"phase": "lost"},
        {"result": "2-0"},
        {"as_of": "yesterday"},
        {"as_of": "0001-01-01T00:00:00"},
        {"players": {"white": "\ud800"}},
    ],
)
def test_a_state_that_cannot_be_read_says_where_and_what_was_read_before_stays(hall, change):
    tell(hall, "a", "state", payload("a", turns=7))
    tell(hall, "a", "state", payload("a", **change))
    (card,) = cards(hall)
    key, where = card["unreadable"]
    assert key == ("wall-unreadable-text" if "players" in change else "wall-unreadable-part")
    assert where.startswith("" if "players" in change else next(iter(change)))
    assert card["state"]["turns"] == 7
    assert hall.strange == 1
    tell(hall, "a", "state", payload("a", turns=8))
    assert cards(hall)[0]["unreadable"] is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (json.dumps(published("a") | {"more": "x" * LARGEST}).encode(), "wall-unreadable-size"),
        (b"{", "wall-unreadable-text"),
        (b"[]", "wall-unreadable-part"),
        (b"{}", "wall-unreadable-part"),
    ],
)
def test_what_is_no_state_is_a_board_that_says_why(hall, text, why):
    tell(hall, "a", "state", text)
    (card,) = cards(hall)
    assert card["state"] is None
    assert card["unreadable"][0] == why
    assert why in texts("en", None, "wall").texts


@given(st.text(max_size=400), st.text(max_size=400), st.text(max_size=400))
def test_no_name_breaks_the_wall(name, white, title):
    hall = Hall("club/hall")
    players = {"white": white, "black": white}
    tell(hall, "a", "state", payload(name, players=players, title=title))
    tell(hall, "a", "state", payload(name, players=players, title=title, result="1-0"))
    (card,) = cards(hall)
    for text in (card["state"]["board"], *card["state"]["players"].values()):
        assert len(text) <= LONGEST
        assert len(text.splitlines()) <= 1
    assert json.dumps(list(hall.results))


def test_a_board_that_cannot_be_understood_is_not_silent(hall):
    tell(hall, "a", "availability", b"online", 0.0)
    tell(hall, "a", "state", b"{", 100.0)
    hall.silence(200.0)
    assert cards(hall)[0]["presence"] == "online"


def test_what_a_newer_board_says_besides_is_left_out(hall):
    tell(hall, "a", "state", payload("a", secret="wPN"))
    assert "secret" not in cards(hall)[0]["state"]


def test_a_flood_of_names_ends_somewhere(hall):
    for number in range(MOST + 5):
        tell(hall, f"b{number}", "availability", b"online")
    assert len(hall) == MOST


@given(st.text(max_size=20), st.sampled_from(["state", "availability", "x"]), st.binary())
def test_no_message_breaks_the_wall(board, what, text):
    hall = Hall("club/hall")
    tell(hall, board, what, text)
    assert all(json.loads(card) for card in hall.changed_since(0, 1.0))


def test_what_stands_on_the_board_is_told_while_hands_are_busy():
    driven, stamp = Driven("mockery", tier="identity"), {"board": "a", "boot": "b", "as_of": ""}
    driven.carry("e2", "e5")
    driven.wait(1)
    told = state(driven.view, speaking("en", "mockery"), (), stamp)["pieces"]
    assert ("e2" in told, told["e5"]) == (False, "wP")


def test_two_faced_pieces_are_told_and_not_known_by_the_name_of_the_game(hall):
    for board, game in (("a", "reality-check"), ("b", "reversi")):
        tell(hall, board, "state", payload(board, game))
    told = {card["id"]: card["state"]["discs"] for card in cards(hall)}
    assert told == {"a": True, "b": False}


def test_the_parts_of_a_board_are_told_where_its_game_has_some(hall):
    for board, game in (("a", "realm"), ("b", "reversi")):
        tell(hall, board, "state", payload(board, game))
    told = {card["id"]: card["state"]["regions"] for card in cards(hall)}
    assert (len(told["a"]), told["b"]) == (16, [])
    assert "a1 a2 b1 b2" in {" ".join(sorted(region.split())) for region in told["a"]}
