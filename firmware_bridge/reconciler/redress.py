"""Why a board is illegal, and whether anybody pays for it."""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from firmware_bridge.reconciler.assessment import BUSY
from firmware_bridge.reconciler.factors import (
    filled_alone,
    holds_more,
    kings_in_the_middle,
    weight,
)
from firmware_bridge.reconciler.identities import UNTOLD, same_disc
from firmware_bridge.reconciler.secrecy import decides
from firmware_bridge.reconciler.stories import judge, victim_aside
from firmware_bridge.reconciler.trace import NOWHERE, TAKEN_UP
from rules.explain import Seen
from rules.interface import IllegalTurn
from rules.values import adjoin, king_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.factors import Factor
    from firmware_bridge.reconciler.settings import Settings
    from rules.interface import Label, Square


PAIRED = 3
"""How many pieces that came down indistinguishably are paired with their homes by legality."""
KEPT = 100  # single movements, of which it is remembered whether they are legal
_UNFINISHED = ("needs-promotion", "must-flip")
"""The rules' words for a movement that is legal as far as it goes."""


class Blame(NamedTuple):
    """Why the board is illegal.

    Attributes:
        reason: the reason code.
        attempt: the one hand movement that was tried, if it was one.
        ruled: whether a ruling was earned by it at any time.
        cells: the squares that differed meanwhile; the way back from them is no new offence.
    """

    reason: str
    attempt: tuple[Square, Square] | None = None
    ruled: bool = False
    cells: frozenset[Square] = frozenset()


def blame(scene: BoardState, beside: AbstractSet[Square] = frozenset()) -> Blame:
    """Return why what the scene shows is no legal turn.

    Args:
        scene: what the board shows.
        beside: squares whose pieces are missing beside a legal turn.
    """
    if scene.rulebook.over:
        return Blame("game-over")
    moves = sorted((source, target) for target, source in _tried(scene).items())
    attempt = moves[0] if len(moves) == 1 else None
    if beside:
        return Blame(_missing(scene, beside, "too-many-pieces"), attempt)
    if len(moves) > 1 and not scene.secrecy.legality_tells:
        return Blame("no-such-move")  # which of them is legal would tell whose they are
    refused = [(reason, move) for move in moves if (reason := objection(scene, *move))]
    foreign = [entry for entry in refused if entry[0] == "not-your-piece"]
    if foreign or (refused and (attempt is not None or not scene.long_turns)):
        return Blame(*(foreign or refused)[0])
    return Blame(_against_all(scene, moves), attempt)


def _against_all(scene: BoardState, moves: list[tuple[Square, Square]]) -> str:
    """Return the reason against movements of which each is legal by itself, or none was made."""
    targets, sources = {target for _, target in moves}, {source for source, _ in moves}
    shown, placement = scene.shown, scene.placement
    strange = {s for s in scene.wrong if scene.discs and not same_disc(shown[s], placement[s])}
    arrived = (scene.extra | strange) - scene.whereabouts.origin.keys()
    if arrived:  # from beside the board; discs on the squares of others, too
        return scene.position.against_arrival(min(arrived), shown[min(arrived)])
    gone, exchanged = scene.missing - sources, scene.wrong - targets
    if len(moves) < 2 and exchanged and not (moves and gone):
        return scene.position.against_exchange(moves, exchanged)
    if not moves:  # of several that were set down, none is known to be one of them
        return _missing(scene, gone, "too-many-pieces" if len(scene.extra) > 1 else "no-such-move")
    if len(moves) == 1 and gone:
        return _missing(scene, gone, "too-many-pieces")
    refusal = scene.position.objection(moves)
    return refusal.reason if refusal else "too-many-pieces"


def _missing(scene: BoardState, missing: AbstractSet[Square], otherwise: str) -> str:
    """Return the reason against pieces that are simply gone."""
    foreign = any(scene.secrecy.foreign(scene.mover, scene.placement[s]) for s in missing)
    return "not-your-piece" if foreign else otherwise


def _tried(scene: BoardState) -> dict[Square, Square]:
    """Return the movements that were tried, each square with where its piece came from.

    Where owners are secret and nothing stands wrongly, it is a capture, whoever owns its pieces. If
    several pieces were in the air then, and no tag is read, nobody knows which of them came down,
    but that what is missing alone stands where alone something came.
    """
    if scene.secrecy.lifts_tell:
        return movements(scene)
    if not (scene.extra or scene.wrong):
        if len(scene.captures) != 1:
            return {}
        origin = scene.whereabouts.origin  # what came home took nothing
        return {to: at for to, at in scene.captures if origin.get(to) == at}
    if len(scene.missing) == len(scene.extra) == 1 and not scene.wrong:
        return dict(zip(scene.extra, scene.missing, strict=True))
    agreed, untold = scene.whereabouts.agreed, scene.untagged
    return {to: at for to, at in movements(scene).items() if to not in untold or agreed.get(to)}


def movements(scene: BoardState) -> dict[Square, Square]:
    """Return where the pieces that stand wrongly came from, by square, as far as it is known.

    Where the board cannot tell which of several pieces in the air came down where, they are taken
    to have moved as legally as possible; not where that would tell whose they are.
    """
    known = _carried(scene)
    agreed = {} if scene.ways_name_kinds else scene.whereabouts.agreed
    guessed = [s for s in known if s in scene.untagged and agreed.get(s) is None]
    if not scene.secrecy.legality_tells or not 0 < len(guessed) <= PAIRED:
        return known
    may_be = (home for s in guessed for home in scene.whereabouts.may_be_from(s))
    pool = dict.fromkeys((*(known[s] for s in guessed), *(h for h in may_be if h in scene.missing)))
    legal = {home: [s for s in guessed if _legal_alone(scene, home, s)] for home in pool}
    homes = [home for home in pool if legal[home] or home in known.values()]  # no other is better
    orders = permutations(homes, len(guessed))
    pairings = [dict(zip(guessed, order, strict=True)) for order in orders]
    return known | max(pairings, key=lambda one: sum(s in legal[home] for s, home in one.items()))


def _carried(scene: BoardState) -> dict[Square, Square]:
    """Return where the pieces that stand wrongly seem to have come from, by square."""
    squares = sorted(scene.extra | scene.wrong) or sorted(scene.unsure)
    origin = scene.whereabouts.origin
    return {square: origin[square] for square in squares if square in origin}


def _legal_alone(scene: BoardState, source: Square, target: Square) -> bool:
    """Return whether one movement is legal by itself, as far as it goes."""
    known = scene.rulebook.alone.get((source, target))
    if known is None:
        board = dict(scene.placement)
        board[target] = board.pop(source, UNTOLD)
        seen = Seen(frozenset(board), board)
        if scene.long_turns:
            known = source != target and bool(scene.explainer.fitting(seen, 1))
        else:
            # A piece on the square of its like looks as if it were only lifted.
            stood = scene.placement.keys() & {source, target}
            known = bool(scene.explainer.leading_to(seen, handling=stood))
        if len(scene.rulebook.alone) >= KEPT:
            scene.rulebook.alone.clear()  # it is found out again
        scene.rulebook.alone[source, target] = known
    return known


def lacking(scene: BoardState) -> str | None:
    """Return the rules' word for what the one movement on the board still lacks to be a turn.

    One more piece may be in a hand meanwhile, whichever: what it is may be nobody's business.
    """
    moves = _carried(scene)
    beside = scene.differing.difference(moves, moves.values())
    if len(moves) != 1 or len(beside) > 1 or not beside <= scene.missing:
        return None
    ((target, source),) = moves.items()
    try:
        scene.position.parse_turn(f"{source}{target}")
    except IllegalTurn as error:
        return "must-flip" if error.reason == "must-flip" else None  # else a question asks
    return None


def objection(scene: BoardState, source: Square, target: Square) -> str | None:
    """Return the rules' reason against one movement, `None` if it is legal by itself."""
    return None if _legal_alone(scene, source, target) else _refusal(scene, source, target)


def _refusal(scene: BoardState, source: Square, target: Square) -> str | None:
    """Return the reason that the rules give against one movement, `None` if they give none."""
    position = scene.position
    captures = [f"{source}x{target}"] if target in scene.placement else []
    for text in (*captures, f"{source}{target}"):
        try:
            position.parse_turn(text)
        except IllegalTurn as error:
            if error.reason in _UNFINISHED and position.awaited is None:
                return None
            if error.reason != "syntax":
                foreign = scene.placement.get(source, scene.mover)[0] != scene.mover
                by_hands = position.decision is None or position.decision.on_board
                return "not-your-piece" if foreign and by_hands else error.reason
        else:
            return None
    return "no-such-move"


def earned(
    scene: BoardState,
    cells: Collection[Square],
    attempt: tuple[Square, Square] | None,
    settings: Settings,
    others: Collection[BoardState] = (),
    *,
    warned: bool,
) -> bool:
    """Return whether an offence is so much likelier than all else that a ruling is earned.

    Where owners are secret nobody can rule on what was moved if it is not known of any piece where
    it came from.

    Args:
        scene: the board, of which no legal turn is shown.
        cells: what is odd of it.
        attempt: the one hand movement that was tried, if it was one.
        settings: how play is conducted.
        others: the board after what else has stood on it as a whole turn.
        warned: whether both were told in this turn that the clock is pressed first.
    """
    if not (scene.secrecy.legality_tells or _tried(scene)):
        return False
    habits, claimed = scene.habits, _claimed(scene, settings)
    at_once = swept(scene) and not claimed
    offence: tuple[Factor, ...] = ("against-the-rules", *(("swept",) if at_once else ()))
    innocent = [*_innocent(scene, settings, warned=warned)]
    if not claimed and _cell_wrong(scene, cells, attempt):
        innocent.append("cell-wrong")
    if any(map(_legal_but_for_a_victim, others)):
        innocent.append("victim-aside")
    if scene.secrecy.lifts_tell and any(_others_alone(one, clock=True) for one in others):
        innocent.append("other-hand")  # who replied to that turn, and was answered at once
    likeliest = max(weight(habits, (factor,)) for factor in innocent)
    return weight(habits, offence) - likeliest >= habits.fine


def may_tell(scene: BoardState, settings: Settings) -> bool:
    """Return whether a press may tell that what stands here is a turn, or is none.

    Where owners are secret, only if it would earn a ruling if nothing of it were one: a press that
    costs nobody must not tell, by taking some of it, that this is one.
    """
    if scene.secrecy.legality_tells:
        return True
    moves = [(source, target) for target, source in _tried(scene).items()]
    attempt = moves[0] if len(moves) == 1 else None
    held = len(scene.missing) > len(scene.extra | scene.wrong)
    cells = scene.missing if held else scene.differing
    return earned(scene, cells, attempt, settings, warned=True)


def _cell_wrong(
    scene: BoardState, cells: Collection[Square], attempt: tuple[Square, Square] | None
) -> bool:
    """Return whether pieces are gone that nobody set down elsewhere, or what came may be none.

    Sensors do that, a piece that falls over and a thing that is laid on the board: it came though
    nothing was in the air, has no piece's tag where pieces have one, or one that is read where its
    piece stood as well. They take no other piece by it. What was taken may lie anywhere, too.
    """
    gone = bool(cells) and scene.missing.issuperset(cells)
    stand = scene.extra | scene.wrong | filled_alone(scene)
    taker = attempt is not None and attempt[0] in cells and attempt[1] in stand
    unread = scene.extra & (scene.untagged | scene.identities.strange())
    untold = unread == scene.extra and bool(scene.identities.first)
    laid_down = bool(unread) and (untold or scene.whereabouts.came_anew(unread))
    doubled = bool(stand & scene.trail.doubled)
    laid = scene.differing == scene.extra and not scene.discs
    return doubled or laid or laid_down or (gone and not taker)


def _legal_but_for_a_victim(scene: BoardState) -> bool:
    """Return whether nothing is odd here but one piece that was taken, and is on the board yet."""
    aside = [square for square in scene.extra if _may_be_victim(scene, square)]
    if len(aside) > 1 or not scene.secrecy.legality_tells:
        return False
    with scene.showing(dict.fromkeys(aside)):
        return judge(scene).showing in (*BUSY, "turns", "position")


def _may_be_victim(scene: BoardState, square: Square) -> bool:
    """Return whether the last turn took what stands there, or the mover now; not at once, then."""
    home, trail = scene.whereabouts.origin.get(square, NOWHERE), scene.trail
    if (label := scene.placement.get(home)) is None:
        return True
    late = trail.lifted_at.get(home, -math.inf) - trail.begun > scene.habits.nudge
    return late and scene.secrecy.foreign(scene.mover, label)


def _pushed(scene: BoardState) -> bool:
    """Return whether a hand with another piece pushed something of what is astray.

    That piece may stand on its square, which was empty for too short a time for a lift.
    """
    astray, trail = scene.extra | scene.wrong | scene.resettled(), scene.trail
    left = *trail.lifted_at.items(), *trail.knocked.items()
    return any(
        _slid(scene, home, at, s) and _held_beside(scene, home, s)
        for home, at in left
        for s in astray
    )


def _slid(scene: BoardState, home: Square, left: float, square: Square) -> bool:
    """Return whether a piece came to the next square sooner than a hand takes one up."""
    taken = abs(scene.trail.placed_at.get(square, math.inf) - left)
    return home != square and adjoin(home, square) and taken <= scene.habits.touch


def shoved(scene: BoardState) -> bool:
    """Return whether no hand took up anything that stands astray: it slid to the next square."""
    lifted, homes = scene.trail.lifted_at, scene.whereabouts.origin
    ways = [(homes.get(square, NOWHERE), square) for square in scene.extra | scene.wrong]
    slid = (_slid(scene, at, lifted.get(at, -math.inf), to) for at, to in ways)
    return bool(ways or not scene.missing) and all(slid)


def _held_beside(scene: BoardState, home: Square, square: Square) -> bool:
    """Return whether a hand held another piece when this one came, or just set it down.

    That may be the one whose square it is, but for a known victim, which hands take off for it.
    What was just set down may have been taken up again since.
    """
    trail, origin, near = scene.trail, scene.whereabouts.origin, scene.habits.nudge
    stands = dict.fromkeys(origin, NOWHERE) | {piece: at for at, piece in origin.items()}
    t = trail.placed_at.get(square, math.inf)
    held = {
        other
        for other, at in trail.lifted_at.items()
        if at < t and not at <= trail.placed_at.get(stands.get(other, other), math.inf) <= t - near
    }
    victim = scene.secrecy.foreign(scene.mover, scene.placement.get(square, scene.mover))
    busy_with = held.union(trail.beside.get(home, ())) - ({home, square} if victim else {home})
    return t - trail.begun <= near or bool(busy_with)


def _innocent(scene: BoardState, settings: Settings, *, warned: bool) -> Iterator[Factor]:
    """Yield what speaks against each story in which hands were innocent."""
    yield "accident"
    if _kings_tell(scene):
        yield "kings-tell"
    if _claimed(scene, settings):
        return
    if _pushed(scene):
        yield "pushed"
    if not _done(scene, settings) and victim_aside(scene, exchanged=True):
        yield "victim-aside"
    if scene.secrecy.lifts_tell:
        replied = _others_alone(scene, clock=settings.clock)
    else:
        replied = settings.clock and not settings.sealed and _one_each(scene)
    if (replied and not warned) or (scene.extra and scene.moved_last_alone):
        yield "other-hand"
    if not settings.clock and holds_more(scene, scene.resettled()):
        yield "in-the-air"  # nobody has ended the turn yet


def _done(scene: BoardState, settings: Settings) -> bool:
    """Return whether hands are done when somebody is judged, by his own word: sealed, his press.

    Only where owners are secret: what hands may still mean to do, such as to take off a victim
    that stands beside its square, would let any turn be tried for nothing there.
    """
    return settings.sealed and not scene.secrecy.legality_tells


def _claimed(scene: BoardState, settings: Settings) -> bool:
    """Return whether whoever is done must mean the one movement on the board as his turn.

    However it came about, such as pushed or with a sleeve, it is taken if it is legal; not beside
    more in the air than a turn leaves there.
    """
    held = len(scene.missing) - 1
    return _done(scene, settings) and held <= TAKEN_UP and len(_tried(scene)) == 1


def swept(scene: BoardState) -> bool:
    """Return whether more pieces left their squares at once, or came down, than a hand moves.

    A sleeve, a paw or a knock does that, and so do both hands; one hand takes up one piece, or one
    and its victim, whose square it fills, sets down one, and slides no two to the next square.
    """
    lifted, placed, placement = scene.trail.lifted_at, scene.trail.placed_at, scene.placement
    astray = (scene.extra | scene.wrong) & placed.keys()
    if astray and len(scene.missing) - len(astray) > TAKEN_UP and not scene.long_turns:
        return True
    ways = scene.whereabouts.origin.items()
    slid = [s for s, home in ways if _slid(scene, home, lifted.get(home, -math.inf), s)]
    at_once = (len(scene.trail.filled_about(placed[square]) & astray) for square in astray)
    if len(astray.intersection(slid)) > 1 or max(at_once, default=0) > 1:
        return True
    stands = {*scene.whereabouts.origin.values()}
    taken_up = scene.differing | scene.resettled()
    for square in taken_up & lifted.keys() & placement.keys():
        together = scene.trail.opened_about(lifted[square]) & placement.keys()
        filled = together - scene.missing - stands  # whose own piece is off the board
        taken = any(
            not scene.secrecy.own(placement[s][0], placement[home])
            for s in filled
            for home in (together - filled).intersection(scene.whereabouts.may_be_from(s))
        )
        if len(together) > TAKEN_UP or (len(together) == TAKEN_UP and not taken):
            return True
    return False


def crosses(base: BoardState, after: Assessment) -> bool:
    """Return whether a reply may be the piece of the turn before it, on its way over a border."""
    stand = {to for _, to in base.deed(after.ahead).moves} if after.ahead else ()
    came = (after.scene.extra | after.scene.wrong) & after.scene.untagged
    return any(adjoin(to, s) for to in stand for s in came)


def _kings_tell(scene: BoardState) -> bool:
    """Return whether all that stands astray are kings in the middle, where no king could step.

    Nobody castles there.
    """
    return any(king_steps(*way) > 1 for way in kings_in_the_middle(scene).items())


def _others_alone(scene: BoardState, *, clock: bool) -> bool:
    """Return whether the opponent may have moved all that stands astray.

    With a clock that is certain to be his only where a turn of the mover is seen whole besides,
    whatever more is in a hand, or where the mover decides in secret: whether his decision stands
    besides, nobody may be told.
    """
    hidden = without_the_opponent(scene)
    if not hidden or decides(scene.position):
        return bool(hidden)
    with scene.showing(hidden):
        if not scene.differs:  # whether a turn would look like none may be secret
            return not clock
        seen = scene.seen()
        whole = scene.explainer.fitting(seen) or scene.explainer.lacking(seen, 1)
        return bool(whole) or victim_aside(scene, exchanged=True)


def _one_each(scene: BoardState) -> bool:
    """Return whether two pieces were moved, each by a hand of its own perhaps, to other squares."""
    ways = _carried(scene)
    return len(ways) == 2 and ways.keys().isdisjoint(ways.values())


def without_the_opponent(scene: BoardState) -> Mapping[Square, Label | None]:
    """Return what the squares would show on which the opponent's pieces were moved or are gone."""
    mover, placement = scene.mover, scene.placement
    his = {square for square in scene.missing if placement[square][0] != mover}
    homes = movements(scene)
    carried = {s for s in scene.extra | scene.wrong if homes.get(s) in his}
    back = {square: UNTOLD if square in placement else None for square in carried}
    return {**dict.fromkeys(his, UNTOLD), **back}
