"""Every story of the corpus, through the shipped `replay`."""

import pytest

from tests.firmware_bridge.replay.story import came, do, named, stories
from tests.nightly import NIGHTLY


def told():
    """Yield each story with each of its boards, by day with one, which changes story by story."""
    for place, story in enumerate(stories()):
        turn = place % len(story.boards)
        for board in story.boards if NIGHTLY else story.boards[turn : turn + 1]:
            on = [*board.values()]
            yield pytest.param(story, on, id="-".join((story.law, *map(str, on))))


@pytest.mark.parametrize(("story", "on"), [*told()])
def test_what_hands_did_has_come_to_what_is_told(board, story, on):
    worlds = [*story.on(board, *on)]
    for steps, came_of_it in story.parts:
        for hands in worlds:
            do(hands, steps)
        found, *others = (hands.replay() for hands in worlds)
        assert came(found, named(came_of_it)) == came_of_it
        assert all(other.lines == found.lines for other in others)
