"""Where pieces may have gone, against every way that a slow twin tries out."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.reconciler.settings import SHIPPED
from firmware_bridge.reconciler.trace import MOST_WAYS, PieceAssignments

PLACEMENT = {"a1": "wR", "b1": "wN", "c1": "wB", "d2": "wP", "e2": "wP", "d7": "bP"}
SLOW = SHIPPED.crossing + 0.05


def told(*deeds, pace=SLOW):
    """Return the whereabouts after squares were lifted (`-a1`) and filled (`+a1`) at a pace."""
    found = PieceAssignments(PLACEMENT, ())
    for step, deed in enumerate(deeds, 1):
        (found.lift if deed[0] == "-" else found.place)(deed[1:], step * pace)
    return found


def test_a_piece_alone_in_the_air_leaves_no_doubt():
    found = told("-a1", "+a4", "-b1", "+a1")
    assert found.doubtful() == {"a1"}  # the knight stands there, for certain
    assert found.allow((("a1", "a4"), ("b1", "a1")))
    assert not found.allow((("b1", "a4"),))


def test_two_pieces_in_the_air_may_both_have_come_down():
    found = told("-a1", "-b1", "+b1")
    assert found.doubtful() == {"b1"}
    assert found.allow((("a1", "b1"),))
    assert found.allow(())


def test_the_doubt_travels_on_with_a_piece_that_is_taken_up_again():
    found = told("-a1", "-b1", "+b1", "+h4", "-h4", "+a1")
    assert found.doubtful() == {"a1", "b1"}
    assert found.allow((("a1", "b1"), ("b1", "a1")))


def test_like_pieces_make_no_doubt():
    assert not told("-d2", "-e2", "+e2", "+d2").doubtful()


def test_a_piece_that_has_not_left_its_square_has_not_gone():
    assert not told("-d2", "+d4").allow((("e2", "d4"),))


def test_a_contact_that_chatters_has_not_changed_hands():
    found = PieceAssignments(PLACEMENT, ())
    found.lift("a1", 1.0)
    found.lift("b1", 2.0)
    found.place("b1", 2.0 + SHIPPED.bounce)
    assert not found.doubtful()


def test_a_cell_that_opens_after_the_next_one_closed_was_slid_from():
    found = PieceAssignments(PLACEMENT, ())
    found.lift("a1", 1.0)
    found.place("c2", 2.0)
    found.lift("b1", 2.0 + SHIPPED.crossing)
    assert found.allow((("b1", "c2"),))
    assert found.allow((("a1", "c2"),))


def test_far_squares_are_not_slid_between_so_slowly():
    found = PieceAssignments(PLACEMENT, ())
    found.lift("a1", 1.0)
    found.place("h8", 2.0)
    found.lift("b1", 2.0 + SHIPPED.overlap + 0.01)
    assert not found.allow((("b1", "h8"),))


def test_nothing_was_slid_to_a_square_that_is_empty_again():
    found = PieceAssignments(PLACEMENT, ())
    for at, square in ((1.0, "d2"), (1.5, "a1")):
        found.lift(square, at)
    found.place("d2", 2.0)
    found.lift("d2", 2.1)
    found.lift("c1", 2.15)
    assert not found.doubtful()


def test_what_is_told_of_one_piece_tells_of_the_others():
    found = told("-a1", "-b1", "+b1", "+h4")
    assert found.doubtful() == {"b1"}
    assert found.agreed == {"b1": None, "h4": None}
    found.tell("h4", ["a1"])
    assert not found.doubtful()
    assert (found.agreed, found.origin) == ({"b1": "b1", "h4": "a1"}, {"h4": "a1"})


def test_what_is_told_goes_before_what_was_felt():
    found = told("-a1", "+a4")
    found.tell("a4", ["b1"])
    found.place("a1", 9.0)
    assert found.origin == {"a4": "b1"}
    assert not found.doubtful()


def test_a_piece_from_nowhere_may_be_any():
    found = told("+h5")
    assert found.allow(())
    assert not found.doubtful()


def test_with_too_many_ways_nothing_is_said():
    found = PieceAssignments({f"{f}{r}": f"{f}{r}" for f, r in product("abcdef", "12")}, ())
    squares = [f"{f}{r}" for f, r in product("abcdef", "12")]
    for at, square in enumerate(squares):
        found.lift(square, at * SLOW)
    for at, square in enumerate(squares[:5], len(squares)):
        found.place(square, at * SLOW)
    assert MOST_WAYS < 12 * 11 * 10
    assert found.doubtful() == set(squares[:5])
    assert found.allow(((squares[0], squares[1]),))
    found.lift(squares[0], 20 * SLOW)
    found.place(squares[0], 20 * SLOW + SHIPPED.bounce)
    assert found.doubtful() == set(squares[:5])


@given(st.lists(st.sampled_from([*PLACEMENT, "d4", "e5"]), max_size=8))
@settings(max_examples=200, deadline=None)
def test_every_way_is_kept(toggles):
    """Compare with all the ways, tried out one by one, in which slow hands may have done it."""
    found, ways = PieceAssignments(PLACEMENT, ()), [(dict(PLACEMENT), ())]
    for step, square in enumerate(toggles, 1):
        if square in ways[0][0]:
            found.lift(square, step)
            ways = [(board, (*air, board.pop(square))) for board, air in copies(ways)]
        elif ways[0][1]:
            found.place(square, step)
            ways = [
                (board | {square: label}, (*air[:at], *air[at + 1 :]))
                for board, air in ways
                for at, label in enumerate(air)
            ]
    boards = [board for board, _ in ways]
    expected = {
        square
        for board in boards
        for square in board
        if PLACEMENT.get(square, board[square]) != board[square]
    }
    assert found.doubtful() == expected


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*PLACEMENT, "d4", "e5"]),
            st.sampled_from(["lifted", "filled", *PLACEMENT]),
            st.sampled_from([0.01, 0.2, 1.0]),
        ),
        max_size=10,
    )
)
@settings(max_examples=200, deadline=None)
def test_no_piece_is_in_two_places(felt):
    """Whatever cells tell, in any order: a contact opens late, a tag is read before it does."""
    found, t = PieceAssignments(PLACEMENT, ()), 0.0
    for square, what, later in felt:
        t += later
        if what == "lifted":
            found.lift(square, t)
        else:
            found.place(square, t)
        if what in PLACEMENT:  # by its tag
            found.tell(square, [what])
        homes = found.origin.values()
        assert len(homes) == len(set(homes)), found.origin


def copies(ways):
    return [(dict(board), air) for board, air in ways]
