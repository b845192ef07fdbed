"""The text of a position: printed from a state, and read with everything that is wrong reported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from rules.fen import split_fields
from rules.games.reality_check.discs import (
    CELLS,
    NAMES,
    Cell,
    Name,
    cell_of,
    in_order,
    name_of,
    owner,
)
from rules.games.reality_check.fields import Awaited, State
from rules.games.reality_check.legal import meeting
from rules.games.reality_check.ruleset import Ruleset
from rules.games.reality_check.secret_setup import home_problems
from rules.interface import InvalidPosition, Problem, Side, Square
from rules.values import SIDES

Problems = list[Problem]
_AWAITED = re.compile(
    "hand:(?P<pieces>[PNBR]{2}(?:,[PNBR]{2})?)|sacrifice|roll"
    "|flip:(?P<dice>[1-6](?:,[1-6])?)(?:/(?P<flipped>[a-h][1-9]))?"
)
REMEMBERED = 8192
"""How many ranks are remembered: thousands of positions of one belief have the same ones."""
_NUMBER = re.compile("[1-9][0-9]{0,5}")


def show(rules: Ruleset, state: State) -> str:
    """Return the canonical text of a state."""
    hands = "/".join(
        ",".join(cell_of(name, side) for name in state.hands[side]) or "-" for side in SIDES
    )
    homes = "/".join(",".join(state.homes[side]) for side in SIDES) if rules.flexible else "-"
    return " ".join(
        (
            "/".join([_row(tuple(map(state.board.get, row))) for row in rules.board.rows]),
            state.side[0],
            hands,
            ",".join(state.frozen) or "-",
            str(state.awaited or "-"),
            homes,
            str(state.number),
        )
    )


@lru_cache(maxsize=REMEMBERED)
def _row(cells: tuple[Cell | None, ...]) -> str:
    text, empty = "", 0
    for cell in cells:
        if cell is None:
            empty += 1
            continue
        text += f"{empty}{cell}" if empty else cell
        empty = 0
    return f"{text}{empty}" if empty else text


def read(rules: Ruleset, text: str) -> State:
    """Return the state of a canonical text.

    Raises:
        InvalidPosition: with everything that is wrong.
    """
    placement, side_letter, hands_text, frozen, awaited, homes, number = split_fields(text, 7)
    problems: Problems = []
    if side_letter not in {"w", "b"}:
        problems.append(Problem("side", (), f"the side to act is w or b, not {side_letter!r}"))
    if not _NUMBER.fullmatch(number):
        problems.append(Problem("counter", (), f"the full-move number cannot be {number!r}"))
    state = State(
        board=_read_board(rules, placement, problems),
        side="black" if side_letter == "b" else "white",
        hands=_read_hands(hands_text, problems),
        frozen=_read_squares(frozen, problems),
        awaited=_read_awaited(awaited, problems),
        homes=_read_homes(rules, homes, problems),
        number=int(number) if _NUMBER.fullmatch(number) else 1,
    )
    # Whether the fields agree can be judged only when all of them could be read.
    if problems := problems or _contradictions(rules, state):
        raise InvalidPosition("; ".join(problem.text for problem in problems), tuple(problems))
    return state


def _read_board(rules: Ruleset, text: str, problems: Problems) -> dict[Square, Cell]:
    rows = text.split("/")
    if len(rows) != len(rules.board.rows):
        wanted = len(rules.board.rows)
        problems.append(Problem("placement", (), f"{wanted} ranks are needed, not {len(rows)}"))
        return {}
    board: dict[Square, Cell] = {}
    for squares, row in zip(rules.board.rows, rows, strict=True):
        spread = _read_row(row)
        if spread is None:
            problems.append(Problem("placement", squares, f"a rank cannot be read: {row!r}"))
        elif len(spread) != len(squares):
            text = f"a rank has {len(spread)} squares instead of {len(squares)}: {row!r}"
            problems.append(Problem("placement", squares, text))
        else:
            board.update((s, cell) for s, cell in zip(squares, spread, strict=True) if cell)
    return board


@lru_cache(maxsize=REMEMBERED)
def _read_row(row: str) -> tuple[Cell | None, ...] | None:
    """Return what stands on the squares of a rank, or `None` when its text is none."""
    cells = re.findall("[A-Za-z]{2}|[1-9]", row)
    if "".join(cells) != row or re.search("[0-9]{2}", row):
        return None
    spread = [c for cell in cells for c in ([None] * int(cell) if cell.isdigit() else [cell])]
    return tuple(spread) if all(cell is None or cell in CELLS for cell in spread) else None


def _read_hands(text: str, problems: Problems) -> dict[Side, tuple[Name, ...]]:
    hands: dict[Side, tuple[Name, ...]] = {"white": (), "black": ()}
    parts = text.split("/")
    if len(parts) != 2:
        problems.append(Problem("hands", (), f"two hands are needed, not {text!r}"))
        return hands
    for side, part in zip(SIDES, parts, strict=True):
        if part == "-":
            continue
        names = tuple(part.upper().split(","))
        known = all(name in NAMES for name in names) and len(set(names)) == len(names)
        if not known or in_order(names) != names or part != cell_of(part.upper(), side):
            problems.append(Problem("hands", (), f"{part!r} is no list of {side}'s pieces"))
        else:
            hands[side] = names
    return hands


def _read_squares(text: str, problems: Problems) -> tuple[Square, ...]:
    squares = () if text == "-" else tuple(text.split(","))
    if list(squares) != sorted(set(squares)):
        problems.append(Problem("frozen", (), f"{text!r} is no sorted list of squares"))
    return squares


def _read_awaited(text: str, problems: Problems) -> Awaited | None:
    if text == "-":
        return None
    match = _AWAITED.fullmatch(text)
    if match is None:
        problems.append(Problem("awaited", (), f"{text!r} is nothing that can be awaited"))
        return None
    kind = text.partition(":")[0]
    pieces = tuple(match["pieces"].split(",")) if match["pieces"] else ()
    dice = tuple(map(int, match["dice"].split(","))) if match["dice"] else ()
    if any(piece not in NAMES for piece in pieces) or len(set(pieces)) != len(pieces):
        problems.append(Problem("awaited", (), f"{text!r} does not name pieces"))
        return None
    return Awaited(kind, pieces, dice, match["flipped"])  # type: ignore[arg-type]


def _read_homes(rules: Ruleset, text: str, problems: Problems) -> Mapping[Side, tuple[Square, ...]]:
    if not rules.flexible:
        if text != "-":
            problems.append(Problem("homes", (), "home squares are listed with a free setup only"))
        return rules.board.homes
    parts = [tuple(part.split(",")) for part in text.split("/")]
    if len(parts) != 2 or any(list(part) != sorted(part) for part in parts):
        problems.append(Problem("homes", (), f"{text!r} are not two sorted lists of squares"))
        return rules.board.homes
    homes: dict[Side, tuple[Square, ...]] = dict(zip(SIDES, parts, strict=True))
    for side in SIDES:
        problems += home_problems(rules, side, homes[side])
    return homes


def _contradictions(rules: Ruleset, state: State) -> Problems:
    """Return what cannot be, though each field by itself can be read."""
    problems: Problems = []
    for side in SIDES:
        names = [name_of(cell) for cell in state.board.values() if owner(cell) == side]
        names += [*state.hands[side], *state.pending(side)]
        for twice in sorted({name for name in names if names.count(name) > 1}):
            where = tuple(
                s for s, cell in state.board.items() if cell.upper() in {twice, twice[::-1]}
            )
            problems.append(Problem("duplicate-piece", where, f"{side} has {twice} more than once"))
    if missing := [square for square in state.frozen if square not in state.board]:
        text = f"nothing that could be frozen stands on {', '.join(missing)}"
        problems.append(Problem("frozen", (), text))
    if not any(state.true_pieces(side) for side in SIDES):
        problems.append(Problem("no-true-pieces", (), "neither side has a true piece"))
    return problems + _awaited_problems(rules, state)


def _awaited_problems(rules: Ruleset, state: State) -> Problems:
    awaited = state.awaited
    if awaited is None:
        return []
    possible = {
        "hand": len(awaited.pieces) <= 1 + rules.memory
        and in_order(awaited.pieces) == awaited.pieces,
        "sacrifice": rules.memory and state.true_pieces(state.side) > 0,
        "roll": rules.dice > 0,
        "flip": rules.dice >= len(awaited.dice) + bool(awaited.flipped),
    }
    if state.first_turn or not possible[awaited.kind]:
        return [Problem("awaited", (), f"{awaited} cannot be awaited here")]
    if awaited.flipped and awaited.flipped not in state.board:
        return [Problem("awaited", (), f"nothing stands on {awaited.flipped}")]
    if awaited.kind == "flip" and not meeting(state, awaited.dice[0], awaited.flipped):
        return [Problem("awaited", (), f"no piece meets the die {awaited.dice[0]}")]
    return []
