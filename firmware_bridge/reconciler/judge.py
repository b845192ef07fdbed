"""What a scene shows, leaving time aside: which legal turns explain it, or that none does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from firmware_bridge.reconciler.labels import same_disc
from firmware_bridge.reconciler.trail import NUDGE
from rules.explain import Seen

if TYPE_CHECKING:
    from firmware_bridge.reconciler.scene import Scene
    from rules.interface import Deed, Square, Turn

Showing = Literal["position", "lifted", "beginning", "turns", "hovering", "odd", "upset"]
"""What a board can show.

`position`: what was agreed. `lifted`: pieces in the air, nothing set down wrongly. `beginning`: the
beginning of a legal turn. `turns`: one or several whole legal turns. `hovering`: a piece in the air
that may also stand on its victim's square, which this board cannot feel. `odd`: something that no
legal turn explains. `upset`: more than hands do in one turn.
"""
LEADS = 24
"""How many turns that the board may lead to are looked at."""
FIRST = 2
"""How many of them are looked at first, because that is mostly enough."""
MISSED = 7
"""With more pieces than this off the board nobody asks which of them have part in a turn."""
UPSET_BEYOND = 6
"""So many squares more than any turn changes are no turn gone wrong, but a board upset."""


class Judgement(NamedTuple):
    """What a scene shows.

    Attributes:
        showing: which kind of thing.
        turns: the turns that explain it, for `turns` and `hovering`.
        longer: whether the player may be in the middle of a longer turn.
        cells: the squares that are odd.
        answered: whether the pieces in the air were lifted by the opponent, ahead of his time.
        reason: why it is odd, where the scene alone would not tell.
        asked: whether even a single turn must be asked about.
        shaky: whether what seems to be a capture may be a nudge, unless more speaks for it.
    """

    showing: Showing
    turns: tuple[Turn, ...] = ()
    longer: bool = False
    cells: tuple[Square, ...] = ()
    answered: bool = False
    reason: str | None = None
    asked: bool = False
    shaky: bool = False


POSITION = Judgement("position")
LIFTED = Judgement("lifted")
BEGINNING = Judgement("beginning")


def judge(scene: Scene, *, declared: bool = False, closely: bool = False) -> Judgement:
    """Return what the scene shows.

    Args:
        scene: the position and what was felt.
        declared: whether the mover declared that the turn says more than hands do.
        closely: whether pieces in the air are looked at as if they might stand somewhere unfelt,
            which nobody asks as long as hands are busy.
    """
    if not scene.differs:
        return _alike(scene) if scene.handled_alike else POSITION
    only_lifted = not (scene.extra or scene.wrong or scene.unsure)
    if only_lifted and not closely and scene.long_turns:
        return _upset(scene) or LIFTED
    seen = scene.seen()
    whole = _whole_turns(scene, seen, declared=declared)
    if whole is not None:
        return _or_converted(scene, whole)
    hovering = _hovering(scene, declared=declared) if closely else None
    if hovering is not None:
        return hovering
    if only_lifted:
        return _upset(scene) or LIFTED
    unfinished = _unfinished(scene, seen)
    unexplained = unfinished.showing == "odd" and not closely
    return (_hovering(scene, declared=declared) if unexplained else None) or unfinished


def _hovering(scene: Scene, *, declared: bool) -> Judgement | None:
    """See whether a piece in the air may stand on its victim's square, which never opened."""
    fits = _unfelt(scene)
    if not fits:
        return None
    nudged = scene.resettled()
    asked = any(not nudged <= _refilled(scene.deed(turn)) for turn in fits)
    return Judgement("hovering", _meant(scene, fits, declared=declared), asked=asked)


def _refilled(deed: Deed) -> set[Square]:
    """Return the squares on which hands may set a piece down, in a turn with an unfelt capture.

    Where the piece that took unfelt is said to have left its square to another one, this may as
    well be the one that was taken.
    """
    return handled(deed).difference(source for source, _ in deed.moves)


def _unfelt(scene: Scene) -> tuple[Turn, ...]:
    """Return the turns of which everything is seen but the piece on its victim's square."""
    loose = scene.seen_by_tags() if scene.missing else None
    fits = scene.explainer.fitting(loose) if loose is not None else ()
    if scene.missing and scene.discs:
        aside = (t for t in scene.explainer.fitting(scene.seen()) if not exposed(scene, t))
        fits = tuple(dict.fromkeys((*fits, *aside)))
    told = scene.resettled(NUDGE)  # hands seem to have set a piece down there
    return tuple(
        turn
        for turn in fits
        if told <= handled(scene.deed(turn)) and _all_were_lifted(scene, scene.deed(turn))
    )


def _or_converted(scene: Scene, whole: Judgement) -> Judgement:
    """Ask, where what looks like a capture may be the conversion after one that nobody felt."""
    told = scene.resettled(NUDGE)
    if whole.showing != "turns" or not told:
        return whole
    begun = max(scene.trail.lifted_at.get(square, 0.0) for square in scene.missing)
    found = tuple(
        turn
        for turn in _unfelt(scene)
        if turn not in whole.turns and _converted_at(scene, scene.deed(turn), begun) is not None
    )
    return whole._replace(turns=(*whole.turns, *found), asked=True) if found else whole


def _all_were_lifted(scene: Scene, deed: Deed) -> bool:
    """Return whether every piece that a turn moves has left its square: only victims are unfelt."""
    return all(s in scene.missing or s in scene.trail.lifted_at for s, _ in deed.moves)


def _alike(scene: Scene) -> Judgement:
    """See whether pieces traded places, or were turned over, so that the board looks as before."""
    possible = scene.explainer.fitting(scene.seen())
    possible = tuple(turn for turn in possible if scene.deed(turn).physical)
    turns = in_time(scene, _felt(scene, possible))
    if turns:
        longer = bool(scene.unsure) and scene.long_turns
        return Judgement("turns", turns, longer=longer)
    unread = tuple(turn for turn in possible if _unread(scene, turn))
    return Judgement("hovering", unread) if unread else POSITION


def _felt(scene: Scene, fits: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Leave out turns that turn over a piece of which no tag tells that it was turned over.

    A disc with like faces shows no other face, and one whose tag was not read shows none.
    """
    if not scene.discs:
        return fits
    felt = (turn for turn in fits if all(map(scene.turned_over, _flipped(scene, turn))))
    return _turning(scene, tuple(t for t in felt if exposed(scene, t) and not _drops(scene, t)))


def exposed(scene: Scene, turn: Turn) -> bool:
    """Return whether discs that the turn takes off the board without capture were turned over.

    What lies below decides whether they go; as long as nobody has seen it, lifting tells nothing.
    """
    deed = scene.deed(turn)
    if not deed.taken or not scene.discs:
        return True
    return scene.exposed.issuperset(set(deed.taken).difference(target for _, target in deed.moves))


def _drops(scene: Scene, turn: Turn) -> bool:
    """Return whether the turn brings a disc that was not read: which one is its owner's secret."""
    return any(square in scene.untagged for square, _ in scene.deed(turn).placed)


def _turning(scene: Scene, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Leave out turns that leave lying what a tag tells to be turned over, if others do not.

    Which way up a disc with like faces lies makes no difference to any turn but the one that
    turns it over.
    """
    if len(turns) < 2 or not (turned := scene.turned()):
        return turns
    return tuple(turn for turn in turns if turned.issubset(_flipped(scene, turn))) or turns


def _unread(scene: Scene, turn: Turn) -> bool:
    """Return whether all pieces that the turn turns over were, or were set down but not read."""
    return exposed(scene, turn) and all(
        scene.turned_over(square) or scene.may_be_turned(square) for square in _flipped(scene, turn)
    )


def _flipped(scene: Scene, turn: Turn) -> list[Square]:
    return [square for square, _ in scene.deed(turn).flips]


def _whole_turns(scene: Scene, seen: Seen, *, declared: bool) -> Judgement | None:
    """Return the turns that the board shows, or may show where a tag was not read."""
    possible = scene.explainer.fitting(seen)
    fits = _felt(scene, possible)
    if len(fits) < len(possible):
        unread = _turning(scene, tuple(turn for turn in possible if _unread(scene, turn)))
        if not fits:
            secret = any(_drops(scene, turn) for turn in unread)
            return Judgement("hovering", unread, asked=secret) if unread else None
        fits = tuple(dict.fromkeys((*fits, *unread)))
    if not fits:
        return None
    timely = in_time(scene, fits)
    if not timely:
        # A disc from hand that was not read, and another piece lifted after it, look like a move.
        return Judgement("hovering", fits, asked=True) if scene.discs else None
    turns = _meant(scene, timely, declared=declared)
    longer = len(turns) == 1 and _longer(scene, seen, fits)
    shaky = all(_victim_nudged(scene, scene.deed(turn)) for turn in turns)
    return Judgement("turns", turns, longer=longer, shaky=shaky)


def _victim_nudged(scene: Scene, deed: Deed) -> bool:
    """Return whether a victim may stand where it stood, its contact having opened for a moment.

    A quick hand takes no longer, but then the tag of the piece that took it should have been read.
    """
    if not scene.identities.first:
        return False  # this board reads no tags: only what hands do next will tell
    return any(
        target in scene.untagged and scene.trail.nudged(target)
        for _, target in deed.moves
        if target in scene.placement
    )


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


def _longer(scene: Scene, seen: Seen, fits: tuple[Turn, ...]) -> bool:
    """Return whether the player may be in the middle of a turn that goes on from here."""
    if scene.long_turns:
        leads = scene.explainer.leading_to(seen, len(fits) + 1)
        return any(turn not in fits for turn in leads)
    if not scene.discs:
        return False
    done = scene.deed(fits[0])
    if done.flips or not done.moves:
        return False  # without a move, whether more might be turned over depends on what lies below
    return any(
        deed.flips and deed.moves == done.moves
        for limit in (FIRST, LEADS)
        for deed in map(scene.deed, scene.explainer.leading_to(seen, limit))
    )


def _meant(scene: Scene, fits: tuple[Turn, ...], *, declared: bool) -> tuple[Turn, ...]:
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
    return _converted_at(scene, deed, arrived)


def _converted_at(scene: Scene, deed: Deed, since: float) -> float | None:
    """Return when hands had exchanged, after `since`, all that a turn changes beside its moves."""
    targets = {target for _, target in deed.moves}
    changed = [square for square, _ in deed.becomes if square not in targets]
    if any(map(scene.same_piece, changed)):
        return None
    times = [scene.trail.handled_since(square, since) for square in changed]
    known = [at for at in times if at is not None]
    return max(known) if known and len(known) == len(changed) else None


def handled(deed: Deed) -> set[Square]:
    """Return every square on which hands may be busy in the course of a turn."""
    squares = {square for move in deed.moves for square in move}
    squares.update(deed.taken)
    squares.update(square for square, _ in (*deed.placed, *deed.flips, *deed.becomes))
    if deed.touch is not None:
        squares.add(deed.touch)
    return squares


def _unfinished(scene: Scene, seen: Seen) -> Judgement:
    """Judge a board that shows no whole turn."""
    put_down = bool(scene.extra or scene.wrong)
    if not put_down and not scene.unsure:
        return _upset(scene) or LIFTED
    if scene.explainer.leading_to(seen, every_lift=True):
        return BEGINNING if put_down else LIFTED
    also = _beside_a_turn(scene, seen)
    if also is not None:
        answered = _ahead_of_time(scene, also)
        return Judgement("lifted" if answered else "odd", cells=also, answered=answered)
    if not put_down or scene.explainer.leading_to(seen):
        return _upset(scene) or LIFTED
    return _upset(scene) or _turned_over(scene, seen) or Judgement("odd", cells=_odd(scene))


def _beside_a_turn(scene: Scene, seen: Seen) -> tuple[Square, ...] | None:
    """Return the fewest pieces that are missing beside a whole turn, `None` if there is none."""
    if len(scene.missing) > MISSED:
        return None
    lacking = scene.explainer.lacking(seen, LEADS)
    found = [one for one in lacking if _felt(scene, (one.turn,))]
    if not found:
        return None
    _, also = min((_unlikeliness(scene, one.turn), sorted(one.missing)) for one in found)
    return tuple(also)


def _unlikeliness(scene: Scene, turn: Turn) -> int:
    """Return how many pieces of a turn seem to have come from elsewhere than it says."""
    moves = scene.deed(turn).moves
    return sum(scene.trail.origin.get(target) != source for source, target in moves)


def _ahead_of_time(scene: Scene, squares: tuple[Square, ...]) -> bool:
    """Return whether the opponent seems to have lifted these after the mover's turn was there."""
    mover = scene.mover
    put_down = max(scene.trail.placed_at.values(), default=0.0)
    return all(
        scene.placement[square][0] != mover and scene.trail.lifted_at.get(square, 0.0) >= put_down
        for square in squares
    )


def _odd(scene: Scene) -> tuple[Square, ...]:
    """Return the squares that no legal turn explains, or all if each alone might be right."""
    suspects = sorted(scene.extra | scene.wrong)
    if len(suspects) == 1:
        return tuple(suspects)
    occupied = frozenset(scene.shown) - scene.extra
    known = {s: label for s, label in scene.shown.items() if label and s not in scene.differing}
    odd = []
    for square in suspects:
        label = scene.shown[square]
        alone = Seen(occupied | {square}, {**known, square: label} if label else known)
        if not scene.explainer.leading_to(alone):
            odd.append(square)
    return tuple(sorted(_with_partners(scene, odd) if odd else suspects))


def _with_partners(scene: Scene, odd: list[Square]) -> set[Square]:
    """Return the odd squares and those with which their pieces traded places."""
    homes = {scene.trail.origin.get(square) for square in odd} & (scene.extra | scene.wrong)
    return {*odd, *(home for home in homes if home is not None)}


def _upset(scene: Scene) -> Judgement | None:
    """See whether more has changed than hands do in one turn."""
    changed = len(scene.differing)
    cleared = not scene.shown and len(scene.placement) > 2
    reach = 10 if scene.long_turns else 4
    if cleared or changed >= reach + UPSET_BEYOND:
        return Judgement("upset", cells=tuple(sorted(scene.differing)))
    return None


def _turned_over(scene: Scene, seen: Seen) -> Judgement | None:
    """See whether pieces turned over where they stand are about to be taken off the board."""
    turned = {s for s in scene.wrong if same_disc(scene.shown[s], scene.placement[s])}
    if not turned:
        return None
    without = Seen(
        seen.occupied - turned, {s: label for s, label in seen.known.items() if s not in turned}
    )
    turns = (*scene.explainer.fitting(without), *scene.explainer.leading_to(without, LEADS))
    if any(turned <= set(scene.deed(turn).taken) for turn in turns):
        return BEGINNING
    return None


def may_stay_in_the_air(scene: Scene) -> bool:
    """Return whether some legal turn handles everything that is off the board now."""
    return bool(scene.explainer.leading_to(scene.seen(), every_lift=True))


def can_move(scene: Scene, square: Square) -> bool:
    """Return whether some legal turn moves the piece on `square`, or takes it."""
    without = Seen(frozenset(scene.placement) - {square})
    return bool(scene.explainer.leading_to(without, every_lift=True))
