"""Offers, claims, resignation, take-backs and what the arbiter may say."""

import pytest

import rules
from firmware_bridge.messages import RefereeOpened
from firmware_bridge.messages.outputs import VerdictChanged
from firmware_bridge.messages.records import Record
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.referee.game_state import State
from firmware_bridge.referee.referee import rebuild
from firmware_bridge.table import Agreement
from rules import draws
from tests.firmware_bridge.table.driving import Driven

BACK_AND_FORTH = ("g1f3", "g8f6", "f3g1", "f6g8")
REFUSED = {
    "repetition": "refused-repetition",
    "fifty-moves": "refused-fifty-moves",
    "draw": "refused-claim",
}
"""What is said to a claim for which there is no reason; to a draw for whichever reason it is."""


@pytest.fixture
def driven():
    return Driven("realm", tier="occupancy", settings={"time": "5m"})


def test_resigning_gives_the_opponent_the_game(driven):
    driven.say("resign", "white")
    assert driven.ends == [("black", "resignation")]


def test_a_draw_is_offered_and_accepted(driven):
    driven.say("accept-draw", "black")
    assert driven.said[-1] == "refused-no-offer"
    driven.say("offer-draw", "white")
    assert driven.view.offer == ("draw", "white")
    driven.say("accept-draw", "white")
    assert driven.said[-1] == "refused-no-offer"  # nobody accepts his own offer
    driven.say("accept-draw", "black")
    assert driven.ends == [(None, "agreed-draw")]


def test_an_offer_is_declined_or_lapses_with_the_opponents_turn(driven):
    driven.say("offer-draw", "black")
    driven.say("decline", "white")
    assert driven.view.offer is None
    driven.say("offer-draw", "white")
    driven.play("g1f3")
    assert driven.view.offer == ("draw", "white")  # his own turn leaves it standing
    driven.play("g8f6")
    assert driven.view.offer is None


def test_the_draw_button_offers_for_the_mover_and_accepts_for_the_other(driven):
    driven.press("draw")
    driven.play("g1f3")
    driven.press("draw")
    assert driven.ends == [(None, "agreed-draw")]


def test_a_turn_is_taken_back_by_agreement_and_the_board_guided_back(driven):
    driven.say("offer-take-back", "white")
    assert driven.said[-1] == "refused-nothing-played"
    driven.play("g1f3")
    driven.say("offer-take-back", "white")
    assert (driven.turns, driven.view.offer) == (["g1f3"], ("take-back", "white"))
    driven.say("accept-take-back", "black")
    assert str(driven.position) == str(driven.start)
    assert driven.position.side == "white"
    assert driven.view.clocks["white"].running
    driven.carry("f3", "g1")
    driven.wait(1)
    assert driven.view.judged.kind == "settled"
    driven.play("e2e4")


@pytest.mark.parametrize("game", ["indistinguishable", "reality-check"])
def test_no_turn_is_taken_back_where_it_would_leak(game):
    driven = Driven(game)
    driven.random_turns(seed=1, count=1)
    driven.say("offer-take-back", "white")
    assert driven.said[-1] == "refused-secret"
    assert driven.view.offer is None


@pytest.mark.parametrize("claim", ["repetition", "draw"])
def test_threefold_repetition_is_claimed_and_fivefold_needs_no_claim(driven, claim):
    driven.say(f"claim-{claim}", "white")
    assert driven.said[-1] == REFUSED[claim]
    driven.play(*(BACK_AND_FORTH * 2))
    again = driven.resumed()
    again.say("resume")
    again.say(f"claim-{claim}", "white")
    assert again.ends == [(None, "repetition")]
    driven.play(*(BACK_AND_FORTH * 2))
    assert driven.ends == [(None, "fivefold-repetition")]


def folded(game, position, turns):
    """Return the referee's state after some turns, without a board."""
    terms = Agreement(game).terms()
    state = State.begin(terms, terms.game.parse(position))
    records = [Record(0, "set-up", {"position": position})]
    records += [Record(1000 * n, "taken", {"turn": turn}) for n, turn in enumerate(turns)]
    return rebuild(terms, state, records)


def test_an_en_passant_square_counts_only_where_a_pawn_can_capture():
    plain = "4k2n/8/8/8/8/8/4P3/4K2N w - - 0 1"
    knights = ("h8f7", "h1f2", "f7h8", "f2h1") * 2
    state = folded("mockery", f"{plain} -", ("e2e4", *knights))
    assert draws.repetitions(state.history, state.position) == 3
    capturable = "4k2n/8/8/8/3p4/8/4P3/4K2N w - - 0 1"
    state = folded("reversi", capturable, ("e2e4", *knights))
    assert draws.repetitions(state.history, state.position) == 2


def test_an_en_passant_square_that_a_knight_can_enter_makes_no_difference():
    knights = ("c4d6", "h1g3", "d6c4", "g3h1")
    for rounds in range(3):
        state = folded("reversi", "4k3/8/8/8/2n5/8/4P3/4K2N w - - 0 1", ("e2e4", *knights * rounds))
        assert draws.repetitions(state.history, state.position) == 1 + rounds


def test_a_pawn_that_is_put_back_lets_a_position_come_again():
    there_and_back = ("R-ab12:a2a1", "g8f6", "R-ab12:a1a2", "f6g8")
    state = folded("realm", "4k1n1/8/8/8/8/8/P7/1N2K3 w - - 0 1", there_and_back * 2)
    assert draws.repetitions(state.history, state.position) == 3


@pytest.mark.parametrize("claim", ["fifty-moves", "draw"])
def test_fifty_moves_are_claimed_and_seventy_five_end_the_game(claim):
    driven = Driven("realm", tier="occupancy", position="4k3/8/8/8/8/8/8/R3K3 w - - 98 70")
    driven.say(f"claim-{claim}", "white")
    assert driven.said[-1] == REFUSED[claim]
    driven.play("a1a2", "e8d8")
    driven.say(f"claim-{claim}", "white")
    assert driven.ends == [(None, "fifty-moves")]
    longer = Driven("realm", tier="occupancy", position="4k3/8/8/8/8/8/8/R3K3 w - - 149 90")
    longer.play("a1a2")
    assert longer.ends == [(None, "seventy-five-moves")]


def test_mate_comes_before_the_seventy_five_moves():
    driven = Driven("reversi", position="7k/8/6K1/8/8/8/8/R7 w - - 149 90")
    driven.play("a1a8")
    assert driven.ends == [("white", "checkmate")]


def test_a_bare_king_gets_nothing_from_a_flag():
    position = rules.load("reversi").parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert position.has_insufficient_material("black")
    assert not position.has_insufficient_material("white")
    assert not rules.load("reality-check").start().has_insufficient_material("white")


def test_the_arbiter_corrects_time(driven):
    driven.say("add-time", None, side="black", seconds="-30.5", reason="late")
    assert driven.view.clocks["black"].left_ms == 269_500
    driven.say("add-time", None, side="nobody", seconds="5", reason="")
    assert driven.said[-1] == "refused-details"
    driven.say("add-time", None, side="black", seconds="soon", reason="")
    assert driven.said[-1] == "refused-details"
    driven.say("add-time", None, side="black")
    assert driven.said[-1] == "refused-details"


def test_the_arbiter_corrects_the_position_and_play_goes_on_from_there(driven):
    driven.play("e2e4")
    driven.say("set-position", None, position="nonsense", reason="test")
    assert driven.said[-1] == "refused-position"
    text = str(driven.start)
    driven.say("set-position", None, position=text, reason="illegal move found later")
    assert driven.view.phase == "paused"
    driven.carry("e4", "e2")
    driven.say("resume")
    driven.play("d2d4")


def test_the_arbiter_awards_the_game(driven):
    driven.say("award", None, winner="draw", reason="both phones rang")
    assert driven.ends == [(None, "arbiter")]


def test_the_arbiter_takes_a_turn_back_even_after_the_end():
    driven = Driven("reversi")
    driven.play("f2f3", "e7e5", "g2g4", "d8h4")
    driven.say("take-back", None, reason="misplayed")
    assert driven.view.phase != "over"
    assert driven.position.side == "black"
    driven.carry("h4", "d8")
    driven.play("d7d6")


@pytest.mark.parametrize("what", sorted(CALLS))
def test_after_the_end_only_the_arbiter_can_change_anything(driven, what):
    driven.say("resign", "white")
    records = len(driven.records)
    data = {"side": "white", "seconds": "5", "reason": "", "position": "x", "winner": "nobody"}
    driven.say(what, "black", **data)
    if what != "take-back":
        assert driven.said[-1].startswith("refused-")
        assert len(driven.records) == records


def test_what_is_not_known_is_refused(driven):
    driven.say("sing")
    driven.say("resign")
    assert driven.said[-2:] == ["refused-unknown", "refused-who"]


def test_adjourned_games_wait_with_their_clocks(driven):
    driven.wait(10)
    driven.say("adjourn")
    driven.wait(100_000)
    assert driven.view.clocks["white"].left_ms == 289_900
    driven.say("resume")
    assert driven.view.clocks["white"].running


def test_after_a_flag_that_fell_wrongly_a_turn_is_taken_back_and_time_given(driven):
    driven.play("g1f3")
    driven.say("add-time", None, side="black", seconds="-400", reason="slip of the finger")
    driven.wait(1)
    assert driven.ends == [("white", "flag-fall")]
    driven.say("take-back", None, reason="it did not fall")
    assert driven.view.phase == "paused"
    assert not driven.view.clocks["black"].fallen
    driven.say("add-time", None, side="black", seconds="+500", reason="the slip")
    driven.carry("f3", "g1")
    driven.press("white")
    driven.play("g1f3", "g8f6")
    assert driven.view.phase == "playing"


def test_no_man_of_the_other_colour_passes_for_what_a_correction_gives():
    driven = Driven("reversi")
    driven.play("e2e4")
    given = "rnbqkbnr/pppPpppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    driven.say("set-position", position=given, reason="it stood so")
    driven.wait(1)
    assert {move.target for move in driven.view.judged.restore} >= {"d7"}


def test_after_a_correction_the_lights_guide_to_the_position(driven):
    wanted = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"
    driven.say("set-position", position=wanted, reason="it stood so")
    driven.wait(1)
    assert driven.view.phase == "paused"
    assert [want.key for want in driven.view.wants] == ["want-back", "want-resume"]
    driven.carry("d2", "d4")
    assert [want.key for want in driven.view.wants] == ["want-resume"]
    driven.press("white")
    driven.play("d7d5")


@pytest.mark.parametrize("game", ["indistinguishable", "realm"])
def test_that_the_referee_looked_is_written_down_and_said_where_there_are_secrets(game):
    driven = Driven(game)
    driven.feed(RefereeOpened(driven.t, "192.168.1.20"))
    assert ("referee-opened" in driven.said) == (game == "indistinguishable")
    assert driven.records[-1].kind == "opened"
    assert driven.table.summary().referee_view(driven.t).history[-1].data == {
        "address": "192.168.1.20"
    }


def test_an_increment_is_withdrawn_with_the_turn_that_earned_it():
    driven = Driven("mockery", settings={"time": "5m+10s", "take_backs": True})
    for number in (1, 2, 3):
        driven.play("e2e4")
        driven.carry("e4", "e2")
        driven.wait(2)
        assert driven.position.side == "white"
        assert driven.view.clocks["white"].left_ms < 300_000 - 700 * number


@pytest.mark.parametrize("by", ["arbiter", "players"])
def test_a_turn_taken_back_in_a_pause_leaves_the_pause(driven, by):
    driven.play("e2e4")
    driven.say("pause")
    if by == "arbiter":
        driven.say("take-back", reason="a piece had slipped")
    else:
        driven.say("offer-take-back", "white")
        driven.say("accept-take-back", "black")
    driven.wait(10)
    assert driven.view.phase == "paused"
    assert not any(clock.running for clock in driven.view.clocks.values())
    assert driven.view.wants[0].key == "want-back"
    driven.carry("e4", "e2")
    driven.say("resume")
    driven.play("d2d4")


def test_a_turn_taken_back_while_a_piece_must_go_back_starts_no_clock():
    driven = Driven("indistinguishable", settings={"time": "45m"})
    driven.play("e2e4")
    driven.carry("d2", "d4")
    driven.wait(1)
    driven.say("take-back", reason="not pressed by its player")
    assert not any(clock.running for clock in driven.view.clocks.values())
    driven.carry("d4", "d2")
    driven.carry("e4", "e2")
    assert driven.view.clocks["white"].running


def test_a_mate_undone_on_the_board_lets_the_game_go_on():
    driven = Driven("reversi", settings={"take_backs": True, "time": "5m"})
    driven.play("f2f3", "e7e5", "g2g4", "d8h4")
    assert driven.ends == [("black", "checkmate")]
    driven.carry("h4", "d8")
    driven.wait(3)
    assert driven.view.phase == "playing"
    assert driven.view.clocks["black"].running
    assert driven.resumed().view.phase == "paused"
    driven.play("d7d6")


def test_a_correction_of_the_clock_outlives_an_amended_turn():
    driven = Driven("mockery", buttons=False, settings={"time": "5m"})
    driven.carry("e2", "e3")
    driven.wait(0.5)
    driven.say("add-time", side="black", seconds="60", reason="late start")
    driven.carry("e3", "e4")
    driven.wait(1)
    assert driven.records[-1].kind == "amended"
    assert driven.view.clocks["black"].left_ms == 360_000 - 1_700


def test_a_pause_before_an_amended_turn_is_not_charged():
    driven = Driven("mockery", buttons=False, settings={"time": "5m"})
    driven.carry("e2", "e3")
    driven.wait(0.5)
    driven.say("pause")
    driven.wait(100)
    driven.say("resume")
    driven.carry("e3", "e4")
    driven.wait(1)
    assert driven.records[-1].kind == "amended"
    assert driven.view.clocks["black"].left_ms > 298_000


def test_before_the_game_nothing_is_adjusted_and_nothing_said_lets_the_board_be_judged():
    driven = Driven("mockery", begin=False)
    driven.readings.clear()
    driven.cell("e1", True)
    driven.say("adjust")
    assert driven.said == ["refused-not-ready"]
    driven.say("distrust", cell="a3")
    driven.say("add-time", side="white", seconds="5", reason="")
    driven.wait(3)
    assert driven.view.phase == "set-up"
    assert not driven.gave(VerdictChanged)


CHASED = "rr/3/5/7/7/7/5/3/RR w -/- - - - 5"


def test_without_progress_a_draw_is_claimed_after_forty_turns_and_comes_by_itself_after_sixty():
    game = rules.load("reality-check")
    start = game.parse(CHASED)
    position, before = start, []
    for number in range(draws.FORCED_QUIET_TURNS):
        assert draws.forced(before, position) is None
        assert ("no-progress" in draws.claimable(before, position)) == (number >= 80)
        before.append(position)
        turn = ("d1d2/d2", "d9d8/d8", "d2d1/d1", "d8d9/d9")[number % 4]
        position = position.play(position.parse_turn(turn))
    assert draws.forced(before, position) == "no-progress"
    # What leaves play in between begins the count again.
    more = game.parse(CHASED.replace("rr/3", "rr/nn2"))
    assert draws.claimable([*before[:40], more, *before[-79:]], position) == ()


@pytest.mark.parametrize(("turns", "said"), [(0, "go"), (1, "to-move"), (2, "go")])
def test_nobody_is_said_to_begin_in_the_middle_of_a_game(turns, said):
    driven = Driven("mockery")
    driven.random_turns(seed=1, count=turns)
    placed = Driven("mockery", position=str(driven.position), begin=False)
    placed.set_up()
    placed.say("start")
    assert {"go", "to-move"} & set(placed.said) == {said}
