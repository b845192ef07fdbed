"""A piece set on the square of a like one: tags tell, and whose the other was must not be told."""

import pytest

OWN, ENEMY = (f"4k3/8/8/5{knight}2/8/2N5/8/4K3 w - - 0 1" for knight in "Nn")


def taken_by_the_other(board, position, clock):
    return board("indistinguishable", position, "identity", clock).off("f5").carry("c3", "f5")


@pytest.mark.parametrize("clock", [True, False])
def test_it_is_judged_alike_whoever_owns_the_other(board, clock):
    own, enemy = (
        taken_by_the_other(board, position, clock).end().replay() for position in (OWN, ENEMY)
    )
    assert own.lines == enemy.lines
    assert own.last["verdict"] == "illegal"
    assert own.last["restore"] == [{"from": "f5", "to": "c3"}, {"from": None, "to": "f5"}]
    assert len(own.of("ruling")) == 1


def test_two_like_pieces_exchanged_are_odd_whoever_owns_the_other(board):
    """What the referee rules then, by whose they are, is for all to hear and has its price."""
    own, enemy = (
        taken_by_the_other(board, position, clock=True)
        .put("c3", "f5")
        .press("white")
        .end()
        .replay()
        for position in (OWN, ENEMY)
    )
    told, also = own.of("verdict"), enemy.of("verdict")
    assert told[:-1] == also[:-1]
    assert own.last["verdict"] == enemy.last["verdict"] == "illegal"
    assert own.last["restore"] == enemy.last["restore"]


def test_a_piece_that_stood_astray_from_the_beginning_may_go_where_it_belongs(board):
    b = board("indistinguishable", OWN, "identity", clock=True)
    b.header["on"]["d4"] = b.header["on"].pop("f5")
    b.on["d4"] = b.on.pop("f5")
    assert b.carry("d4", "f5").end().replay().last["verdict"] == "settled"
