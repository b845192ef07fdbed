"""Each decision of the games' rules, by name: above all where what was published is silent."""

import pytest

from tests.rules.decided import hold, laws


@pytest.mark.parametrize("law", [*laws()])
def test_it_is_decided_as_is_told(law):
    hold(law)
