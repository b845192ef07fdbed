"""What hands and sensors are known to do: one table of factors, by which every turn is weighed.

The table itself is `habits.toml`; here stands what each factor holds of.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from firmware_bridge.reconciler.identities import UNTOLD
from firmware_bridge.reconciler.settings import FACTORS, IMPOSSIBLE
from rules.values import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.settings import Habits
    from rules.interface import Deed, Side, Square, Turn

    Holds = Callable[[BoardState, Deed], bool]

Factor = Literal[
    "came-first", "set-down-before-lift", "two-at-once", "no-way", "not-turned", "turn-unread",
    "unexposed", "drop-unread", "left-turned", "victim-nudged", "unfelt-victim", "not-lifted",
    "settled-elsewhere", "nudged-beside", "changed-more", "other-confirmed", "other-declared",
    "half-changed", "between-cells", "cell-doubted", "cell-stuck", "unseen", "in-the-air",
    "opponent-ahead", "beside-a-turn", "against-the-rules", "swept", "victim-aside", "kings-tell",
    "other-hand", "pushed", "cell-wrong", "accident", "upset",
]  # fmt: skip
"""Something that speaks against an explanation: a row of the table, by its name."""
OF_WHOLE: tuple[Factor, ...] = (
    "came-first", "set-down-before-lift", "two-at-once", "no-way", "not-turned", "turn-unread",
    "unexposed", "drop-unread", "left-turned", "victim-nudged", "unfelt-victim",
)  # fmt: skip
"""What may speak against a turn of which the board shows everything."""
OF_UNFELT: tuple[Factor, ...] = ("not-turned", "not-lifted", "settled-elsewhere", "nudged-beside")
"""What may speak against one whose piece stands unfelt on its victim's square."""
HOLDS: dict[Factor, Holds] = {}
"""Whether a factor holds of what a turn does; the others are for those to say who explain it."""


def _when(name: Factor) -> Callable[[Holds], Holds]:
    """Enter what a factor holds of."""

    def enter(holds: Holds) -> Holds:
        HOLDS[name] = holds
        return holds

    return enter


def weight(habits: Habits, factors: Iterable[Factor]) -> float:
    """Return what some factors together take off an explanation."""
    return sum(habits.weights[name] for name in factors)


def open_to(factors: Iterable[Factor], *settled: str) -> tuple[Factor, ...]:
    """Return the factors whose doubt is not `settled` by any of these: board, press, players."""
    return tuple(name for name in factors if FACTORS[name]["settles"] not in settled)


def against(scene: BoardState, turn: Turn, factors: Iterable[Factor]) -> tuple[Factor, ...]:
    """Return which factors hold of a turn, none after one that cannot be."""
    deed, found = scene.deed(turn), list[Factor]()
    for name in factors:
        if HOLDS[name](scene, deed):
            found.append(name)
            if scene.habits.weights[name] <= IMPOSSIBLE:
                break
    return tuple(found)


# --- What hands did ---------------------------------------------------------------------------


def handled(deed: Deed) -> set[Square]:
    """Return every square on which hands may be busy in the course of a turn."""
    squares = {square for move in deed.moves for square in move}
    squares.update(deed.taken)
    squares.update(square for square, _ in (*deed.placed, *deed.flips, *deed.becomes))
    if deed.touch is not None:
        squares.add(deed.touch)
    return squares


def confirmed_at(scene: BoardState, turn: Turn) -> float | None:
    """Return when hands confirmed a turn: touched its anchor, or changed all that it changes."""
    deed = scene.deed(turn)
    since = _lifted_at(scene, deed)
    touched = _touched_at(scene, deed, since)
    return converted_at(scene, deed, since) if touched is None else touched


def _lifted_at(scene: BoardState, deed: Deed) -> float:
    """Return when the pieces that a turn moves had been lifted."""
    return max((scene.trail.lifted_at.get(source, 0.0) for source, _ in deed.moves), default=0.0)


def _touched_at(scene: BoardState, deed: Deed, since: float) -> float | None:
    """Return when hands touched the anchor of a turn, if they did after `since`.

    What has stood elsewhere before it came back was no more touched than anything else that rolls
    over the board.
    """
    trail = scene.trail
    at = None if deed.touch is None else trail.handled_since(deed.touch, since)
    if at is None or deed.touch is None:
        return None
    rolled = trail.placed_at.keys() - scene.shown.keys() - scene.placement.keys()
    rolls = any(trail.lifted_at[deed.touch] < trail.placed_at[s] < at for s in rolled)
    return None if rolls else at


def one_by_one(scene: BoardState, turn: Turn) -> bool:
    """Return whether one hand may have made a turn: each piece taken up when the last one stood."""
    lifted, placed, deed = scene.trail.lifted_at, scene.trail.placed_at, scene.deed(turn)
    ends = dict(deed.moves)
    apart = {square: square for square, _ in deed.flips if square not in ends.values()}
    acts = sorted(
        (lifted.get(source, 0.0), placed.get(target, math.inf))
        for source, target in (ends | apart).items()
    )
    return all(stood <= taken for (_, stood), (taken, _) in pairwise(acts))


def moved_about(base: BoardState, turns: Sequence[tuple[BoardState, Turn]]) -> bool:
    """Return whether something stood for a moment where none of these turns puts it."""
    own = {square for scene, turn in turns for square in handled(scene.deed(turn))}
    return not base.trail.placed_at.keys() <= own | base.placement.keys()


def adjusted_besides(scene: BoardState, turn: Turn) -> bool:
    """Return whether hands put others back, too, so that what confirms a turn may be adjusted."""
    deed = scene.deed(turn)
    since = _lifted_at(scene, deed)
    others = scene.trail.placed_at.keys() & scene.placement.keys() - scene.differing
    return any(scene.trail.handled_since(square, since) for square in others - handled(deed))


def filled_alone(scene: BoardState) -> set[Square]:
    """Return where something may have come down unfelt on a piece that was lifted.

    Of several pieces of one side that came back, all were set upright.
    """
    settled, placement = scene.resettled(), scene.placement
    own = {s for s in settled if scene.secrecy.own(scene.mover, placement[s])}
    return {s for side in (own, settled - own) if len(side) == 1 for s in side}


def changed_beside(deed: Deed) -> list[Square]:
    """Return the squares of the pieces that a turn changes beside those that it moves."""
    targets = {target for _, target in deed.moves}
    return [square for square, _ in deed.becomes if square not in targets]


def _changes(scene: BoardState, deed: Deed, since: float) -> Iterator[float | None]:
    """Yield when each of these was exchanged after `since`; by its tag whenever, if at all."""
    for square in changed_beside(deed):
        at = None if scene.same_piece(square) else scene.trail.handled_since(square, since)
        yield since if at is None and square in scene.wrong else at


def converted_at(scene: BoardState, deed: Deed, since: float) -> float | None:
    """Return when hands had exchanged, after `since`, all that a turn changes beside its moves."""
    times = list(_changes(scene, deed, since))
    known = [at for at in times if at is not None]
    return max(known) if known and len(known) == len(times) else None


@_when("half-changed")
def half_changed(scene: BoardState, deed: Deed) -> bool:
    """Return whether hands changed some of the pieces that a turn changes, and others not yet."""
    since = _lifted_at(scene, deed)
    if len(deed.becomes) < 2 or _touched_at(scene, deed, since) is not None:
        return False
    times = set(_changes(scene, deed, since))
    return None in times and len(times) > 1


def flipped(deed: Deed) -> list[Square]:
    """Return the squares of the discs that a turn turns over."""
    return [square for square, _ in deed.flips]


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


def middle(scene: BoardState) -> frozenset[Square]:
    """Return the squares on which kings tell a result."""
    return frozenset().union(*centre_of(scene.squares))


def kings_in_the_middle(scene: BoardState) -> Mapping[Square, Square]:
    """Return where kings stand that tell a result, with their homes; none if more is astray."""
    homes = {s: scene.whereabouts.origin.get(s, "") for s in scene.extra | scene.wrong}
    if not homes or not homes.keys() <= middle(scene):
        return {}
    return homes if {*map(scene.position.king, SIDES)}.issuperset(homes.values()) else {}


def holds_more(scene: BoardState, besides: Iterable[Square] = ()) -> bool:
    """Return whether more is off the board than was set down elsewhere, or on squares `besides`."""
    return len(scene.missing) > len((scene.extra | scene.wrong).union(besides))


# --- What speaks against a turn ---------------------------------------------------------------


def _out_of_order(scene: BoardState, deed: Deed) -> bool:
    """Whether a piece arrived before it left its square, or while it stood elsewhere.

    A man whose tag was read where he arrived needs no such proof: some boards tell a set-down
    before the lift, and some lifts only with their next look at the whole board.
    """
    if scene.long_turns:  # there, a turn does not tell which of several like pieces went where
        trail, left = scene.trail, scene.whereabouts.left | scene.missing
        return scene.ways_name_kinds and not (
            scene.whereabouts.allow(deed.moves)
            or (left >= dict(deed.moves).keys() and all(map(trail.in_time, _alike(scene, deed))))
        )
    fixed = {square for square, _ in deed.becomes}
    untold = scene.unsure & scene.untagged if not scene.discs else ()
    if not scene.whereabouts.bear_out([move for move in deed.moves if move[1] in untold]):
        return True  # what stands there was set down while this one stood elsewhere
    return not scene.trail.in_time(
        (source, target)
        for source, target in deed.moves
        if target not in fixed and (scene.discs or not scene.shown.get(target))
    )


def _alike(scene: BoardState, deed: Deed) -> Iterator[Sequence[tuple[Square, Square]]]:
    """Yield the moves of each kind of piece, those that left first as those that came first."""
    trail = scene.trail
    for kind in {scene.placement[source] for source, _ in deed.moves}:
        pairs = [move for move in deed.moves if scene.placement[move[0]] == kind]
        left = sorted((source for source, _ in pairs), key=lambda s: trail.left_at.get(s, 0.0))
        came = sorted((target for _, target in pairs), key=lambda s: trail.placed_at.get(s, 0.0))
        yield tuple(zip(left, came, strict=True))


@_when("came-first")
def _came_first(scene: BoardState, deed: Deed) -> bool:
    return not scene.discs and _out_of_order(scene, deed)


@_when("set-down-before-lift")
def _read_late(scene: BoardState, deed: Deed) -> bool:
    return scene.discs and _out_of_order(scene, deed)


@_when("two-at-once")
def _two_at_once(scene: BoardState, deed: Deed) -> bool:
    ways, moves = scene.whereabouts, deed.moves
    return scene.ways_tell and ways.allow(moves) and not ways.allow(moves, far=False)


@_when("no-way")
def _no_way(scene: BoardState, deed: Deed) -> bool:
    return scene.ways_name_kinds and not scene.whereabouts.allow(deed.moves)


@_when("left-turned")
def _left_turned(scene: BoardState, deed: Deed) -> bool:
    """Which way up a disc with like faces lies matters to the turn alone that turns it over."""
    return scene.discs and not scene.turned().issubset(flipped(deed))


@_when("turn-unread")
def _turn_unread(scene: BoardState, deed: Deed) -> bool:
    return not all(map(scene.turned_over, flipped(deed)))


@_when("not-turned")
def _not_turned(scene: BoardState, deed: Deed) -> bool:
    """Two discs are turned only if they do not match: unread, that is not doubted nor told."""
    squares = flipped(deed)
    if len(squares) > 1:
        return not all(map(scene.turned_over, squares))
    return not all(scene.turned_over(s) or scene.may_be_turned(s) for s in squares)


@_when("unexposed")
def _unexposed(scene: BoardState, deed: Deed) -> bool:
    """What lies below decides whether discs go; nobody has seen it, so lifting tells nothing."""
    gone = set(deed.taken).difference(target for _, target in deed.moves)
    return scene.discs and not scene.exposed.issuperset(looks_at(scene, deed) or gone)


@_when("drop-unread")
def _drop_unread(scene: BoardState, deed: Deed) -> bool:
    """Which disc comes from the hand is its owner's secret."""
    return any(square in scene.untagged for square, _ in deed.placed)


@_when("victim-nudged")
def _victim_nudged(scene: BoardState, deed: Deed) -> bool:
    """Whether a victim may stand where it stood, its contact having opened for a moment.

    A quick hand takes no longer, but then the tag of the piece that took it should have been read.
    """
    return bool(scene.identities.first) and any(
        target in scene.untagged and target in scene.placement and scene.trail.nudged(target)
        for _, target in deed.moves
    )


@_when("unfelt-victim")
def _unfelt_victim(scene: BoardState, deed: Deed) -> bool:
    """Whether the tag of a victim was lost, and its cell never opened; it may stand there yet."""
    lifted, unread = scene.trail.lifted_at, scene.untagged & scene.identities.on.keys()
    ends = (target for _, target in deed.moves)
    return scene.discs and any(s in unread and s not in lifted for s in ends)


@_when("changed-more")
def _changed_more(scene: BoardState, deed: Deed) -> bool:
    """Whether pieces were exchanged that this turn does not take."""
    told = scene.resettled()
    return bool(told) and not told.issubset(target for _, target in deed.moves)


@_when("settled-elsewhere")
def _settled_elsewhere(scene: BoardState, deed: Deed) -> bool:
    """Whether what is missing has most likely been set down on a square of no concern to a turn.

    Nobody sets a piece on one of his own, which was adjusted therefore; nor need it be more where a
    turn may move several pieces, beside another move.
    """
    told = scene.resettled()
    if scene.long_turns and scene.extra:
        return False
    own = {s for s in told if scene.secrecy.own(scene.mover, scene.placement[s])}
    return not (told - own).issubset(handled(deed))


@_when("not-lifted")
def _not_lifted(scene: BoardState, deed: Deed) -> bool:
    """Only a victim can go unfelt, never a piece that a turn moves."""
    lifted = scene.trail.lifted_at
    return any(s not in scene.missing and s not in lifted for s, _ in deed.moves)


@_when("nudged-beside")
def _nudged_beside(scene: BoardState, deed: Deed) -> bool:
    """Whether another one may be the victim, or what it took rather stands where it rested once."""
    filled = handled(deed).difference(source for source, _ in deed.moves)
    came, lifted, least = scene.trail.placed_at, scene.trail.lifted_at, scene.habits.nudge
    rested = any(lifted.get(s, t) - t > least for s, t in came.items() if s not in scene.placement)
    return rested or not scene.resettled(nudged=True).issubset(filled)


# --- What may be asked about ------------------------------------------------------------------


def looks_at(scene: BoardState, deed: Deed) -> set[Square]:
    """Return the two discs that a turn looks at, which go if they match, and no others.

    What is made of them must not depend on that, until both were seen.
    """
    squares = {*flipped(deed), *deed.cleared} if scene.discs and not deed.moves else ()
    return set(squares) if len(squares) > 1 else set()


def may_be_asked(scene: BoardState, turn: Turn) -> bool:
    """Return whether to ask about a turn before the mover presses tells nothing of what lies below.

    Two discs that match go off the board, and of those nobody would be asked.
    """
    return not against(scene, turn, ("unexposed",))


def may_be_named(scene: BoardState, turn: Turn) -> bool:
    """Return whether the board shows a legal turn now, so that players may name it.

    How its pieces got there plays no part, if they left their squares: contacts too quick to be
    believed may have been hands, and what no tag tells players know. Two discs are looked at
    whether they match or not, lying there or taken off: to refuse one would tell which it is.
    """
    deed, placement = scene.deed(turn), scene.placement
    looked, turned = looks_at(scene, deed), flipped(deed)
    after = {**placement, **deed.changes(placement)}
    stand = {square for square, label in after.items() if label is not None}
    unknown = scene.distrusted | looked
    lifted = scene.missing | scene.trail.lifted_at.keys() | unknown
    if (stand ^ scene.shown.keys()) - unknown or not lifted.issuperset(s for s, _ in deed.moves):
        return False
    came_from = {target: source for source, target in deed.moves}
    left = {square: placement[came_from.get(square, square)] for square, _ in deed.becomes}
    read = scene.shown.keys() - scene.untagged - unknown
    if not all(scene.shown[s] in (after[s], left.get(s), UNTOLD) for s in read):
        return False
    lying = looked.union(turned) - (looked & scene.missing)
    first, origin = scene.identities.first, scene.whereabouts.origin
    unread = {s for s in lying if origin.get(s, s) not in first}  # only once they were set down
    return all(s in scene.untagged | unread or scene.turned_over(s) for s in lying)
