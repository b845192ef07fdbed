"""The history of the benchmarks: ratios to the yardstick, and what has become slower."""

import pytest

from tests.benchmarks.history import append, ratios


def run(day, **took):
    """Return what pytest-benchmark writes of a run, in as much as is read."""
    benchmarks = [
        {"name": name, "stats": {"median": seconds}}
        for name, times in took.items()
        for seconds in times
    ]
    return {"benchmarks": benchmarks, "datetime": f"{day}T04:00", "commit_info": {"id": "c" * 40}}


def test_a_machine_of_half_the_speed_gives_the_same_ratios():
    quick = run("2026-01-01", test_yardstick=[0.01], test_press=[0.02, 0.08])
    slow = run("2026-01-01", test_yardstick=[0.02], test_press=[0.04, 0.16])
    assert ratios(quick) == pytest.approx({"test_press": 4})
    assert ratios(slow) == pytest.approx({"test_press": 4})


def test_what_takes_longer_than_usual_is_told_and_all_is_written_down(tmp_path):
    history = tmp_path / "history.csv"
    history.write_text("day,commit,benchmark,ratio\n")
    for day, took in (("2026-01-01", 0.02), ("2026-01-02", 0.021), ("2026-01-03", 0.022)):
        assert append(run(day, test_yardstick=[0.01], test_press=[took]), history) == []
    told = append(run("2026-01-04", test_yardstick=[0.01], test_press=[0.042]), history)
    assert told == ["test_press takes 2.00 times as long as usual."]
    assert history.read_text().splitlines()[-1] == "2026-01-04,cccccccc,test_press,4.2"


def test_without_the_yardstick_nothing_is_written_down():
    with pytest.raises(SystemExit, match="test_yardstick was not run"):
        ratios(run("2026-01-01", test_press=[0.02]))
