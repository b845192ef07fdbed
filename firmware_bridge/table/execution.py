"""Hands carry out for a computer what it plays: the way from what stands to what should stand.

Nothing is judged meanwhile, so nothing can be an offence. The board is right when every square
shows its piece, or one that looks like it where owners are secret. A square whose piece gives way
to another one must have been empty on the way, unless the board itself tells the new piece: nothing
else says that the two were exchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from firmware_bridge.messages.verdict import Step, Verdict
from firmware_bridge.reconciler.identities import grown_into
from firmware_bridge.reconciler.way_back import way_back
from firmware_bridge.table.tokens import Tokens
from rules.interface import Label, Position, Square, Turn

AT_ONCE = 2
"""Hand movements shown together: a capture is two, and whoever makes one of more needs the next."""


@dataclass(frozen=True, slots=True)
class Execution:
    """What hands have still to do.

    Attributes:
        squares: the squares of the board; other cells are for pieces beside it.
        goal: what should stand where.
        known_as: the labels that the tags of the right pieces may tell, by square, beside the
            goal's: a pawn may stand for what it was promoted to.
        exchanged: squares whose piece gives way to another one and which have not been empty yet,
            with the piece that must go.
        origin: where pieces go, by where they come from.
        total: how many hand movements it takes at all.
    """

    squares: frozenset[Square]
    goal: Mapping[Square, Label]
    known_as: Mapping[Square, frozenset[Label]]
    exchanged: Mapping[Square, Label]
    origin: Mapping[Square, Square]
    total: int = 0

    @classmethod
    def none(cls, position: Position, tokens: Tokens) -> Self:
        """Return that nothing is to be done: what stands is taken for this position."""
        known_as, placement = {}, tokens.looks(position.placement)
        for square, label in placement.items():
            seen = tokens.look(square)
            fits = seen is not None and grown_into(seen, label, strict=False)
            known_as[square] = frozenset({label, seen} if seen is not None and fits else {label})
        return cls(position.game.squares, placement, known_as, {}, {})

    def then(self, before: Position, turn: Turn, tokens: Tokens) -> Execution:
        """Return what is left when another turn is added that no hand has made."""
        goal, was = tokens.looks(before.play(turn).placement), tokens.looks(before.placement)
        deed = before.deed(turn)
        source = {target: source for source, target in deed.moves}
        told = {square for square, _ in (*deed.flips, *deed.placed)}  # nothing else stands for it
        known_as = {
            square: frozenset({label})
            if square in told
            else self.known_as.get(source.get(square, square), frozenset()) | {label}
            for square, label in goal.items()
        }
        exchanged = {s: was[s] for s in goal.keys() & was if goal[s] != was[s]} | {
            s: piece for s, piece in self.exchanged.items() if s in goal
        }
        came = {target: start for start, target in self.origin.items()}
        origin = {came.get(start, start): target for target, start in source.items()}
        kept = {a: b for a, b in self.origin.items() if b not in source.values() and b in goal}
        return replace(
            self, goal=goal, known_as=known_as, exchanged=exchanged, origin={**kept, **origin}
        )

    def begun(self, tokens: Tokens) -> Execution:
        """Return the same, its hand movements counted from what stands now."""
        now = self.felt(tokens)
        return replace(now, total=len(now.steps(tokens)))

    def felt(self, tokens: Tokens) -> Execution:
        """Return what is left when this stands on the board."""
        waits = {
            square: piece
            for square, piece in self.exchanged.items()
            if square in tokens.standing and tokens.look(square) != self.goal[square]
        }
        return self if waits == self.exchanged else replace(self, exchanged=waits)

    def steps(self, tokens: Tokens) -> tuple[Step, ...]:
        """Return the hand movements that are left, in an order that can be done."""
        squares: dict[Square, Label] = {}
        beside: dict[str, Label] = {}
        for cell in tokens.standing:
            label = tokens.look(cell)
            known = self.known_as.get(cell)
            if known is None:  # nothing is due here: a square to be cleared, or a reserve cell
                (squares if cell in self.squares else beside)[cell] = label or ""
            elif cell in self.exchanged:
                squares[cell] = self.exchanged[cell]
            else:
                # What has not been read yet may still be wrong: see `computer_turns.STILL`.
                right = label is None or label in known
                squares[cell] = self.goal[cell] if right else label or ""
        return way_back(squares, self.goal, self.origin, beside, self.exchanged)

    def verdict(self, steps: Sequence[Step]) -> Verdict:
        """Return what is shown of the steps left: `settled` when nothing is left to be done."""
        if not steps:
            return Verdict("settled")
        now = tuple(steps if self.total <= AT_ONCE else steps[:1])
        cells = {cell for step in now for cell in (step.source, step.target) if cell}
        return Verdict("disturbed", cells=tuple(sorted(cells)), restore=now)
