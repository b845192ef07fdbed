"""Which stories explain a scene, and how likely each is; time plays no part.

A story is one explanation of all that was felt: that a turn was made, that hands are busy, that
something stands there against the rules. Each bears the factors that speak against it, and their
sum is its weight. What cannot come near the likeliest is not kept, nor looked for.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assessment import (
    BUSY,
    NOTHING,
    Assessment,
    Story,
    busy,
    hovering,
    odd,
)
from firmware_bridge.reconciler.factors import (
    OF_UNFELT,
    OF_WHOLE,
    Factor,
    adjusted_besides,
    against,
    changed_beside,
    confirmed_at,
    converted_at,
    filled_alone,
    half_changed,
    handled,
    looks_at,
    may_be_asked,
)
from firmware_bridge.reconciler.identities import UNTOLD
from firmware_bridge.reconciler.settings import IMPOSSIBLE
from firmware_bridge.reconciler.way_back import goes
from rules.explain import Seen

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Square, Turn

LEADS = 24
"""How many turns that the board may lead to are looked at."""
MANY = 500
"""As many as handle two discs, and more."""
MISSED = 7
"""With more pieces than this off the board nobody asks which of them have part in a turn."""
HANDLED = 16
"""With more pieces than this set down again nobody has made a turn by it, and missed another."""
MOST_AT_ONCE = 2
"""How many cells may be wrong at the same time for the others to make up for them."""
UPSET_BEYOND = 6
"""So many squares more than any turn changes are no turn gone wrong, but a board upset."""


def judge(scene: BoardState, *, declared: bool = False, closely: bool = False) -> Assessment:
    """Return what the scene shows.

    Cells that are not trusted are taken to show the position. Where the board is odd then, they may
    show something else; where a hand seems to be busy, its piece may also stand on one of them.

    Args:
        scene: the position and what was felt.
        declared: whether the mover declared that the turn says more than hands do.
        closely: whether stories are looked for that are less likely than that hands are busy, as
            they become when nothing happens for long, and at once when the mover presses.
    """
    base = _judge(scene, declared=declared, closely=closely)
    if not scene.distrusted or base.showing == "position":
        return base
    every = [base]
    for count in range(1, MOST_AT_ONCE + 1):
        for chosen in combinations(sorted(scene.distrusted), count):
            with scene.showing_otherwise(chosen):
                every.append(_judge(scene, declared=declared, closely=closely))
    doubted = hovering(scene, (turn for one in every for turn in one.turns), "cell-doubted")
    if base.showing in BUSY:
        return doubted if doubted.stories else base
    if doubted.stories:
        return doubted._replace(showing="turns", longer=any(one.longer for one in every))
    return busy(scene, "beginning") if any(one.showing in BUSY for one in every) else base


def stands(scene: BoardState, *, declared: bool = False, closely: bool = False) -> Assessment:
    """Return what the scene shows, or `lifted` if no whole turn is shown, whatever it is then."""
    if scene.distrusted:
        return judge(scene, declared=declared, closely=closely)
    return _shown(scene, declared=declared, closely=closely) or busy(scene, "lifted")


def _judge(scene: BoardState, *, declared: bool, closely: bool) -> Assessment:
    """Return what the scene shows if all its cells tell the truth."""
    return _shown(scene, declared=declared, closely=closely) or _without_a_turn(scene)


def _shown(scene: BoardState, *, declared: bool, closely: bool) -> Assessment | None:
    """Return which turns the scene shows, or that nothing happened; `None` if it is neither."""
    if not scene.differs:
        return _alike(scene) if scene.handled_alike else Assessment(scene, "position", (NOTHING,))
    only_lifted = not (scene.extra or scene.wrong or scene.unsure)
    if only_lifted and not closely and scene.long_turns:
        return None
    seen = scene.seen()
    if scene.may_be_secret_captures:
        return _one_capture(scene)
    between = _between(scene, seen) if scene.trail.between else None
    rests = not between or (closely and not scene.trail.doubled)  # so long, on no border
    whole = (judge_whole(scene, seen, declared=declared) if rests else None) or between
    unfelt = closely and not whole and (_unfelt(scene, declared=declared) or _judge_tried(scene))
    return whole or unfelt or None


# --- Whole turns ------------------------------------------------------------------------------


def _weigh(
    scene: BoardState, turns: Iterable[Turn], factors: Sequence[Factor], *given: Factor
) -> list[Story]:
    """Return the stories of these turns that can be."""
    stories = (Story(turn, (*given, *against(scene, turn, factors))) for turn in turns)
    return [story for story in stories if story.weight(scene.habits) > IMPOSSIBLE]


def _likeliest(
    scene: BoardState, stories: Sequence[Story], *, declared: bool = False
) -> tuple[Story, ...]:
    """Return the stories that are kept, those of turns confirmed by hands being the likeliest."""
    if len(stories) > 1:
        stories = _compared(scene, stories, declared=declared)
    sums = [story.weight(scene.habits) for story in stories]
    least = max(sums, default=0.0) - scene.habits.kept
    return tuple(story for story, total in zip(stories, sums, strict=True) if total >= least)


def _compared(scene: BoardState, stories: Sequence[Story], *, declared: bool) -> Sequence[Story]:
    """Return the stories with what hands, or the mover, said of others than them."""
    plain = [story.turn is not None and story.turn.plain for story in stories]
    if declared and not all(plain):
        pairs = zip(stories, plain, strict=True)
        stories = [s.and_("other-declared") if is_plain else s for s, is_plain in pairs]
    times = [story.turn and confirmed_at(scene, story.turn) for story in stories]
    latest = max((at for at in times if isinstance(at, float)), default=None)
    if latest is None:
        return stories
    told = [*zip(stories, times, strict=True)]
    if all(s.turn and adjusted_besides(scene, s.turn) for s, at in told if at == latest):
        return [s.and_("changed-more") if at == latest else s for s, at in told]
    return [s if at == latest else s.and_("other-confirmed") for s, at in told]


def judge_whole(scene: BoardState, seen: Seen, *, declared: bool = False) -> Assessment | None:
    """Return the turns that the board shows, or may show where a tag was not read."""
    if not (fitting := scene.explainer.fitting(seen)):
        return None
    found = _weigh(scene, fitting, OF_WHOLE)
    known = [story for story in found if "unexposed" not in story.factors]
    kept = Assessment(scene, "turns", _likeliest(scene, known, declared=declared))
    if not kept.stories:
        return None
    half = next((turn for turn in kept.turns if half_changed(scene, scene.deed(turn))), None)
    if half is not None:
        with scene.showing(dict.fromkeys(changed_beside(scene.deed(half)), UNTOLD)):
            turns = scene.explainer.fitting(scene.seen())
        return hovering(scene, turns, "half-changed")._replace(showing="halfway")
    if kept.sure <= scene.habits.unread:
        return kept._replace(showing="hovering")
    if len(kept.stories) == 1:
        longer = _longer(scene, seen, kept.turns[0], {story.turn for story in found})
        kept = kept._replace(longer=longer)
    return _or_converted(kept)


def _one_capture(scene: BoardState) -> Assessment:
    """Judge pieces that were only lifted and put back by the one capture that they can be."""
    if len(scene.captures) != 1:
        return _lifted(scene)
    own = scene.unsure - {target for target, _ in scene.captures}
    with scene.showing({square: scene.placement[square] for square in own}):
        whole = judge_whole(scene, scene.seen())
    return whole if whole is not None and whole.showing == "turns" else _lifted(scene)


def _alike(scene: BoardState) -> Assessment:
    """See whether pieces traded places, or were turned over, so that the board looks as before."""
    found = _weigh(scene, scene.explainer.fitting(scene.seen()), OF_WHOLE)
    read = [story for story in found if story.doubt(scene.habits) > scene.habits.unread]
    rival = (NOTHING,) if scene.may_be_unmoved else ()
    likely = _likeliest(scene, [*read, *rival])
    if any(story.turn for story in likely):
        longer = bool(scene.unsure) and scene.long_turns
        return Assessment(scene, "turns", likely, longer)
    unread = tuple(s for s in found if s not in read and "unexposed" not in s.factors)
    unread = unread or tuple(_looks(scene))
    # Where asking would tell a secret, the press alone tells.
    said = unread and all(may_be_asked(scene, s.turn) for s in unread if s.turn)
    return Assessment(scene, "hovering" if said else "position", unread or (NOTHING,))


def _longer(scene: BoardState, seen: Seen, turn: Turn, fits: Collection[Turn | None]) -> bool:
    """Return whether the player may be in the middle of a turn that goes on from here."""
    if scene.long_turns:
        captured = set(scene.deed(turn).taken) & scene.shown.keys()
        leads = scene.explainer.leading_to(seen, len(fits) + 1, handling=captured)
        return any(turn not in fits for turn in leads)
    done = scene.deed(turn)
    if not scene.discs or done.flips or not done.moves:
        return False  # without a move, whether more might be turned over depends on what lies below
    longer = map(scene.deed, scene.explainer.leading_to(seen, LEADS))
    return any(deed.flips and deed.moves == done.moves for deed in longer)


# --- Captures that nobody felt ----------------------------------------------------------------


def _unfelt(scene: BoardState, *, declared: bool) -> Assessment | None:
    """See whether a piece in the air may stand on its victim's square, which never opened."""
    found = _unfelt_stories(scene)
    kept = _likeliest(scene, found, declared=declared)
    return Assessment(scene, "hovering", kept) if kept else None


def _unfelt_stories(scene: BoardState) -> list[Story]:
    """Return the stories of which everything is seen but the piece on its victim's square."""
    if not scene.missing:
        return _looks(scene)
    loose, found = scene.seen_by_tags(), []
    if loose is not None:
        found = _weigh(scene, scene.explainer.fitting(loose), OF_UNFELT, "unfelt-victim")
    if scene.discs:
        known = {story.turn for story in found}
        aside = (t for t in scene.explainer.fitting(scene.seen()) if t not in known)
        unseen = (t for t in aside if not may_be_asked(scene, t))
        found += _weigh(scene, unseen, OF_UNFELT, "unexposed")
        made = [s for s in found if not (s.turn and looks_at(scene, scene.deed(s.turn)))]
        return [*made, *_looks(scene)]
    return found


def _looks(scene: BoardState) -> list[Story]:
    """Return the look at two discs that hands may have taken, whether these match or not.

    At least one is in the air or seen to be turned over, the other may have been put back unread.
    """
    sure = scene.missing | scene.turned()
    if not scene.discs or scene.extra or not sure or scene.wrong - sure:
        return []
    unread = [s for s in sorted(scene.placement) if scene.may_be_turned(s)]
    pairs = [sure] if len(sure) > 1 else [sure | {other} for other in unread]
    found = []
    for pair in pairs:
        with scene.showing(dict.fromkeys(pair)):
            leads = scene.explainer.leading_to(scene.seen(), MANY, handling=pair)
        made = (turn for turn in leads if looks_at(scene, scene.deed(turn)) == pair)
        found += [Story(turn, ("unexposed",)) for turn in made]
    return found if len(found) == 1 else []


def _or_converted(whole: Assessment) -> Assessment:
    """Add the stories in which what looks like a capture is the conversion after an unfelt one.

    Where hands did nothing besides that capture, it is by far the likelier of the two.
    """
    scene, turns = whole.scene, whole.turns
    if not scene.position.game.traits.converts or not scene.resettled():
        return whole
    begun = max(scene.trail.lifted_at.get(square, 0.0) for square in scene.missing)
    found = tuple(
        story
        for story in _unfelt_stories(scene)
        if story.turn is not None
        and story.turn not in turns
        and converted_at(scene, scene.deed(story.turn), begun) is not None
    )
    stories = whole.stories
    if found and all(against(scene, turn, ("changed-more",)) for turn in turns):
        stories = tuple(story.and_("changed-more") for story in stories)
    return whole._replace(stories=(*stories, *found))


def _judge_tried(scene: BoardState) -> Assessment | None:
    """See whether a capture may have been made that no rule allows: nobody felt what came down.

    One piece of the mover is missing, and the square of a piece of the opponent was filled again.
    """
    told = scene.secrecy.legality_tells and not scene.discs  # else the question tells a secret
    if not told or len(scene.missing) != 1 or scene.extra or scene.wrong:
        return None
    (source,) = scene.missing
    placement, mover = scene.placement, scene.mover
    settled = scene.unsure & filled_alone(scene)
    filled = {square for square in settled if placement[square][0] != mover}
    if placement[source][0] != mover or not filled:
        return None
    (target,) = filled
    return odd(scene, (target,))._replace(showing="hovering", tried=(source, target))


# --- One piece on the border of squares --------------------------------------------------------


def _between(scene: BoardState, seen: Seen) -> Assessment | None:
    """See whether one piece was set down on a border: which square it leaves will tell.

    Where all these squares show what is due there, pieces came back, one after the other.
    """
    border, astray = scene.trail.between, scene.extra | scene.wrong
    if border.isdisjoint(astray):
        return None
    several = border <= astray  # perhaps several pieces, each of those in the air
    fits = scene.explainer.fitting(seen)
    whole = any(border <= {to for _, to in scene.deed(turn).moves} for turn in fits)
    if whole or (several and scene.explainer.leading_to(seen)):
        return None
    turns: list[Turn] = []
    begun, handling = False, scene.missing if several else ()
    label = next((scene.shown[s] for s in sorted(border & astray)), UNTOLD)
    for square in sorted(border):
        others = {other: scene.placement.get(other) for other in border - {square}}
        reads = scene.shown.get(square, label)  # a tag that all have read is told of one alone
        with scene.showing({**others, square: reads}):
            alone = scene.seen()
            turns += scene.explainer.fitting(alone)
            begun = begun or bool(scene.explainer.leading_to(alone, handling=handling))
    told = [story.turn for story in _weigh(scene, turns, OF_WHOLE) if story.turn]
    if told:
        return hovering(scene, told, "between-cells")
    return busy(scene, "beginning") if begun else None


# --- No whole turn: its beginning, pieces in the air, what no turn explains -------------------


def _without_a_turn(scene: BoardState) -> Assessment:
    """Judge a board that shows no whole turn."""
    put_down = len(scene.extra) + len(scene.wrong)
    if not put_down and not scene.unsure:
        return _lifted(scene)
    # Whoever owns them, no turn leaves so many in the air.
    crowded = not scene.secrecy.lifts_tell and len(scene.missing) > put_down + 1
    begun = None if crowded else _begun(scene, put_down=put_down > 0)
    if found := begun or too_much(scene):
        return found
    why: Factor = "victim-aside" if victim_aside(scene) else "against-the-rules"
    return odd(scene, _odd(scene), why)


def _begun(scene: BoardState, *, put_down: bool) -> Assessment | None:
    """Judge hands that may be in the middle of a turn, `None` if they are in none."""
    seen = scene.seen()
    if scene.explainer.leading_to(seen, handling=scene.missing):
        return busy(scene, "beginning" if put_down else "lifted")
    if put_down and not scene.explainer.leading_to(seen):
        return None
    return _beside_a_turn(scene, seen) or _lifted(scene)


def _lifted(scene: BoardState) -> Assessment:
    """Judge pieces that are off the board, where nothing is set down wrongly."""
    return too_much(scene) or busy(scene, "lifted")


def too_much(scene: BoardState) -> Assessment | None:
    """See whether more has changed than hands do in one turn."""
    changed = len(scene.missing) + len(scene.extra) + len(scene.wrong)
    cleared = not scene.shown and len(scene.placement) > 2
    reach = 10 if scene.long_turns else 4
    if cleared or changed >= reach + UPSET_BEYOND:
        cells = tuple(sorted(scene.differing))
        return Assessment(scene, "upset", (Story(None, ("upset",)),), cells=cells)
    return None


def _beside_a_turn(scene: BoardState, seen: Seen) -> Assessment | None:
    """See whether the fewest pieces are missing beside a whole turn.

    They are in the opponent's hand if they are his, lifted after the turn was there.
    """
    if len(scene.missing) > MISSED or len(scene.unsure) > HANDLED:
        return None
    lacking = scene.explainer.lacking(seen, LEADS)
    unfelt: Sequence[Factor] = ("not-turned", "turn-unread", "unexposed", "drop-unread")
    found = [one for one in lacking if not against(scene, one.turn, unfelt)]
    if not found:
        return None
    one = min(found, key=lambda one: sorted(one.missing))
    also, mover = sorted(one.missing), scene.mover
    his = {s for s, label in scene.placement.items() if scene.secrecy.foreign(mover, label)}
    # Nobody sets a piece on one of his own, but in a long turn: what came back was set upright.
    adjusted = his - handled(scene.deed(one.turn)) - (scene.unsure if scene.long_turns else set())
    placed = (at for square, at in scene.trail.placed_at.items() if square not in adjusted)
    put_down, lifted = max(placed, default=0.0), scene.trail.lifted_at
    ahead = all(scene.placement[s][0] != mover and lifted.get(s, 0.0) >= put_down for s in also)
    if ahead:
        answer = (Story(None, ("opponent-ahead",)),)
        return Assessment(scene, "lifted", answer, cells=tuple(also), answered=True)
    return odd(scene, also, "beside-a-turn")


def victim_aside(scene: BoardState, *, exchanged: bool = False) -> bool:
    """Return whether the board shows a whole capture but for its victim, put down beside it.

    Where its tag is read on the square of another piece, it was as likely `exchanged` with that.
    Where owners are secret, any piece counts on whose square another one was put.
    """
    if scene.secrecy.legality_tells:
        aside = scene.extra | (scene.wrong if exchanged else scene.wrong & scene.untagged)
        return any(_taken_by(scene, square) for square in sorted(aside))
    if len(scene.extra) != 1 or not scene.missing:
        return False
    (square,) = scene.extra
    return not scene.resettled().isdisjoint(scene.whereabouts.may_be_from(square))


def but_for_its_victim(scene: BoardState) -> Assessment:
    """Return what the board shows if the victim were gone of a capture that is whole besides."""
    known = scene.secrecy.legality_tells and (scene.unsure or scene.wrong)
    for square in sorted(scene.extra | scene.wrong) if known else ():
        if turns := _taken_by(scene, square):
            with scene.showing({square: None}):
                return stands(scene).of(turns)
    return busy(scene, "beginning")


def victim_beside(scene: BoardState, turn: Turn) -> tuple[Square, ...]:
    """Return where the victim of a capture stands that is whole besides, if it does."""
    known = scene.secrecy.legality_tells and scene.deed(turn).taken
    lying = sorted(scene.extra - scene.deed(turn).arrivals) if known else ()
    return tuple(square for square in lying if turn in _taken_by(scene, square))


def _taken_by(scene: BoardState, square: Square) -> tuple[Turn, ...]:
    """Return the captures that the board shows if what stands on `square` is their victim."""
    label = scene.shown[square]
    with scene.showing({square: None}):
        turns = scene.explainer.fitting(scene.seen())
    return tuple(
        turn
        for turn in turns
        if scene.deed(turn).moves and not against(scene, turn, ("unexposed",))
        if any(goes(label, scene.placement.get(at, UNTOLD)) for at in scene.deed(turn).taken)
    )


def _odd(scene: BoardState) -> tuple[Square, ...]:
    """Return the squares that no legal turn explains, or all if each alone might be right."""
    suspects = sorted(scene.extra | scene.wrong)
    if len(suspects) == 1:
        return tuple(suspects)
    alone = []
    for square in suspects:
        with scene.showing({s: scene.placement.get(s) for s in suspects if s != square}):
            if not scene.explainer.leading_to(scene.seen()):
                alone.append(square)
    homes = map(scene.whereabouts.origin.get, alone)  # with which their pieces traded places
    return tuple(sorted({*alone, *(home for home in homes if home in suspects)} or suspects))


def may_stay_in_the_air(scene: BoardState) -> bool:
    """Return whether some legal turn handles everything that is off the board now."""
    return bool(scene.explainer.leading_to(scene.seen(), handling=scene.missing))


def can_move(scene: BoardState, square: Square) -> bool:
    """Return whether some legal turn moves the piece on `square`, or takes it."""
    without = Seen(frozenset(scene.placement) - {square})
    return bool(scene.explainer.leading_to(without, handling={square}))
