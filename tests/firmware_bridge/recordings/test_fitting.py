"""What is fitted to an owner's recordings, and what is refused."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from firmware_bridge.cli import main
from firmware_bridge.config import ConfigError
from firmware_bridge.config.habits import LIMITS, load_habits, written
from firmware_bridge.reconciler.settings import IMPOSSIBLE, SHIPPED
from firmware_bridge.recordings import fitting
from firmware_bridge.recordings.fitting import Felt, compare, fit, outcome, shipped
from firmware_bridge.recordings.format import write
from tests.firmware_bridge.recordings.worn import chattering, opening_late, played, reading_late
from tests.nightly import each


def felt_in(*recordings):
    felt = Felt()
    for recording in recordings:
        felt.hear(recording)
    return felt


@pytest.fixture(scope="module")
def chatter():
    """Recordings in which contacts chatter for long, which is no alarm."""
    games = [
        played("indistinguishable", "occupancy", chattering(0.07), seed, turns)
        for seed, turns in ((16, 12), (4, 6))
    ]
    assert all(figures.clean for figures, _ in games)
    return tuple(recording for _, recording in games)


def test_long_chatter_is_learnt_and_is_no_alarm(chatter):
    habits = fit(felt_in(*chatter))
    assert 0.06 < habits.bounce <= LIMITS["bounce"]
    assert replace(habits, bounce=SHIPPED.bounce, weights=SHIPPED.weights) == SHIPPED
    assert compare(chatter[0], habits, legal=True).harm is None
    assert outcome(chatter[0], SHIPPED).alarms == outcome(chatter[0], habits).alarms == 0


def test_slow_reeds_are_learnt():
    games = [
        played("mockery", "occupancy", opening_late(0.3), seed, 20)[1] for seed in (2, 3, 4, 5)
    ]
    felt = felt_in(*games)
    habits = fit(felt)
    assert len(felt.times["crossing"]) >= fitting.LEAST
    # A cell is late by up to 0.3 s, and the hand was a moment before it.
    assert SHIPPED.crossing < habits.crossing <= fitting.ROOM * 0.33
    assert habits.bounce == SHIPPED.bounce


def test_late_tags_are_learnt_and_taken_for_no_slow_contact():
    games = [
        played("reality-check", "face", reading_late(0.5), seed, 12, clock=False)[1]
        for seed in (1, 2, 4)
    ]
    felt = felt_in(*games)
    habits = fit(felt)
    assert felt.against
    assert habits.weights != SHIPPED.weights
    assert replace(habits, weights=SHIPPED.weights) == SHIPPED


def test_few_samples_and_quiet_hands_say_nothing():
    quiet = shipped()["mockery-occupancy-clock.jsonl"]
    habits = fit(felt_in(quiet))
    assert [getattr(habits, name) for name in LIMITS] == [getattr(SHIPPED, name) for name in LIMITS]
    assert fit(Felt()) == SHIPPED


def test_a_prior_holds_weights_where_little_was_seen():
    felt = Felt(turns=10)
    felt.against["unfelt-victim"] = 1
    little = fit(felt).weights["unfelt-victim"] - SHIPPED.weights["unfelt-victim"]
    felt.turns, felt.against["unfelt-victim"] = 1000, 100
    much = fit(felt).weights["unfelt-victim"] - SHIPPED.weights["unfelt-victim"]
    assert 0 < abs(little) < 0.1 < much


@pytest.mark.parametrize("name", each([*shipped()], 6))
def test_hands_in_shipped_recordings_are_legal(name):
    was = outcome(shipped()[name], SHIPPED)
    assert was.alarms == 0
    assert len(was.turns) == 14


def test_what_was_fitted_is_told_and_written_and_read_again(chatter, tmp_path, monkeypatch):
    few = dict(list(shipped().items())[2:4])
    monkeypatch.setattr("firmware_bridge.cli.fit.shipped", lambda: few)
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for file, recording in zip(files, chatter, strict=True):
        file.write_text("\n".join(write(recording)), encoding="utf-8")
    told = CliRunner().invoke(main, ["fit", *map(str, files), "--write", f"{tmp_path}/mine.toml"])
    assert told.exit_code == 0, told.output
    assert "bounce: 0.025 s -> " in told.output
    habits = fit(felt_in(*chatter))
    assert load_habits(tmp_path / "mine.toml") == habits
    replayed = CliRunner().invoke(
        main, ["replay", str(files[0]), "--habits", f"{tmp_path}/mine.toml"]
    )
    assert '"illegal"' not in replayed.output


def test_what_makes_a_legal_turn_an_alarm_is_refused(chatter, tmp_path, monkeypatch):
    name = "reality-check-memory-retreat-face-clock.jsonl"
    only = {name: shipped()[name]}
    harmful = replace(SHIPPED, weights=dict.fromkeys(SHIPPED.weights, IMPOSSIBLE))
    monkeypatch.setattr("firmware_bridge.cli.fit.fit", lambda felt: harmful)
    monkeypatch.setattr("firmware_bridge.cli.fit.shipped", lambda: only)
    file = tmp_path / "one.jsonl"
    file.write_text("\n".join(write(chatter[1])), encoding="utf-8")
    told = CliRunner().invoke(main, ["fit", str(file), "--write", f"{tmp_path}/mine.toml"])
    assert told.exit_code == 1
    assert f"Refused: in {name} there would be an alarm at " in told.output
    assert not (tmp_path / "mine.toml").exists()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("times", "this is not TOML"),
        ("times = 3", "are tables"),
        ("[hands]", "no 'hands'; they know times and weights"),
        ("[times]\ngrace = 1", "'grace' cannot be fitted; bounce, overlap"),
        ("[times]\nbounce = 0.5", "bounce must be a number from 0.025 to 0.08"),
        ("[times]\nbounce = true", "bounce must be a number"),
        ("[weights]\nnot-turned = -1", "'not-turned' cannot be fitted"),
        ("[weights]\nunexposed = 1", "unexposed must be a number from -12 to 0"),
    ],
)
def test_a_bad_file_is_told_in_one_sentence(text, part, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"mine\.toml: ") as bad:
        load_habits(file)
    assert part in str(bad.value)
    assert "\n" not in str(bad.value)


def test_a_file_that_is_not_there_is_told():
    with pytest.raises(ConfigError, match="firmware-bridge fit"):
        load_habits(fitting.files("firmware_bridge") / "none.toml")


def test_what_is_not_otherwise_is_not_written():
    assert written(SHIPPED, "told").count("=") == 0
