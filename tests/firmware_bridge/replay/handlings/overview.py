"""What hands and sensors do: every kind of handling, as it is played in every game on every board.

`HANDLINGS` is the overview. Each of its lines is played with and without clock buttons, in every
game in which it can happen and on every tier that can feel it, and after each the game must go on.
"""

from collections.abc import Callable

from tests.firmware_bridge.replay.handlings import faults, games, longer, moves
from tests.firmware_bridge.replay.handlings.seat import ALL, CHESS, DISCS, RECORDED

KINDS = {
    1: "contacts that bounce, close late, early or together",
    2: "pieces slid over other cells",
    3: "captures in every order",
    4: "castling and en passant",
    5: "promotion",
    6: "adjusting",
    7: "second thoughts",
    8: "out of turn, twice, too early",
    9: "turns undone on the board",
    10: "a new start, the kings in the centre",
    11: "boards upset",
    12: "cells and tags that fail",
    13: "events lost, repeated and late; cables pulled; power lost",
    14: "many pieces, conversions, flips",
}
ANY = ("occupancy", "identity", "face")
TAGS = ("identity", "face")

WITH_CLOCK = (games.too_early,)
"""What can only happen where turns end with a button."""

HANDLINGS: "tuple[tuple[int, str, Callable, tuple[str, ...], tuple[str, ...]], ...]" = (
    (1, "a contact bounces on both cells", moves.bounce, ALL, ANY),
    (1, "the new cell closes late", moves.closes_late, ALL, ANY),
    (1, "the old cell opens late", moves.opens_late, ALL, ANY),
    (1, "a neighbour's contact closes early", moves.neighbour_closes_early, ALL, ANY),
    (1, "two cells are on while a piece crosses a border", moves.crosses_borders, ALL, ANY),
    (2, "fast", moves.slid_fast, ALL, ANY),
    (2, "slowly, stopping on the way", moves.slid_slowly, ALL, ANY),
    (3, "victim first", moves.victim_first, ALL, ANY),
    (3, "capturer first", moves.mover_first, ALL, ANY),
    (3, "both together", moves.both_together, ALL, ANY),
    (3, "victim knocked aside", moves.knocked_aside, ALL, ANY),
    (3, "victim put down for a moment", moves.parked, ALL, ANY),
    (3, "victim standing elsewhere until later", moves.parked_until_later, ALL, ANY),
    (4, "king first", moves.castled("king", "rook"), CHESS, ANY),
    (4, "rook first", moves.castled("rook", "king"), CHESS, ANY),
    (4, "both hands", moves.castled("both"), CHESS, ANY),
    (4, "en passant, victim before", moves.passed("before"), CHESS, ANY),
    (4, "en passant, victim after", moves.passed("after"), CHESS, ANY),
    (5, "pawn left standing", moves.pawn_left_standing, CHESS, ANY),
    (5, "exchanged on its square", moves.exchanged, CHESS, ANY),
    (5, "exchanged in the hand", moves.exchanged_in_the_hand, CHESS, ANY),
    (5, "the piece before the pawn goes", moves.piece_first, CHESS, ANY),
    (5, "the piece elsewhere first", moves.piece_elsewhere_first, CHESS, ANY),
    (5, "a spare piece from a reserve cell", moves.piece_from_reserve, CHESS, ANY),
    (6, "several pieces in a row", moves.adjusted, ALL, ANY),
    (6, "a neighbour nudged in mid-move", moves.adjusted_in_mid_move, ALL, ANY),
    (6, "by the player who is not to move", moves.adjusted_by_the_other, ALL, ANY),
    (7, "a wrong cell corrected", moves.wrong_cell_corrected, ALL, ANY),
    (7, "another cell first", moves.another_cell_first, ALL, ANY),
    (7, "another piece", moves.another_piece, ALL, ANY),
    (7, "touch-move broken", moves.touch_move_broken, ALL, ANY),
    (7, "touch-move kept", moves.touch_move_kept, ALL, ANY),
    (8, "out of turn", games.out_of_turn, ALL, ANY),
    (8, "twice", games.twice, ALL, ANY),
    (8, "before the press", games.too_early, ALL, ANY),
    (9, "a capture undone", games.undone, RECORDED, ANY),
    (10, "set up again after two turns", games.set_up_again, ALL, ANY),
    (10, "kings in the centre", games.kings_in_the_centre, CHESS, ANY),
    (11, "two in the air, put back", games.several_lifted, ALL, ANY),
    (11, "some missing for long, put back", games.knocked_over, ALL, ANY),
    (11, "cleared and built up", games.cleared, ALL, ANY),
    (11, "thrown about, put right as told", games.thrown_about, ALL, ANY),
    (12, "a cell that flickers", faults.flickers, ALL, ANY),
    (12, "a cell that went dead", faults.dead, ALL, ANY),
    (12, "a cell that is stuck", faults.stuck, ALL, ANY),
    (12, "a tag read late", faults.tag_read_late, ALL, TAGS),
    (12, "a tag never read", faults.tag_never_read, ALL, TAGS),
    (12, "a tag lost for a moment", faults.tag_lost_for_a_moment, ALL, TAGS),
    (12, "an unknown tag", faults.tag_unknown, ALL, TAGS),
    (12, "a tag in two places", faults.tag_in_two_places, ALL, TAGS),
    (13, "events repeated", faults.repeated, ALL, ANY),
    (13, "an event that comes late", faults.late, ALL, ANY),
    (13, "events faults.lost, all read anew", faults.lost, ALL, ANY),
    (13, "the cable pulled in mid-move", faults.cable_pulled, ALL, ANY),
    (13, "the power faults.lost, a piece moved meanwhile", faults.power_lost, ALL, ANY),
    (14, "four pieces one by one", longer.four_pieces(0, 1, 2, 3), ("realm",), ANY),
    (14, "the same the other way round", longer.four_pieces(3, 1, 2, 0), ("realm",), ANY),
    (14, "four pieces in the air at once", longer.four_in_the_air, ("realm",), ANY),
    (14, "converted by swapping pieces", longer.converted("swapped"), ("reversi",), ANY),
    (14, "converted by turning over", longer.converted("turned over"), ("reversi",), TAGS),
    (14, "converted by touching the anchor", longer.converted("anchor touched"), ("reversi",), ANY),
    (14, "not converted", longer.converted("declined"), ("reversi",), ANY),
    (14, "flipped after the move", longer.flipped("after"), DISCS, ANY),
    (14, "flipped before the move", longer.flipped("before"), DISCS, ANY),
    (14, "the moved one flipped in place", longer.flipped("the moved one in place"), DISCS, ANY),
    (
        14,
        "the moved one flipped on the way",
        longer.flipped("the moved one on the way"),
        DISCS,
        ANY,
    ),
    (14, "a Reality Check declared before", longer.checked("before"), DISCS, ANY),
    (14, "a Reality Check declared after", longer.checked("after"), DISCS, ANY),
    (14, "a Reality Check answered", longer.checked("answered"), DISCS, ANY),
)
