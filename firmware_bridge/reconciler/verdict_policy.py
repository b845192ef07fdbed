"""From what the board shows, and for how long, to the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler.assessment import busy, hovering, odd
from firmware_bridge.reconciler.factors import (
    handled,
    kings_in_the_middle,
    may_be_asked,
)
from firmware_bridge.reconciler.redress import (
    Blame,
    blame,
    earned,
    lacking,
    movements,
    objection,
)
from firmware_bridge.reconciler.secrecy import decides
from firmware_bridge.reconciler.settings import DOUBTED, PUT_RIGHT
from firmware_bridge.reconciler.stories import can_move, may_stay_in_the_air, victim_aside
from firmware_bridge.reconciler.trace import TAKEN_UP
from firmware_bridge.reconciler.way_back import way_back

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.messages.verdict import Step, VerdictKind
    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.settings import Phase, Settings
    from rules.interface import Square, Turn


Disorder = Literal["upset", "gap", "agreed", "early"]


class Trouble(NamedTuple):
    """What is held against the board.

    Attributes:
        blame: what was illegal and has not been put right yet.
        disorder: why it must be put right before anything is judged, if it must: it was `upset`,
            what is odd was found after a `gap`, another position was `agreed` on and no hand has
            changed any of what is odd since, or a piece was set down wrongly too `early`, after a
            whole turn and before the press.
        gap: whether nobody saw how the board came to show what it shows: from the first look after
            a gap until it has been right once, or a turn is taken.
        wary: whether something illegal has just been on the board.
        warned: whether it was said in this turn that the clock is pressed first.
    """

    blame: Blame | None = None
    disorder: Disorder | None = None
    gap: bool = False
    wary: bool = False
    warned: bool = False

    @property
    def ruled(self) -> bool:
        """Whether what was illegal has earned a ruling at any time."""
        return self.blame is not None and self.blame.ruled

    @property
    def restoring(self) -> bool:
        """Whether the board is put right by whoever upset it, and no turn is made."""
        return self.disorder not in (None, "early")

    def holds(self, settings: Settings) -> bool:
        """Return whether no turn is taken before the board shows the position again.

        That a turn is left among pieces that go back, or after a gap, where nothing else costs
        anything either, would tell that it is one.
        """
        if settings.sealed:
            return self.blame is not None or self.gap or self.disorder == "upset"
        return settings.restore_first and self.ruled


def patience(
    seen: Assessment, settings: Settings, verdict: Verdict, phase: Phase, trouble: Trouble
) -> float | None:
    """Return after how many seconds without change something follows, `None` if nothing does.

    Args:
        seen: what the board shows.
        settings: how play is conducted.
        verdict: the verdict in force.
        phase: how long hands have rested.
        trouble: what is held against the board.
    """
    if seen.sign is not None:
        wait = settings.grace if seen.sign.what == "undone" else settings.rebuilt
        return wait if phase == "waiting" else None
    secret = seen.scene.may_be_secret_captures and not seen.closely
    settles = seen.showing == "turns" or secret  # or it might, for all that anybody may know
    stands = seen.amending or not settings.clock  # it was pressed before it stood
    match verdict.kind:
        case "complete" | "in-progress" if phase == "waiting" and settles and stands:
            settle = settings.hovering if seen.by_a_lift else settings.settle
            return max(settle, PUT_RIGHT if put_right_yet(seen, trouble) else 0.0)
        case "unexplained" if not settings.sealed:
            theirs = phase == "waiting" and _in_the_others_hand(seen)
            lone_king = len(kings_in_the_middle(seen.scene)) == 1  # the other may follow
            held = theirs or lone_king or victim_aside(seen.scene)
            return max(settings.grace, settings.in_the_air if held else 0.0)
        case "in-progress" if phase == "waiting" and not settings.sealed:
            return _while_in_progress(seen, settings)
        case "illegal" | "disturbed":
            added = verdict.kind == "illegal" and phase == "waiting" and not settings.sealed
            turn = seen.shows_turn
            doubted = not settings.clock if turn else seen.scene.lone_oddity is not None
            return settings.grace if added and not turn else DOUBTED if doubted else None
    return None


def put_right_yet(seen: Assessment, trouble: Trouble) -> bool:
    """Return whether hands may be about putting right what was illegal, so that no turn stands."""
    return trouble.wary and seen.scene.going_home


def _in_the_others_hand(seen: Assessment) -> bool:
    """Return whether all that is odd are pieces off the board that the opponent may hold."""
    scene = seen.scene
    foreign, placement = scene.secrecy.foreign, scene.placement
    return all(s in scene.missing and foreign(scene.mover, placement[s]) for s in seen.cells)


def _while_in_progress(seen: Assessment, settings: Settings) -> float | None:
    """Return how long hands may be busy before the board is looked at in another way."""
    showing, scene = seen.showing, seen.scene
    several = len(scene.missing) > (TAKEN_UP if settings.clock else _most_in_hands(scene))
    lifted = not scene.extra | scene.wrong | scene.unsure
    if not scene.secrecy.lifts_tell and lifted and not several:
        return None  # a question about what is in the hand would tell whose it is
    if not (settings.clock or seen.closely):
        return settings.hovering  # nobody says when it is time to look closely
    told = settings.lifting_tells or several
    unfit = showing == "lifted" and told and not scene.rulebook.over
    if unfit or (showing == "halfway" and not settings.clock):
        return settings.in_the_air - (0.0 if settings.clock else settings.hovering)
    return None


def as_conducted(seen: Assessment, settings: Settings) -> Assessment:
    """Return what is seen, odd, or not odd, where the way that play is conducted makes it so."""
    scene, clock = seen.scene, settings.clock
    secret = scene.lifts_are_secret and not set_down_unfelt(scene)
    if secret and seen.turns and by_press(seen) is None:
        seen = _instead(seen, busy(scene, "lifted"))  # a question would tell whose they are
    held = (seen.showing == "odd" or seen.answered) and bool(seen.cells)
    if not settings.lifting_tells and held and scene.missing.issuperset(seen.cells):
        # As it is whoever owns what was lifted, and whatever hands hold. Without a clock nobody
        # ends the turn, so the board must, unless all see that the opponent lifts his own.
        told = not clock and not (scene.secrecy.lifts_tell and seen.answered)
        cells = seen.cells if told or scene.discs else ()
        seen = _instead(seen, odd(scene, cells) if told else busy(scene, "lifted"))
        seen = seen._replace(cells=cells)
    if seen.showing == "turns" and not clock and seen.sure < scene.habits.weights["in-the-air"]:
        return seen._replace(showing="hovering")  # nobody says that the hand is empty
    if seen.showing == "hovering" and not clock and scene.discs:
        seen = seen.of(turn for turn in seen.turns if may_be_asked(scene, turn))
        return seen if seen.stories else _instead(seen, busy(scene, "lifted"))
    if seen.showing == "lifted" and not clock and seen.answered and scene.long_turns:
        return _instead(seen, odd(scene, seen.cells))  # nobody answers before the mover says so
    return _touch_kept(seen) if settings.touch_move else seen


def _instead(seen: Assessment, other: Assessment) -> Assessment:
    """Return another assessment of the same base."""
    return other._replace(
        sign=seen.sign, amending=seen.amending, ahead=seen.ahead, closely=seen.closely
    )


def _touch_kept(seen: Assessment) -> Assessment:
    """Return what is seen, odd where the piece touched first should have moved and did not."""
    scene, touched = seen.scene, seen.scene.trail.touched
    if touched is None or seen.showing != "turns":
        return seen
    kept = seen.of(turn for turn in seen.turns if touched in handled(scene.deed(turn)))
    if kept.stories or not can_move(scene, touched):
        return kept if kept.stories else seen
    return _instead(seen, odd(scene, (touched,))._replace(reason="touched-piece"))


def put_back(seen: Assessment, *, unseen: bool) -> Assessment:
    """Return what is seen while a board is put right: what came back to its square takes nothing.

    Without tags, a piece that is put back while another one is missing looks like a capture. What
    is only off the board, such as two discs, is on its way back.

    Args:
        seen: what the board shows.
        unseen: whether nobody saw what upset it, so that no turn can be told from the way back.
    """
    scene = seen.scene
    if seen.showing not in ("turns", "hovering"):
        return seen
    astray = scene.extra | scene.wrong
    if unseen or scene.may_be_secret_captures or not (astray or scene.unsure):
        return _instead(seen, busy(scene, "lifted"))
    alike = seen.showing == "turns" and not astray
    return _instead(seen, hovering(scene, seen.turns, "nudged-beside")) if alike else seen


def conclude(
    seen: Assessment,
    boards: Iterator[BoardState],
    trouble: Trouble,
    phase: Phase,
    settings: Settings,
    standing: Mapping[str, Reading],
) -> tuple[Trouble, Verdict]:
    """Return what is held against the board from now on, and the verdict.

    Args:
        seen: what the board shows.
        boards: where the game stands, to which the way back leads once second thoughts are over;
            then the same after what else has stood on it as a whole turn.
        trouble: what was held against the board so far.
        phase: how long hands have rested; a press of the clock ends their time at once.
        settings: how play is conducted.
        standing: what every cell reads.
    """
    here = next(boards)
    trouble = trouble._replace(disorder=_disorder(seen, trouble, settings))
    sign = seen.sign.what if seen.sign else None
    if sign == "kings" or (sign == "start" and phase != "waiting"):
        return trouble, Verdict("disturbed")  # as meant: nobody is guided back
    agreed = here if seen.amending else seen.scene
    asking = phase == "asking" and bool(seen.turns) and not trouble.holds(settings)
    judged = trouble.disorder is None or trouble.blame or sign or asking
    if seen.showing == "upset" or not judged:
        return trouble, _disturbed(agreed, standing)  # until it is put right
    stays = _stays(seen, trouble, phase, settings)
    if stays is not None:
        return trouble._replace(blame=None), stays
    if trouble.gap or seen.ahead is not None:
        trouble = trouble._replace(disorder="gap" if trouble.gap else "early")
        return trouble, _disturbed(agreed, standing)
    # A turn that might have gone on stays: hands take back only what was added to it.
    goes_on = here.position.game.traits.long_turns and not trouble.holds(settings)
    stood = tuple(boards) if goes_on else ()
    restore = min((_restoration(goal, standing) for goal in (agreed, *stood)), key=len)
    return _illegal(seen, trouble, phase, settings, restore, stood or boards)


def _disorder(seen: Assessment, trouble: Trouble, settings: Settings) -> Disorder | None:
    """Return why the board must be put right first; a legal turn on it ends that, too."""
    if seen.showing == "upset":
        return "gap" if trouble.gap else trouble.disorder or "upset"
    turn = (seen.showing == "turns" or seen.replied) and not trouble.holds(settings)
    return None if turn or seen.showing == "position" else trouble.disorder


def _illegal(
    seen: Assessment,
    trouble: Trouble,
    phase: Phase,
    settings: Settings,
    restore: tuple[Step, ...],
    others: Iterable[BoardState],
) -> tuple[Trouble, Verdict]:
    """Hold against the board what is odd of it, and say whether that has earned a ruling."""
    scene, stood = seen.scene, phase != "waiting"
    blamed = _held(trouble, scene) or _blame(seen, settings)
    differing = tuple(sorted(scene.differing))
    left = bool(trouble.blame) and _tells(scene)
    cells, told = (differing, differing) if left else (seen.cells or differing, _told(seen))
    astray = scene.extra | scene.wrong or scene.differing
    freely = trouble.holds(settings) or blamed.cells.issuperset(astray)
    held = seen.showing == "turns"  # a turn that is not taken until all is right is no offence
    due = (blamed.ruled if freely else stood) and not (held or seen.amending)
    fined = due and earned(scene, cells, blamed.attempt, settings, [*others], warned=trouble.warned)
    verdict = Verdict("illegal", (), blamed.reason, told, restore, blamed.attempt, earned=fined)
    felt = blamed.cells.union(scene.differing if stood else ())
    return trouble._replace(blame=blamed._replace(ruled=blamed.ruled or fined, cells=felt)), verdict


def _stays(seen: Assessment, trouble: Trouble, phase: Phase, settings: Settings) -> Verdict | None:
    """Return the verdict on what nobody has to put right, or not yet, `None` if somebody has."""
    if seen.showing == "position":
        return Verdict("settled")
    if trouble.holds(settings) or (trouble.blame is not None and _tells(seen.scene)):
        return None
    if seen.showing == "turns":
        return _turns(seen, phase)
    scene = seen.scene
    if trouble.gap and not scene.secrecy.legality_tells and scene.extra | scene.wrong:
        return None  # nobody saw it come: what would be legal alone told that it may stay
    held = _held(trouble, scene)
    explained = held is None or seen.replied or seen.showing in ("hovering", "halfway")
    return _for_now(seen, phase) if explained or victim_aside(scene) else None


def _held(trouble: Trouble, scene: BoardState) -> Blame | None:
    """Return what is on its way back: what cost nothing, alone; what hands do besides is new."""
    known, astray = trouble.blame, scene.extra | scene.wrong
    return known if known and (known.ruled or astray <= known.cells) else None


def _told(seen: Assessment) -> tuple[Square, ...]:
    """Return the squares that are said to be odd, all that differ where none are.

    Where owners are secret it is what is gone that stands nowhere else, or all that stands astray:
    what a legal turn leaves of either would tell whose the pieces are.
    """
    scene, homes = seen.scene, seen.scene.whereabouts.origin
    if scene.secrecy.legality_tells or seen.reason:  # that a piece was touched, all have seen
        return seen.cells or tuple(sorted(scene.differing))
    astray = scene.extra | scene.wrong
    gone = scene.missing.difference(homes.get(square) for square in astray)
    return tuple(sorted(gone or astray or scene.differing))


def _tells(scene: BoardState) -> bool:
    """Return whether a turn left of what goes back would tell a secret."""
    return scene.may_be_secret_captures or decides(scene.position)


def _turns(seen: Assessment, phase: Phase) -> Verdict:
    if phase == "waiting" and seen.scene.may_be_secret_captures and len(seen.turns) > 1:
        return Verdict("in-progress")  # asked once it stands, when any other would be taken
    if len(seen.turns) > 1 or (seen.asked and phase != "waiting"):
        return _question(seen)
    kind: VerdictKind = "extendable" if seen.longer else "complete"
    deed = seen.scene.deed(seen.turns[0])
    cells = deed.arrivals or {square for square, _ in deed.flips}
    return Verdict(kind, seen.turns, cells=tuple(sorted(cells)))


def _for_now(seen: Assessment, phase: Phase) -> Verdict | None:
    """Return the verdict on what may stay for a while, `None` when that is over."""
    scene, showing = seen.scene, seen.showing
    if phase == "over":
        return None
    if showing == "odd":
        return Verdict("unexplained", cells=_told(seen)) if phase == "waiting" else None
    if showing == "lifted" and phase == "asking" and not seen.answered:
        tells = scene.secrecy.lifts_tell
        held = may_stay_in_the_air(scene) if tells else len(scene.missing) <= _most_in_hands(scene)
        if not held:  # by hands that make a turn
            return Verdict("unexplained", cells=tuple(sorted(scene.missing)))
    elif (phase == "asking" or seen.answered) and (seen.turns or seen.tried):
        return _question(seen)
    return Verdict("in-progress", reason=lacking(scene) if showing != "hovering" else None)


def _most_in_hands(scene: BoardState) -> int:
    """Return how many pieces hands hold in a turn, whoever owns them; fewer once one is down."""
    return 1 if scene.unsure else TAKEN_UP


def _question(seen: Assessment) -> Verdict:
    """Ask which of the turns is meant; the cells are those that tell them apart or bear them.

    Where it is a capture that no rule allows, ask whether it was tried.
    """
    if seen.tried is not None:
        return Verdict("choice", cells=seen.tried[1:], attempt=seen.tried)
    deeds = [seen.scene.deed(turn) for turn in seen.turns]
    cells = {square for deed in deeds for square in deed.arrivals}
    cells.update(deed.touch for deed in deeds if deed.touch is not None)
    return Verdict("choice", seen.turns, cells=tuple(sorted(cells)))


def _blame(seen: Assessment, settings: Settings) -> Blame:
    if not settings.clock and seen.scene.may_be_secret_captures and not seen.scene.hangs:
        return Blame("too-many-pieces")  # nobody has ended the turn, and a hand is busy yet
    if seen.reason is not None:
        return Blame(seen.reason)
    if seen.tried is not None:
        return Blame(objection(seen.scene, *seen.tried) or "no-such-move", seen.tried)
    return blame(seen.scene, seen.scene.missing.intersection(seen.cells))


def _restoration(scene: BoardState, standing: Mapping[str, Reading]) -> tuple[Step, ...]:
    beside = scene.labels_beside(standing)
    if scene.by_faces:
        face = scene.position.game.face
        shown, due, spare = (
            {square: label and face(label) for square, label in labels.items()}  # perhaps untold
            for labels in (scene.shown, scene.placement, beside)
        )
        return way_back(shown, due, beside=spare)
    homes, apart = movements(scene), scene.secrecy.looks
    return way_back(scene.shown, scene.placement, homes, beside, scene.wrong, apart=apart)


def _disturbed(scene: BoardState, standing: Mapping[str, Reading]) -> Verdict:
    """Return the verdict on a board that no turn has brought where it is."""
    cells = tuple(sorted(scene.differing))
    return Verdict("disturbed", cells=cells, restore=_restoration(scene, standing))


def by_press(seen: Assessment) -> Turn | None:
    """Return the turn that a press confirms: the only one, or the plain one of several."""
    turns, sure = seen.turns, seen.showing == "turns"
    if seen.asked:
        return None
    deeds = [seen.scene.deed(turn) for turn in turns]
    if len(turns) > 1 or (not sure and any(deed.moves for deed in deeds)):  # it may be meant so
        plain = tuple(turn for turn in turns if turn.plain)
        bare = tuple(t for t, deed in zip(turns, deeds, strict=True) if not deed.touch)
        # Else perhaps a promotion that was answered by the piece that was set down.
        turns = plain or (bare if sure else ())
    return turns[0] if len(turns) == 1 else None


def set_down_unfelt(scene: BoardState) -> bool:
    """Return whether one piece hangs, and was set down on the one square that hands filled."""
    return scene.hangs and len(scene.captures) == 1


def by_lift(seen: Assessment, cell: str) -> Turn | None:
    """Return the turn that the board shows, if it is the opponent who lifts the piece on `cell`.

    After a whole reply any lift beside it tells; where owners are secret, none else does.
    """
    turn, base = seen.ahead or seen.turns[0], seen.scene
    label = base.placement.get(cell, base.mover)
    own = base.differing if seen.replied else handled(base.deed(turn))
    his = (seen.replied or base.secrecy.foreign(base.mover, label)) and cell not in own
    return turn if his and not seen.by_a_lift else None
