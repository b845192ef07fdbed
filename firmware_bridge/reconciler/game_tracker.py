"""The course of a game on one board: the position, the turn before it, and the past."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from firmware_bridge.reconciler.board_state import BoardState
from firmware_bridge.reconciler.identities import out_of_place
from firmware_bridge.reconciler.preparation import RulesCache
from firmware_bridge.reconciler.seats import Opening, Seats
from firmware_bridge.reconciler.stories import judge
from rules.interface import Deed

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.settings import Sensing, Settings
    from firmware_bridge.reconciler.stories import Showing
    from rules.interface import Label, Position, Square, Turn


FEW = 2
"""A board with so few pieces is not cleared when they are all lifted."""


@dataclass(frozen=True, slots=True)
class Past:
    """A position of this game that was left by a turn, and what tagged pieces were in it."""

    position: Position
    placement: Mapping[Square, Label]
    roles: Mapping[str, Label]


class _Reading(NamedTuple):
    """One reading of the turn taken last: the turn, and the scene after it."""

    turn: Turn
    scene: BoardState

    @property
    def explains_the_board(self) -> bool:
        """Whether the opponent's reply to it is whole on the board."""
        return judge(self.scene).showing == "turns"


class GameTracker:
    """Keeps the scenes that a board is judged against, from turn to turn.

    Attributes:
        scene: the position now, and what was felt since.
        standing: what every cell reads.
        before: the scene before the turn taken last, while the mover may still amend it.
        past: the positions of the game so far that may be gone back to.
        start: the starting position's placement.
        declared: whether the turn being made was declared to say more than hands do.
        under_way: whether the game was taken up in its middle: turns were made that nobody felt.
        unpressed: the turns that are whole on the board while nobody has pressed the clock, each
            with the scene after it.
        distrusted: the cells that are done without.
        arranged: whether the pieces look right again, and which is which has been learnt, since
            this was asked last.
    """

    def __init__(
        self,
        position: Position,
        sensing: Sensing,
        standing: Mapping[str, Reading],
        settings: Settings,
    ) -> None:
        self.sensing = sensing
        self.settings = settings
        self.standing = standing
        self._opening: Opening | None = None
        self._learning = settings.learning
        self.past: list[Past] = []
        self.before: BoardState | None = None
        self.declared = False
        self.distrusted: frozenset[str] = frozenset()
        self._last: Turn | None = None
        self._others: tuple[_Reading, ...] = ()
        self.unpressed: dict[Turn, BoardState] = {}
        self._openings_after: dict[Turn, Opening] = {}
        self._ahead: tuple[Position, Turn, Position] | None = None
        self.start = position.game.start().placement
        self.under_way = position.placement.keys() != self.start.keys()
        self.arranged = False
        if settings.learning and _like_pieces_differ(position, sensing):
            self._opening = Opening(Seats(position, sensing.tags), standing, self._open_on)
            self.scene = self._opening.scene()
        else:
            strays = out_of_place(position.placement, standing, sensing.tags)
            self.scene = self._open(RulesCache(position), {}, strict=strays)

    @property
    def position(self) -> Position:
        """The position agreed on, with the pieces that stood when all looked right last."""
        return self._opening.agreed if self._opening else self.scene.position

    def prepare(self, turns: tuple[Turn, ...], position: Position) -> None:
        """Do ahead of time what taking the turn that is shown, or the next look, would need."""
        self.scene.prepare()
        for scene in self.unpressed.values():
            scene.prepare()
        if len(turns) == 1 and (self._ahead is None or self._ahead[1] is not turns[0]):
            self._ahead = (position, turns[0], position.play(turns[0]))

    def note(self, cell: str, reading: Reading, t: float) -> None:
        """Take in that a cell now reads something else than before."""
        anew: list[BoardState] = []
        if self._opening is not None:
            scene = self._opening.note(cell, reading, t)
            if scene is not None:
                self.scene = scene
                anew.append(scene)
        for turn, opening in self._openings_after.items():
            scene = opening.note(cell, reading, t)
            if scene is not None:
                self.unpressed[turn] = scene
                anew.append(scene)
        for scene in self._scenes():
            if scene not in anew:
                scene.note(cell, reading, t)

    def _scenes(self) -> Iterator[BoardState]:
        """Yield every scene that what is felt is held against."""
        yield self.scene
        if self.before is not None:
            yield self.before
        yield from (story.scene for story in self._others)
        yield from self.unpressed.values()

    def reconsider(self, showing: Showing) -> Turn | None:
        """Go back to what the turn taken last was before it was amended, if only that explains all.

        A victim that was parked where it could have gone looks like second thoughts until it is
        taken off.
        """
        told = showing not in ("odd", "beginning", "halfway")
        found = None if told else next((s for s in self._others if s.explains_the_board), None)
        if found is None or self._last is None:
            return None
        rest = tuple(story for story in self._others if story is not found)
        self._others = (*rest, _Reading(self._last, self.scene))
        self._last, self.scene = found
        return self._last

    def learn(self, t: float) -> None:
        """Learn which pieces stand where, once all look right; forget it when none is there."""
        opening, touched = self._opening, self.scene.trail.touched
        if opening is not None and opening.seats.right:
            self.arranged = self.scene.discs
            if not self._learning:
                self.scene = opening.begin_anew(self.standing)
                self._opening = None
            else:
                self.scene = opening.arranged(self.standing, t)
                opening.seats.cleared = False
            self.scene.trail.touched = touched
        elif not self.standing.keys() & self.scene.squares - self.distrusted:
            self._cleared(t)

    def _cleared(self, t: float) -> None:
        """Forget where like pieces came from, now that nothing stands on the board."""
        if self._opening is not None:
            self._opening.seats.cleared = self.scene.by_faces = True
        elif _like_pieces_differ(self.position, self.sensing) and len(self.scene.placement) > FEW:
            self.close()
            known, roles = self.scene.identities.first, self.scene.identities.roles
            seats = Seats(self.position, self.sensing.tags, roles, known, cleared=True)
            stood: dict[str, Reading] = {
                square: known.get(square, True) for square in self.scene.placement
            }
            self._opening = Opening(seats, stood, self._open_on)
            for square in self.scene.placement:
                self._opening.note(square, None, t)
            self.scene = self._opening.scene()
        self.under_way |= self._opening is not None

    @property
    def learning(self) -> bool:
        """Whether it is being learnt which discs lie where."""
        return self._opening is not None and self.scene.discs

    def stop_learning(self) -> None:
        """Know every piece from now on by its tag."""
        self._opening, self._learning = None, False

    def await_press(self, turns: tuple[Turn, ...]) -> None:
        """Note which turns are whole, so that a reply to one of them is known as such."""
        if turns != tuple(self.unpressed):
            self.forget_unpressed()
            opened = ((turn, self._after(turn)) for turn in turns)
            self.unpressed = {turn: scene for turn, scene in opened if scene is not None}

    def _after(self, turn: Turn) -> BoardState | None:
        """Return the scene after a turn, `None` where the opponent cannot reply with his hands."""
        following = self.scene.position.play(turn)
        if following.side == self.position.side or following.awaited is not None:
            return None
        if self._opening is None:
            return self._open_after(self.scene, turn, RulesCache(following))
        seats = self._opening.seats.after(following)
        self._openings_after[turn] = Opening(seats, self.standing, self._open_on)
        return self._openings_after[turn].scene()

    def forget_unpressed(self) -> None:
        """Follow no turn any more that nobody has pressed for."""
        self.unpressed, self._openings_after = {}, {}

    def take(self, turn: Turn, *, amending: bool, amendable: bool) -> Position:
        """Go on to where `turn` leads, in place of the turn taken before if it is amended."""
        base = self.before if amending and self.before is not None else self.scene
        ready = None if amending else self.unpressed.get(turn)
        if ready is not None and self._opening and ready.position != base.position.play(turn):
            ready = None
        following = self._following(base.position, turn) if ready is None else ready.position
        if not amending:
            self.stop_learning()
            self.past.append(Past(base.position, base.placement, base.identities.roles))
        others = self._others_than(turn) if amending else ()
        self.close()
        deed = base.deed(turn)
        if base is self.scene and not deed.physical:
            base.rebase(following)  # a die, a decision: what the hands have begun goes on
        else:
            if ready is not None and ready.differs:
                self.scene = ready  # with what hands have begun since
            else:
                rulebook = RulesCache(following) if ready is None else ready.rulebook
                self.scene = self._open_after(base, turn, rulebook)
            self.before = base if amendable else None
            self._last, self._others = turn, others if amendable else ()
        self.declared = False
        return following

    def _open_after(self, base: BoardState, turn: Turn, rulebook: RulesCache) -> BoardState:
        """Return the scene of the position to which a turn that stands on the board has led."""
        deed = base.deed(turn)
        changed = deed.changes(base.placement)
        exchanged = {base.identities.on.get(s, "") for s in base.wrong - changed.keys()}
        scene = self._open(rulebook, base.identities.roles, exchanged)
        if base.discs:
            _remember_sides(base, deed, scene)
        return scene

    def _others_than(self, turn: Turn) -> tuple[_Reading, ...]:
        """Return what the turn taken last may also have been, now that it is taken for this one."""
        assert self._last is not None  # noqa: S101 - a turn was taken, and is amended
        stories = (*self._others, _Reading(self._last, self.scene))
        return tuple(story for story in stories if story.turn != turn)

    def _following(self, position: Position, turn: Turn) -> Position:
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead[0] is position and ahead[1] == turn:
            return ahead[2]
        return position.play(turn)

    def go_back(self, count: int) -> Position:
        """Go back to the position `count` turns ago, which the board shows again."""
        past = self.past[-count]
        del self.past[-count:]
        self.close()
        self.scene = self._open(RulesCache(past.position), past.roles, strict=past.roles)
        return past.position

    def agree(self, position: Position) -> bool:
        """Go on from another position; return whether the pieces stand otherwise in it."""
        self.close()
        self.declared = False
        if dict(position.placement) == dict(self.position.placement):
            if self._opening:
                self.scene = self._opening.go_on(position)
            else:
                self.scene.rebase(position)
            return False
        self._opening = None
        back = next((i for i, past in enumerate(self.past) if past.position == position), None)
        if back is not None:
            self.go_back(len(self.past) - back)
        else:
            roles = {} if self._is_start(position) else self.scene.identities.roles
            self.past.clear()
            self.scene = self._open(RulesCache(position), roles)
        return True

    def begin_anew(self, touched: Square | None) -> None:
        """Forget what hands did since the position was agreed, if they left no trace.

        Args:
            touched: the square of the piece that was touched first, which may have to move.
        """
        if self.scene.differs:
            self.scene.trail.forget_times()
            if self._opening:
                self._opening.forget_times()
        elif self._opening:
            self.scene = self._opening.begin_anew(self.standing)
        else:
            now = self.scene
            self.scene = self._open(now.rulebook, now.identities.roles)
            if now.discs:
                _remember_sides(now, Deed(), self.scene)
        self.scene.trail.touched = touched
        self.forget_unpressed()

    def close(self) -> None:
        """Let the turn taken last stand for good."""
        self.before = None
        self._others = ()
        self.forget_unpressed()

    def distrust(self, cell: str) -> bool:
        """Do without a cell from now on; return whether that is new."""
        if cell in self.distrusted:
            return False
        self.distrusted |= {cell}
        for scene in self._scenes():
            scene.do_without(self.distrusted)
        return True

    def _open(
        self, rulebook: RulesCache, roles: Mapping[str, Label], strict: Container[str] = ()
    ) -> BoardState:
        return self._open_on(rulebook, self.standing, roles, strict)

    def _open_on(
        self,
        rulebook: RulesCache,
        standing: Mapping[str, Reading],
        roles: Mapping[str, Label],
        strict: Container[str] = (),
    ) -> BoardState:
        at_start = not self.past and self._is_start(rulebook.position)
        return BoardState(
            rulebook,
            standing,
            self.sensing,
            roles,
            strict=self.sensing.tags if at_start else strict,
            distrusted=self.distrusted,
        )

    def _is_start(self, position: Position) -> bool:
        return dict(position.placement) == dict(self.start)


def _like_pieces_differ(position: Position, sensing: Sensing) -> bool:
    """Return whether tags tell apart what looks alike to everyone."""
    traits = position.game.traits
    return (traits.owners_secret or traits.records_forbidden) and sensing.tier != "occupancy"


def _remember_sides(base: BoardState, deed: Deed, scene: BoardState) -> None:
    """Go on knowing the tags of discs that are not read now, after what was done to them."""
    came_from = {target: source for source, target in deed.moves}
    turned = {square for square, _ in deed.flips}
    placed = {square for square, _ in deed.placed}
    for square in scene.placement.keys() - placed:
        home = came_from.get(square, square)
        uid = base.identities.side_of(square, home, turned=square in turned)
        scene.identities.remember(square, uid)
