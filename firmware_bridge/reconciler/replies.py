"""How turns end: by a press, the opponent's lift, or his reply to what nobody has pressed for."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.factors import handled
from firmware_bridge.reconciler.identities import UNTOLD, same_disc
from firmware_bridge.reconciler.stories import judge, judge_whole, may_stay_in_the_air

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.bases import Base
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Turn


def by_press(seen: Assessment) -> Turn | None:
    """Return the turn that a press confirms: the only one, or the plain one of several."""
    turns, sure = seen.turns, seen.showing == "turns"
    if seen.asked:
        return None
    deeds = [seen.scene.deed(turn) for turn in turns]
    if len(turns) > 1 or (not sure and any(deed.moves for deed in deeds)):  # it may be meant so
        plain = tuple(turn for turn in turns if turn.plain)
        bare = [(turn, deed) for turn, deed in zip(turns, deeds, strict=True) if not deed.touch]
        if not plain and sure and len(bare) == 1:
            ((turn, less),) = bare  # a promotion that was answered by the piece that was set down
            same = all(d.moves == less.moves and set(less.becomes) <= set(d.becomes) for d in deeds)
            return turn if same else None
        turns = plain
    return turns[0] if len(turns) == 1 else None


def set_down_unfelt(scene: BoardState) -> bool:
    """Return whether one piece hangs, and was set down on the one square that hands filled."""
    return scene.hangs and len(scene.captures) == 1


def by_lift(seen: Assessment, cell: str) -> Turn | None:
    """Return the turn that the board shows, if it is the opponent who lifts the piece on `cell`."""
    turn, base = seen.turns[0], seen.scene
    owner = base.placement.get(cell, base.position.side)[0]
    return turn if owner != base.mover and cell not in handled(base.deed(turn)) else None


MOST = 6
"""So many turns are followed of which no press takes one; about more the players must be asked."""


def whole(seen: Assessment) -> tuple[Turn, ...]:
    """Return the turns to which the opponent may reply: that of a press, or those asked about."""
    made = seen.of(seen.turns)  # who replies has seen a turn
    if seen.showing != "turns" or seen.amending or made.asked or too_many(seen):
        return ()
    turn = by_press(made)
    return made.turns if turn is None else (turn,)


def too_many(seen: Assessment) -> bool:
    """Return whether one of so many turns was made that none is followed: they must be told."""
    return seen.showing == "turns" and not seen.amending and len(seen.turns) > MOST


def made_at_once(scene: BoardState) -> Iterator[Assessment]:
    """Yield what is whole if the opponent did all that it does not explain."""
    placement, mover = scene.placement, scene.mover
    his = {square for square in scene.missing if placement[square][0] != mover}
    down = {square: scene.shown[square] for square in sorted(scene.extra | scene.wrong)}
    told = {
        s for s, label in down.items() if label and not same_disc(label, placement.get(s, UNTOLD))
    }
    sure = [square for square in told if down[square][0] != mover]
    doubted = [square for square in down if square not in told]
    most = len(doubted) if scene.discs else min(len(doubted), len(his))
    for count in range(most + 1) if (his or sure or scene.discs) and len(doubted) <= MOST else ():
        for carried in combinations(doubted, count):
            back = {s: UNTOLD if s in placement else None for s in (*sure, *carried)}
            with scene.showing({**dict.fromkeys(his, UNTOLD), **back}):
                seen = _made(scene)
            stories = seen.stories if seen and seen.showing == "turns" else ()
            kept = tuple(s for s in stories if s.turn is None or _borne_out(scene, s.turn))
            if seen and kept:
                yield seen._replace(stories=kept)


def _made(scene: BoardState) -> Assessment | None:
    """Return which turns the board shows; which of two cells a piece stands on is no matter."""
    return judge_whole(scene, scene.seen(), declared=False) if scene.differs else judge(scene)


def _borne_out(scene: BoardState, turn: Turn) -> bool:
    """Return whether its pieces went where it says: by the tags read there, or by hands' ways."""
    moves = scene.deed(turn).moves
    if scene.blind and not scene.whereabouts.bear_out(moves):
        return False
    origin, read = scene.whereabouts.origin, scene.identities.on.keys() - scene.untagged
    return all(origin.get(to, to) == home for home, to in moves if to in read)


def presumed(base: BoardState, turns: Collection[Turn]) -> Turn | None:
    """Return which of these turns is taken to be meant, if nobody says so: the plain one, a queen.

    `None` if they do not differ in what is plain, nor in what a pawn became.
    """
    if len(turns) < 2:
        return next(iter(turns), None)
    plain = [turn for turn in turns if turn.plain]
    queens = [turn for turn in turns if any(to[1:] == "Q" for _, to in base.deed(turn).becomes)]
    likely = queens if len({base.deed(turn).moves for turn in turns}) == 1 else plain
    return likely[0] if len(likely) == 1 else None


def set_down(unpressed: Iterable[Base]) -> list[Assessment]:
    """Return what hands have set down after each of these turns, nothing if they have not."""
    return [
        judge(scene)._replace(ahead=base.turn)
        for base in unpressed
        for scene in (base.scene,)
        if (scene.extra or scene.wrong or scene.exposed or (scene.missing and scene.unsure))
        and not scene.rulebook.over
    ]


def lifted_since(base: BoardState, unpressed: Collection[Base]) -> Turn | None:
    """Return the turn that stands untouched while the opponent holds pieces lifted after it.

    Where owners are secret, whoever owns these pieces.
    """
    if len(unpressed) != 1:
        return None
    (after,) = unpressed
    turn, scene = after.turn, after.scene
    if turn is None or not scene.missing or scene.extra or scene.wrong or scene.unsure:
        return None
    his = not any(base.secrecy.own(base.mover, scene.placement[s]) for s in scene.missing)
    touched = base.deed(turn).changes(base.placement).keys() & scene.missing
    return turn if his and not touched else None


def moved_later(base: BoardState, turn: Turn, after: BoardState) -> bool:
    """Return whether another piece than those of the turn was moved after it, to another square."""
    origin = after.whereabouts.origin
    moved = {target for _, target in base.deed(turn).moves}
    came = {origin[square] for square in after.differing | after.unsure if square in origin}
    return bool(came or after.extra) and not came & moved


def may_be_parked(scene: BoardState) -> bool:
    """Return whether what seems a reply may be a victim, set aside while the mover goes on."""
    origin = scene.whereabouts.origin
    homes = {square: scene.placement.get(origin.get(square, square)) for square in scene.extra}
    aside = {square: None for square, was in homes.items() if was and was[0] != scene.mover}
    with scene.showing(aside):
        return bool(aside) and may_stay_in_the_air(scene)
