"""Positions as text: what stands where, for terminals, logs of tests and documentation.

White's pieces are capitals and Black's small letters; where whose piece it is may not be seen,
all are capitals. A piece with a mark (invisible, frozen) stands in brackets. Squares that do not
exist are blank.
"""

from __future__ import annotations

from rules.interface import Position, Shown


def diagram(position: Position, *, secrets: bool = False) -> str:
    """Return the board of a position as lines of text; with `secrets` it is not for players."""
    public = {square: _cell(piece) for square, piece in position.shown.items()}
    whole = {
        square: label[1:] if label[0] == "w" else label[1:].lower()
        for square, label in position.placement.items()
    }
    cells = whole if secrets else public
    squares = position.game.squares
    files = sorted({square[0] for square in squares})
    ranks = sorted({square[1:] for square in squares}, key=int, reverse=True)
    longest = max((len(cell) for cell in cells.values()), default=1)
    width = 3 if longest <= 3 else longest + 1
    lines = [
        f"{rank} "
        + "".join(
            cells.get(file + rank, "." if file + rank in squares else "").center(width)
            for file in files
        )
        for rank in ranks
    ]
    lines.append("  " + "".join(file.center(width) for file in files))
    return "\n".join(line.rstrip() for line in lines)


def _cell(piece: Shown) -> str:
    kind = piece.kind.lower() if piece.side == "black" else piece.kind
    return f"({kind})" if piece.marks else kind
