"""The kinds of handling that concern the whole game: order, turns undone, new starts, faults."""

import pytest

TIERS = ("occupancy", "identity")
both_tiers = pytest.mark.parametrize("tier", TIERS)
chess = pytest.mark.parametrize("game", ["reversi", "mockery", "realm"])
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -"


# 6. Adjusting


@both_tiers
@pytest.mark.parametrize("game", ["indistinguishable", "reversi", "mockery", "realm"])
def test_adjusting_pieces_of_both_sides_in_a_row(board, game, tier):
    b = board(game, tier=tier)
    for square in ("d2", "e7", "g1", "b8"):
        b.adjust(square)
    found = b.carry("e2", "e4").adjust("d7").end().replay()
    assert found.quiet
    assert found.taken == ([] if game == "realm" else ["e2e4"])


@both_tiers
def test_a_neighbour_nudged_in_the_middle_of_a_move(board, tier):
    b = board(tier=tier).off("e2").adjust("d2", 0.08).put("e4", "e2").end()
    assert b.replay().taken == ["e2e4"]
    assert b.replay().quiet


def test_two_pieces_lifted_together_and_put_back_are_no_turn(board):
    b = board().off("d1").off("e1").put("d1", "d1").put("e1", "e1").end(10)
    found = b.replay()
    assert found.verdicts[-1] == "settled"
    assert found.quiet


# 7. Second thoughts, touch-move


@both_tiers
def test_a_wrong_square_corrected_within_the_grace_time(board, tier):
    b = board(tier=tier).carry("e2", "e5").off("e5", 0.4)
    b.hand["e2"] = b.hand.pop("e5")
    found = b.put("e4", "e2").end().replay()
    assert "unexplained" in found.verdicts
    assert found.taken == ["e2e4"]
    assert found.quiet


@both_tiers
def test_a_piece_put_back_and_another_one_moved(board, tier):
    found = board(tier=tier).adjust("e2").carry("d2", "d4").end().replay()
    assert found.taken == ["d2d4"]
    assert found.quiet


@both_tiers
def test_with_touch_move_the_first_piece_touched_must_move(board, tier):
    b = board(tier=tier, touch_move=True).adjust("e2").carry("d2", "d4").end()
    found = b.replay()
    assert found.taken == []
    assert found.last["verdict"] == "illegal"
    assert found.last["reason"] == "touched-piece"


def test_with_touch_move_a_piece_that_cannot_move_binds_nobody(board):
    found = board(touch_move=True).adjust("d1").carry("d2", "d4").end().replay()
    assert found.taken == ["d2d4"]


# 8. Out of turn, twice, too early


@both_tiers
@pytest.mark.parametrize("game", ["indistinguishable", "reversi", "mockery"])
def test_a_player_who_moves_out_of_turn(board, game, tier):
    found = board(game, tier=tier).carry("e7", "e5").end().replay()
    illegal = found.of("reason")[0]
    assert (illegal["verdict"], illegal["reason"]) == ("illegal", "not-your-piece")
    assert illegal["cells"] == ["e5"]
    assert [(s["from"], s["to"]) for s in illegal["restore"]] == [("e5", "e7")]
    assert found.taken == []


@both_tiers
def test_a_player_who_moves_twice(board, tier):
    b = board(tier=tier, clock=True).carry("e2", "e4").press("white").carry("d2", "d4").end()
    found = b.replay()
    assert found.taken == ["e2e4"]
    assert found.last["reason"] == "not-your-piece"


@both_tiers
def test_two_own_pieces_moved_before_the_press(board, tier):
    b = (
        board(tier=tier, clock=True)
        .carry("e2", "e4")
        .carry("d2", "d4", after=0.2)
        .press("white", 0.2)
    )
    found = b.end().replay()
    assert found.taken == ["e2e4"]
    assert found.last["verdict"] == "disturbed"
    assert [(s["from"], s["to"]) for s in found.last["restore"]] == [("d4", "d2")]
    assert "Press the clock first." in found.said
    assert not found.of("ruling")


@both_tiers
def test_the_opponent_moves_before_the_press(board, tier):
    b = board(tier=tier, clock=True).carry("e2", "e4").off("e7")
    lifted = b.replay()
    assert lifted.last["verdict"] == "in-progress"
    assert lifted.quiet
    found = b.put("e5", "e7").end().replay()
    assert found.taken == ["e2e4"]
    assert (found.last["verdict"], found.last["turn"]) == ("complete", "e7e5")
    assert "White has not pressed the clock: the turn stands." in found.said
    assert b.press("black").end().replay().taken == ["e2e4", "e7e5"]


@both_tiers
def test_the_opponents_hand_takes_the_turn_at_once(board, tier):
    b = board(tier=tier).carry("e2", "e4").off("e7", 0.05).put("e5", "e7").end()
    found = b.replay()
    assert found.taken == ["e2e4", "e7e5"]
    assert found.of("taken")[0]["t"] == b.events[2]["t"]


@both_tiers
def test_a_piece_stolen_beside_a_legal_move(board, tier):
    b = board(tier=tier, clock=True).off("g8").carry("e2", "e4").press("white", 0.2)
    found = b.replay()
    assert found.taken == []
    assert (found.last["reason"], found.last["cells"]) == ("not-your-piece", ["g8"])
    assert found.last["t"] == b.events[-1]["t"]
    again = b.put("g8", "g8").press("white").end().replay()
    assert again.taken == ["e2e4"]


@both_tiers
def test_the_press_may_be_a_little_earlier_than_the_last_contact(board, tier):
    b = board(tier=tier, clock=True).off("e2").press("white").put("e4", "e2", 0.1).end()
    assert b.replay().taken == ["e2e4"]
    assert b.replay().quiet


# 9. Turns undone on the board


@both_tiers
@pytest.mark.parametrize("game", ["reversi", "mockery"])
def test_a_turn_undone_on_the_board(board, game, tier):
    position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1" + (" -" if game == "mockery" else "")
    b = board(game, position, tier, clock=True, take_backs=True)
    b.off("d5").carry("e4", "d5").press("white")
    b.carry("d5", "e4").put("d5", "d5", 0.3).end().carry("e1", "e2").press("white").end()
    found = b.replay()
    assert found.taken == ["e4d5", "e1e2"]
    assert found.quiet


@both_tiers
def test_without_leave_nothing_is_undone(board, tier):
    b = board(tier=tier, clock=True).carry("e2", "e4").press("white").carry("e4", "e2").end()
    found = b.replay()
    assert found.taken == ["e2e4"]
    assert found.last["verdict"] == "illegal"


def test_nothing_is_undone_where_records_are_forbidden(board):
    b = board("indistinguishable", clock=True, take_backs=True).carry("e2", "e4").press("white")
    assert b.carry("e4", "e2").end().replay().last["verdict"] == "illegal"


# 10. A new start, the kings in the centre


@both_tiers
@pytest.mark.parametrize("clock", [False, True])
def test_the_start_set_up_again_is_a_new_game(board, tier, clock):
    b = board(tier=tier, clock=clock)

    def ends_turn(side):
        b.press(side) if clock else b.end(1)

    b.carry("e2", "e4")
    ends_turn("white")
    b.carry("e7", "e5")
    ends_turn("black")
    b.off("e5", 0.1).off("e4", 0.1)
    b.hand |= {"e7": b.hand.pop("e5"), "e2": b.hand.pop("e4")}
    b.put("e7", "e7", 0.1).put("e2", "e2", 0.1).end(3)
    if clock:
        assert b.replay().last["verdict"] == "disturbed"
        b.press("black")
    assert b.replay().last["verdict"] == "settled"
    assert b.replay().lights() == {}
    b.carry("d2", "d4")
    ends_turn("white")
    found = b.replay()
    assert found.taken == ["e2e4", "e7e5", "d2d4"]
    assert "illegal" not in found.verdicts


@both_tiers
@pytest.mark.parametrize(
    ("squares", "winner"),
    [(("e4", "d5"), "white"), (("d4", "e5"), "black"), (("d4", "d5"), None)],
)
def test_the_kings_in_the_centre_tell_the_result(board, tier, squares, winner):
    b = board(tier=tier).carry("e1", squares[0]).carry("e8", squares[1]).end(3)
    found = b.replay()
    assert [line["outcome"]["winner"] for line in found.of("outcome")] == [winner]
    assert "illegal" not in found.verdicts


# 11. Boards upset


@both_tiers
def test_a_cleared_board_is_guided_back(board, tier):
    b = board(tier=tier)
    squares = sorted(b.on)
    for square in squares:
        b.off(square, 0.02)
    b.end(1)
    cleared = b.replay()
    assert cleared.last["verdict"] == "disturbed"
    assert len(cleared.last["restore"]) == 32
    for square in squares:
        b.put(square, square, 0.1)
    assert b.end().replay().last["verdict"] == "settled"


@both_tiers
def test_pieces_knocked_over_are_missed_after_a_while(board, tier):
    b = board(tier=tier).off("a2").off("h7", 0.1).off("d1", 0.1).end(8)
    found = b.replay()
    assert found.verdicts == ["in-progress", "unexplained", "illegal"]
    assert found.last["cells"] == ["a2", "d1", "h7"]


@both_tiers
def test_a_board_that_shows_something_else_at_the_start_is_told_of_at_once(board, tier):
    b = board(tier=tier)
    b.header["on"] = {"e1": b_tag("e1") if tier == "identity" else True}
    found = b.end(0).replay()
    assert found.of("verdict")[0] == {**found.last, "t": 0.0, "verdict": "disturbed"}
    assert len(found.last["restore"]) == 31
    assert found.lights()["e2"] == "must-go-here"


# 12. Tags


def test_a_tag_that_is_read_late_changes_nothing(board):
    b = board(tier="identity").off("e2").read("e4", True, 0.5).read("e4", b_tag("e2"), 0.2).end()
    assert b.replay().taken == ["e2e4"]


def test_a_tag_that_is_never_read_is_taken_for_its_piece(board):
    b = board(tier="identity").off("e2").read("e4", True, 0.5).end().off("d7")
    found = b.put("d5", "d7").end().replay()
    assert found.taken == ["e2e4", "d7d5"]


def test_an_unknown_tag_asks_to_be_enrolled(board):
    found = board(tier="identity").off("e2").read("e4", "04FFFF", 0.5).end().replay()
    assert found.taken == ["e2e4"]
    assert any("tag" in text.lower() or "piece" in text.lower() for text in found.said)


def test_a_tag_that_seems_to_be_in_two_places_is_where_it_was_read_last(board):
    b = board(tier="identity")
    found = b.read("e4", b_tag("e2"), 0.5).end().replay()
    assert found.taken == ["e2e4"]


def test_pieces_that_traded_places_are_put_right_by_way_of_the_table(board):
    b = board(tier="identity").off("b1").off("g8").put("b1", "g8").put("g8", "b1").end(3)
    found = b.replay()
    assert found.last["verdict"] == "illegal"
    assert found.last["cells"] == ["b1", "g8"]
    assert [(s["from"], s["to"]) for s in found.last["restore"]] == [
        ("b1", None), ("g8", "b1"), (None, "g8"),
    ]  # fmt: skip


def b_tag(square):
    return f"T-{square}"


# 13. Lost and late events, power lost


@both_tiers
def test_events_lost_come_with_the_next_snapshot(board, tier):
    b = board(tier=tier)
    shown = {c: tag if tier == "identity" else True for c, tag in b.on.items()}
    shown["e4"] = shown.pop("e2")
    b.wait(1).tell(snapshot=shown)
    assert b.end().replay().taken == ["e2e4"]


@both_tiers
def test_pieces_moved_wrongly_while_the_power_was_off(board, tier):
    b = board(tier=tier)
    shown = {c: tag if tier == "identity" else True for c, tag in b.on.items()}
    shown["e5"] = shown.pop("e2")
    found = b.wait(1).tell(snapshot=shown).end().replay()
    assert found.last["verdict"] == "disturbed"
    assert not found.of("ruling")
    assert [(s["from"], s["to"]) for s in found.last["restore"]] == [("e5", "e2")]


def test_pieces_swept_off_together_take_no_turn(board):
    position = "4k3/pp6/8/8/8/8/PPPP4/4K2R w K - 0 1 -"
    b = board(position=position).off("h1").put("h8", "h1")
    for square in ("a7", "b7", "a2", "b2", "c2"):
        b.off(square, 0.0)
    found = b.end(1).replay()
    assert "complete" in found.verdicts
    assert found.taken == []


@pytest.mark.parametrize("spare", ["S-wQ", "S-bQ"])
def test_the_printed_colour_of_a_new_piece_does_not_matter_where_it_tells_nothing(board, spare):
    position = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"
    hands = board("indistinguishable", position, tier="identity", clock=True)
    hands.off("e7").put("e8", spare).press("white").carry("g7", "h7").press("black")
    found = hands.carry("e8", "e6").press("white").end().replay("--referee")
    assert found.taken == ["e7e8q", "g7h7", "e8e6"]
    assert found.quiet


def test_a_press_before_the_flip_says_that_a_piece_must_be_flipped(board):
    hands = board("reality-check", tier="face", clock=True)
    hands.carry("c3", "c4").press("white").carry("c7", "c6").press("black").end()
    assert hands.replay().last["reason"] == "must-flip"
