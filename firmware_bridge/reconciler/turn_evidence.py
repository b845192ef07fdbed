"""Whether, and when, hands did what a turn asks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Deed, Square, Turn


def handled(deed: Deed) -> set[Square]:
    """Return every square on which hands may be busy in the course of a turn."""
    squares = {square for move in deed.moves for square in move}
    squares.update(deed.taken)
    squares.update(square for square, _ in (*deed.placed, *deed.flips, *deed.becomes))
    if deed.touch is not None:
        squares.add(deed.touch)
    return squares


def in_time(scene: BoardState, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Leave out turns whose piece left its square only after it had arrived: another one did."""
    if scene.whereabouts is not None:
        allow, moves = scene.whereabouts.allow, {t: scene.deed(t).moves for t in turns}
        near = tuple(turn for turn in turns if allow(moves[turn], far=False))
        return near or tuple(turn for turn in turns if allow(moves[turn])) or turns
    if scene.long_turns:
        return turns  # there, a turn does not tell which of several like pieces went where
    return tuple(turn for turn in turns if _in_time(scene, scene.deed(turn)))


def _in_time(scene: BoardState, deed: Deed) -> bool:
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


def meant(scene: BoardState, fits: tuple[Turn, ...], *, declared: bool) -> tuple[Turn, ...]:
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


def half_changed(scene: BoardState, turn: Turn) -> bool:
    """Return whether hands changed some of the pieces that a turn changes, and others not yet."""
    deed = scene.deed(turn)
    since = _lifted_at(scene, deed)
    if len(deed.becomes) < 2 or _touched_at(scene, deed, since) is not None:
        return False
    done = [_changed_at(scene, square, since) is not None for square in changed_beside(deed)]
    return any(done) and not all(done)


def _confirmed_at(scene: BoardState, deed: Deed) -> float | None:
    """Return when hands confirmed a turn: touched its anchor, or changed all that it changes."""
    since = _lifted_at(scene, deed)
    touched = _touched_at(scene, deed, since)
    return converted_at(scene, deed, since) if touched is None else touched


def _lifted_at(scene: BoardState, deed: Deed) -> float:
    """Return when the pieces that a turn moves had been lifted."""
    return max((scene.trail.lifted_at.get(source, 0.0) for source, _ in deed.moves), default=0.0)


def _touched_at(scene: BoardState, deed: Deed, since: float) -> float | None:
    """Return when hands touched the anchor of a turn, if they did after `since`."""
    return None if deed.touch is None else scene.trail.handled_since(deed.touch, since)


def changed_beside(deed: Deed) -> list[Square]:
    """Return the squares of the pieces that a turn changes beside those that it moves."""
    targets = {target for _, target in deed.moves}
    return [square for square, _ in deed.becomes if square not in targets]


def _changed_at(scene: BoardState, square: Square, since: float) -> float | None:
    """Return when a piece was exchanged, as far as is felt, after `since`; by its tag whenever."""
    if scene.same_piece(square):
        return None
    handled_at = scene.trail.handled_since(square, since)
    return since if handled_at is None and square in scene.wrong else handled_at


def converted_at(scene: BoardState, deed: Deed, since: float) -> float | None:
    """Return when hands had exchanged, after `since`, all that a turn changes beside its moves."""
    times = [_changed_at(scene, square, since) for square in changed_beside(deed)]
    known = [at for at in times if at is not None]
    return max(known) if known and len(known) == len(times) else None
