"""Whoever promotes is told what belongs on the square: reeds cannot feel a pawn left standing."""

import pytest

from firmware_bridge.messages import Said
from firmware_bridge.words import catalogue
from tests.firmware_bridge.table.driving import Driven

START = {
    "indistinguishable": "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
    "reversi": "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
    "realm": "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
    "mockery": "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1 -",
}


@pytest.mark.parametrize("turn", ["a7a8q", "a7b8n"])
@pytest.mark.parametrize("game", START)
def test_a_promotion_is_told_with_the_piece_and_its_square(game, turn):
    driven = Driven(game, tier="occupancy", position=START[game])
    driven.play(turn)
    told = [out for out in driven.outputs if isinstance(out, Said) and out.key == "promoted"]
    piece, square = {"q": ("queen", "Dame"), "n": ("knight", "Springer")}[turn[4]], turn[2:4]
    texts = [catalogue(lang, game).text(told[-1].key, told[-1].words) for lang in ("en", "de")]
    assert texts == [
        f"Promoted. A {piece[0]} belongs on {square}.",
        f"Umgewandelt. Auf {square} gehört: {piece[1]}.",
    ]


def test_an_ordinary_turn_is_no_promotion():
    driven = Driven("mockery")
    driven.play("e2e4")
    assert not driven.gave(Said)
