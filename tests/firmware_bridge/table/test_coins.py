"""Mockery Chess on a board without lights: coins under the invisible pieces, as it says."""

import pytest

from firmware_bridge.messages.outputs import Said, Taken
from firmware_bridge.pages.texts import texts
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.table.driving import Driven

KEYS = {"vanished-coin": set.add, "appeared-coin": set.discard}


def coins(driven):
    """Return where coins lie for whoever does what is said, and takes them along with pieces."""
    lying, played = set(), iter(driven.table.state.played)
    for output in driven.outputs:
        if isinstance(output, Taken):
            one = next(played)
            moves = dict(one.before.deed(one.turn).moves)
            lying = {moves.get(square, square) for square in lying}
        elif isinstance(output, Said) and output.key in KEYS:
            KEYS[output.key](lying, output.words["square"])
    return lying


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("seed", range(6))
def test_whoever_does_what_is_said_has_a_coin_under_every_invisible_piece(tier, seed):
    driven = Driven("mockery", tier=tier, unlit=True)
    driven.random_turns(seed, 30)
    marked = {s for s, piece in driven.position.shown.items() if "invisible" in piece.marks}
    assert coins(driven) == marked
    assert not {"vanished", "appeared"} & set(driven.said)


def test_with_lights_nobody_needs_coins():
    driven = Driven("mockery")
    driven.random_turns(1, 30)
    assert not set(KEYS) & set(driven.said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_said_in_words(language):
    told = {"piece": "piece-N", "square": "f6"}
    for key in KEYS:
        assert "f6" in texts(language, "mockery").text(key, told)
