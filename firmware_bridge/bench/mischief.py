"""What hands should not do, or do outside the game, and what must come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.bench.games import choose
from firmware_bridge.hands import play
from firmware_bridge.hands.script import Script
from firmware_bridge.reconciler import TurnsUndone
from rules.explain import Seen
from rules.interface import IllegalTurn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from firmware_bridge.bench.figures import Figures
    from firmware_bridge.bench.seat import Seat
    from firmware_bridge.hands import Pieces
    from firmware_bridge.verdict import Step, Verdict
    from rules.interface import Position, Square

    Offence = Callable[[Seat, Script, Random], "Expected | None"]

_HARMLESS = ("must-flip", "needs-promotion")


class Expected:
    """What must be said of an offence: one of these reasons, and at least these cells."""

    def __init__(self, reasons: set[str], cells: set[Square]) -> None:
        self.reasons = reasons
        self.cells = cells

    def met_by(self, verdict: Verdict) -> bool:
        """Return whether the verdict says so; a board thrown about needs no reason."""
        if verdict.kind == "disturbed":
            return self.cells <= set(verdict.cells)
        return verdict.reason in self.reasons and self.cells <= set(verdict.cells)


def illegal(seat: Seat, figures: Figures, dice: Random) -> None:
    """Do something illegal, see that it is noticed, and put it right."""
    before = seat.position
    where = dict(seat.pieces.on)
    box = dict(seat.pieces.box)
    offence = dice.choice(OFFENCES)
    script = Script(seat.pieces, dice, frozenset())
    expected = offence(seat, script, dice)
    if expected is None or _explained(seat):
        seat.pieces.on, seat.pieces.box = where, box
        return
    seat.hush()
    seat.agree()
    seat.feel(script.felt())
    if dice.random() < 0.5:
        seat.press()
    seat.wait(8.0)
    figures.tries += 1
    verdict = seat.alarms[-1] if seat.alarms else None
    told = f"{verdict.reason} {verdict.cells}" if verdict else "no alarm"
    fitting = verdict is not None and expected.met_by(verdict)
    changed = seat.position != before
    figures.unnoticed += verdict is None
    figures.misread += verdict is not None and not fitting
    figures.changed += changed
    if changed or not fitting:
        figures.failures.append(
            f"{before}: {offence.__name__} {[(c.cell, c.reading) for c in script.felt()]}: {told}, "
            f"expected {expected.reasons} {expected.cells}"
        )
    _put_right(seat, figures, dice, where)


def _explained(seat: Seat) -> bool:
    """Return whether the board shows a legal turn, or may show its beginning."""
    position, pieces = seat.position, seat.pieces
    known = {} if pieces.tier == "occupancy" else {s: pieces.tags[t] for s, t in pieces.on.items()}
    seen = Seen(frozenset(pieces.on), known)
    explainer = position.explainer()
    return bool(explainer.fitting(seen) or explainer.leading_to(seen, every_lift=True))


def _put_right(seat: Seat, figures: Figures, dice: Random, was: Mapping[str, str]) -> None:
    """Follow the restoration step by step and see that it ends in `settled`."""
    position = seat.position
    figures.upsets += 1
    steps = seat.verdict.restore
    script = Script(seat.pieces, dice, frozenset())
    for step in steps:
        _follow(script, step, was)
        script.wait(0.2, 0.6)
    seat.feel(script.felt())
    seat.wait(0.1)
    if seat.verdict.kind == "settled" and seat.position == position:
        figures.settled += 1
    else:
        figures.failures.append(f"{position}: restored by {steps}, but {seat.verdict}")
        seat.restart(position)


def _follow(script: Script, step: Step, was: Mapping[str, str]) -> None:
    """Make one movement of the restoration, with the piece that stood there if it is at hand."""
    pieces = script.pieces
    if step.source is not None:
        tag = script.lift(step.source)
        script.wait(0.2, 0.5)
    else:
        tag = _from_box(pieces, was[step.target or ""])
    if step.target is None:
        script.to_box(tag)
        return
    if pieces.turned(tag) == was[step.target]:
        tag = pieces.turned(tag)
    script.put(step.target, tag)


def _from_box(pieces: Pieces, tag: str) -> str:
    for lying in (tag, pieces.turned(tag)):
        if lying in pieces.box:
            del pieces.box[lying]
            return lying
    if pieces.has(pieces.tags[tag]):
        return pieces.fetch(pieces.tags[tag])
    return pieces.box.popitem()[0]  # the board could not tell, so hands cannot know either


def _own_piece(seat: Seat, script: Script, dice: Random) -> Expected | None:
    """Set an own piece on an empty square where it may not go."""
    return _wrong_square(seat, script, dice, own=True)


def _foreign_piece(seat: Seat, script: Script, dice: Random) -> Expected | None:
    """Set a piece of the opponent on another square."""
    return _wrong_square(seat, script, dice, own=False)


def _wrong_square(seat: Seat, script: Script, dice: Random, *, own: bool) -> Expected | None:
    position = seat.position
    mover = position.side[0]
    squares = [s for s, label in position.placement.items() if (label[0] == mover) == own]
    source = dice.choice(sorted(squares))
    target = dice.choice(sorted(position.game.squares - position.placement.keys()))
    reason = _reason(position, source, target)
    if reason is None:
        return None
    script.carry(source, target)
    return Expected({reason} if own else {"not-your-piece"}, {target})


def _reason(position: Position, source: Square, target: Square) -> str | None:
    taking = [f"{source}x{target}"] if target in position.placement else []
    for text in (*taking, f"{source}{target}"):
        try:
            position.parse_turn(text)
        except IllegalTurn as error:
            if error.reason != "syntax":
                return None if error.reason in _HARMLESS else error.reason
        else:
            return None
    return None


def _stolen(seat: Seat, script: Script, dice: Random) -> Expected | None:
    """Make a legal turn and let another piece disappear on the way."""
    position = seat.position
    turn = choose(position, dice)
    deed = position.deed(turn)
    if len(deed.moves) != 1 or deed.taken or deed.flips or deed.becomes:
        return None
    busy = {square for move in deed.moves for square in move}
    cell = dice.choice(sorted(position.placement.keys() - busy))
    script.to_box(script.lift(cell))
    script.wait(0.2, 0.5)
    script.carry(*deed.moves[0])
    foreign = position.placement[cell][0] != position.side[0]
    return Expected({"not-your-piece" if foreign else "too-many-pieces"}, {cell})


def _swapped(seat: Seat, script: Script, dice: Random) -> Expected | None:
    """Let two pieces trade places, where the board can tell them apart."""
    position = seat.position
    if seat.pieces.tier == "occupancy":
        return None
    one, other = dice.sample(sorted(position.placement), 2)
    placement = position.placement
    if placement[one] == placement[other]:
        return None
    mover = position.side[0]
    first = script.lift(one)
    script.wait(0.1, 0.3)
    second = script.lift(other)
    script.wait(0.1, 0.3)
    script.put(one, second)
    script.wait(0.1, 0.3)
    script.put(other, first)
    if any(placement[square][0] != mover for square in (one, other)):
        return Expected({"not-your-piece"}, {one, other})
    reasons = {_reason(position, one, other) or "", _reason(position, other, one) or ""}
    together = position.objection([(one, other), (other, one)])
    reasons.add(together.reason if together else "")
    return Expected(reasons | {"too-many-pieces", "own-piece-there"}, {one, other})


def _two_turns(seat: Seat, script: Script, dice: Random) -> Expected | None:
    """Make two turns at once: the mover's, and before it stands one of another piece."""
    position = seat.position
    turns = [choose(position, dice) for _ in range(2)]
    moves = []
    for turn in turns:
        deed = position.deed(turn)
        if len(deed.moves) != 1 or deed.taken or deed.flips or deed.becomes or deed.placed:
            return None
        moves.append(deed.moves[0])
    if len({square for move in moves for square in move}) != 4:
        return None
    tags = [script.lift(source) for source, _ in moves]
    for (_, target), tag in zip(moves, tags, strict=True):
        script.wait(0.02, 0.1)
        script.put(target, tag)
    return Expected({"too-many-pieces", "mixed-realms", "wrong-realm"}, set())


OFFENCES: tuple[Offence, ...] = (_own_piece, _foreign_piece, _stolen, _swapped, _two_turns)


def take_back(seat: Seat, figures: Figures, dice: Random) -> None:
    """Make a turn, let it be taken, and undo it on the board."""
    before = seat.position
    if before.outcome is not None or before.awaited is not None:
        return
    turn = choose(before, dice)
    after = before.play(turn)
    alike = before.placement.keys() == after.placement.keys() and seat.pieces.tier == "occupancy"
    if after.outcome is not None or alike or not before.deed(turn).physical:
        return  # what the board cannot feel cannot be undone on it
    was = dict(seat.pieces.on)
    seat.hush()
    seat.feel(play(before, turn, seat.pieces, dice, ()))
    seat.wait(0.5)
    seat.press()
    if seat.position == before:
        seat.answer(str(turn))
    seat.hush()
    figures.undone += 1
    script = Script(seat.pieces, dice, frozenset())
    _undo(script, was)
    seat.feel(script.felt())
    seat.wait(1.5)
    found = [f for f in seat.taken if isinstance(f, TurnsUndone)]
    if seat.position == before and len(found) == 1 and not seat.alarms:
        figures.undone_right += 1
    else:
        figures.failures.append(
            f"{before}: {turn} undone, but {found}, {seat.alarms}, {seat.verdict}"
        )
        seat.restart(before)


def _undo(script: Script, was: dict[str, str]) -> None:
    """Put every piece back where it stood."""
    pieces = script.pieces
    lifted = [cell for cell, tag in list(pieces.on.items()) if was.get(cell) != tag]
    for cell in lifted:
        script.to_box(script.lift(cell))
        script.wait(0.1, 0.3)
    for cell, tag in was.items():
        if cell not in pieces.on:
            pieces.box.pop(tag, None)
            pieces.box.pop(pieces.turned(tag), None)
            script.put(cell, tag)
            script.wait(0.1, 0.3)


def upset(seat: Seat, figures: Figures, dice: Random) -> None:
    """Clear the board, or throw some pieces about, and put everything right again."""
    before = seat.position
    if before.outcome is not None or seat.verdict.kind != "settled":
        return
    seat.hush()
    seat.agree()
    was = dict(seat.pieces.on)
    script = Script(seat.pieces, dice, frozenset())
    cells = sorted(seat.pieces.on)
    if dice.random() < 0.5:
        chosen, clear = dice.sample(cells, min(len(cells), dice.randint(5, 12))), False
    else:
        chosen, clear = cells, True
    tags = [script.lift(cell) for cell in chosen]
    free = sorted(before.game.squares - seat.pieces.on.keys())
    for tag in tags:
        script.wait(0.0, 0.05)
        if not clear and dice.random() < 0.7:
            script.put(free.pop(dice.randrange(len(free))), tag)
        else:
            script.to_box(tag)
    seat.feel(script.felt())
    seat.wait(8.0)
    if seat.position == before and seat.alarms:
        _put_right(seat, figures, dice, was)
        return
    figures.changed += 1
    figures.failures.append(f"{before}: upset, and the game went on to {seat.position}")
    seat.restart(before)
