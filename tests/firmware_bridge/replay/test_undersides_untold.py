"""What everyone is told of a turn that turns a disc over names no underside."""

import rules


def a_flip(position):
    """Where a turn goes that flips another piece, and which, onto a face of another letter."""
    for turn in position.turns():
        deed = position.deed(turn)
        if len(deed.moves) == 1 and deed.flips:
            (source, target), (square, label) = deed.moves[0], deed.flips[0]
            if square != target and position.placement[square] != label:
                return source, target, square
    raise AssertionError


def test_the_output_for_everyone_tells_no_underside(board):
    start = rules.load("reality-check").start()
    turn = min(map(str, start.turns()))
    b = board("reality-check", str(start), "face", clock=True)
    b.carry(turn[:2], turn[2:4]).press("white")
    position = start.play(start.parse_turn(turn))
    source, target, square = a_flip(position)
    lines = b.carry(source, target).flip(square).press("black").end().replay().lines
    text = str(lines)
    assert "piece" not in text
    assert not any(label in text for label in position.placement.values())
    assert "position" in str(b.replay("--referee").lines)
