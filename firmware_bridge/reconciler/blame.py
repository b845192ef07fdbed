"""Why a board is illegal: the movement that was tried, and the rules' reason against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rules.interface import IllegalTurn

if TYPE_CHECKING:
    from firmware_bridge.reconciler.scene import Scene
    from rules.interface import Position, Square


class Blame(NamedTuple):
    """A reason code, and the one hand movement that was tried, if it was one."""

    reason: str
    attempt: tuple[Square, Square] | None = None


def blame(scene: Scene) -> Blame:
    """Return why what the scene shows is no legal turn."""
    position = scene.position
    if position.outcome is not None:
        return Blame("game-over")
    moves = movements(scene)
    if not moves:
        return _nothing_put_down(scene)
    objections = [(_objection(position, *move), move) for move in moves]
    refused = [(reason, move) for reason, move in objections if reason is not None]
    if refused:
        foreign = [entry for entry in refused if entry[0] == "not-your-piece"]
        reason, move = (foreign or refused)[0]
        return Blame(reason, move)
    attempt = moves[0] if len(moves) == 1 else None
    if scene.extra - {target for _, target in moves}:
        return Blame("not-in-hand", attempt)
    if attempt is None:
        return Blame("too-many-pieces")
    return Blame(_missing(scene, scene.missing - {attempt[0]}, "too-many-pieces"), attempt)


def movements(scene: Scene) -> list[tuple[Square, Square]]:
    """Return the hand movements, (from, to), that the scene shows, as far as they are known."""
    squares = sorted(scene.extra | scene.wrong) or sorted(scene.unsure)
    return [(scene.origin[square], square) for square in squares if square in scene.origin]


def _objection(position: Position, source: Square, target: Square) -> str | None:
    """Return the rules' reason against one movement, `None` if it is legal by itself."""
    reason = "no-such-move"
    for text in (f"{source}{target}", f"{source}x{target}"):
        try:
            position.parse_turn(text)
        except IllegalTurn as error:
            if error.reason in ("needs-promotion", "must-flip"):
                return None
            if error.reason != "syntax":
                reason = error.reason
        else:
            return None
    return reason


def _nothing_put_down(scene: Scene) -> Blame:
    """Blame a board to which pieces came from beside it, or on which nothing was set down."""
    if scene.extra:
        return Blame("not-in-hand")
    if scene.wrong:
        return Blame("no-flip-allowed")
    return Blame(_missing(scene, scene.missing, "no-such-move"))


def _missing(scene: Scene, missing: set[Square], otherwise: str) -> str:
    """Return the reason against pieces that are simply gone."""
    mover = scene.position.side[0]
    foreign = any(scene.placement[square][0] != mover for square in missing)
    return "not-your-piece" if foreign else otherwise
