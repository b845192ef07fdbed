"""Boards that say something of their own: undone turns, a new start, the kings in the centre."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.board_state import BoardState
from firmware_bridge.reconciler.identities import UNTOLD
from firmware_bridge.reconciler.rules_cache import RulesCache
from rules.values import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from drivers.port import Reading
    from rules.interface import Label, Position, Side, Square


@cache
def centre_of(squares: frozenset[Square]) -> Mapping[frozenset[Square], Side | None]:
    """Return where both kings are set to tell the result, by the squares of the board.

    On the light ones of the four squares in the middle White has won, on the dark ones Black, one
    above the other it is a draw. A board without four squares in its middle has no such sign.
    """
    files = sorted({square[0] for square in squares})
    ranks = sorted({square[1:] for square in squares}, key=int)
    if len(files) % 2 or len(ranks) % 2:
        return {}
    left, right = files[len(files) // 2 - 1 : len(files) // 2 + 1]
    low, high = ranks[len(ranks) // 2 - 1 : len(ranks) // 2 + 1]
    rising, falling = frozenset({left + low, right + high}), frozenset({right + low, left + high})
    light = (ord(left) + int(low)) % 2  # a1 is dark
    return {
        rising: "white" if light else "black",
        falling: "black" if light else "white",
        frozenset({left + low, left + high}): None,
        frozenset({right + low, right + high}): None,
    }


@dataclass(frozen=True, slots=True)
class Past:
    """A position of this game that was left by a turn, and what tagged pieces were in it."""

    position: Position
    placement: Mapping[Square, Label]
    roles: Mapping[str, Label]


def turns_undone(
    past: Sequence[Past],
    scene: BoardState,
    standing: Mapping[str, Reading],
    tags: Mapping[str, Label],
) -> int:
    """Return how many turns back the board shows a position of the past; 0 if it shows none."""
    occupied = scene.shown.keys()
    for count, before in enumerate(reversed(past), start=1):
        if before.placement.keys() != occupied:
            continue
        roles = before.roles
        if not BoardState(RulesCache(before.position), standing, tags, roles, strict=roles).differs:
            return count
    return 0


def on_the_way_back(past: Past, scene: BoardState, tags: Mapping[str, Label]) -> bool:
    """Return whether only what the last turn changed has been lifted, and set down as it was."""
    before, now = past.placement, scene.placement
    if any(before.get(square) == now.get(square) for square in scene.differing):
        return False
    for square in scene.extra | scene.wrong:
        uid = scene.identities.on.get(square)
        was = past.roles.get(uid) or tags.get(uid, UNTOLD) if uid else scene.shown[square]
        if square not in past.placement or was not in (UNTOLD, past.placement[square]):
            return False
    return True


def shows_start(
    scene: BoardState, start: Mapping[Square, Label], began: Mapping[Square, Label] | None = None
) -> bool:
    """Return whether the board shows the starting position; of two-faced discs only the sides.

    So most of them must have been set down for that, or all lie as they lay when the game began: a
    few others that come home begin nothing.
    """
    if scene.shown.keys() != start.keys():
        return False
    set_down = len(scene.trail.placed_at.keys() & start.keys())
    face = scene.position.game.face
    if scene.discs and 2 * set_down < len(start):
        looks = {square: face(label) for square, label in scene.shown.items()}
        if looks != {square: face(label) for square, label in (began or {}).items()}:
            return False
    for square, have in scene.shown.items():
        due = start[square]
        told = have != UNTOLD
        if told and (have[0] != due[0] if ":" in due else face(have) != face(due)):
            return False
    return True


def kings_in_centre(scene: BoardState) -> frozenset[Square] | None:
    """Return the two centre squares on which the kings tell the result, or `None`."""
    position = scene.position
    kings = {square for square in map(position.king, SIDES) if square}
    homes = {square: scene.placement[square] for square in kings}
    if len(homes) != 2 or not kings <= scene.missing | scene.wrong:
        return None
    for squares in centre_of(scene.squares):
        if not squares <= scene.shown.keys() or squares & homes.keys():
            continue
        labels = {scene.shown[square] for square in squares}
        if labels == set(homes.values()):
            return squares
        if labels == {UNTOLD} and _only_kings_were_set_down(scene, squares, kings):
            return squares
    return None


def _only_kings_were_set_down(
    scene: BoardState, squares: frozenset[Square], homes: Collection[Square]
) -> bool:
    """Return whether only the kings left their squares, and what stood in the centre for them."""
    if scene.shown.keys() == squares:
        return True
    set_down = scene.extra | scene.unsure
    gone = scene.missing
    return set(homes) <= gone <= _middle(scene).union(homes) and set_down == squares


def _middle(scene: BoardState) -> frozenset[Square]:
    return frozenset().union(*centre_of(scene.squares))


def king_on_his_way(scene: BoardState) -> bool:
    """Return whether the one odd thing is a king on a centre square: the other may follow."""
    odd = scene.extra | scene.wrong
    if len(odd) != 1:
        return False
    (square,) = odd
    home = scene.trail.origin.get(square)
    return square in _middle(scene) and home in map(scene.position.king, SIDES)
