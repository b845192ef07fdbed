"""The puzzle of the four knights: what it takes, what it says, and that it can be solved."""

from collections import deque

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.calibration.knights import BEGIN, CELLS, GOAL, Knights, jumps
from firmware_bridge.calibration.prompts import words_of
from firmware_bridge.cli import main


def moves(standing):
    """What a knight can do from here: an oracle of its own, by the eight steps of a knight."""
    for start in standing:
        for step in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
            end = f"{chr(ord(start[0]) + step[0])}{int(start[1]) + step[1]}"
            if end in CELLS and end not in standing:
                yield start, end


def after(standing, start, end):
    return {cell: side for cell, side in standing.items() if cell != start} | {end: standing[start]}


def shortest():
    """The fewest moves that solve it, by breadth-first search."""
    waiting, seen = deque([(BEGIN, ())]), {frozenset(BEGIN.items())}
    while waiting:
        standing, done = waiting.popleft()
        if standing == GOAL:
            return done
        for start, end in moves(standing):
            found = after(standing, start, end)
            if frozenset(found.items()) not in seen:
                seen.add(frozenset(found.items()))
                waiting.append((found, (*done, (start, end))))
    raise AssertionError("it cannot be solved")


def begun():
    puzzle = Knights()
    assert puzzle.look(BEGIN).key == "puzzle-play"
    return puzzle


def test_it_is_solved_in_sixteen_moves():
    puzzle, standing = begun(), BEGIN
    for start, end in shortest():
        assert not puzzle.solved
        standing = after(standing, start, end)
        said = puzzle.look(standing)
    assert puzzle.solved
    assert (said.key, puzzle.moves) == ("puzzle-solved", 16)


@given(st.lists(st.tuples(st.sampled_from(CELLS), st.sampled_from(CELLS)), max_size=40))
def test_a_move_is_taken_exactly_if_a_knight_can_make_it(tries):
    puzzle, standing = begun(), dict(BEGIN)
    for start, end in tries:
        if start not in standing or end in standing or puzzle.solved:
            continue
        legal = (start, end) in moves(standing)
        assert jumps(start, end) == legal
        before = puzzle.moves
        said = puzzle.look(after(standing, start, end))
        assert puzzle.moves == before + legal
        if legal:
            standing = after(standing, start, end)
            assert said.key in {"puzzle-move", "puzzle-solved"}
        else:
            assert said.key == "puzzle-no-jump"
            assert puzzle.look(standing).key == "puzzle-as-before"


@given(st.lists(st.sets(st.sampled_from(CELLS)), max_size=20))
def test_whatever_is_felt_the_knights_stay_two_and_two(felt):
    puzzle = begun()
    for cells in felt:
        puzzle.look(cells)
        assert sorted(puzzle._standing.values()) == sorted(BEGIN.values())


@pytest.mark.parametrize(
    ("felt", "told"),
    [
        ((), "Still to be set: a1, a3, c1, c3. To be taken away: none."),
        (("a1", "c1", "a3", "b1"), "Still to be set: c3. To be taken away: b1."),
        (("a1", "c1", "a3", "c3", "h8"), "Four knights stand in the corners."),
    ],
)
def test_the_corners_are_set_up_first(felt, told):
    assert told in Knights().look(felt).told(words_of("en"))


@pytest.mark.parametrize(
    ("felt", "told"),
    [
        (("a1", "c1", "a3"), "The knight of c3 is in the air."),
        (("a1", "c1"), "Put one back on: a3, c3. Take away from: none."),
        (("a1", "c1", "a3", "c3", "b1"), "Put one back on: none. Take away from: b1."),
        (("a1", "c1", "a3", "c2"), "No knight goes from c3 to c2."),
    ],
)
def test_what_is_not_a_move_is_explained_once(felt, told):
    puzzle = begun()
    assert told in puzzle.look(felt).told(words_of("en"))
    assert puzzle.look(felt) is None


def test_a_board_without_the_squares_is_refused(tmp_path):
    board = tmp_path / "tiny.toml"
    head = 'name = "tiny"\ncontroller = "own"\ntier = "occupancy"\n'
    board.write_text(f"{head}[grid]\nfiles = 2\nranks = 3\n")
    result = CliRunner().invoke(main, ["puzzle", "-s", f"board.description={board}"])
    assert result.exit_code
    assert 'The board "tiny" has no c1, c2, c3' in result.stderr
