"""What happens beside the game, and what must come of it: offences, turns undone, boards upset."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import choose
from firmware_bridge.bench.harness import Harness
from firmware_bridge.bench.offence_generator import OFFENCES, Expected
from firmware_bridge.messages.verdict import WHOLE, Step
from firmware_bridge.reconciler import TurnsUndone
from firmware_bridge.simulation import Pieces, Style, play
from firmware_bridge.simulation.script import Script
from rules.explain import Seen
from rules.interface import Position

SENSORS: tuple[Style, ...] = ("bounce", "late-tag")
"""What sensors may do without hiding what hands do."""
AT_ONCE = 0.35
"""Seconds: the press of the clock is answered within this; the last contact may lag behind it."""


def illegal(board: Harness, figures: Figures, dice: Random, *, clock: bool) -> None:
    """Do something illegal, see that it is noticed, and put it right."""
    where, box = dict(board.pieces.on), dict(board.pieces.box)
    name, offence = dice.choice([*OFFENCES.items()])
    script = Script(board.pieces, dice, _sensors(dice))
    expected = offence(board, script, dice)
    pressed = clock and (expected is None or expected.unfelt or dice.random() < 0.5)
    unheard = expected is not None and expected.unfelt and not clock
    explained = _explained(board, script, pressed=pressed) or board.been_before()
    if expected is None or unheard or explained:
        board.pieces.on, board.pieces.box = where, box
        return
    before = board.position
    board.hush()
    board.agree()
    board.feel(script.felt())
    if pressed:
        board.press()
    board.wait(AT_ONCE if pressed else 8.0)
    figures.tries += 1
    figures.kinds[name] += 1
    told = board.asked or board.refused
    if expected.unfelt and told and not board.alarms and board.position == before:
        # A capture that nobody felt, or a mere nudge, explains it too: the players are asked, or
        # told to set it down once more where the question would tell a secret.
        board.restart(before)
        return
    hands = f"{name} {[(round(c.t, 2), c.cell, c.reading) for c in script.felt()]}"
    _count(board, figures, expected, before, f"{hands}, pressed {pressed}")
    board.wait(8.0)
    _put_right(board, figures, dice, where, later=expected.later)


def _count(
    board: Harness, figures: Figures, expected: Expected, before: Position, offence: str
) -> None:
    """Count what was said of an offence, in all alarms, and whether it changed the game."""
    # Of two turns, one after the other, a press takes the first.
    # What a referee remembers of attempts is no part of what the board shows.
    changed = str(board.position) != str(before) and not expected.later
    fitting = bool(board.alarms) and all(map(expected.met_by, board.alarms))
    figures.unnoticed += not board.alarms
    figures.misread += bool(board.alarms) and not fitting
    figures.changed += changed
    if changed or not fitting:
        told = [f"{alarm.kind} {alarm.reason} {alarm.cells}" for alarm in board.alarms]
        figures.fail(
            f"{before}: {offence}: {told or 'no alarm'}, expected {expected}", board.recording()
        )


def _sensors(dice: Random) -> frozenset[Style]:
    """Return what sensors do meanwhile: often nothing."""
    return frozenset(dice.sample(SENSORS, dice.choice((0, 0, 1, 2))))


def _explained(board: Harness, script: Script, *, pressed: bool) -> bool:
    """Return whether the board shows a legal turn, or as long as nobody presses its beginning.

    Even without tags, a cell that never opened still holds its piece.
    """
    position, pieces = board.position, board.pieces
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
    board: Harness,
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
    position = board.position
    figures.upsets += 1
    steps = board.verdict.restore
    script = Script(board.pieces, dice, frozenset())
    for step in steps:
        _follow(script, step, was)
        script.wait(0.2, 0.6)
    board.feel(script.felt())
    board.wait(0.1)
    same = board.position.looks_like(position) if cleared else board.position == position
    if board.verdict.kind == "settled" and same:
        figures.settled += 1
    elif later and board.verdict.kind in WHOLE:
        figures.settled += 1
        board.restart(position)
    else:
        figures.fail(f"{position}: restored by {steps}, but {board.verdict}", board.recording())
        board.restart(position)


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


def take_back(board: Harness, figures: Figures, dice: Random) -> None:
    """Make a turn, let it be taken, and undo it on the board."""
    before = board.position
    if before.outcome is not None or before.awaited is not None:
        return
    turn = choose(before, dice)
    after = before.play(turn)
    alike = before.placement.keys() == after.placement.keys() and board.pieces.tier == "occupancy"
    if after.outcome is not None or alike or not before.deed(turn).physical:
        return  # what the board cannot feel cannot be undone on it
    was = dict(board.pieces.on)
    board.hush()
    board.feel(play(before, turn, board.pieces, dice, ()))
    board.wait(0.5)
    board.press()
    if board.position == before:
        board.answer(str(turn))
    board.hush()
    figures.undone += 1
    script = Script(board.pieces, dice, _sensors(dice))
    put_back(script, was)
    board.feel(script.felt())
    board.wait(1.5)
    found = [f for f in board.taken if isinstance(f, TurnsUndone)]
    if board.position == before and len(found) == 1 and not board.alarms:
        figures.undone_right += 1
    else:
        figures.fail(
            f"{before}: {turn} undone, but {found}, {board.alarms}, {board.verdict}",
            board.recording(),
        )
        board.restart(before)


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


def upset(board: Harness, figures: Figures, dice: Random) -> None:
    """Clear the board, or throw some pieces about, and put everything right again."""
    before = board.position
    if before.outcome is not None or board.verdict.kind != "settled":
        return
    board.hush()
    board.agree()
    was = dict(board.pieces.on)
    script = Script(board.pieces, dice, frozenset())
    cells = sorted(board.pieces.on)
    if dice.random() < 0.5:
        chosen, clear = dice.sample(cells, min(len(cells), dice.randint(5, 12))), False
    else:
        chosen, clear = cells, True
    tags = [script.lift(cell) for cell in chosen]
    cleared = not board.pieces.on
    free = sorted(before.game.squares - board.pieces.on.keys())
    for tag in tags:
        script.wait(0.0, 0.05)
        if not clear and dice.random() < 0.7:
            script.put(free.pop(dice.randrange(len(free))), tag)
        else:
            script.to_box(tag)
    board.feel(script.felt())
    board.wait(8.0)
    if board.position == before and board.alarms:
        _put_right(board, figures, dice, was, cleared=cleared)
        return
    figures.changed += 1
    figures.fail(f"{before}: upset, and the game went on to {board.position}", board.recording())
    board.restart(before)
