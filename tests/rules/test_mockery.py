"""Mockery Chess: each decision of its rules, by name."""

import pytest

import rules
from tests.rules.decided import decided_in, hold

GAME = rules.load("mockery")


@decided_in("mockery")
def test_it_is_decided_as_is_told(law):
    hold(law)


def test_invisible_pieces_are_marked_for_all_to_see():
    shown = GAME.parse("4k3/8/8/2pp4/8/8/8/3RK3 w - - 0 1 d5").shown
    assert shown["d5"] == rules.Shown("P", "black", frozenset({"invisible"}))
    assert shown["c5"].marks == frozenset()


@pytest.mark.parametrize("given", [6, 8])
def test_the_fields_of_a_position_are_counted_right(given):
    text = " ".join(["4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1", "-", "-"][:given])
    with pytest.raises(rules.InvalidPosition, match=f"^7 fields are needed, not {given}$"):
        GAME.parse(text)
