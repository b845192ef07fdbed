"""Every story of the corpus, through the shipped `replay`."""

from itertools import groupby

import pytest

from tests.firmware_bridge.replay.story import came, do, named, stories
from tests.nightly import enough


def told():
    """Yield the stories of each law, by day on so many boards that any two values meet."""
    for law, group in groupby(stories(), key=lambda story: story.law):
        found = [*group]
        boards = [{"story": n, **on} for n, story in enumerate(found) for on in story.boards]
        for chosen in enough(boards):
            story, *on = chosen.values()
            yield pytest.param(found[story], on, id="-".join((law, *map(str, on))))


@pytest.mark.parametrize(("story", "on"), [*told()])
def test_what_hands_did_has_come_to_what_is_told(board, story, on):
    worlds = [*story.on(board, *on)]
    for steps, came_of_it in story.parts:
        for hands in worlds:
            do(hands, steps)
        found, *others = (hands.replay() for hands in worlds)
        assert came(found, named(came_of_it)) == came_of_it
        assert all(other.lines == found.lines for other in others)
