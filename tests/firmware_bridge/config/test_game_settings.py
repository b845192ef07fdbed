import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.config.game_settings import BadSetting, GameSettings
from firmware_bridge.referee import penalties
from firmware_bridge.referee.penalties import BadPenalty, PenaltyTable, TimeTaken
from firmware_bridge.words import LANGUAGES, catalogue


def test_settings_left_out_have_their_defaults():
    settings = GameSettings.of({})
    assert (settings.grace, settings.settle, settings.time) == (0.8, 0.3, None)
    assert str(settings.time_control("45m")) == "45m"
    assert str(settings.penalty_table("5m")) == "5m"


def test_settings_are_read_by_their_names():
    settings = GameSettings.of({"time": "30m+10s", "grace": 1, "penalty": 120, "touch_move": True})
    assert str(settings.time_control("45m")) == "30m+10s"
    assert settings.penalty_table("none").of(1) == TimeTaken(120_000)
    assert (settings.grace, settings.touch_move) == (1.0, True)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"tiem": "5m"}, "did you mean 'time'"),
        ({"xyzzy": 1}, "the settings are"),
        ({"time": "5x"}, "'time': '5x' is no time control: write"),
        ({"grace": -1}, "'grace'"),
        ({"grace": float("nan")}, "'grace'"),
        ({"penalty": "slap"}, "'penalty': 'slap' is no penalty: write"),
        ({"language": "tlh"}, "'language'"),
        ({"time": "5x", "grace": "soon"}, "'grace'"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_takes(names, message):
    with pytest.raises(BadSetting) as error:
        GameSettings.of(names)
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["none", "5m", "warning, +2m, loss", "+1m, loss", "30s, 1m"])
def test_penalty_tables_are_read_and_printed(text):
    assert str(penalties.parse(text)) == text


def test_the_last_penalty_holds_for_every_further_offence():
    table = penalties.parse("warning, +2m, loss")
    kinds = [table.of(offence).kind for offence in range(1, 6)]
    assert kinds == ["warning", "give", "loss", "loss", "loss"]


@given(st.text(max_size=20))
def test_any_text_is_a_penalty_table_or_a_clear_error(text):
    try:
        table = penalties.parse(text)
    except BadPenalty:
        return
    assert isinstance(table, PenaltyTable)


def test_the_words_of_every_language_are_understood():
    for language in LANGUAGES:
        words = catalogue(language).texts
        named = [words[f"penalty-form-{kind}"] for kind in ("warning", "none", "loss")]
        read = GameSettings.of({"time": words["untimed"].upper(), "penalty": " , ".join(named)})
        assert (read.time, read.penalty) == ("untimed", "warning, none, loss")
