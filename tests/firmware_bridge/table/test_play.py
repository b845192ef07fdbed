"""The table from set-up to result, fed as a board feeds it."""

import pytest

from drivers.port import Snapshot
from firmware_bridge.messages import Ended, LightsChanged
from firmware_bridge.messages.outputs import NewGameWanted, Taken, VerdictChanged
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import in_turn
from tests.sample import SAMPLE


@pytest.mark.parametrize(
    ("game", "ended"), in_turn(SAMPLE, [(True, True), (True, False), (False, None)])
)
def test_every_game_is_played_turn_by_turn(game, ended):
    buttons, press = ended
    driven = Driven(game, buttons=buttons, settings={"press": press})
    position = driven.position
    played = driven.random_turns(seed=5, count=12)
    taken = driven.gave(Taken)
    for text, output in zip(played, taken, strict=True):
        position = position.play(position.parse_turn(text))
        assert output.position == position
    assert not any(
        isinstance(output, VerdictChanged) and output.verdict.kind == "illegal"
        for output in driven.outputs
    )


@pytest.mark.parametrize("game", SAMPLE)
def test_the_pieces_are_guided_to_their_squares_before_the_game(game):
    driven = Driven(game, begin=False)
    assert driven.view.phase == "waiting"
    assert driven.view.wants[0].key == "want-pieces"
    wanted = dict(driven.readings)
    driven.readings.clear()
    *most, last = wanted
    for square in most:
        driven.cell(square, wanted[square])
    assert driven.view.phase == "set-up"
    assert driven.view.missing == (last,)
    lit = driven.gave(LightsChanged)[-1]
    assert lit.lights == {last: "setup"}
    driven.cell(last, wanted[last])
    assert driven.view.phase == "ready"
    assert driven.said == ["ready"]
    assert not driven.gave(Taken)


def test_a_piece_where_none_belongs_is_lit_to_be_taken_away():
    driven = Driven("mockery", begin=False)
    driven.set_up()
    driven.cell("e5", True)
    assert driven.view.phase == "ready"  # it came later: from now on the reconciler judges
    early = Driven("mockery", begin=False)
    early.cell("e5", True)
    assert early.view.surplus == ("e5",)


def test_the_opponents_button_starts_the_clock():
    fresh = Driven("realm", settings={"time": "5m"}, begin=False)
    fresh.set_up()
    fresh.press("black")
    assert fresh.view.phase == "playing"
    fresh.wait(10)
    assert fresh.view.clocks["white"].left_ms == 290_000
    assert fresh.view.clocks["black"].left_ms == 300_000


def test_the_first_turn_starts_the_game_too():
    fresh = Driven("mockery", settings={"time": "5m"}, begin=False)
    fresh.set_up()
    fresh.play("e2e4")
    assert fresh.view.clocks["black"].running
    assert fresh.view.clocks["white"].left_ms == 300_000


def test_the_clock_goes_over_with_the_press():
    driven = Driven("mockery", settings={"time": "5m+2s"})
    driven.wait(10)
    driven.play("e2e4")  # 0.4 s of hands and 0.3 s to the clock
    driven.wait(5)
    clocks = driven.view.clocks
    assert clocks["white"].left_ms == 300_000 - 10_700 + 2_000
    assert clocks["black"].left_ms == 295_000
    assert (clocks["white"].running, clocks["black"].running) == (False, True)


def test_a_flag_falls_at_its_time_even_if_nothing_is_felt():
    driven = Driven("mockery", settings={"time": "1m"})
    assert driven.table.wake_at is not None
    driven.wait(61)
    (ended,) = driven.gave(Ended)
    assert ended.t == pytest.approx(160.0)
    assert (ended.outcome.winner, ended.outcome.reason) == ("black", "flag-fall")
    assert driven.view.phase == "over"
    assert driven.view.clocks["white"].fallen


def test_a_turn_pressed_at_the_moment_the_flag_falls_comes_too_late():
    driven = Driven("mockery", settings={"time": "10s"})
    driven.carry("e2", "e4")
    driven.press("white", after=9.6)
    assert driven.t == 110.0
    assert driven.ends == [("black", "flag-fall")]
    assert not driven.gave(Taken)


def test_mate_ends_the_game_and_nothing_more_is_taken():
    driven = Driven("indistinguishable", settings={"time": "45m"})
    driven.play("f2f3", "e7e5", "g2g4", "d8h4")
    assert driven.ends == [("black", "checkmate")]
    assert driven.records[-1].kind == "ended"
    count = len(driven.records)
    driven.carry("a2", "a3")
    driven.press("white")
    driven.wait(60)
    assert len(driven.records) == count
    assert driven.view.clocks["white"].running is False


def test_illegal_attempts_are_signalled_and_put_right_without_costing_anything():
    driven = Driven("reversi", settings={"time": "5m"})
    driven.carry("e2", "e5")
    driven.wait(1)
    assert driven.view.phase == "restoring"
    (said,) = [key for key in driven.said if key == "illegal"]
    assert said
    assert driven.view.wants[0].key == "want-back"
    assert driven.view.clocks["white"].running  # the displacer puts it right on his own time
    driven.carry("d2", "d5")  # more of it, and no press: it is the same attempt
    driven.wait(1)
    driven.carry("d5", "d2")
    driven.carry("e5", "e2")
    assert driven.view.phase == "playing"
    assert [r.kind for r in driven.records if r.kind in ("attempt", "restored", "taken")] == [
        "attempt",
        "restored",
    ]
    assert driven.table.state.offences == {"white": 0, "black": 0}
    driven.play("e2e4")


def test_the_starting_position_set_up_again_wants_a_new_game():
    driven = Driven("mockery")
    driven.play("e2e4")
    driven.say("resign", "black")
    driven.carry("e4", "e2")
    driven.wait(3)
    assert wanted(driven) == [False]


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_who_clears_the_board_after_the_game_is_told_nothing_odd(tier):
    driven = Driven("chess", tier=tier)
    driven.play("e2e4")
    driven.say("resign", "black")
    for cell in list(driven.readings):
        driven.cell(cell, None)
        driven.wait(3)
    assert {"disturbed", "illegal", "unexplained"}.isdisjoint(driven.verdicts)


def wanted(driven):
    return [output.asked for output in driven.gave(NewGameWanted)]


def set_up_again(driven):
    """Put all pieces back to where a game starts."""
    for cell in sorted(driven.readings.keys() - driven.start.placement.keys()):
        driven.cell(cell, None)
    for cell in sorted(driven.start.placement.keys() - driven.readings.keys()):
        driven.cell(cell, driven.reading(driven.start.placement[cell]))
    driven.wait(3)


def test_the_start_set_up_in_mid_game_is_a_new_game_when_the_clock_is_pressed():
    driven = Driven("realm", tier="occupancy")
    driven.play("e2e4", "e7e5", "g1f3")
    set_up_again(driven)
    assert driven.said[-1] == "want-new-start"
    assert wanted(driven) == [True]
    driven.press("black")
    assert wanted(driven) == [True, False]
    again = Driven("realm", tier="occupancy")
    again.play("e2e4", "e7e5")
    set_up_again(again)
    again.cell("e7", None)
    again.press("white")
    assert wanted(again) == [True]  # hands go on with the game
    again.cell("e5", True)
    again.carry("e2", "e4")
    assert again.view.judged.kind == "settled"
    again.play("g1f3")
    assert wanted(again) == [True]


def test_without_buttons_the_start_set_up_in_mid_game_is_a_new_game():
    driven = Driven("mockery", buttons=False)
    driven.play("e2e4", "e7e5", "g1f3")
    set_up_again(driven)
    assert driven.said[-1] == "new-start"
    assert wanted(driven) == [False]


@pytest.mark.parametrize("game", ["reversi", "mockery", "indistinguishable"])
def test_the_headline_offers_the_new_game_after_a_crash_too_until_a_piece_is_elsewhere(game):
    driven = Driven(game)
    driven.play("e2e4", "e7e5", "g1f3")
    set_up_again(driven)
    again = driven.resumed()
    again.press("black")
    again.carry("a2", "a3")
    again.carry("a3", "a2")
    again.wait(3)
    for each in (driven, again):
        assert [want.key for want in each.view.wants] == ["want-new-start"]
    driven.carry("d2", "d5")
    driven.wait(3)
    assert "want-new-start" not in [want.key for want in driven.view.wants]


def test_a_dropped_answer_is_refused_in_words():
    driven = Driven("mockery")
    driven.answer("e2e5")
    driven.answer("e7e5", "black")
    assert driven.said[-2:] == ["answer-refused", "refused-turn"]


def test_adjusting_suspends_judgement_until_it_is_said_again():
    driven = Driven("mockery")
    driven.wait(5)
    driven.say("adjust")
    *_, before, said = driven.table.records
    assert (said.kind, said.t_ms) == ("call", before.t_ms), "no other board hears when it was"
    driven.carry("e7", "e6")
    driven.wait(3)
    assert driven.view.phase == "playing"
    assert driven.view.adjusting
    driven.carry("e6", "e7")
    driven.say("adjust")
    driven.play("e2e4")
    assert "illegal" not in driven.said


@pytest.mark.parametrize("touch_move", [True, False])
def test_who_ends_his_turn_has_done_with_adjusting(touch_move):
    driven = Driven("mockery", settings={"touch_move": touch_move})
    driven.press("adjust")
    driven.carry("e2", "e2")
    driven.carry("d2", "d4")
    driven.press("black")
    assert driven.view.adjusting
    driven.press("white")
    assert not driven.view.adjusting
    assert driven.turns == ["d2d4"]


def test_while_paused_nothing_is_judged_and_no_clock_runs():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.wait(10)
    driven.say("pause")
    driven.carry("e2", "e5")
    driven.wait(600)
    assert driven.view.phase == "paused"
    assert "illegal" not in driven.said
    driven.carry("e5", "e2")
    driven.say("resume")
    driven.play("e2e4")
    assert 289_000 < driven.view.clocks["white"].left_ms < 290_000


def test_quiet_mode_says_only_what_players_must_know():
    loud, quiet = Driven("mockery"), Driven("mockery", settings={"quiet": True})
    for driven in (loud, quiet):
        driven.random_turns(seed=1, count=20)
        driven.carry(*next(iter(driven.position.deed(next(driven.position.turns())).moves)))
        driven.say("resign", "white")
    assert {"vanished", "appeared"} <= set(loud.said)
    assert quiet.said == ["over"]


def test_anyone_may_say_that_a_cell_does_not_tell_the_truth():
    driven = Driven("mockery", buttons=True)
    driven.cell("g8", None)
    driven.wait(10)
    driven.say("distrust", None, cell="z9")
    assert driven.said == ["want-board-right", "refused-cell"]
    driven.say("distrust", None, cell="g8")
    assert "cell-dead" in driven.said
    assert driven.table.reconciler.verdict.kind == "settled"
    assert driven.view.faults == ("g8",)


def test_a_result_without_a_turn_is_not_hidden_by_one_piece_put_back():
    driven = Driven("mockery")
    driven.say("resign", "white")
    driven.carry("e1", "e3")
    driven.carry("e3", "e1")
    driven.feed(Snapshot(driven.t, driven.readings))
    assert not driven.gave(NewGameWanted)
    for cell in ("a1", "b1", "c1"):
        driven.cell(cell, None)
    for cell in ("a1", "b1", "c1"):
        driven.cell(cell, True)
    assert len(driven.gave(NewGameWanted)) == 1


def test_before_the_start_a_press_too_early_says_who_begins_and_disorder_is_guided_back():
    driven = Driven("mockery", begin=False)
    driven.set_up(after=0)
    driven.press("white")
    driven.wait(1)
    assert driven.said[-1] == "want-start"
    driven.carry("b1", "b5")
    driven.wait(1)
    assert driven.view.phase == "restoring"
    driven.carry("b5", "b1")
    assert driven.view.phase == "ready"


def test_sealed_nothing_is_shown_of_a_turn_before_the_press():
    driven = Driven("indistinguishable", settings={"time": "45m", "sealed": True})
    known = driven.view
    for source, target in (("e2", "e4"), ("e7", "e5"), ("b1", "b3")):
        driven.carry(source, target)
        driven.answer(source + target)
        assert driven.said[-1] == "refused-answer"
        driven.wait(60)
        assert (driven.view.judged.kind, driven.view.wants) == ("in-progress", known.wants)
        driven.carry(target, source)
    assert not driven.gave(LightsChanged)
    driven.carry("e7", "e5")
    driven.press("white")
    driven.wait(1)  # a contact may come late, whatever it would make of it
    assert driven.said[-2:] == ["opponents-piece", "penalty-deduct-minutes"]
    driven.carry("e5", "e7")
    driven.play("e2e4")
    assert driven.position.side == "black"
