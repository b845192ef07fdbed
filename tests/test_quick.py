"""`./test --quick` begins with the tests that lie nearest to a change."""

import pytest

from tests.imports import ROOT
from tests.quick import nearest_first, place_of


def first(place, count):
    """Return the test files that come first when this one has changed, so many of them."""
    return [place_of(path) for path in nearest_first([ROOT / place], "HEAD~1000000")[:count]]


@pytest.mark.parametrize(
    ("changed", "nearest"),
    [
        ("rules/games/realm/whynot.py", "tests/rules/realm/test_realm_decisions.py"),
        ("rules/games/mockery/vanishing.py", "tests/rules/test_mockery.py"),
        ("firmware_bridge/reconciler/factors.py", "tests/firmware_bridge/replay/test_stories.py"),
        ("firmware_bridge/clock/clock.py", "tests/firmware_bridge/clock/test_clock.py"),
        ("tests/rules/oracles/realm_oracle.py", "tests/rules/realm/test_realm_exact.py"),
        ("examples/plug_in/plug_in_example/byo_yomi.py", "tests/test_plug_in.py"),
        ("examples/variants/chess_variants/atomic.toml", "tests/test_variants_example.py"),
    ],
)
def test_the_tests_of_what_changed_come_first(changed, nearest):
    assert nearest in first(changed, 10)


@pytest.mark.parametrize(
    ("changed", "reached"),
    [
        ("firmware_bridge/cli/replay.py", "tests/firmware_bridge/replay/test_stories.py"),
        (
            "tests/firmware_bridge/replay/conftest.py",
            "tests/firmware_bridge/replay/test_stories.py",
        ),
    ],
)
def test_what_a_test_uses_without_an_import_of_its_own_reaches_it(changed, reached):
    assert reached in first(changed, None)
