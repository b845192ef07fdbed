"""What the rules say of what they refuse."""

import pytest

import rules


def refused(what, *given):
    """Return the reason and the squares for which this is no legal turn."""
    with pytest.raises(rules.IllegalTurn) as illegal:
        what(*given)
    assert str(illegal.value).endswith("."), "a sentence for people, not the bare code"
    return illegal.value.reason, illegal.value.squares
