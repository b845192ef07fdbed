"""Clocks in virtual time, exact to the millisecond."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.clock import control
from firmware_bridge.clock.clock import Clock
from rules.values import opponent


def clock(text):
    return Clock.of(control.parse(text))


def both(clock, now):
    return clock.left("white", now), clock.left("black", now)


def test_sudden_death_counts_down_only_the_one_who_is_to_move():
    running = clock("1m").start("white", 1_000)
    assert both(running, 1_001) == (59_999, 60_000)
    after = running.complete("white", 11_000)
    assert both(after, 11_500) == (50_000, 59_500)
    assert after.running == "black"


def test_the_flag_falls_at_the_very_millisecond():
    running = clock("1m").start("white", 0)
    assert running.falls_at() == 60_000
    assert running.judge(59_999).fallen is None
    fallen = running.judge(60_000)
    assert (fallen.fallen, fallen.running) == ("white", None)
    assert fallen.falls_at() is None


def test_fischer_adds_the_increment_when_the_turn_is_completed():
    after = clock("1m+10s").start("white", 0).complete("white", 4_321)
    assert both(after, 4_321) == (65_679, 60_000)


def test_bronstein_gives_back_what_the_turn_took_and_no_more():
    quick = clock("1m bronstein 10s").start("white", 0).complete("white", 4_000)
    assert quick.left("white", 4_000) == 60_000
    slow = clock("1m bronstein 10s").start("white", 0).complete("white", 14_000)
    assert slow.left("white", 14_000) == 56_000


def test_delay_is_free_and_counts_again_every_turn():
    running = clock("1m delay 10s").start("white", 0)
    assert running.left("white", 10_000) == 60_000
    assert running.left("white", 10_001) == 59_999
    assert running.delay_left("white", 4_000) == 6_000
    assert running.falls_at() == 70_000
    again = running.complete("white", 15_000).complete("black", 16_000)
    assert again.left("white", 26_000) == 55_000
    assert again.left("white", 26_500) == 54_500


def test_only_the_mover_uses_up_his_delay():
    running = clock("1m delay 10s").start("white", 0).stop(3_000).start("white", 5_000)
    assert running.delay_left("white", 6_000) == 6_000
    assert running.delay_left("black", 6_000) == 10_000


@pytest.mark.parametrize("text", ["untimed", "1m", "1m+10s", "1m bronstein 10s", "1m hourglass"])
def test_other_time_controls_have_no_delay(text):
    assert clock(text).start("white", 0).delay_left("white", 1) == 0


def test_a_pause_in_mid_turn_does_not_renew_the_delay():
    running = clock("1m delay 10s").start("white", 0).stop(8_000).start("white", 50_000)
    assert running.left("white", 52_000) == 60_000
    assert running.left("white", 53_000) == 59_000
    assert running.falls_at() == 112_000


def test_a_pause_in_mid_turn_is_not_given_back_by_bronstein():
    paused = clock("1m bronstein 10s").start("white", 0).stop(8_000).start("white", 50_000)
    assert paused.complete("white", 51_000).left("white", 51_000) == 60_000


def test_the_hourglass_runs_from_one_to_the_other():
    running = clock("1m hourglass").start("white", 0)
    assert both(running, 20_000) == (40_000, 80_000)
    back = running.complete("white", 20_000)
    assert both(back, 50_000) == (70_000, 50_000)
    assert running.falls_at() == 60_000


def test_a_period_adds_its_time_when_its_turns_are_completed():
    now, running = 0, clock("2/1m+1s, 30s").start("white", 0)
    for _ in range(2):
        running = running.complete("white", now + 5_000).complete("black", now + 6_000)
        now += 6_000
    assert running.left("white", now) == 60_000 - 10_000 + 2_000 + 30_000
    running = running.complete("white", now + 5_000)
    assert running.left("white", now + 5_000) == 77_000  # the last period has no increment


def test_every_period_follows_the_one_before():
    left = []
    running = clock("2/10m, 1/5m, 3m").start("white", 0)
    for _ in range(4):
        running = running.complete("white", 0).complete("black", 0)
        left.append(running.left("white", 0) // 60_000)
    assert left == [10, 15, 18, 18]
    assert running.account("white").turns == 4


def test_a_turn_taken_back_closes_the_period_it_had_opened():
    opened = clock("1/1m, 30s").start("white", 0).complete("white", 5_000)
    assert opened.left("white", 5_000) == 85_000
    before = clock("1/1m, 30s").start("white", 0)
    undone = opened.undo("white", 6_000, before=before, made=5_000)
    assert undone.left("white", 6_000) == 55_000
    assert (undone.account("white").turns, undone.account("white").period) == (0, 0)


@pytest.mark.parametrize("text", ["1m", "1m+10s", "1m bronstein 10s", "1m delay 2s", "1/1m+3s, 9s"])
def test_nobody_gains_time_by_turns_taken_back(text):
    before = clock(text).start("white", 0)
    spent = before.left("white", 7_000)
    undone = before.complete("white", 7_000).undo("white", 9_000, before=before, made=7_000)
    assert both(undone, 9_000) == (
        spent,
        before.left("black", 0) - (0 if "delay" in text else 2_000),
    )


def test_time_given_or_taken_may_bring_the_flag_down():
    running = clock("1m").start("white", 0)
    assert running.add("white", 5_000, 1_000).left("white", 1_000) == 64_000
    assert running.add("white", -70_000, 1_000).judge(1_000).fallen == "white"
    assert running.add("black", -70_000, 1_000).judge(1_000).fallen == "black"


def test_an_untimed_game_has_no_flag():
    running = clock("untimed").start("white", 0)
    assert running.falls_at() is None
    assert running.complete("white", 10**9).judge(10**9).fallen is None


TIMED = st.sampled_from(
    ["5m", "5m+3s", "5m bronstein 3s", "5m delay 3s", "5m hourglass", "3/5m+1s, 2m"]
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["press", "stop", "look"]), st.integers(0, 9_000)), max_size=20
)


@given(TIMED, STEPS)
def test_looking_more_often_changes_nothing(text, steps):
    """Counting a clock at any instants in between gives the same readings, to the millisecond."""
    now, plain, looked = 0, clock(text).start("white", 0), clock(text).start("white", 0)
    mover = "white"
    for what, wait in steps:
        for instant in (now + wait // 3, now + wait // 2):
            looked = looked.start(mover, instant)
        now += wait
        if what == "press":
            plain, looked = plain.complete(mover, now), looked.complete(mover, now)
            mover = opponent(mover)
        elif what == "stop":
            plain = plain.stop(now).start(mover, now + 500)
            looked = looked.stop(now).start(mover, now + 500)
            now += 500
        assert both(plain, now) == both(looked, now)
        assert plain.falls_at() == looked.falls_at()


@given(TIMED, st.integers(0, 200_000))
def test_the_flag_falls_exactly_when_the_reading_reaches_zero(text, used):
    running = clock(text).start("white", 0).complete("white", used // 50).complete("black", used)
    falls = running.falls_at()
    assert running.left("white", falls) == 0
    assert running.left("white", falls - 1) == 1
    assert running.judge(falls - 1).fallen is None
    assert running.judge(falls).fallen == "white"


@given(STEPS, st.integers(1, 1_000_000))
def test_an_hourglass_keeps_all_its_sand(steps, shift):
    now, running, mover = shift, clock("5m hourglass").start("white", shift), "white"
    for _, wait in steps:
        now += wait
        running = running.complete(mover, now)
        mover = opponent(mover)
    assert sum(both(running, now)) == 600_000


@pytest.mark.parametrize("side", ["white", "black"])
def test_time_does_not_run_backwards(side):
    running = clock("1m").start(side, 5_000)
    assert running.left(side, 4_000) == 60_000


def test_with_time_odds_each_side_has_its_own_time_increment_and_periods():
    clock = Clock.of(control.parse("1/10m+5s, 5m vs 2m")).start("white", 0)
    assert (clock.left("white", 0), clock.left("black", 0)) == (600_000, 120_000)
    clock = clock.complete("white", 10_000).complete("black", 30_000)
    assert clock.left("white", 30_000) == 600_000 - 10_000 + 5_000 + 300_000
    assert clock.left("black", 30_000) == 100_000
