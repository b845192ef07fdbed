"""Which stories explain a scene, and how likely each is; time plays no part.

A story is one explanation of all that was felt: that a turn was made, that hands are busy, that
something stands there against the rules. Each bears the factors that speak against it, and their
sum is its weight. What cannot come near the likeliest is not kept, nor looked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from firmware_bridge.reconciler.factors import (
    AGAINST_RULES,
    AHEAD,
    BESIDE,
    CELL_DOUBTED,
    CHANGED_MORE,
    DROP_UNREAD,
    HALF_CHANGED,
    IN_THE_AIR,
    NOT_TURNED,
    OF_UNFELT,
    OF_WHOLE,
    OTHER_CONFIRMED,
    OTHER_DECLARED,
    TURN_UNREAD,
    UNEXPOSED,
    UNFELT_VICTIM,
    UPSET,
    Factor,
    against,
    changed_beside,
    confirmed_at,
    converted_at,
    half_changed,
    may_be_asked,
    weight,
)
from firmware_bridge.reconciler.identities import same_disc
from firmware_bridge.reconciler.settings import IMPOSSIBLE
from rules.explain import Difference, Seen

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.settings import Habits
    from rules.interface import Square, Turn

Showing = Literal["position", "lifted", "beginning", "halfway", "turns", "hovering", "odd", "upset"]
"""What the likeliest stories tell.

`position`: nothing happened. `lifted`: pieces are in the air. `beginning`: of a legal turn.
`halfway`: a turn of which some pieces were exchanged and others not. `turns`: one or several whole
legal turns. `hovering`: the same, but a hand may as well be busy yet. `odd`: something that no
legal turn explains. `upset`: more than hands do in one turn.
"""

BUSY = ("lifted", "beginning", "halfway", "hovering")
"""What a board shows while hands may be on the way."""
LEADS = 24
"""How many turns that the board may lead to are looked at."""
FIRST = 2
"""How many of those are looked at first, which is mostly enough."""
MISSED = 7
"""With more pieces than this off the board nobody asks which of them have part in a turn."""
HANDLED = 16
"""With more pieces than this set down again nobody has made a turn by it, and missed another."""
UPSET_BEYOND = 6
"""So many squares more than any turn changes are no turn gone wrong, but a board upset."""


class Story(NamedTuple):
    """One explanation of what was felt.

    Attributes:
        turn: the turn that was made or tried, `None` if none was.
        factors: what speaks against it.
    """

    turn: Turn | None
    factors: tuple[Factor, ...] = ()

    def weight(self, habits: Habits) -> float:
        """Return its weight against other stories."""
        return weight(habits, self.factors)

    def doubt(self, habits: Habits) -> float:
        """Return its weight against a hand that is busy: what the board alone does not settle."""
        return weight(habits, (one for one in self.factors if one.settles != "board"))

    @property
    def pressed(self) -> bool:
        """Whether a press of the clock settles all that is in doubt of it."""
        return all(factor.settles != "players" for factor in self.factors)


class Assessment(NamedTuple):
    """What a scene shows.

    Attributes:
        showing: what the likeliest stories tell.
        stories: those that are kept.
        longer: whether the player may be in the middle of a longer turn.
        cells: the squares that are odd.
        answered: whether the opponent's hands are on the board, ahead of his time.
        reason: why it is odd, where the scene alone would not tell.
        tried: the capture, as (from, to), that is not legal and may have been made all the same.
    """

    showing: Showing
    stories: tuple[Story, ...] = ()
    longer: bool = False
    cells: tuple[Square, ...] = ()
    answered: bool = False
    reason: str | None = None
    tried: tuple[Square, Square] | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the stories, whole or halfway."""
        return tuple(story.turn for story in self.stories if story.turn is not None)

    @property
    def asked(self) -> bool:
        """Whether not even a press decides which of the stories is true."""
        nothing = any(story.turn is None for story in self.stories) and bool(self.turns)
        return nothing or not all(story.pressed for story in self.stories)

    def sure(self, habits: Habits) -> float:
        """Return the weight of what the board leaves in doubt of the surest turn; 0 if nothing."""
        return max((story.doubt(habits) for story in self.stories), default=0.0)

    def lead(self, habits: Habits) -> float:
        """Return by how much the first story is likelier than each of the others."""
        first, *others = (story.weight(habits) for story in self.stories)
        return first - max(others, default=IMPOSSIBLE)

    def against(self, turn: Turn) -> tuple[str, ...]:
        """Return the names of the factors that speak against a turn."""
        stories = (story for story in self.stories if story.turn == turn)
        return tuple(factor.name for story in stories for factor in story.factors)

    def of(self, turns: Iterable[Turn]) -> Assessment:
        """Return the same with the stories of these turns alone."""
        wanted = tuple(turns)
        return self._replace(stories=tuple(s for s in self.stories if s.turn in wanted))


POSITION = Assessment("position", (Story(None),))
LIFTED = Assessment("lifted", (Story(None, (IN_THE_AIR,)),))
BEGINNING = Assessment("beginning", (Story(None, (IN_THE_AIR,)),))


def told(turns: Iterable[Turn], *factors: Factor) -> tuple[Story, ...]:
    """Return the stories of these turns, each with the same factors."""
    return tuple(Story(turn, factors) for turn in dict.fromkeys(turns))


def odd(cells: Sequence[Square], reason: str | None = None) -> Assessment:
    """Return what shows something against the rules."""
    return Assessment("odd", (Story(None, (AGAINST_RULES,)),), cells=tuple(cells), reason=reason)


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
    others = [
        _judge(scene, declared=declared, closely=closely) for _ in scene.otherwise(scene.distrusted)
    ]
    turns = [turn for judged in (base, *others) for turn in judged.turns]
    stories = told(turns, CELL_DOUBTED)
    if base.showing in BUSY:
        return Assessment("hovering", stories) if turns else base
    if turns:
        return Assessment("turns", stories, any(judged.longer for judged in (base, *others)))
    return BEGINNING if any(judged.showing in BUSY for judged in others) else base


def _judge(scene: BoardState, *, declared: bool, closely: bool) -> Assessment:
    """Return what the scene shows if all its cells tell the truth."""
    if not scene.differs:
        return _alike(scene) if scene.handled_alike else POSITION
    only_lifted = not (scene.extra or scene.wrong or scene.unsure)
    if only_lifted and not closely and scene.long_turns:
        return _lifted(scene)
    seen = scene.seen()
    whole = judge_whole(scene, seen, declared=declared)
    if whole is None and closely:
        whole = _unfelt(scene, declared=declared) or judge_tried(scene)
    if whole is not None:
        return whole
    if only_lifted:
        return _lifted(scene)
    busy = _busy(scene, seen)
    if busy.showing == "odd" and not closely:
        return _unfelt(scene, declared=declared) or busy
    return busy


# --- Whole turns ------------------------------------------------------------------------------


def weigh(
    scene: BoardState, turns: Iterable[Turn], factors: Sequence[Factor], *given: Factor
) -> list[Story]:
    """Return the stories of these turns that can be."""
    stories = (Story(turn, (*given, *against(scene, turn, factors))) for turn in turns)
    return [story for story in stories if story.weight(scene.habits) > IMPOSSIBLE]


def likeliest(
    scene: BoardState, stories: Sequence[Story], *, declared: bool = False
) -> tuple[Story, ...]:
    """Return the stories that are kept, those of turns confirmed by hands being the likeliest."""
    if len(stories) > 1:
        stories = _compared(scene, stories, declared=declared)
    habits = scene.habits
    least = max((story.weight(habits) for story in stories), default=0.0) - habits.kept
    return tuple(story for story in stories if story.weight(habits) >= least)


def _compared(scene: BoardState, stories: Sequence[Story], *, declared: bool) -> list[Story]:
    """Return the stories with what hands, or the mover, said of others than them."""
    if declared and not all(story.turn is not None and story.turn.plain for story in stories):
        stories = [_and(s, OTHER_DECLARED) if s.turn and s.turn.plain else s for s in stories]
    times = [story.turn and confirmed_at(scene, story.turn) for story in stories]
    latest = max((at for at in times if isinstance(at, float)), default=None)
    if latest is None:
        return list(stories)
    pairs = zip(stories, times, strict=True)
    return [story if at == latest else _and(story, OTHER_CONFIRMED) for story, at in pairs]


def _and(story: Story, factor: Factor) -> Story:
    return story._replace(factors=(*story.factors, factor))


def judge_whole(scene: BoardState, seen: Seen, *, declared: bool) -> Assessment | None:
    """Return the turns that the board shows, or may show where a tag was not read."""
    possible = scene.explainer.fitting(seen)
    found = weigh(scene, possible, OF_WHOLE) if possible else []
    kept = likeliest(scene, [s for s in found if UNEXPOSED not in s.factors], declared=declared)
    if not kept:
        return None
    made = (story.turn for story in kept if story.turn is not None)
    half = next((turn for turn in made if half_changed(scene, turn)), None)
    if half is not None:
        turns = scene.explainer.fitting(scene.seen_but(changed_beside(scene.deed(half))))
        return Assessment("halfway", told(turns, HALF_CHANGED))
    if max(story.doubt(scene.habits) for story in kept) <= scene.habits.unread:
        return Assessment("hovering", kept)
    longer = len(kept) == 1 and _longer(scene, seen, kept[0], {s.turn for s in found})
    return _or_converted(scene, Assessment("turns", kept, longer))


def _alike(scene: BoardState) -> Assessment:
    """See whether pieces traded places, or were turned over, so that the board looks as before."""
    possible = [t for t in scene.explainer.fitting(scene.seen()) if scene.deed(t).physical]
    found = weigh(scene, possible, OF_WHOLE)
    whole = likeliest(
        scene, [story for story in found if story.doubt(scene.habits) > scene.habits.unread]
    )
    if whole:
        longer = bool(scene.unsure) and scene.long_turns
        rival = POSITION.stories if scene.may_be_unmoved else ()
        return Assessment("turns", (*whole, *rival), longer)
    unread = tuple(s for s in found if UNEXPOSED not in s.factors)
    if not unread:
        return POSITION
    said = all(may_be_asked(scene, s.turn) for s in unread if s.turn)  # else the press alone tells
    return Assessment("hovering" if said else "position", unread)


def _longer(scene: BoardState, seen: Seen, kept: Story, fits: Collection[Turn | None]) -> bool:
    """Return whether the player may be in the middle of a turn that goes on from here."""
    if scene.long_turns:
        settled = scene.unsure & scene.resettled()
        captured = {square for square in settled if scene.placement[square][0] != scene.mover}
        leads = scene.explainer.leading_to(seen, len(fits) + 1, handling=captured)
        return any(turn not in fits for turn in leads)
    if not scene.discs:
        return False
    assert kept.turn is not None  # noqa: S101 - the board shows it
    done = scene.deed(kept.turn)
    if done.flips or not done.moves:
        return False  # without a move, whether more might be turned over depends on what lies below
    return any(
        deed.flips and deed.moves == done.moves
        for limit in (FIRST, LEADS)
        for deed in map(scene.deed, scene.explainer.leading_to(seen, limit))
    )


# --- Captures that nobody felt ----------------------------------------------------------------


def _unfelt(scene: BoardState, *, declared: bool) -> Assessment | None:
    """See whether a piece in the air may stand on its victim's square, which never opened."""
    found = _unfelt_stories(scene)
    return Assessment("hovering", likeliest(scene, found, declared=declared)) if found else None


def _unfelt_stories(scene: BoardState) -> list[Story]:
    """Return the stories of which everything is seen but the piece on its victim's square."""
    if not scene.missing:
        return []
    loose, found = scene.seen_by_tags(), []
    if loose is not None:
        found = weigh(scene, scene.explainer.fitting(loose), OF_UNFELT, UNFELT_VICTIM)
    if scene.discs:
        known = {story.turn for story in found}
        aside = (t for t in scene.explainer.fitting(scene.seen()) if t not in known)
        aside = (turn for turn in aside if against(scene, turn, (UNEXPOSED,)))
        found += weigh(scene, aside, OF_UNFELT, UNEXPOSED)
    return found


def _or_converted(scene: BoardState, whole: Assessment) -> Assessment:
    """Add the stories in which what looks like a capture is the conversion after an unfelt one.

    Where hands did nothing besides that capture, it is by far the likelier of the two.
    """
    if not scene.position.game.traits.converts or not scene.resettled():
        return whole
    begun = max(scene.trail.lifted_at.get(square, 0.0) for square in scene.missing)
    turns = whole.turns
    found = tuple(
        story
        for story in _unfelt_stories(scene)
        if story.turn is not None
        and story.turn not in turns
        and converted_at(scene, scene.deed(story.turn), begun) is not None
    )
    if not found:
        return whole
    likely = any(not against(scene, turn, (CHANGED_MORE,)) for turn in turns)
    stories = whole.stories if likely else (_and(story, CHANGED_MORE) for story in whole.stories)
    return whole._replace(stories=(*stories, *found))


def judge_tried(scene: BoardState) -> Assessment | None:
    """See whether a capture may have been made that no rule allows: nobody felt what came down.

    One piece of the mover is missing, and the square of a piece of the opponent was filled again.
    """
    if len(scene.missing) != 1 or scene.extra or scene.wrong:
        return None
    if scene.discs or scene.owners_secret:
        return None  # the question would tell a secret
    (source,) = scene.missing
    placement, mover = scene.placement, scene.mover
    filled = {s for s in scene.unsure & scene.resettled() if placement[s][0] != mover}
    if placement[source][0] != mover or not filled:
        return None
    target = max(filled, key=lambda square: (scene.trail.placed_at[square], square))
    return Assessment(
        "hovering", (Story(None, (AGAINST_RULES,)),), cells=(target,), tried=(source, target)
    )


# --- No whole turn: its beginning, pieces in the air, what no turn explains -------------------


def _busy(scene: BoardState, seen: Seen) -> Assessment:
    """Judge a board that shows no whole turn."""
    put_down = bool(scene.extra or scene.wrong)
    if not put_down and not scene.unsure:
        return _lifted(scene)
    if scene.explainer.leading_to(seen, handling=scene.missing):
        return BEGINNING if put_down else LIFTED
    also = _beside_a_turn(scene, seen)
    if also is not None:
        return also
    if not put_down or scene.explainer.leading_to(seen):
        return _lifted(scene)
    return _upset(scene) or _turned_over(scene, seen) or odd(_odd(scene))


def _lifted(scene: BoardState) -> Assessment:
    """Judge pieces that are off the board, where nothing is set down wrongly."""
    return _upset(scene) or LIFTED


def _upset(scene: BoardState) -> Assessment | None:
    """See whether more has changed than hands do in one turn."""
    changed = len(scene.missing) + len(scene.extra) + len(scene.wrong)
    cleared = not scene.shown and len(scene.placement) > 2
    reach = 10 if scene.long_turns else 4
    if cleared or changed >= reach + UPSET_BEYOND:
        return Assessment("upset", (Story(None, (UPSET,)),), cells=tuple(sorted(scene.differing)))
    return None


def _beside_a_turn(scene: BoardState, seen: Seen) -> Assessment | None:
    """See whether the fewest pieces are missing beside a whole turn.

    They are in the opponent's hand if they are his, lifted after the turn was there.
    """
    if len(scene.missing) > MISSED or len(scene.unsure) > HANDLED:
        return None
    lacking = scene.explainer.lacking(seen, LEADS)
    found = [one for one in lacking if _felt(scene, one.turn)]
    if not found:
        return None
    _, also = min((_unlikeliness(scene, one.turn), sorted(one.missing)) for one in found)
    put_down = max(scene.trail.placed_at.values(), default=0.0)
    ahead = all(
        scene.placement[s][0] != scene.mover and scene.trail.lifted_at.get(s, 0.0) >= put_down
        for s in also
    )
    stories = (Story(None, (AHEAD if ahead else BESIDE,)),)
    return Assessment("lifted" if ahead else "odd", stories, cells=tuple(also), answered=ahead)


def _felt(scene: BoardState, turn: Turn) -> bool:
    """Return whether the tags of discs bear a turn out."""
    return not against(scene, turn, (NOT_TURNED, TURN_UNREAD, UNEXPOSED, DROP_UNREAD))


def _unlikeliness(scene: BoardState, turn: Turn) -> int:
    """Return how many pieces of a turn seem to have come from elsewhere than it says."""
    moves = scene.deed(turn).moves
    return sum(scene.trail.origin.get(target) != source for source, target in moves)


def _odd(scene: BoardState) -> tuple[Square, ...]:
    """Return the squares that no legal turn explains, or all if each alone might be right."""
    suspects = sorted(scene.extra | scene.wrong)
    if len(suspects) == 1:
        return tuple(suspects)
    occupied = frozenset(scene.shown) - scene.extra
    known = {s: label for s, label in scene.shown.items() if label and s not in scene.differing}
    alone = []
    for square in suspects:
        label = scene.shown[square]
        told_of = {square: label} if label else {}
        filled = frozenset({square} & scene.extra)
        difference = Difference(frozenset(scene.missing), filled, told_of)
        seen = Seen(occupied | {square}, {**known, **told_of}, difference)
        if not scene.explainer.leading_to(seen):
            alone.append(square)
    return tuple(sorted(_with_partners(scene, alone) if alone else suspects))


def _with_partners(scene: BoardState, squares: list[Square]) -> set[Square]:
    """Return the odd squares and those with which their pieces traded places."""
    homes = {scene.trail.origin.get(square) for square in squares} & (scene.extra | scene.wrong)
    return {*squares, *(home for home in homes if home is not None)}


def _turned_over(scene: BoardState, seen: Seen) -> Assessment | None:
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


def may_stay_in_the_air(scene: BoardState) -> bool:
    """Return whether some legal turn handles everything that is off the board now."""
    return bool(scene.explainer.leading_to(scene.seen(), handling=scene.missing))


def can_move(scene: BoardState, square: Square) -> bool:
    """Return whether some legal turn moves the piece on `square`, or takes it."""
    without = Seen(frozenset(scene.placement) - {square})
    return bool(scene.explainer.leading_to(without, handling={square}))
