"""Indistinguishable Chess: the referee's words, penalties and obligation, felt on a board."""

from firmware_bridge.messages import LightsChanged, Ruled, Said
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


def test_a_piece_that_can_be_captured_must_be_captured():
    driven = table("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    driven.carry("d5", "d4")
    driven.wait(1)
    assert heard(driven) == ["Illegal, opponent's piece.", "You must capture this piece."]
    assert driven.view.obligation == "d5"
    driven.carry("d4", "d5")
    driven.carry("g1", "f3")  # legal otherwise, but not the capture owed
    driven.wait(1)
    assert heard(driven)[2:] == ["Illegal capture. Another capture attempt must be made."]
    driven.carry("f3", "g1")
    assert driven.table.state.offences["white"] == 2
    driven.play("e4d5")
    assert driven.view.obligation is None
    assert driven.position.side == "black"


def test_trying_the_owed_capture_with_another_wrong_piece_costs_again():
    driven = table("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    driven.carry("d5", "d4")
    driven.wait(1)
    driven.carry("d4", "d5")
    driven.carry("e7", "e6")
    driven.wait(1)
    assert heard(driven)[-1] == "Illegal capture. Another capture attempt must be made."
    assert driven.view.obligation == "d5"


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


def test_everybody_hears_what_it_costs():
    driven = table()
    driven.carry("e7", "e5")
    driven.wait(1)
    (said,) = [o for o in driven.outputs if isinstance(o, Said) and o.key.startswith("penalty")]
    assert WORDS.text(said.key, said.words) == "5 minutes off White's clock."
    untimed = table(time="untimed")
    untimed.carry("e7", "e5")
    untimed.wait(1)
    assert not [key for key in untimed.said if key.startswith("penalty")]


def test_a_penalty_that_empties_the_clock_is_a_flag_fall():
    driven = table(time="4m")
    driven.carry("e7", "e5")
    driven.wait(1)
    assert driven.ends == [("black", "flag-fall")]


def test_games_outside_half_an_hour_to_an_hour_are_unrated():
    assert table(time="4m").view.unrated
    assert not table(time="30m").view.unrated
    assert not table(time="60m").view.unrated
    assert table(time="untimed").view.unrated


def test_no_light_tells_the_last_turn_or_whose_king_is_in_check():
    driven = table()
    driven.play("e2e4", "f7f6", "d1h5")
    assert driven.view.check is None
    assert driven.view.last_turn == ()
    shown = {
        signal
        for output in driven.outputs
        if isinstance(output, LightsChanged)
        for signal in output.lights.values()
    }
    assert shown == {"press-clock"}
    assert "check" not in driven.said


def test_under_an_obligation_no_reason_tells_whose_piece_was_tried():
    driven = table("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    driven.carry("d5", "d4")
    driven.wait(1)
    driven.carry("d4", "d5")
    for source, target in (("e7", "e6"), ("b1", "b3")):
        driven.carry(source, target)
        driven.wait(1)
        assert driven.view.judged.reason == "must-capture"
        driven.carry(target, source)


def test_an_answer_tells_nothing_of_the_piece_it_names():
    driven = table()
    for text in ("e7e5", "e2e4", "e2e5"):
        driven.answer(text)
    assert driven.said[-3:] == ["refused-answer"] * 3


def attempts(driven):
    kinds = ("attempt", "ruled", "restored")
    return [record.kind for record in driven.records if record.kind in kinds]


def test_a_press_with_the_disc_to_turn_over_still_in_hand_is_refused():
    driven = Driven("reality-check", settings={"time": "5m", "penalty": "1m"})
    driven.play("c3c4")
    driven.carry("c7", "c6")
    driven.cell("e7", None)
    driven.press("black")
    driven.wait(1)
    assert driven.table.state.offences["black"] == 0
    assert driven.said[-1] == "want-must-flip"
    driven.cell("e7", driven.table.state.position.placement["e7"])
    assert driven.table.state.offences["black"] == 0


def test_a_press_is_ruled_on_though_the_board_waits_for_a_late_contact():
    reeds = Driven("reversi", tier="occupancy", settings={"time": "5m", "penalty": "1m"})
    reeds.cell("a2", None)
    reeds.carry("a1", "a2")  # on reeds this looks like the pawn put back, the rook in the hand
    reeds.press("white")
    reeds.wait(1)
    assert reeds.table.state.offences["white"] == 1


def test_a_piece_that_is_missing_beside_a_legal_turn_costs_nothing():
    """A failing sensor alone can cause it."""
    driven = Driven("reversi", tier="occupancy", settings={"time": "5m", "penalty": "+1m, loss"})
    driven.cell("b7", None)
    driven.carry("e2", "e4")
    driven.press("white")
    driven.wait(1)
    assert driven.view.phase == "restoring"
    assert driven.table.state.offences["white"] == 0
    assert driven.view.clocks["black"].left_ms == 300_000


def test_one_attempt_is_one_record_however_often_one_presses():
    driven = Driven("reversi", settings={"time": "5m", "penalty": "1m"})
    driven.cell("b2", None)
    driven.carry("a2", "a3")
    driven.cell("b3", True)
    for _ in range(3):
        driven.press("white")
    assert attempts(driven) == ["attempt", "ruled"]
    driven.carry("b3", "b2")
    assert attempts(driven) == ["attempt", "ruled", "restored"]


def test_what_is_wrong_when_the_opponent_presses_is_not_said_by_his_press():
    driven = Driven("reversi", settings={"time": "5m", "penalty": "1m", "grace": 0})
    driven.carry("e2", "e4")
    driven.press("white")
    driven.carry("e7", "e2", after=0.1)
    driven.wait(1)
    assert driven.table.state.offences == {"white": 0, "black": 0}
    driven.press("black")
    assert driven.table.state.offences == {"white": 0, "black": 1}


def test_nothing_is_ruled_on_while_what_was_knocked_over_is_put_back():
    for tier in ("occupancy", "identity"):
        driven = Driven("indistinguishable", tier=tier, settings={"time": "45m"})
        knocked = [f"{file}{rank}" for file in "abcde" for rank in "27"]
        lying = {square: driven.readings[square] for square in knocked}
        for square in knocked:
            driven.cell(square, None, after=0.05)
        strewn = [f"{file}{rank}" for file in "abcde" for rank in "45"]
        for square, piece in zip(strewn, lying.values(), strict=True):
            driven.cell(square, piece, after=0.05)
        driven.wait(2)
        assert driven.view.phase == "restoring"
        for wrong, right in zip(strewn, knocked, strict=True):
            driven.carry(wrong, right, after=1.5)
            driven.wait(2)
        assert driven.view.judged.kind == "settled"
        assert (attempts(driven), driven.table.state.offences["white"]) == ([], 0)
        driven.carry("e7", "e5")
        driven.wait(1)
        assert attempts(driven) == ["attempt", "ruled"]


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


def test_who_carries_more_before_the_board_is_right_pays_no_second_time():
    driven = Driven(
        "chess", settings={"time": "45m", "press": False, "penalty": "5m"}, tier="occupancy"
    )
    driven.carry("e2", "e5", after=1)
    driven.wait(2)
    driven.carry("d2", "d5")
    driven.wait(2)
    assert driven.view.phase == "restoring"
    assert [ruled.side for ruled in driven.gave(Ruled)] == ["white"]
