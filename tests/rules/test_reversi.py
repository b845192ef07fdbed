"""Reversi Chess: what a conversion is to hands."""

import rules

GAME = rules.load("reversi")


def test_a_conversion_is_not_plain_and_names_what_to_touch():
    position = GAME.parse("4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1")
    turn = position.parse_turn("d3e4~a4")
    assert not turn.plain
    assert position.parse_turn("d3e4").plain
    deed = position.deed(turn)
    assert (deed.touch, deed.becomes, deed.taken) == ("a4", (("c4", "wN"),), ("e4",))
