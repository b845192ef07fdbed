"""What a board is held against, and which turns of the past may yet have been others.

One reading of the game is taken for true. A turn that stood whole on the board, if only for a
moment, leads to another one, in whatever reading it stood so: it stays possible until somebody
presses while one stands whole, or until the reply to it has been answered. What explains the board
where the reading taken for true does not takes its place, and that one stays possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from firmware_bridge.reconciler.assessment import BUSY
from firmware_bridge.reconciler.factors import holds_more, looks_at
from firmware_bridge.reconciler.findings import TurnAmended, TurnsUndone, TurnTaken
from firmware_bridge.reconciler.redress import lacking, shoved
from firmware_bridge.reconciler.stories import but_for_its_victim, judge, stands
from firmware_bridge.reconciler.verdict_policy import by_press

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.findings import Finding
    from firmware_bridge.reconciler.seats import Opening
    from rules.interface import Label, Position, Square, Turn

MOST = 6
"""So many turns are followed of which no press takes one; about more the players must be asked."""


class Past(NamedTuple):
    """A position of this game that was left by a turn.

    Attributes:
        position: the position.
        placement: its pieces by square.
        roles: what tagged pieces were in it.
        turn: the turn that had led there, if it may have been another one.
    """

    position: Position
    placement: Mapping[Square, Label]
    roles: Mapping[str, Label]
    turn: Turn | None


@dataclass(slots=True, eq=False)
class Base:
    """One reading of the game, that the board is held against: a position, and what was felt since.

    Attributes:
        scene: the position with what was felt.
        turn: the turn that led there, if it may have been another one.
        past: the positions before it that may be gone back to.
        opening: which like piece belongs where, while that is still learnt.
        before: the reading that this turn was made in, while it may be amended.
    """

    scene: BoardState
    turn: Turn | None = None
    past: tuple[Past, ...] = ()
    opening: Opening | None = None
    before: Base | None = None

    def left(self) -> tuple[Past, ...]:
        """Return the past once a turn has led on from here."""
        scene = self.scene
        return *self.past, Past(scene.position, scene.placement, scene.identities.roles, self.turn)

    def follows(self, game: tuple[Past, ...]) -> bool:
        """Return whether its turn was made after just those of a game."""
        return [past.turn for past in self.past] == [past.turn for past in game]

    def in_common(self, other: Base) -> int:
        """Return how many turns, from the first one on, this reading has in common with another."""
        made, was = ([*(past.turn for past in base.past), base.turn] for base in (self, other))
        apart = (n for n, (a, b) in enumerate(zip(made, was, strict=False)) if a != b)
        return next(apart, min(len(made), len(was)))

    def leads_to(self, made: Base) -> bool:
        """Return whether hands only went on from its turn to the one `made` in its place."""
        if self.turn is None or made.turn is None:
            return True
        (before, *_), done = made.past[-1:], self.past[-1]
        own = done.position.deed(self.turn).changes(done.placement).items()
        return own <= before.position.deed(made.turn).changes(before.placement).items()

    def withdrawn(self) -> Base | None:
        """Return what its turn was made in, if all that it moves was lifted and came home.

        Another turn than the one before it must be whole on the board for that. A drop moves
        nothing that could come home. Where owners are secret, what that would mean might tell whose
        the pieces are.
        """
        if not (self.turn and (was := self.before) and was.before):
            return None
        scene, homes = was.scene, {source for source, _ in was.scene.deed(self.turn).moves}
        back = homes <= scene.shown.keys() & scene.trail.lifted_at.keys()
        if not (homes and back and scene.secrecy.legality_tells):
            return None
        found = stands(was.before.scene)
        return was if found.made_since and was.turn not in found.turns else None

    def told_after(self, last: Base, t: float) -> list[Finding]:
        """Return what is told when this reading takes the place of the `last` one."""
        made, was, same = self.left(), last.left(), self.in_common(last)
        turns = [(each.turn, each.position) for each in made[same:] if each.turn]
        amends = bool(turns) and len(was) > same
        found: list[Finding] = []
        if undone := len(was) - same - amends:
            found.append(TurnsUndone(t, undone, was[-undone - 1].position))
        if amends:
            found.append(TurnAmended(t, *turns.pop(0)))
        return [*found, *(TurnTaken(t, *each, "stood") for each in turns)]

    def note(self, cell: str, reading: Reading, t: float) -> None:
        """Take in that a cell now reads something else than before."""
        if self.opening and self.opening.note(cell, reading, t):
            self.scene = self.opening.scene()
        else:
            self.scene.note(cell, reading, t)


class Bases:
    """The readings of the game that are possible.

    Attributes:
        now: the one that is taken for true.
        stood: turns that stood whole in place of what was taken to be made there.
        unpressed: where the turns lead that are whole now, and for which nobody has pressed.
    """

    def __init__(self, now: Base, lead: Callable[[Base, Turn], Base]) -> None:
        """Begin with one reading; `lead` tells where a turn leads that stands on the board."""
        self.now = now
        self.unpressed: list[Base] = []
        self._lead = lead
        self._readings: list[Base] = []
        self.stood: list[tuple[Base, Turn]] = []

    def readings(self) -> list[Base]:
        """Return what else the game may have come to; to be asked before anything else is felt.

        Where turns lead that stood whole is found out only now: often nobody waits for it.
        """
        stood, self.stood = self.stood, []
        for was, turn in stood:
            if not any(one.turn == turn and one.follows(was.left()) for one in self._readings):
                self._readings.append(self._lead(was, turn))
        return self._readings

    def all(self) -> list[Base]:
        """Return all that the board is held against."""
        found = [self.now, *self.readings(), *self.unpressed]
        for base in found:
            if base.before and base.before not in found:
                found.append(base.before)
        return found

    def stood_whole(self, seen: Assessment) -> Iterator[tuple[Base, tuple[Turn, ...]]]:
        """Yield which turns are whole in what may have been otherwise, by what is `seen`.

        A capture whose victim stands beside it yet is whole for what hands do next, and so is a
        turn beside which something is gone.
        """
        readings, base = [*self.readings()], self.now
        while base.opening is None:
            amended = whole(seen) if seen.amending and base.scene is seen.scene else ()
            aside = whole(but_for_its_victim(base.scene))
            yield base, amended or aside or _whole_but_for_what_is_gone(base.scene)
            if base.before is None:
                break
            base = base.before
        for base in (*readings, *self.unpressed):
            found, ahead = stands(base.scene), len(base.past) > len(self.now.past)
            made = whole(found) if _made_by_hands(found) else ()
            made = made or whole(but_for_its_victim(base.scene))
            yield base, made or (_whole_but_for_what_is_gone(base.scene) if ahead else ())

    def better(self, seen: Assessment) -> Base | None:
        """Return another reading of the turns made last, if only that explains the board.

        A victim that was parked where it could have gone looks like second thoughts until it is
        gone, or known beside the capture. What seemed to amend the turn before the last was its
        piece, set aside by the other player while he moved; then nothing is astray, or he has. What
        is being undone, or stands where it may go and lacks only a disc turned over, is explained.
        Of several readings, the one is likeliest that changes the fewest turns.
        """
        now, scene = self.now, self.now.scene
        moved = seen.closely or scene.extra | scene.wrong
        astray = seen.likelihood <= scene.habits.weights["beside-a-turn"] or seen.answered
        busy = moved and seen.showing in BUSY and (holds_more(scene) or not lacking(scene))
        if seen.replied or seen.sign or not (astray or busy):
            return None
        for base in sorted(self.readings(), key=lambda one: len(one.past) - 2 * one.in_common(now)):
            # Where nothing is astray, hands are on the way from here.
            if astray or seen.closely or len(base.past) == len(now.past):
                found = stands(base.scene)
                amended = base.follows(now.past)  # by what was perhaps a victim's way
                aside = amended and but_for_its_victim(base.scene).turns
                told = aside or (not amended and found.showing == "position")
                likely = astray or (seen.closely and not amended)
                if _made_by_hands(found) or (likely and told):
                    return base
        return now.withdrawn()

    def take_up(self, base: Base) -> None:
        """Go on from this reading, and keep the one that was taken for true beside it."""
        known = [one for one in self.all() if one is not base]
        self.now = base
        self._readings = [one for one in known if len(one.past) >= len(base.past)]

    def go_on(self, made: Base, was: Base, *, amendable: bool, final: bool) -> None:
        """Take for true where a turn leads that was made in what the game `was`.

        Args:
            made: where it leads.
            was: what it was made in.
            amendable: whether it may yet have been another one.
            final: whether no other turn may have been made; what went on from this one stays.
        """
        readings = self.readings()
        others = [
            one
            for one in (*readings, self.now)
            if not final or made.in_common(one) > len(made.past)  # it goes on from there
            if len(one.past) > len(was.past) and not one.leads_to(made)
            if len(made.past) - made.in_common(one) < 2  # else what it began with is answered
        ]
        if amendable and was.before:
            others += [one for one in readings if one.follows(was.past) or shoved(one.scene)]
        self.now, self._readings, self.unpressed = made, others, []
        for one in self.all():
            if len(one.past) < len(was.past) or not amendable:
                one.before = None

    def close(self) -> None:
        """Let every turn made so far stand for good."""
        self._readings, self.stood, self.unpressed = [], [], []
        self.now.before = None


def whole(seen: Assessment) -> tuple[Turn, ...]:
    """Return the turns to which the opponent may reply: that of a press, or those asked about.

    To a look at two discs nobody replies before it is told what lies there.
    """
    if seen.showing != "turns" or too_many(seen):
        return ()
    made = seen.of(seen.turns)  # who replies has seen a turn
    if made.asked:
        return ()
    turn, scene = by_press(made), seen.scene
    turns = made.turns if turn is None else (turn,)
    return tuple(turn for turn in turns if not looks_at(scene, scene.deed(turn)))


def _whole_but_for_what_is_gone(scene: BoardState) -> tuple[Turn, ...]:
    """Return the turns that are whole without what is off the board besides, however early.

    The opponent may hold it, or it fell over; of a longer turn, it may be part.
    """
    if not scene.missing:
        return ()
    found = judge(scene)
    early = any("beside-a-turn" in story.factors for story in found.stories)
    if not (found.answered or (early and not (scene.long_turns or scene.discs))):
        return ()
    with scene.showing({square: scene.placement[square] for square in found.cells}):
        return whole(stands(scene))


def _made_by_hands(found: Assessment) -> bool:
    """Return whether hands made a turn in another reading: what only slid was pushed there."""
    return found.made_since and not (found.scene.differs and shoved(found.scene))


def too_many(seen: Assessment) -> bool:
    """Return whether one of so many turns was made that none is followed: they must be told."""
    return seen.showing == "turns" and not seen.amending and len(seen.turns) > MOST
