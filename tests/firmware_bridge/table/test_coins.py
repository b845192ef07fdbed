"""Mockery Chess on a board without lights: coins under the invisible pieces, as it says."""

import pytest

from firmware_bridge.messages.outputs import Said, Taken
from firmware_bridge.pages.texts import texts
from firmware_bridge.words import LANGUAGES
from rules.values import opponent
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import NIGHTLY, in_turn

COIN_AT_C4 = "4k3/8/8/3p4/2P5/3P4/8/4K3 w - - 0 1 c4"
SEEDS = range(6 if NIGHTLY else 2)
KEYS = {"vanished-coin": set.add, "appeared-coin": set.discard}


def coins(driven):
    """Return where coins lie for whoever does what is said, and takes them along with pieces."""
    lying, position, made = set(), driven.start, []
    for output in driven.outputs:
        if isinstance(output, Taken):
            moves = dict(position.deed(output.turn).moves)
            made.append((position, {target: source for source, target in moves.items()}))
            lying = {moves.get(square, square) for square in lying}
            position = output.position
        elif isinstance(output, Said) and output.key == "taken-back":
            position, back = made.pop()
            lying = {back.get(square, square) for square in lying}
        elif isinstance(output, Said) and output.key in KEYS:
            KEYS[output.key](lying, output.words["square"])
    return lying


def marked(position):
    return {square for square, piece in position.shown.items() if "invisible" in piece.marks}


@pytest.mark.parametrize(("tier", "seed"), in_turn(["occupancy", "identity"], SEEDS))
def test_whoever_does_what_is_said_has_a_coin_under_every_invisible_piece(tier, seed):
    driven = Driven("mockery", tier=tier, unlit=True)
    driven.random_turns(seed, 30)
    assert coins(driven) == marked(driven.position)
    assert not {"vanished", "appeared"} & set(driven.said)


@pytest.mark.parametrize("seed", SEEDS)
def test_so_it_is_after_a_turn_was_taken_back(seed):
    driven = Driven("mockery", unlit=True, settings={"take_backs": True})
    driven.random_turns(seed, 20 + seed)
    side = driven.position.side
    driven.say("offer-take-back", side)
    driven.say("accept-take-back", opponent(side))
    assert "taken-back" in driven.said
    assert coins(driven) == marked(driven.position)


def test_a_position_that_is_set_up_tells_its_coins_first():
    driven = Driven("mockery", unlit=True, position=COIN_AT_C4, begin=False)
    driven.wait(2)
    driven.set_up()
    driven.wait(2)
    assert coins(driven) == {"c4"} == marked(driven.position)


def test_a_position_that_is_corrected_tells_where_coins_come_and_go():
    driven = Driven("mockery", unlit=True)
    driven.say("set-position", position=COIN_AT_C4, reason="test")
    assert [said for said in driven.said if said in KEYS] == ["vanished-coin"]
    driven.say("set-position", position=COIN_AT_C4.replace("c4", "-"), reason="test")
    assert [said for said in driven.said if said in KEYS] == ["vanished-coin", "appeared-coin"]


def test_with_lights_nobody_needs_coins():
    driven = Driven("mockery")
    driven.random_turns(1, 30)
    assert not set(KEYS) & set(driven.said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_said_in_words(language):
    told = {"piece": "piece-N", "square": "f6"}
    for key in KEYS:
        assert "f6" in texts(language, "mockery").text(key, told)
