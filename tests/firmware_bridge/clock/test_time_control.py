import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_bridge.clock import control, durations
from firmware_bridge.clock.control import BadTimeControl, Period, TimeControl
from firmware_bridge.clock.modes import Bronstein, DaysATurn, Delay, Fischer, Hourglass
from firmware_bridge.pages.agreed import in_words
from firmware_bridge.pages.texts import speaking


@pytest.mark.parametrize(
    ("text", "ms"),
    [("45m", 2_700_000), ("1h30m", 5_400_000), ("2.5s", 2_500), ("10 S", 10_000), ("250ms", 250)],
)
def test_lengths_of_time_are_read(text, ms):
    assert durations.parse(text) == ms


@pytest.mark.parametrize(
    "text", ["", "45", "m", "10x", "-5m", "1m?", "5000h", "NaNm", "9" * 400 + "m", "5m5m", "1h5h"]
)
def test_what_is_no_length_of_time_says_so(text):
    with pytest.raises(ValueError, match=r"write for example|longer than"):
        durations.parse(text)


@given(st.integers(0, durations.LONGEST_MS))
def test_lengths_of_time_survive_printing(ms):
    assert durations.parse(durations.show(ms)) == ms


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("untimed", ()),
        ("45m", (Period(2_700_000),)),
        ("30m+10s", (Period(1_800_000, Fischer(10_000)),)),
        ("30m bronstein 10s", (Period(1_800_000, Bronstein(10_000)),)),
        ("30m delay 10s", (Period(1_800_000, Delay(10_000)),)),
        ("10m hourglass", (Period(600_000, Hourglass()),)),
        ("3d a turn", (Period(3 * 86_400_000, DaysATurn()),)),
        (
            "40/90m+30s, 20/30m+30s, 15m+30s",
            (
                Period(5_400_000, Fischer(30_000), 40),
                Period(1_800_000, Fischer(30_000), 20),
                Period(900_000, Fischer(30_000)),
            ),
        ),
    ],
)
def test_time_controls_are_read_and_printed(text, periods):
    parsed = control.parse(text)
    assert parsed == TimeControl(periods)
    assert str(parsed) == text
    assert control.parse(str(parsed)) == parsed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m45",
        "0m",
        "40/90m",
        "90m, 15m",
        "0/90m, 15m",
        "4/5m hourglass, 5m",
        "1m+x",
        "++",
    ],
)
def test_bad_time_controls_say_what_to_write(text):
    with pytest.raises(BadTimeControl, match=r"write|need|zero|second period"):
        control.parse(text)


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("10:00", "10m"),
        ("5 min", "5m"),
        ("3 | 2", "3m+2s"),
        ("0+5", "5s+5s"),
        ("5+3", "5m+3s"),
        ("15 + 10", "15m+10s"),
        ("90", "90m"),
        ("1h30", "90m"),
        ("1H30+30", "90m+30s"),
        ("2m30", "2m30s"),
        ("0.5+0", "30s"),
        ("10+0", "10m"),
        ("40/90+30, 15+30", "40/90m+30s, 15m+30s"),
        ("30 delay 10", "30m delay 10s"),
        ("10 vs 5+3", "10m vs 5m+3s"),
        ("40/90, 30 VS. 1h", "40/90m, 30m vs 60m"),
        ("5+3 vs 5m+3s", "5m+3s"),
        *((text, "3d a turn") for text in ("3 days a turn", "3d per move", "3 Tage je Zug")),
        ("1 day a turn vs 30d a turn", "1d a turn vs 30d a turn"),
    ],
)
def test_time_is_read_as_players_write_it(written, means):
    assert str(control.parse(written)) == means


@pytest.mark.parametrize(
    "text",
    [
        *("0", "0|", "-5", "5+-3", "0.01", "25h", "2700", "999999999", "5+601", "5+1h"),
        *("501/90, 15", "5 vs", "vs 5", "5 vs 3 vs 1", "untimed vs 5", "5 hourglass vs 5"),
        *("0d a turn", "31d a turn", "3d", "3d a turn, 5", "3d a turn vs 5", "1.5d a turn"),
    ],
)
def test_what_nobody_can_mean_is_refused(text):
    with pytest.raises(BadTimeControl, match=r"write|both sides|longer than"):
        control.parse(text)


@pytest.mark.parametrize("form", ["{}", "5+{}", "{}/90m, 15m", "{}d a turn"])
@pytest.mark.parametrize("digits", [400, 5000])
def test_numbers_without_end_are_no_time_control(form, digits):
    with pytest.raises(BadTimeControl):
        control.parse(form.format("9" * digits))


@pytest.mark.parametrize("language", ["en", "de"])
def test_days_are_read_as_they_are_told(language):
    for text in ("1d a turn", "3d a turn vs 14d a turn"):
        assert str(control.parse(in_words(text, speaking(language, None)))) == text


@given(st.text(alphabet="0123456789.+/hms vVsS,", max_size=24))
@example("0.02")
def test_any_figures_are_a_time_control_of_some_sense_or_a_clear_error(text):
    try:
        parsed = control.parse(text)
    except BadTimeControl:
        return
    assert control.parse(str(parsed)) == parsed
    assert control.parse(in_words(str(parsed), speaking("en", None))) == parsed
    for period in (*parsed.of("white"), *parsed.of("black")):
        assert 1_000 <= period.base_ms <= 86_400_000
        assert max(period.mode.free_ms, period.mode.earned(0, 9**9)) <= 600_000


@given(st.text(max_size=30))
def test_any_text_is_a_time_control_or_a_clear_error(text):
    try:
        parsed = control.parse(text)
    except BadTimeControl:
        return
    assert control.parse(str(parsed)) == parsed
