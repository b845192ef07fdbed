"""What is made of a board: the stories that explain it, each with what speaks against it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from firmware_bridge.reconciler.factors import Factor, handled, open_to, weight

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.settings import Habits
    from rules.interface import Side, Square, Turn

Showing = Literal["position", "lifted", "beginning", "halfway", "turns", "hovering", "odd", "upset"]
"""What the likeliest stories tell.

`position`: nothing happened. `lifted`: pieces are in the air. `beginning`: of a legal turn.
`halfway`: a turn of which some pieces were exchanged and others not. `turns`: one or several whole
legal turns. `hovering`: the same, but a hand may as well be busy yet. `odd`: something that no
legal turn explains. `upset`: more than hands do in one turn.
"""

BUSY = ("lifted", "beginning", "halfway", "hovering")
"""What a board shows while hands may be on the way."""


class Story(NamedTuple):
    """One explanation of what was felt.

    Attributes:
        turn: the turn that was made or tried, `None` if none was.
        factors: what speaks against it.
    """

    turn: Turn | None
    factors: tuple[Factor, ...] = ()

    def and_(self, factor: Factor) -> Story:
        """Return the same story with one thing more against it."""
        return self._replace(factors=(*self.factors, factor))

    def weight(self, habits: Habits) -> float:
        """Return its weight against other stories."""
        return weight(habits, self.factors)

    def doubt(self, habits: Habits) -> float:
        """Return its weight against a hand that is busy: what the board alone does not settle."""
        return weight(habits, open_to(self.factors, "board"))


class Sign(NamedTuple):
    """What a board says apart from turns.

    Attributes:
        what: turns were `undone`, the `start` was set up, or the `kings` tell the result.
        undone: how many turns.
        winner: whom the kings tell, `None` for a draw.
    """

    what: Literal["undone", "start", "kings"]
    undone: int = 0
    winner: Side | None = None


class Assessment(NamedTuple):
    """What the board shows, held against one base: a position, and what was felt since.

    Attributes:
        scene: the base.
        showing: what the likeliest stories tell.
        stories: those that are kept.
        longer: whether the player may be in the middle of a longer turn.
        cells: the squares that are odd.
        answered: whether the opponent's hands are on the board, ahead of his time.
        reason: why it is odd, where the scene alone would not tell.
        tried: the capture, as (from, to), that is not legal and may have been made all the same.
        sign: what the board says apart from turns.
        amending: whether the base is the one before the turn taken last, which the mover changes.
        ahead: the turn after which the base is, though nobody has pressed the clock yet.
        replied: whether the opponent's reply to that turn is whole as well.
        closely: whether what is less likely than a busy hand was looked for.
    """

    scene: BoardState
    showing: Showing
    stories: tuple[Story, ...] = ()
    longer: bool = False
    cells: tuple[Square, ...] = ()
    answered: bool = False
    reason: str | None = None
    tried: tuple[Square, Square] | None = None
    sign: Sign | None = None
    amending: bool = False
    ahead: Turn | None = None
    replied: bool = False
    closely: bool = False

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the stories, whole or halfway."""
        return tuple([story.turn for story in self.stories if story.turn is not None])

    @property
    def shows_turn(self) -> bool:
        """Whether a turn is on the board, and everybody may know that it is one."""
        return bool(self.turns) and self.scene.secrecy.legality_tells

    @property
    def made_since(self) -> bool:
        """Whether a turn is shown of which all pieces have been handled since it was due."""
        touched = {*self.scene.trail.lifted_at, *self.scene.trail.placed_at}
        deeds = map(self.scene.deed, self.turns)
        made = any(touched >= {*dict(deed.moves), *dict(deed.placed)} for deed in deeds)
        return made and self.showing == "turns"

    @property
    def by_a_lift(self) -> bool:
        """Whether a lift alone amends the turn taken last: it may begin the reply to it as well.

        What was put back since, and has no part in either, makes it no more likely.
        """
        scene, trail = self.scene, self.scene.trail
        lifts = (t for s, t in trail.lifted_at.items() if s not in scene.shown)
        left = max(lifts, default=-math.inf)
        own = {square for turn in self.turns for square in handled(scene.deed(turn))}
        came = (trail.placed_at.get(square, left) for square in own | scene.extra | scene.wrong)
        return self.amending and all(at <= left for at in came)

    @property
    def asked(self) -> bool:
        """Whether not even a press decides which of the stories is true."""
        nothing = any(story.turn is None for story in self.stories) and bool(self.turns)
        return nothing or any(open_to(s.factors, "board", "press") for s in self.stories)

    @property
    def sure(self) -> float:
        """The weight of what the board leaves in doubt of the surest turn; 0 if nothing."""
        return max((story.doubt(self.scene.habits) for story in self.stories), default=0.0)

    @property
    def likelihood(self) -> float:
        """The weight of the likeliest story."""
        habits = self.scene.habits
        return max((story.weight(habits) for story in self.stories), default=0.0)

    def against(self, turn: Turn) -> tuple[Factor, ...]:
        """Return what speaks against this turn, as far as it is shown."""
        return next((story.factors for story in self.stories if story.turn == turn), ())

    def of(self, turns: Iterable[Turn]) -> Assessment:
        """Return the same with the stories of these turns alone."""
        wanted = tuple(turns)
        return self._replace(stories=tuple(s for s in self.stories if s.turn in wanted))


NOTHING = Story(None)
"""The story in which nothing has happened."""


def busy(scene: BoardState, showing: Showing) -> Assessment:
    """Return what shows pieces in the air, `lifted` or the `beginning` of a turn."""
    return Assessment(scene, showing, (Story(None, ("in-the-air",)),))


def hovering(scene: BoardState, turns: Iterable[Turn], *factors: Factor) -> Assessment:
    """Return what shows that one of these turns may have been made, each with these factors."""
    return Assessment(scene, "hovering", tuple(Story(t, factors) for t in dict.fromkeys(turns)))


def odd(
    scene: BoardState, cells: Sequence[Square], why: Factor = "against-the-rules"
) -> Assessment:
    """Return what shows something that no legal turn explains, as likely as `why` it may be."""
    return Assessment(scene, "odd", (Story(None, (why,)),), cells=tuple(cells))
