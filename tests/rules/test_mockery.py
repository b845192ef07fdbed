"""Mockery Chess: what is shown of invisible pieces, and the fields of a position."""

import pytest

import rules

GAME = rules.load("mockery")


def test_invisible_pieces_are_marked_for_all_to_see():
    shown = GAME.parse("4k3/8/8/2pp4/8/8/8/3RK3 w - - 0 1 d5").shown
    assert shown["d5"] == rules.Shown("P", "black", frozenset({"invisible"}))
    assert shown["c5"].marks == frozenset()


@pytest.mark.parametrize("given", [6, 8])
def test_the_fields_of_a_position_are_counted_right(given):
    text = " ".join(["4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1", "-", "-"][:given])
    with pytest.raises(rules.InvalidPosition, match=f"^7 fields are needed, not {given}$"):
        GAME.parse(text)
