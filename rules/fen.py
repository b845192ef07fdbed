"""The six fields of a FEN as plain data, for every game with kings.

Two things differ from common usage, by the rules of these games: the en passant field holds the
passed-over square after every double step, and may list several squares (`c3,e3`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.interface import InvalidPosition, Label, Problem, Side, Square

FILES = "abcdefgh"
RANKS = "12345678"
SQUARES: tuple[Square, ...] = tuple(file + rank for rank in RANKS for file in FILES)
"""The 64 squares, a1 b1 ... h8."""

_SIDES: Mapping[str, Side] = {"w": "white", "b": "black"}
_CASTLING = re.compile(r"-|(?=[KQkq])K?Q?k?q?")
_CASTLING_960 = re.compile(r"-|(?=[A-HKQa-hkq])[A-HKQ]{0,2}[a-hkq]{0,2}")
_EMPTY = "/".join(["." * 8] * 8)
_CELLS = {square: (7 - index // 8) * 9 + index % 8 for index, square in enumerate(SQUARES)}
"""Where each square stands in the text of a board."""
_RUNS = tuple("." * length for length in range(8, 0, -1))
_COUNTER = re.compile(r"0|[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Fen:
    """What a FEN says, nothing judged yet.

    Attributes:
        placement: the label of what stands on each occupied square.
        side: who is to move.
        castling: the rights, a part of `KQkq` in this order, empty for none; in Chess960 also the
            files of rooks, as in X-FEN and Shredder-FEN.
        en_passant: the squares on which a pawn may be taken en passant, sorted.
        half_moves: half-moves since the last capture or pawn move.
        full_move: the number of the full move, from 1.
    """

    placement: Mapping[Square, Label] = field(hash=False)
    side: Side = "white"
    castling: str = ""
    en_passant: tuple[Square, ...] = ()
    half_moves: int = 0
    full_move: int = 1

    def __str__(self) -> str:
        """Return the six fields, canonically."""
        return " ".join(
            (
                print_placement(self.placement),
                self.side[0],
                self.castling or "-",
                ",".join(self.en_passant) or "-",
                str(self.half_moves),
                str(self.full_move),
            )
        )


def split_fields(text: str, number: int) -> list[str]:
    """Return the fields of a position text; raise `InvalidPosition` if there are more or fewer."""
    fields = text.split(" ")
    if len(fields) != number:
        problem = Problem("fields", (), f"{number} fields are needed, not {len(text.split())}")
        raise InvalidPosition(problem.text, (problem,))
    return fields


def parse_fen(text: str, *, chess960: bool = False) -> Fen:
    """Return what the six fields of `text` say; in Chess960 a castling right may be a rook's file.

    Raises:
        InvalidPosition: with one problem for each field that cannot be read.
    """
    fields = split_fields(text, 6)
    problems: list[Problem] = []
    placement = _parse_placement(fields[0], problems)
    if fields[1] not in _SIDES:
        problems.append(Problem("side", (), f"the side to move must be w or b, not {fields[1]!r}"))
    if not (_CASTLING_960 if chess960 else _CASTLING).fullmatch(fields[2]):
        problems.append(Problem("castling", (), f"{fields[2]!r} are no castling rights"))
    en_passant = parse_squares(fields[3], problems, "en-passant")
    for name, value in zip(("half-move clock", "full-move number"), fields[4:], strict=True):
        if not _COUNTER.fullmatch(value) or (name == "full-move number" and value == "0"):
            problems.append(Problem("counter", (), f"the {name} cannot be {value!r}"))
    if problems:
        raise invalid(problems)
    castling = fields[2].replace("-", "")
    return Fen(placement, _SIDES[fields[1]], castling, en_passant, int(fields[4]), int(fields[5]))


def invalid(problems: list[Problem]) -> InvalidPosition:
    """Return the error that reports all `problems` at once."""
    return InvalidPosition("; ".join(p.text or p.code for p in problems), tuple(problems))


def parse_squares(text: str, problems: list[Problem], code: str) -> tuple[Square, ...]:
    """Read a sorted, comma-separated list of squares, or `-`; what is wrong joins `problems`."""
    if text == "-":
        return ()
    squares = tuple(text.split(","))
    if any(square not in SQUARES for square in squares) or list(squares) != sorted(set(squares)):
        problems.append(Problem(code, (), f"{text!r} is no sorted list of squares"))
        return ()
    return squares


def print_placement(placement: Mapping[Square, Label]) -> str:
    """Return the first field of a FEN."""
    cells = list(_EMPTY)
    for square, label in placement.items():
        cells[_CELLS[square]] = letter(label)
    text = "".join(cells)
    for run in _RUNS:
        text = text.replace(run, str(len(run)))
    return text


def letter(label: Label) -> str:
    """Return the FEN letter of a label: `wK` is `K`, `bP` is `p`."""
    return label[1] if label[0] == "w" else label[1].lower()


def label_of(fen_letter: str) -> Label:
    """Return the label of a FEN letter: `K` is `wK`, `p` is `bP`."""
    return ("w" if fen_letter.isupper() else "b") + fen_letter.upper()


def _parse_placement(text: str, problems: list[Problem]) -> dict[Square, Label]:
    rows = text.split("/")
    if len(rows) != 8:
        problems.append(Problem("placement", (), f"eight ranks are needed, not {len(rows)}"))
    placement: dict[Square, Label] = {}
    for rank, row in zip(reversed(RANKS), rows, strict=False):
        if not re.fullmatch(r"(?!.*[1-8][1-8])[KQRBNPkqrbnp1-8]+", row):
            problems.append(Problem("placement", (), f"rank {rank} cannot be read: {row!r}"))
            continue
        cells = "".join("." * int(c) if c.isdigit() else c for c in row)
        if len(cells) != 8:
            problems.append(Problem("placement", (), f"rank {rank} has {len(cells)} squares"))
            continue
        placement.update(
            (f + rank, label_of(c)) for f, c in zip(FILES, cells, strict=True) if c != "."
        )
    return placement
