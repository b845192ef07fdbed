"""Whether, and when, hands did what a turn asks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.reconciler.scene import Scene
    from rules.interface import Deed, Square, Turn


def handled(deed: Deed) -> set[Square]:
    """Return every square on which hands may be busy in the course of a turn."""
    squares = {square for move in deed.moves for square in move}
    squares.update(deed.taken)
    squares.update(square for square, _ in (*deed.placed, *deed.flips, *deed.becomes))
    if deed.touch is not None:
        squares.add(deed.touch)
    return squares


def in_time(scene: Scene, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Leave out turns whose piece left its square only after it had arrived: another one did."""
    if scene.whereabouts is not None:
        allow = scene.whereabouts.allow
        return tuple(turn for turn in turns if allow(scene.deed(turn).moves)) or turns
    if scene.long_turns:
        return turns  # there, a turn does not tell which of several like pieces went where
    return tuple(turn for turn in turns if _in_time(scene, scene.deed(turn)))


def _in_time(scene: Scene, deed: Deed) -> bool:
    """Return whether every piece left its square before it arrived elsewhere.

    A man whose tag was read where he arrived needs no such proof: some boards tell a set-down
    before the lift, and some lifts only with their next look at the whole board.
    """
    fixed = {square for square, _ in deed.becomes}
    return scene.trail.in_time(
        (source, target)
        for source, target in deed.moves
        if target not in fixed and (scene.discs or not scene.shown.get(target))
    )


def meant(scene: Scene, fits: tuple[Turn, ...], *, declared: bool) -> tuple[Turn, ...]:
    """Narrow down turns that look alike by what the hands did to confirm one of them."""
    if len(fits) == 1:
        return fits
    if declared:
        fits = tuple(turn for turn in fits if not turn.plain) or fits
    confirmed: list[tuple[float, Turn]] = []
    for turn in fits:
        deed = scene.deed(turn)
        at = _confirmed_at(scene, deed)
        if at is not None:
            confirmed.append((at, turn))
    if not confirmed:
        return fits
    latest = max(at for at, _ in confirmed)
    return tuple(turn for at, turn in confirmed if at == latest)


def _confirmed_at(scene: Scene, deed: Deed) -> float | None:
    """Return when hands confirmed a turn: touched its anchor, or changed all that it changes."""
    arrived = max((scene.trail.placed_at.get(target, 0.0) for _, target in deed.moves), default=0.0)
    if deed.touch is not None:
        touched = scene.trail.handled_since(deed.touch, arrived)
        if touched is not None:
            return touched
    return converted_at(scene, deed, arrived)


def converted_at(scene: Scene, deed: Deed, since: float) -> float | None:
    """Return when hands had exchanged, after `since`, all that a turn changes beside its moves."""
    targets = {target for _, target in deed.moves}
    changed = [square for square, _ in deed.becomes if square not in targets]
    if any(map(scene.same_piece, changed)):
        return None
    times = [scene.trail.handled_since(square, since) for square in changed]
    known = [at for at in times if at is not None]
    return max(known) if known and len(known) == len(changed) else None
