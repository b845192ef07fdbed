"""The restoration is complete, can be done, and no shorter one exists."""

from collections import deque

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.reconciler.way_back import way_back
from firmware_bridge.verdict import Step

SQUARES = ("a1", "b1", "c1", "d1")
CHESSMEN = ("wK", "wR", "bN")
DISCS = ("wPN:N", "wPN:P", "bBR:R", "bBR:B")


def boards(labels):
    return st.dictionaries(st.sampled_from(SQUARES), st.sampled_from(labels))


def disc_boards():
    return boards(DISCS).filter(lambda b: len({x.split(":")[0] for x in b.values()}) == len(b))


def turned(label):
    name, down = label.split(":")
    return f"{name}:{name[1] if down == name[2] else name[2]}"


def follow(board, steps):
    """Do the steps; every one must be possible when its turn comes."""
    board = dict(board)
    for step in steps:
        assert step.source is None or step.source in board
        label = board.pop(step.source) if step.source is not None else step.label
        if step.target is not None:
            assert step.target not in board
            board[step.target] = step.label if ":" in label else label
    return board


def movements(board, labels):
    """Every board one hand movement away; the box beside the board never runs out."""
    empty = [square for square in SQUARES if square not in board]
    for source, label in board.items():
        rest = {square: have for square, have in board.items() if square != source}
        yield rest
        for carried in {label, turned(label)} if ":" in label else {label}:
            for target in (*empty, source):
                yield {**rest, target: carried}
    for target in empty:
        for label in labels:
            yield {**board, target: label}


def fewest(board, goal, labels):
    """The number of hand movements needed, by breadth-first search."""
    queue, seen = deque([(board, 0)]), {frozenset(board.items())}
    while queue:
        now, count = queue.popleft()
        if now == goal:
            return count
        for then in movements(now, labels):
            key = frozenset(then.items())
            if key not in seen:
                seen.add(key)
                queue.append((then, count + 1))
    raise AssertionError


@settings(max_examples=60, deadline=None)
@given(boards(CHESSMEN), boards(CHESSMEN))
def test_chessmen_come_back_by_the_fewest_movements(shown, placement):
    steps = way_back(shown, placement)
    assert follow(shown, steps) == placement
    assert len(steps) == fewest(shown, placement, CHESSMEN)


@settings(max_examples=60, deadline=None)
@given(disc_boards(), disc_boards())
def test_discs_come_back_by_the_fewest_movements(shown, placement):
    steps = way_back(shown, placement)
    assert follow(shown, steps) == placement
    assert len(steps) == fewest(shown, placement, DISCS)


@given(st.sets(st.sampled_from(SQUARES)), boards(CHESSMEN))
def test_pieces_that_nobody_can_tell_come_back_too(occupied, placement):
    steps = way_back(dict.fromkeys(occupied, ""), placement)
    result = set(follow(dict.fromkeys(occupied, ""), steps))
    assert result == placement.keys()
    assert len(steps) == max(len(occupied - placement.keys()), len(placement.keys() - occupied))


def test_two_pieces_that_traded_places_go_by_way_of_the_table():
    steps = way_back({"a1": "wK", "b1": "wR"}, {"a1": "wR", "b1": "wK"})
    assert steps == (Step("a1", None), Step("b1", "a1", "wR"), Step(None, "b1", "wK"))


def test_like_pieces_are_told_apart_by_where_they_came_from():
    placement = {"a1": "wR", "b1": "wR"}
    steps = way_back({"c1": "wR", "d1": "wR"}, placement, {"c1": "b1", "d1": "a1"})
    assert set(steps) == {Step("c1", "b1", "wR"), Step("d1", "a1", "wR")}


def test_a_captured_piece_is_fetched_from_the_reserve_cell_where_it_stands():
    steps = way_back({}, {"a1": "bN"}, {}, {"hw1": "bN"})
    assert steps == (Step("hw1", "a1", "bN"),)
