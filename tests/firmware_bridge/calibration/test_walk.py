"""The walk over a new board, with hands that are simulated at the sensors."""

import tomllib
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from drivers.description import BOARDS, BoardDescription, load_description
from drivers.port import BoardNotice, ButtonEvent, CellEvent, Snapshot
from firmware_bridge.calibration.procedure import PARTS, Procedure
from firmware_bridge.calibration.progress import Progress
from firmware_bridge.calibration.results import board_file, summary
from tests.nightly import few

FULL, STARTER = load_description("full"), load_description("starter")
TAG = "04AABBCC"


@dataclass
class RealBoard:
    """A board as it really is, and hands that do what they are asked.

    `file` is what its description says; `lie` how it really lies; `wires` which sensor really
    answers for the sensor that should.
    """

    file: BoardDescription
    lie: BoardDescription
    wires: dict[int, int] = field(default_factory=dict)
    dead: frozenset[str] = frozenset()
    t: float = 0.0

    def event(self, cell, reading, after=1.0):
        sensor = self.lie.numbers[cell]
        self.t += after
        return CellEvent(self.t, self.file.cells[self.wires.get(sensor, sensor)], reading)

    def touch(self, walk, cell, reading=None):
        """Put the piece there and take it up again; return what is said first."""
        if cell in self.dead:
            return ""
        reading = reading or (True if self.file.tier == "occupancy" else TAG)
        said = walk.hear(self.event(cell, reading))
        if "answers. If" in said:
            said += walk.order("k")
        walk.hear(self.event(cell, None))
        return said

    def answer(self, walk):
        """Do what is asked; return the word or the deed."""
        asks = walk.asks
        if "Put " in asks:
            cell = asks.partition(" on ")[2].partition(",")[0].partition(".")[0]
            before = walk.asks
            self.touch(walk, cell)
            if walk.asks == before:
                walk.order("s")
        elif "Press the button " in asks:
            walk.hear(ButtonEvent(self.t, asks.partition("button ")[2].partition(".")[0]))
        else:
            walk.order("y")

    def walk(self, book=None, parts=PARTS):
        walk = Procedure(self.file, book, parts)
        walk.hear(Snapshot(0.0, {}))
        return walk

    def walked(self, **kinds):
        walk = self.walk(**kinds)
        while walk.asks is not None:
            self.answer(walk)
        return walk


@given(turned=st.sampled_from([0, 90, 180, 270]), mirrored=st.booleans(), said=st.booleans())
def test_two_corners_tell_how_a_square_board_lies(turned, mirrored, said):
    lie = STARTER.oriented(turned, mirrored=mirrored)
    walk = RealBoard(STARTER.oriented(90) if said else STARTER, lie).walked(parts=PARTS[:1])
    assert walk.lie.turned.orientation == lie.orientation
    assert walk.lie.cells == lie.cells


@given(turned=st.sampled_from([0, 180]), mirrored=st.booleans())
def test_and_how_the_full_board_lies(turned, mirrored):
    lie = FULL.oriented(turned, mirrored=mirrored)
    assert RealBoard(FULL, lie).walked(parts=PARTS[:1]).lie.cells == lie.cells


def test_a_board_without_faults_is_walked_through_and_found_good():
    board = RealBoard(FULL, FULL.oriented(180))
    walk = board.walked()
    assert walk.progress == (1 + 2 + 92 + 3 + 4 + 1, 1 + 2 + 92 + 3 + 4 + 1)
    assert summary(walk.lie, walk.book) == (
        "The board lies turned by 180 degrees.",
        "Nothing weak was found.",
    )
    assert walk.lie.rewired == ()


def test_each_cell_asked_for_shines_where_players_see_it():
    lie = FULL.oriented(180)
    board = RealBoard(FULL, lie)
    walk = board.walk(parts=("orientation", "cells"))
    for _ in range(2):
        board.answer(walk)
    seen = []
    while walk.asks is not None:
        (driven,) = walk.lights.cells
        seen.append(lie.cells[FULL.numbers[driven]])
        assert f"on {seen[-1]}." in walk.asks
        board.answer(walk)
    assert sorted(seen) == sorted(FULL.cells)
    squares = seen[:72]
    steps = [abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1]))
             for a, b in pairwise(squares)]  # fmt: skip
    assert set(steps) == {1}, "one piece is pushed from neighbour to neighbour"


def test_what_is_felt_on_a_board_that_should_be_empty_shines_until_it_is_gone():
    walk = Procedure(FULL)
    walk.hear(Snapshot(0.0, {"e4": True, "a1": True}))
    asks = walk.asks
    assert set(walk.lights.cells) == set(walk.shines) == {"a1", "e4"}
    walk.hear(CellEvent(1.0, "e4", None))
    assert (walk.shines, walk.asks) == (("a1",), asks)
    walk.hear(CellEvent(2.0, "a1", None))
    assert walk.shines == ()
    assert walk.asks != asks


@settings(deadline=None, max_examples=few(120))
@given(st.data())
def test_wires_in_another_order_are_found_and_written_down(data):
    swapped = data.draw(st.permutations([3, 17, 40, 63]))
    wires = dict(zip([3, 17, 40, 63], swapped, strict=True))
    turned = data.draw(st.sampled_from([0, 180]))
    board = RealBoard(STARTER, STARTER.oriented(turned), wires)
    assume(turned == 0 or wires[63] == 63)  # the orientation is seen from the corners
    walk = board.walk(parts=("cells",) if turned == 0 else ("orientation", "cells"))
    while walk.asks is not None:
        board.answer(walk)
    text = (BOARDS / "starter.toml").read_text()
    found = BoardDescription.model_validate(tomllib.loads(board_file(text, walk.lie)))
    for cell in STARTER.cells:
        sensor = board.lie.numbers[cell]
        assert found.numbers[cell] == wires.get(sensor, sensor)
    told = any("another order" in line for line in summary(walk.lie, walk.book))
    assert told == any(a != b for a, b in wires.items())
    again = RealBoard(found, found).walked(parts=("cells",))
    assert again.lie.rewired == ()


def test_corners_that_are_none_leave_the_board_as_described():
    walk = RealBoard(STARTER, STARTER).walk(parts=("orientation",))
    assert walk.hear(CellEvent(1.0, "d4", True)) == "", "a piece may cross other cells"
    assert "a1" in walk.asks
    walk.order("y")
    walk.hear(CellEvent(2.0, "d4", None))
    assert "Nothing is felt" in walk.order("y")
    walk.hear(CellEvent(3.0, "e7", True))
    walk.hear(CellEvent(3.0, "e8", True))
    assert "More than one" in walk.order("y")
    walk.hear(CellEvent(4.0, "e8", None))
    walk.order("y")
    assert walk.asks is None
    assert "no corners" in summary(walk.lie, walk.book)[0]
    assert walk.lie.turned == STARTER


def test_all_that_is_weak_is_named():
    board = RealBoard(FULL, FULL, dead=frozenset({"c3"}))
    walk = Procedure(FULL)
    assert "not answered" in walk.order("y")
    walk.hear(Snapshot(0.0, {"h9": True}))
    assert "Take everything off" in walk.asks
    walk.order("w")
    board.answer(walk)
    board.answer(walk)
    while "lights" not in walk.asks and "shine" not in walk.asks:
        if " on b2." in walk.asks:
            assert "waiting for its tag" in walk.hear(board.event("b2", True))
            walk.order("w")
            walk.hear(board.event("b2", None))
        elif " on e5." in walk.asks:
            board.touch(walk, "e5")
            for reading in (TAG, None, TAG, None):
                walk.hear(board.event("e5", reading, after=0.004))
        elif " on h9." in walk.asks:
            walk.order("s")
        else:
            board.answer(walk)
    assert "Noted: a1." in walk.order("a1")
    assert "Noted: a1, b7" in walk.order("B7")
    assert 'no light on "z9"' in walk.order("z9")
    assert "a1" not in walk.lights.cells
    assert "a2" in walk.lights.cells
    for _ in range(3):
        walk.order("y")
    assert walk.hear(ButtonEvent(99.0, "black")).startswith("That was black.")
    walk.hear(ButtonEvent(99.0, "white"))
    walk.order("s")
    walk.hear(ButtonEvent(99.0, "adjust"))
    walk.hear(ButtonEvent(99.0, "draw"))
    assert walk.sound == "attention"
    asked = walk.asks
    walk.order("a")
    assert walk.asks != asked, "asked anew, so that it is played again"
    walk.order("n")
    assert walk.asks is None
    assert walk.sound == ""
    assert dict(walk.lights.cells) == {}
    assert summary(walk.lie, walk.book) == (
        "The board lies as its file says.",
        "Felt something on the empty board: h9.",
        "Did not answer: c3, h9.",
        "Felt the piece, but read no tag: b2.",
        "Flickered, perhaps a bad joint or a weak magnet: e5 (4 times).",
        "Did not shine: a1, b7.",
        "Buttons that did not answer: black.",
        "The sound was not heard: check the buzzer's pin and polarity.",
    )


def test_two_cells_on_one_sensor_are_told_and_no_wiring_is_guessed():
    board = RealBoard(STARTER, STARTER, wires={9: 10})
    walk = board.walked(parts=("cells",))
    assert set(walk.lie.doubled) == {"b2", "c2"}
    assert walk.lie.rewired == ()
    assert any("answer alike" in line for line in summary(walk.lie, walk.book))


@settings(deadline=None, max_examples=few(120))
@given(st.lists(st.sampled_from(["do", "do", "do", "u", "resume"]), max_size=60))
def test_undo_takes_back_one_answer_and_a_walk_goes_on_where_it_stopped(deeds):
    board = RealBoard(STARTER, STARTER.oriented(90))
    walk = board.walk()
    books = [walk.book]
    for deed in deeds:
        if deed == "do" and walk.asks is not None:
            board.answer(walk)
            books.append(walk.book)
        elif deed == "u" and len(books) > 1:
            walk.order("u")
            books.pop()
        elif deed == "resume":
            asked = walk.asks
            walk = board.walk(book=Progress.model_validate_json(walk.book.model_dump_json()))
            assert walk.asks == asked
        assert dict(walk.book.answers) == dict(books[-1].answers)


def test_a_board_that_names_kinds_is_known_to_need_no_piece_set():
    board = RealBoard(FULL, FULL)
    assert not board.walked(parts=("cells",)).book.by_kind
    walk = board.walk(parts=("cells",))
    board.touch(walk, "a1", "piece:wK")
    assert walk.book.by_kind


def test_a_board_that_went_and_came_back_is_walked_on():
    board = RealBoard(FULL, FULL)
    walk = board.walk(parts=("cells",))
    board.answer(walk)
    asked = walk.asks
    walk.hear(Snapshot(5.0, {"g7": TAG}))
    assert walk.asks == asked
    walk.hear(board.event("g7", None))
    board.answer(walk)
    assert walk.progress[0] == 3


def test_undo_at_the_beginning_says_so():
    walk = Procedure(FULL)
    assert walk.order("u") == "There is nothing to undo."
    walk.hear(Snapshot(0.0, {}))
    assert walk.order("U") == "Undone: empty."


def test_a_wrong_word_is_answered_with_the_right_ones():
    walk = RealBoard(FULL, FULL).walk()
    assert walk.order("maybe") == '"maybe" is no answer here. Known: y, s, u, q.'
    assert walk.hear(BoardNotice(1.0, "overflow", "Too much.")) == ""


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(STARTER.cells), st.sampled_from([True, None]))),
       st.lists(st.sampled_from(["y", "n", "s", "k", "w", "u", "a1", "q", "?"])))  # fmt: skip
def test_nothing_that_happens_breaks_the_walk(events, words):
    walk = RealBoard(STARTER, STARTER).walk()
    for number, (cell, reading) in enumerate(events):
        walk.hear(CellEvent(float(number), cell, reading))
        if number < len(words):
            walk.order(words[number])
        assert walk.asks is None or walk.asks
        assert set(walk.lights.cells) <= set(STARTER.cells)
        assert sorted(walk.lie.cells) == sorted(STARTER.cells)
        summary(walk.lie, walk.book)


@pytest.mark.parametrize("name", ["full", "starter", "kiosk"])
@pytest.mark.parametrize("more", ["", "\n[orientation] # on the table\nturned = 0\n"])
def test_the_board_file_keeps_everything_else(name, more):
    text = (BOARDS / f"{name}.toml").read_text() + more
    described = load_description(name)
    lie = RealBoard(described, described.oriented(180, mirrored=True)).walked(parts=PARTS[:1]).lie
    changed = board_file(text, lie)
    board = BoardDescription.model_validate(tomllib.loads(changed))
    assert board == described.oriented(180, mirrored=True)
    assert changed.splitlines()[0] == text.splitlines()[0]
    assert board_file(changed, lie) == changed
    unchanged = RealBoard(described, described).walked(parts=PARTS[:1]).lie
    assert board_file(text, unchanged) == text
