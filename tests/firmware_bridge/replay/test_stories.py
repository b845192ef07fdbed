"""Every story of the corpus, through the shipped `replay`."""

import pytest

from tests.firmware_bridge.replay.story import came, do, named, stories

TOLD = [
    pytest.param(story, on, id="-".join((story.law, *map(str, on.values()))))
    for story in stories()
    for on in story.boards
]


@pytest.mark.parametrize(("story", "on"), TOLD)
def test_what_hands_did_has_come_to_what_is_told(board, story, on):
    hands = story.on(board, **on)
    for steps, told in story.parts:
        do(hands, steps)
        assert came(hands.replay(), named(told)) == told
