"""The secret setup: nine pieces on nine home squares, the tenth in hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from rules.games.reality_check.discs import CELLS, NAMES, Name, cell_of, name_of
from rules.games.reality_check.fields import State
from rules.games.reality_check.geometry import ADVANCED, BASIC
from rules.games.reality_check.ruleset import Ruleset
from rules.interface import InvalidPosition, Problem, Side, Square
from rules.values import SIDES

_FIXED_FACES = {
    "d1": "R", "c2": "N", "e2": "N", "d2": "B", "d3": "B",
    "b3": "P", "c3": "P", "e3": "P", "f3": "P",
}  # fmt: skip
"""The face that each of White's home squares shows in the fixed setup."""

_DEMONSTRATION = {
    BASIC: {
        "b3": "PP", "c3": "PN", "e3": "PB", "f3": "PR",
        "c2": "NN", "e2": "NB", "d2": "BB", "d3": "BR", "d1": "RN",
    },
    ADVANCED: {
        "d1": "PP", "e2": "PN", "f3": "PB", "g3": "PR",
        "e1": "NN", "g2": "NB", "f2": "BB", "f1": "BR", "g1": "RN",
    },
}  # fmt: skip


def demonstration(rules: Ruleset, side: Side) -> Mapping[Square, str]:
    """Return a known arrangement, for trying the game out: both sides alike, RR in hand."""
    whites = _DEMONSTRATION[rules.board]
    if side == "white":
        return MappingProxyType(whites)
    return MappingProxyType({rules.board.opposite(square): whites[square] for square in whites})


def opening(rules: Ruleset, arrangements: Mapping[Side, Mapping[Square, str]]) -> State:
    """Return the state before White's first turn.

    An arrangement is square -> two capital letters, up-face first; the tenth piece, the one not
    named, is in hand.

    Raises:
        InvalidPosition: with everything that is wrong with either arrangement.
    """
    problems = [p for side in SIDES for p in _problems(rules, side, arrangements[side])]
    if problems:
        text = "; ".join(problem.text for problem in problems)
        raise InvalidPosition(text, tuple(problems))
    return State(
        board={
            square: cell_of(faces, side)
            for side in SIDES
            for square, faces in arrangements[side].items()
        },
        side="white",
        hands={side: _left_over(arrangements[side].values()) for side in SIDES},
        frozen=(),
        awaited=None,
        homes={side: tuple(sorted(arrangements[side])) for side in SIDES},
        number=1,
    )


def home_problems(rules: Ruleset, side: Side, squares: Iterable[Square]) -> list[Problem]:
    """Return what is wrong with the home squares of a side."""
    chosen = tuple(squares)
    allowed = rules.board.halves[side] if rules.flexible else frozenset(rules.board.homes[side])
    problems = []
    if astray := tuple(square for square in chosen if square not in allowed):
        text = f"{side} cannot set up on {', '.join(astray)}"
        exists = tuple(square for square in astray if square in rules.board.squares)
        problems.append(Problem("not-a-home-square", exists, text))
    if len(set(chosen)) != 9:
        text = f"{side} sets up on nine squares, not {len(set(chosen))}"
        problems.append(Problem("home-squares", (), text))
    return problems


def _left_over(arranged: Iterable[str]) -> tuple[Name, ...]:
    used = {name_of(faces) for faces in arranged}
    return tuple(name for name in NAMES if name not in used)


def _problems(rules: Ruleset, side: Side, arrangement: Mapping[Square, str]) -> list[Problem]:
    problems = home_problems(rules, side, arrangement)
    names: list[Name] = []
    for square, faces in arrangement.items():
        if faces not in CELLS or not faces.isupper():
            text = f"{faces!r} on {side}'s {square} is no piece"
            problems.append(Problem("no-such-piece", (square,), text))
            continue
        names.append(name_of(faces))
        if names.count(names[-1]) == 2:
            text = f"a piece of {side}'s seems to be in two places"
            problems.append(Problem("duplicate-piece", (square,), text))
        face = None if rules.flexible else _fixed_face(rules, side, square)
        if face and faces[0] != face:
            text = f"{side}'s {square} must show {face}, not {faces[0]}"
            problems.append(Problem("wrong-face", (square,), text))
    return problems


def _fixed_face(rules: Ruleset, side: Side, square: Square) -> str | None:
    if square not in rules.board.homes[side]:
        return None
    return _FIXED_FACES[square if side == "white" else rules.board.opposite(square)]
