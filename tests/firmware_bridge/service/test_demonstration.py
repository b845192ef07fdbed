import itertools

import pytest

import rules
from drivers.signals import SIGNALS
from firmware_bridge.games import metadata
from firmware_bridge.service.demonstration import explained, played

FRAMES = [frame for name in rules.games() for frame in (*played(name), *explained(name))]


@pytest.mark.parametrize("game", rules.games())
def test_a_game_plays_all_its_demonstration_then_explains_itself(game):
    frames = [frame for frame in FRAMES if frame.game.id == game]
    played = [frame for frame in frames if frame.screen is None and frame.turn]
    explained = [frame.screen for frame in frames if frame.screen is not None]
    assert len(played) == len(metadata.of(game).demonstration) >= 6
    assert set(explained) == set(range(len(metadata.of(game).learn)))


def test_the_lights_tell_every_turn_and_exist():
    for before, after in itertools.pairwise(FRAMES):
        assert set(after.lights.values()) <= set(SIGNALS)
        if after.turn and before.screen == after.screen:
            changed = {
                square
                for square in before.board.keys() | after.board.keys()
                if before.board.get(square) != after.board.get(square)
            }
            assert changed & after.lights.keys()


def test_a_hidden_piece_glows():
    hidden = [frame for frame in FRAMES if "invisible" in frame.lights.values()]
    assert hidden
    for frame in hidden:
        glowing = {square for square, light in frame.lights.items() if light == "invisible"}
        assert glowing == {s for s, piece in frame.board.items() if "invisible" in piece.marks}
