"""From what the board shows, and for how long, to the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler.factors import IN_THE_AIR, handled, may_be_asked
from firmware_bridge.reconciler.redress import Blame, blame, lacking, movements, objection, way_back
from firmware_bridge.reconciler.settings import DOUBTED, OTHER_KING, PUT_RIGHT
from firmware_bridge.reconciler.stories import (
    LIFTED,
    can_move,
    may_stay_in_the_air,
    odd,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Reading
    from firmware_bridge.messages.verdict import Step, VerdictKind
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.observation import View
    from firmware_bridge.reconciler.settings import Phase, Settings
    from firmware_bridge.reconciler.stories import Assessment
    from rules.interface import Square, Turn

IN_HANDS = 2
"""With more pieces than this off the board nobody makes a turn of one piece, whoever owns them."""
_SETTLED = Verdict("settled")
_DISTURBED = Verdict("disturbed")


def patience(
    view: View, settings: Settings, verdict: Verdict, phase: Phase, *, wary: bool, looked: bool
) -> float | None:
    """Return after how many seconds without change something follows, `None` if nothing does.

    Args:
        view: what the board shows.
        settings: how play is conducted.
        verdict: the verdict in force.
        phase: how long hands have rested.
        wary: whether something illegal has just been on the board.
        looked: whether pieces in the air have been looked at closely.
    """
    if view.sign is not None:
        wait = settings.grace if view.sign == "undone" else settings.rebuilt
        return wait if phase == "waiting" else None
    match verdict.kind:
        case "complete":
            putting_right = wary and view.scene.going_home
            settle = max(settings.settle, PUT_RIGHT) if putting_right else settings.settle
            return None if settings.clock or phase != "waiting" else settle
        case "unexplained":
            return max(settings.grace, OTHER_KING) if view.lone_king else settings.grace
        case "in-progress" if phase == "waiting":
            return _while_in_progress(view, settings, looked=looked)
        case "illegal" | "disturbed" if view.scene.lone_oddity is not None:
            return DOUBTED
    return None


def _while_in_progress(view: View, settings: Settings, *, looked: bool) -> float | None:
    """Return how long hands may be busy before the board is looked at in another way."""
    showing, scene = view.judgement.showing, view.scene
    several = len(scene.missing) > IN_HANDS
    lifted = not scene.extra | scene.wrong | scene.unsure
    if scene.owners_secret and lifted and not several:
        return None  # a question about what is in the hand would tell whose it is
    if not settings.clock and (showing == "hovering" or not looked):
        return settings.hovering  # nobody says when it is time to look closely
    told = settings.lifting_tells or several
    unfit = showing == "lifted" and told and not scene.rulebook.over
    if unfit or (showing == "halfway" and not settings.clock):
        return settings.in_the_air - (0.0 if settings.clock else settings.hovering)
    return None


def as_conducted(view: View, settings: Settings) -> View:
    """Return the view, turned odd, or not odd, where the way that play is conducted makes it so."""
    return view._replace(judgement=_conducted(view.scene, view.judgement, settings))


def _conducted(scene: BoardState, seen: Assessment, settings: Settings) -> Assessment:
    if not settings.lifting_tells and _odd_for_lifting(scene, seen):
        # As it is whoever owns what was lifted, and whatever hands hold. Without a clock nobody
        # ends the turn, so the board must, unless all see that the opponent lifts his own.
        told = not settings.clock and (scene.owners_secret or not seen.answered)
        cells = seen.cells if told or scene.discs else ()
        seen = odd(cells) if told else LIFTED._replace(cells=cells)
    if not settings.clock:
        if seen.answered and seen.showing == "lifted" and scene.long_turns:
            return odd(seen.cells)  # turns stand when the mover says so: nobody can answer before
        if (
            seen.showing == "turns"
            and seen.sure(scene.habits) < scene.habits.weights[IN_THE_AIR.name]
        ):
            return seen._replace(showing="hovering")  # nobody says that the hand is empty
        if seen.showing == "hovering" and scene.discs:
            turns = tuple(turn for turn in seen.turns if may_be_asked(scene, turn))
            return seen.of(turns) if turns else LIFTED
    return _touch_kept(scene, seen) if settings.touch_move else seen


def _odd_for_lifting(scene: BoardState, seen: Assessment) -> bool:
    """Return whether nothing but a piece in the air keeps the board from showing a turn."""
    lifted = seen.showing == "odd" or seen.answered
    return lifted and bool(seen.cells) and scene.missing.issuperset(seen.cells)


def _touch_kept(scene: BoardState, seen: Assessment) -> Assessment:
    """Return what is seen, odd where the piece touched first should have moved and did not."""
    touched = scene.trail.touched
    if touched is None or seen.showing != "turns":
        return seen
    kept = tuple(turn for turn in seen.turns if touched in handled(scene.deed(turn)))
    if kept:
        return seen.of(kept)
    return odd((touched,), "touched-piece") if can_move(scene, touched) else seen


def put_back(view: View, *, unseen: bool) -> View:
    """Return the view of a board that is put right: what came back to its square takes nothing.

    Without tags, a piece that is put back while another one is missing looks like a capture.

    Args:
        view: what the board shows.
        unseen: whether nobody saw what upset it, so that no turn can be told from the way back.
    """
    showing = view.judgement.showing
    alike = showing == "turns" and not view.scene.extra | view.scene.wrong
    if alike or (unseen and showing in ("turns", "hovering")):
        return view._replace(judgement=LIFTED)
    return view


def conclude(
    view: View,
    settings: Settings,
    blamed: Blame | None,
    phase: Phase,
    standing: Mapping[str, Reading],
) -> tuple[Blame | None, Verdict]:
    """Return what is blamed on the mover from now on, and the verdict.

    Args:
        view: what the board shows.
        settings: how play is conducted.
        blamed: what was illegal and has not been put right yet.
        phase: how long hands have rested; a press of the clock ends their time at once.
        standing: what every cell reads.
    """
    showing = view.judgement.showing
    verdict: Verdict | None = None
    if showing == "position":
        verdict = _SETTLED
    elif view.sign == "kings" or (view.sign == "start" and phase != "waiting"):
        return blamed, _DISTURBED  # as meant: nobody is guided back
    elif showing == "upset":
        return blamed, disturbed(view, standing)
    elif showing == "turns" and not (blamed is not None and settings.restore_first):
        verdict = _turns(view, phase)
    elif blamed is None:
        verdict = _for_now(view, phase)
    if verdict is not None:
        return None, verdict
    blamed = blamed or _blame(view)
    return blamed, _illegal(view, blamed, standing)


def _for_now(view: View, phase: Phase) -> Verdict | None:
    """Return the verdict on what may stay for a while, `None` when that is over."""
    seen = view.judgement
    match seen.showing:
        case "beginning" | "halfway" | "hovering" if phase != "over":
            if (phase == "asking" or seen.answered) and (seen.turns or seen.tried):
                return _question(view.scene, seen.turns, seen.tried)
            begun = seen.showing != "hovering"
            return Verdict("in-progress", reason=lacking(view.scene) if begun else None)
        case "lifted" if phase != "over":
            if phase == "waiting" or seen.answered or may_stay_in_the_air(view.scene):
                return Verdict("in-progress", reason=lacking(view.scene))
            return Verdict("unexplained", cells=tuple(sorted(view.scene.missing)))
        case "odd" if phase == "waiting":
            return Verdict("unexplained", cells=seen.cells)
    return None


def _blame(view: View) -> Blame:
    reason, tried = view.judgement.reason, view.judgement.tried
    if reason is not None:
        return Blame(reason)
    if tried is not None:
        return Blame(objection(view.scene, *tried) or "no-such-move", tried)
    return blame(view.scene, view.scene.missing.intersection(view.judgement.cells))


def _turns(view: View, phase: Phase) -> Verdict:
    turns = view.judgement.turns
    if len(turns) > 1 or (view.judgement.asked and phase != "waiting"):
        return _question(view.scene, turns)
    kind: VerdictKind = "extendable" if view.judgement.longer else "complete"
    deed = view.scene.deed(turns[0])
    return Verdict(kind, turns, cells=tuple(sorted({target for _, target in deed.moves})))


def _question(
    scene: BoardState, turns: tuple[Turn, ...], tried: tuple[Square, Square] | None = None
) -> Verdict:
    """Ask which of the turns is meant; the cells are those that tell them apart or bear them.

    Where it is a capture that no rule allows, ask whether it was `tried`.
    """
    if tried is not None:
        return Verdict("choice", cells=tried[1:], attempt=tried)
    deeds = [scene.deed(turn) for turn in turns]
    cells: set[Square] = {target for deed in deeds for _, target in deed.moves}
    cells.update(deed.touch for deed in deeds if deed.touch is not None)
    return Verdict("choice", turns, cells=tuple(sorted(cells)))


def _restoration(scene: BoardState, standing: Mapping[str, Reading]) -> tuple[Step, ...]:
    beside = scene.labels_beside(standing)
    if scene.by_faces:
        face = scene.position.game.face
        shown, due, spare = (
            {square: label and face(label) for square, label in labels.items()}  # perhaps untold
            for labels in (scene.shown, scene.placement, beside)
        )
        return way_back(shown, due, beside=spare)
    return way_back(scene.shown, scene.placement, movements(scene), beside, scene.wrong)


def _illegal(view: View, blamed: Blame, standing: Mapping[str, Reading]) -> Verdict:
    scene = view.scene
    cells = view.judgement.cells or tuple(sorted(scene.differing))
    restore = _restoration(scene, standing)
    return Verdict("illegal", (), blamed.reason, cells, restore, blamed.attempt)


def disturbed(view: View, standing: Mapping[str, Reading]) -> Verdict:
    """Return the verdict on a board that no turn has brought where it is."""
    cells = tuple(sorted(view.scene.differing))
    return Verdict("disturbed", cells=cells, restore=_restoration(view.scene, standing))
