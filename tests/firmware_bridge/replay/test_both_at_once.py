"""Both players' hands on the board at once, in the games in which that leaves most to doubt."""

import pytest

WALL = "4kbnr/1p1ppppp/2b5/1rp1B3/Pnp5/1qPN4/1P1PPPPP/R1Q1KBNR w Kk - 1 7"
CROWD = "q4kr1/3n2pp/rp1p2P1/3R3N/2bp1p2/PP1PPp1P/2B2P2/1RK5 b - - 1 35"
SWEPT = "1n2kbr1/4pp2/pq4pp/prpp1b1n/Q4BB1/P1P2P2/RP2K1PP/N1P2PNR b - - 0 10"
ROUND = "rnbqk1nr/pppp2pp/4pp1B/8/8/b1PP4/PP2PPPP/RN1QKBNR w KQkq - 0 2"
PAIR = "bk2n3/7r/1P4p1/1PpP1p1p/B1p5/2PN4/5PPP/2KR1BNR w - g7 0 22"
RING = "3bbkp1/5r2/3ppnp1/p2q1NPP/2p2p2/1n3P1B/N3r3/1R3K1B b - - 1 30"
HOUSE = "p1q2bnr/1n1kpppp/3p4/1R1p4/2P3b1/rPK5/2P1PPPP/P1BQ1BNR w - - 3 6"
MEMORY = "rn/nnbb1/pp1pnpb1/2rb2pr1/7/1PP3NB1/1PNBRPBRP/NNBB1/RN w RR/nb,rr b7 - - 5"


def felt(board, acts):
    """Take up and set down at these times: `0.5 e2-`, `0.9 e4+e2`, and `1.2 c6~c6` turned over."""
    words = acts.split()
    for at, act in zip(words[::2], words[1::2], strict=True):
        board.t = float(at)
        if act.endswith("-"):
            board.off(act[:-1], 0)
        elif "~" in act:
            cell, home = act.split("~")
            tag = board.hand.pop(home)
            board.put(cell, ("U" if tag[0] == "T" else "T") + tag[1:], 0)
        else:
            board.put(*act.split("+"), 0)
    return board


def test_a_reply_that_fits_every_answer_leaves_the_question_open(board):
    b = board("realm", WALL, clock=True, options={"power": True, "free": True})
    felt(
        b,
        "0.5 d3- 0.8 c3- 0.85 d2- 1.1 b4- 1.4 c3+d3 1.8 b4+c3 2.0 c2+d2 2.8 c3- 3.2 b3- 3.4 c3+b3",
    )
    asked = b.press("black", 1).end().replay()
    assert not asked.taken
    assert "P-cd23:c3b4,d2c2,d3c3" in asked.last["turns"]
    found = b.answer("P-cd23:c3b4,d2c2,d3c3").press("black").end().replay()
    assert found.taken == ["P-cd23:c3b4,d2c2,d3c3", "b3c3"]


def test_a_question_of_too_many_turns_stays_open_too(board):
    b = board("realm", ROUND, clock=True)
    felt(b, "0.5 b1- 0.7 a2- 0.9 a1- 1.2 b2- 1.6 a2+b1 1.7 a1+a2 1.8 b2+a1 1.9 b1+b2")
    b.carry("d7", "d5").carry("b8", "c6").carry("a3", "d6").press("black", 1).end()
    asked = b.replay()
    assert asked.quiet
    assert not asked.taken
    turn = "R-ab12:a1b2,a2a1,b1a2,b2b1"
    assert turn in asked.last["turns"]
    found = b.answer(turn).press("black").end().replay()
    assert found.taken == [turn, "C-cd56:a3d6,b8c6,d7d5"]


def test_tags_tell_which_of_two_like_pieces_a_turn_has_moved_also_when_both_move_at_once(board):
    b = board("realm", CROWD, "identity", clock=True, options={"balanced": True})
    felt(b, "0.5 g8- 0.7 h8+g8 1.1 g7- 1.6 g8+g7 1.9 h5- 2.4 g7+h5 2.6 h7- 2.8 g6- 3.2 h7+g6")
    found = b.press("white", 1.4).end().replay()
    assert found.taken == ["R-gh78:g7g8,g8h8", "D-gh56:g6h7,h5g7"]


@pytest.mark.parametrize("rest", [0.4, 2.0])
def test_a_reply_of_a_sleeve_ends_half_a_turn_in_realm_only_if_it_stays(board, rest):
    b = board("realm", SWEPT, clock=True)
    felt(b, "0.5 e8- 0.7 d7+e8 0.88 g4- 0.89 h4+g4 0.92 h1- 0.96 e2- 0.98 d1+e2 1.0 h2- 1.02 g3+h2")
    felt(b, "1.4 h1+h1 1.8 d1- 1.9 e2+d1 2.0 g3- 2.2 h2+g3").wait(rest)
    found = b.carry("h4", "g4").carry("f7", "f6").press("black").end().replay()
    assert found.taken == ["D-ef78:e8d7,f7f6"]


def test_two_discs_that_are_looked_at_while_the_other_moves_are_his_opponents_reply(board):
    b = board(
        "reality-check", MEMORY, "face", clock=True, options={"retreat": True, "memory": True}
    )
    felt(b, "0.5 c3- 0.9 b3+c3 1.2 c6- 1.4 d1- 1.43 c6~c6 1.7 d1~d1 1.9 e3- 2.2 e3~e3")
    found = b.press("white", 0.7).answer("c3b3/c6").answer("?d1,e3").press("black").end().replay()
    assert not found.of("ruling")
    assert found.taken[:2] == ["c3b3/c6", "?d1,e3"]


FREE = {"power": True, "free": True}
BOTH = [
    pytest.param(
        *(PAIR, FREE, "0.5 a4- 0.6 b5- 0.66 h7- 0.76 b5+a4 0.82 a4+b5 0.89 g8+h7"),
        *("R-ab45:a4b5,b5a4", "R-gh78:h7g8"),
        id="a pair exchanged",
    ),
    pytest.param(
        *(RING, {}, "0.5 f7- 0.76 f8- 0.95 e8- 0.98 f5- 1.2 f8+f7 1.43 e5+f5 1.57 e8+f8 1.8 f7+e8"),
        *("R-ef78:e8f7,f7f8,f8e8", "R-ef56:f5e5"),
        id="a ring",
    ),
    pytest.param(
        HOUSE,
        FREE,
        "0.5 c2- 0.8 b2+c2 1.21 c1- 1.34 c8- 1.72 b1+c1 1.8 b8+c8 1.99 a3- 2.12 c3- 2.31 c2+c3 "
        "2.57 a7+a3 2.7 d1- 2.81 b7- 3.02 d8+b7 3.14 c1+d1",
        *("P-bc12:c1b1,c2b2,c3c2,d1c1", "P-ab78:a3a7,b7d8,c8b8"),
        id="a question that grows",
    ),
]


@pytest.mark.parametrize(("position", "options", "acts", "turn", "reply"), BOTH)
def test_turns_of_several_pieces_that_both_make_at_once(
    board, position, options, acts, turn, reply
):
    mover, other = ("black", "white") if " b " in position else ("white", "black")
    b = felt(board("realm", position, clock=True, options=options), acts)
    b.press(mover, 0.7).end(1)
    if "choice" in (asked := b.replay()).verdicts:
        assert turn in asked.last["turns"]
        b.answer(turn)
    assert not asked.of("ruling")
    b.end(1)
    found = b.press(other).end().replay()
    if found.last["verdict"] == "choice":
        found = b.answer(reply).end().replay()
    assert found.taken == [turn, reply]


def test_what_the_opponent_did_meanwhile_hides_not_which_of_the_movers_pieces_went_where(board):
    text = "7q/2pk2nr/1PrN2Pp/P1B1pn2/5PP1/1P1P1R1b/5N2/R1B1K3 w - - 0 28"
    b = board("realm", text, clock=True)
    felt(b, "0.5 c5- 0.72 d5+c5 1.12 c7- 1.19 d6- 1.37 c8+c7 1.64 c5+d6 1.8 d7- 2.35 d8+d7")
    found = b.press("white", 0.7).press("black", 1.0).end().replay()
    assert found.stand == ("R-cd56:c5d5,d6c5", "R-cd78:c7c8,d7d8")
