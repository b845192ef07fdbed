"""Every story of the corpus, through the shipped `replay`."""

from itertools import groupby

import pytest

from tests.firmware_bridge.replay.story import came, do, named, stories
from tests.nightly import NIGHTLY


def told():
    """Yield the stories of each law with their boards, by day with one, which changes in turn."""
    for law, numbered in groupby(enumerate(stories()), lambda each: each[1].law):
        played = []
        for place, story in numbered:
            turn = place % len(story.boards)
            boards = story.boards if NIGHTLY else story.boards[turn : turn + 1]
            played += [(story, [*board.values()]) for board in boards]
        yield pytest.param(played, id=law)


@pytest.mark.parametrize("played", [*told()])
def test_what_hands_did_has_come_to_what_is_told(board, played):
    for story, on in played:
        worlds = [*story.on(board, *on)]
        for steps, came_of_it in story.parts:
            for hands in worlds:
                do(hands, steps)
            found, *others = (hands.replay() for hands in worlds)
            assert came(found, named(came_of_it)) == came_of_it, (on, steps)
            assert all(other.lines == found.lines for other in others), (on, steps)
