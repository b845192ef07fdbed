"""Indistinguishable Chess: the referee's words, penalties and obligation, felt on a board."""

from firmware_bridge.messages import Ruled
from firmware_bridge.words import catalogue
from tests.firmware_bridge.table.driving import Driven

WORDS = catalogue("en", "indistinguishable")


def table(position=None, **settings):
    return Driven(
        "indistinguishable", position=position, settings={"time": "45m", **settings}, buttons=True
    )


def heard(driven):
    return [WORDS.text(key) for key in driven.said if key in WORDS.rulings]


def left(driven, side):
    return driven.table.state.clock.left(side, driven.table.state.t_ms)


def test_an_opponents_piece_costs_five_minutes_and_goes_back():
    driven = table()
    driven.carry("e7", "e5", after=1)
    driven.wait(0.8)
    assert heard(driven) == ["Illegal, opponent's piece."]
    (ruled,) = driven.gave(Ruled)
    assert (ruled.side, ruled.reason, ruled.penalty) == ("white", "not-your-piece", 300)
    assert driven.view.phase == "restoring"
    assert not any(clock.running for clock in driven.view.clocks.values())
    assert left(driven, "white") == 45 * 60_000 - 2_800 - 300_000
    driven.wait(100)  # the clock stands still while the piece goes back
    driven.carry("e5", "e7")
    assert driven.view.phase == "playing"
    assert driven.view.clocks["white"].running
    assert left(driven, "white") == 45 * 60_000 - 2_800 - 300_000
    assert driven.view.obligation is None


def test_the_capture_that_is_owed_is_shown_until_it_is_made():
    driven = table("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    driven.carry("d5", "d4")
    driven.wait(1)
    assert driven.view.obligation == "d5"
    driven.carry("d4", "d5")
    driven.play("e4d5")
    assert driven.view.obligation is None


def test_a_table_of_penalties_is_gone_through_offence_by_offence():
    driven = table(penalty="none, 1m, 90s, +2m, warning, loss")
    known = left(driven, "white"), left(driven, "black")
    off = []
    for _ in range(5):
        driven.carry("e2", "e5", after=0)
        driven.wait(1)
        now = left(driven, "white"), left(driven, "black")
        off.append((now[0] - known[0] + 800, now[1] - known[1]))  # the grace time runs
        known = now
        driven.carry("e5", "e2", after=0)
    assert off == [(0, 0), (-60_000, 0), (-90_000, 0), (0, 120_000), (0, 0)]
    assert [key for key in driven.said if key.startswith("penalty")] == [
        "penalty-deduct",
        "penalty-deduct",
        "penalty-give-minutes",
        "penalty-warning",
    ]
    driven.carry("e2", "e5")
    driven.wait(1)
    assert driven.ends == [("black", "illegal-turns")]


def test_games_outside_half_an_hour_to_an_hour_are_unrated():
    assert table(time="4m").view.unrated
    assert not table(time="30m").view.unrated
    assert not table(time="60m").view.unrated
    assert table(time="untimed").view.unrated


def test_no_view_tells_the_last_turn_or_whose_king_is_in_check():
    driven = table()
    driven.play("e2e4", "f7f6", "d1h5")
    assert driven.view.check is None
    assert driven.view.last_turn == ()
    assert "check" not in driven.said


def test_an_answer_tells_nothing_of_the_piece_it_names():
    driven = table()
    for text in ("e7e5", "e2e4", "e2e5"):
        driven.answer(text)
    assert driven.said[-3:] == ["refused-answer"] * 3


def test_a_ruling_tells_the_seconds_that_change_hands():
    costs = []
    for game, press in (("indistinguishable", False), ("reversi", True)):
        driven = Driven(game, settings={"time": "45m", "penalty": "+2m, 90s, warning"})
        for _ in range(3):
            driven.carry("e2", "e5")
            driven.press("white") if press else driven.wait(1)
            driven.carry("e5", "e2")
        costs.append([repr(o.penalty) for o in driven.outputs if isinstance(o, Ruled)])
    assert costs == [["120", "90", "0"]] * 2
