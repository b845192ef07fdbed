"""The restoration is complete, can be done, and no shorter one exists."""

from collections import Counter, deque
from functools import cache
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.messages.verdict import Step
from firmware_bridge.reconciler.way_back import way_back
from tests.firmware_bridge.reconciler.holding import NIGHTLY

SQUARES = ("a1", "b1", "c1", "d1")
CHESSMEN = ("wK", "wR", "bN")
calmly = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
DISCS = ("wPN:N", "wPN:P", "bBR:R", "bBR:B")


def boards(labels):
    return st.dictionaries(st.sampled_from(SQUARES), st.sampled_from(labels))


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


def movements(board, labels, squares):
    """Every board one hand movement away; the box beside the board never runs out."""
    empty = [square for square in squares if square not in board]
    for source, label in board.items():
        rest = {square: have for square, have in board.items() if square != source}
        yield rest
        for carried in {label, turned(label)} if ":" in label else {label}:
            for target in (*empty, source):
                yield {**rest, target: carried}
    for target in empty:
        for label in labels:
            yield {**board, target: label}


def fewest(board, labels, squares):
    """The number of hand movements to every board that can be reached, by breadth-first search."""
    counts = {frozenset(board.items()): 0}
    queue = deque([board])
    while queue:
        now = queue.popleft()
        for then in movements(now, labels, squares):
            key = frozenset(then.items())
            if key not in counts:
                counts[key] = counts[frozenset(now.items())] + 1
                queue.append(then)
    return counts


@cache
def every_board(labels, squares):
    """Every way in which pieces can stand, as many of a label as there are squares."""
    return [
        {square: label for square, label in zip(squares, stand, strict=True) if label}
        for stand in product((None, *labels), repeat=len(squares))
    ]


CASES = [(CHESSMEN, SQUARES[:3]), (CHESSMEN[1:], SQUARES), (DISCS, SQUARES[:3])]
if NIGHTLY:
    CASES += [(CHESSMEN, SQUARES), (DISCS[:3], SQUARES)]


@pytest.mark.parametrize(("labels", "squares"), CASES)
def test_no_shorter_way_leads_from_any_board_to_any_other(labels, squares):
    for shown in every_board(labels, squares):
        counts = fewest(shown, labels, squares)
        for placement in every_board(labels, squares):
            steps = way_back(shown, placement)
            assert follow(shown, steps) == placement, (shown, placement)
            assert len(steps) == counts[frozenset(placement.items())], (shown, placement, steps)


@calmly
@given(boards(CHESSMEN), boards(CHESSMEN), st.lists(st.sampled_from(CHESSMEN), max_size=4))
def test_what_stands_beside_the_board_is_fetched_from_there_and_each_but_once(
    shown, placement, spare
):
    beside = {f"hw{number}": label for number, label in enumerate(spare, start=1)}
    steps = way_back(shown, placement, {}, beside)
    plain = way_back(shown, placement)
    assert [(s.target, s.label) for s in steps] == [(s.target, s.label) for s in plain]
    fetched = [step for step in steps if step.source in beside]
    assert len({step.source for step in fetched}) == len(fetched)
    assert all(step.label == beside[step.source] for step in fetched)
    left = Counter(spare) - Counter(step.label for step in fetched)
    assert not any(left[step.label] for step in steps if step.source is None)


@calmly
@given(st.sets(st.sampled_from(SQUARES)), boards(CHESSMEN))
def test_pieces_that_nobody_can_tell_come_back_too(occupied, placement):
    steps = way_back(dict.fromkeys(occupied, ""), placement)
    result = set(follow(dict.fromkeys(occupied, ""), steps))
    assert result == placement.keys()
    assert len(steps) == max(len(occupied - placement.keys()), len(placement.keys() - occupied))


def test_two_pieces_that_traded_places_go_by_way_of_the_table():
    steps = way_back({"a1": "wK", "b1": "wR"}, {"a1": "wR", "b1": "wK"})
    assert steps == (Step("a1", None), Step("b1", "a1", "wR"), Step(None, "b1", "wK"))


@calmly
@given(st.permutations(SQUARES), st.permutations(SQUARES), st.data())
def test_where_like_pieces_differ_each_goes_home_whatever_they_are(homes, stand, data):
    origin = dict(zip(stand[: len(homes) - 1], homes, strict=False))
    ways = []
    for _ in range(2):
        sides = data.draw(st.lists(st.sampled_from("wb"), min_size=4, max_size=4))
        placement = {home: f"{side}P" for home, side in zip(homes[:-1], sides, strict=False)}
        shown = {square: placement[home] for square, home in origin.items()}
        strange = [square for square, home in origin.items() if square != home]
        steps = way_back(shown, placement, origin, strange=strange, apart=True)
        ways.append([(step.source, step.target) for step in steps])
    assert ways[0] == ways[1]


def test_like_pieces_are_told_apart_by_where_they_came_from():
    placement = {"a1": "wR", "b1": "wR"}
    steps = way_back({"c1": "wR", "d1": "wR"}, placement, {"c1": "b1", "d1": "a1"})
    assert set(steps) == {Step("c1", "b1", "wR"), Step("d1", "a1", "wR")}


def test_a_captured_piece_is_fetched_from_the_reserve_cell_where_it_stands():
    steps = way_back({}, {"a1": "bN"}, {}, {"hw1": "bN"})
    assert steps == (Step("hw1", "a1", "bN"),)
