"""Which turns the discs bear out: by their tags they were turned over, or may have been."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Square, Turn


def borne_out(scene: BoardState, fits: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Leave out turns that turn over a piece of which no tag tells that it was turned over.

    A disc with like faces shows no other face, and one whose tag was not read shows none.
    """
    if not scene.discs:
        return fits
    felt = (turn for turn in fits if all(map(scene.turned_over, _flipped(scene, turn))))
    return preferring_turned(
        scene, tuple(t for t in felt if exposed(scene, t) and not brings_unread(scene, t))
    )


def perhaps_turned(scene: BoardState, turn: Turn) -> bool:
    """Return whether all pieces that the turn turns over were, or were set down but not read."""
    return exposed(scene, turn) and handled_flips(scene, turn)


def handled_flips(scene: BoardState, turn: Turn) -> bool:
    """Return whether hands turned over, or may have, all that the turn turns over.

    Two discs are turned over only if they do not match: where no tag tells of either, that is not
    doubted, since it would tell it.
    """
    flipped = _flipped(scene, turn)
    if len(flipped) > 1 and not any(map(scene.turned_over, flipped)):
        return False
    return all(_may_have_been_turned(scene, square) for square in flipped)


def _may_have_been_turned(scene: BoardState, square: Square) -> bool:
    return scene.turned_over(square) or scene.may_be_turned(square)


def may_be_asked(scene: BoardState, turn: Turn) -> bool:
    """Return whether to ask about a turn before the mover presses tells nothing of what lies below.

    Two discs that match go off the board, and of those nobody would be asked.
    """
    flipped = _flipped(scene, turn)
    return exposed(scene, turn) and (len(flipped) < 2 or all(map(scene.turned_over, flipped)))


def told_by_players(scene: BoardState) -> tuple[Turn, ...]:
    """Return the turns that turn over discs of which no tag tells it, or only one read too late.

    Nobody is asked about them, since of no other disc anybody would be.
    """
    return tuple(
        turn
        for turn in (scene.explainer.fitting(scene.seen()) if scene.discs else ())
        if (flipped := _flipped(scene, turn))
        and all(scene.read_too_late(s) or _may_have_been_turned(scene, s) for s in flipped)
    )


def preferring_turned(scene: BoardState, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Leave out turns that leave lying what a tag tells to be turned over, if others do not.

    Which way up a disc with like faces lies makes no difference to any turn but the one that
    turns it over.
    """
    if len(turns) < 2 or not (turned := scene.turned()):
        return turns
    return tuple(turn for turn in turns if turned.issubset(_flipped(scene, turn))) or turns


def exposed(scene: BoardState, turn: Turn) -> bool:
    """Return whether discs that the turn takes off the board without capture were turned over.

    What lies below decides whether they go; as long as nobody has seen it, lifting tells nothing.
    """
    deed = scene.deed(turn)
    if not deed.taken or not scene.discs:
        return True
    return scene.exposed.issuperset(set(deed.taken).difference(target for _, target in deed.moves))


def brings_unread(scene: BoardState, turn: Turn) -> bool:
    """Return whether the turn brings a disc that was not read: which one is its owner's secret."""
    return any(square in scene.untagged for square, _ in scene.deed(turn).placed)


def _flipped(scene: BoardState, turn: Turn) -> list[Square]:
    return [square for square, _ in scene.deed(turn).flips]
