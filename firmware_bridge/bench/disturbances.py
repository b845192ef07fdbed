"""What happens beside the game, and what must come of it: offences, turns undone, boards upset."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import choose
from firmware_bridge.bench.harness import Seat
from firmware_bridge.bench.offence_generator import OFFENCES, Expected
from firmware_bridge.messages.verdict import Step
from firmware_bridge.reconciler import TurnsUndone
from firmware_bridge.simulation import Pieces, Style, play
from firmware_bridge.simulation.script import Script
from rules.explain import Seen
from rules.interface import Position

SENSORS: tuple[Style, ...] = ("bounce", "late-tag")
"""What sensors may do without hiding what hands do."""
AT_ONCE = 0.35
"""Seconds: the press of the clock is answered within this; the last contact may lag behind it."""


def illegal(seat: Seat, figures: Figures, dice: Random, *, clock: bool) -> None:
    """Do something illegal, see that it is noticed, and put it right."""
    where, box = dict(seat.pieces.on), dict(seat.pieces.box)
    name, offence = dice.choice([*OFFENCES.items()])
    script = Script(seat.pieces, dice, _sensors(dice))
    expected = offence(seat, script, dice)
    pressed = clock and (expected is None or expected.unfelt or dice.random() < 0.5)
    unheard = expected is not None and expected.unfelt and not clock
    explained = _explained(seat, script, pressed=pressed) or seat.been_before()
    if expected is None or unheard or explained:
        seat.pieces.on, seat.pieces.box = where, box
        return
    before = seat.position
    seat.hush()
    seat.agree()
    seat.feel(script.felt())
    if pressed:
        seat.press()
    seat.wait(AT_ONCE if pressed else 8.0)
    figures.tries += 1
    figures.kinds[name] += 1
    told = seat.asked or seat.refused
    if expected.unfelt and told and not seat.alarms and seat.position == before:
        # A capture that nobody felt, or a mere nudge, explains it too: the players are asked, or
        # told to set it down once more where the question would tell a secret.
        seat.restart(before)
        return
    hands = f"{name} {[(round(c.t, 2), c.cell, c.reading) for c in script.felt()]}"
    _count(seat, figures, expected, before, f"{hands}, pressed {pressed}")
    seat.wait(8.0)
    _put_right(seat, figures, dice, where, later=expected.later)


def _count(
    seat: Seat, figures: Figures, expected: Expected, before: Position, offence: str
) -> None:
    """Count what was said of an offence, in all alarms, and whether it changed the game."""
    # Of two turns, one after the other, a press takes the first.
    changed = seat.position != before and not expected.later
    fitting = bool(seat.alarms) and all(map(expected.met_by, seat.alarms))
    figures.unnoticed += not seat.alarms
    figures.misread += bool(seat.alarms) and not fitting
    figures.changed += changed
    if changed or not fitting:
        told = [f"{alarm.kind} {alarm.reason} {alarm.cells}" for alarm in seat.alarms]
        seat.fail(f"{before}: {offence}: {told or 'no alarm'}, expected {expected}")


def _sensors(dice: Random) -> frozenset[Style]:
    """Return what sensors do meanwhile: often nothing."""
    return frozenset(dice.sample(SENSORS, dice.choice((0, 0, 1, 2))))


def _explained(seat: Seat, script: Script, *, pressed: bool) -> bool:
    """Return whether the board shows a legal turn, or as long as nobody presses its beginning.

    Even without tags, a cell that never opened still holds its piece.
    """
    position, pieces = seat.position, seat.pieces
    if pieces.tier == "occupancy":
        touched = {change.cell for change in script.changes}
        known = {s: label for s, label in position.placement.items() if s not in touched}
    else:
        known = {square: pieces.tags[tag] for square, tag in pieces.on.items()}
    seen = Seen(frozenset(pieces.on), known)
    explainer = position.explainer()
    if explainer.fitting(seen):
        return True
    missing = position.placement.keys() - pieces.on.keys()
    return not pressed and bool(explainer.leading_to(seen, handling=missing))


def _put_right(
    seat: Seat,
    figures: Figures,
    dice: Random,
    was: Mapping[str, str],
    *,
    later: bool = False,
    cleared: bool = False,
) -> None:
    """Follow the restoration step by step and see that it ends in `settled`.

    Where only what was moved later goes back, the turn before it stands whole again. A board that
    was cleared is put right as far as everyone sees: which of two like pieces came from where, no
    restoration tells.
    """
    position = seat.position
    figures.upsets += 1
    steps = seat.verdict.restore
    script = Script(seat.pieces, dice, frozenset())
    for step in steps:
        _follow(script, step, was)
        script.wait(0.2, 0.6)
    seat.feel(script.felt())
    seat.wait(0.1)
    same = seat.position.looks_like(position) if cleared else seat.position == position
    if seat.verdict.kind == "settled" and same:
        figures.settled += 1
    elif later and seat.verdict.kind in ("complete", "extendable"):
        figures.settled += 1
        seat.restart(position)
    else:
        seat.fail(f"{position}: restored by {steps}, but {seat.verdict}")
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
    script = Script(seat.pieces, dice, _sensors(dice))
    put_back(script, was)
    seat.feel(script.felt())
    seat.wait(1.5)
    found = [f for f in seat.taken if isinstance(f, TurnsUndone)]
    if seat.position == before and len(found) == 1 and not seat.alarms:
        figures.undone_right += 1
    else:
        seat.fail(f"{before}: {turn} undone, but {found}, {seat.alarms}, {seat.verdict}")
        seat.restart(before)


def put_back(script: Script, was: Mapping[str, str]) -> None:
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
    cleared = not seat.pieces.on
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
        _put_right(seat, figures, dice, was, cleared=cleared)
        return
    figures.changed += 1
    seat.fail(f"{before}: upset, and the game went on to {seat.position}")
    seat.restart(before)
