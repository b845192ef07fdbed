"""The course of a game on one board: the position, the turn before it, and the past."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.bases import Base, Bases
from firmware_bridge.reconciler.board_state import BoardState
from firmware_bridge.reconciler.factors import handled
from firmware_bridge.reconciler.identities import grown_into, out_of_place
from firmware_bridge.reconciler.preparation import RulesCache
from firmware_bridge.reconciler.redress import shoved
from firmware_bridge.reconciler.seats import Opening, Seats, like_pieces_differ
from firmware_bridge.reconciler.secrecy import Secrecy
from firmware_bridge.reconciler.stories import judge, stands, victim_beside
from firmware_bridge.reconciler.trace import TAKEN_UP
from rules.interface import Deed

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.bases import Past
    from firmware_bridge.reconciler.findings import Finding
    from firmware_bridge.reconciler.settings import Sensing, Settings
    from rules.interface import Label, Position, Square, Turn

Felt = tuple[str, "Reading", float]
REMEMBERED = 100
"""So many changes are remembered of what was felt while the board was not right."""


class GameTracker:
    """Keeps the bases that a board is judged against, from turn to turn.

    Attributes:
        standing: what every cell reads.
        start: the starting position's placement.
        declared: whether the turn being made was declared to say more than hands do.
        under_way: whether the game was taken up in its middle: turns were made that nobody felt.
        distrusted: the cells that are done without.
        bases: what the board is held against.
        asked_on: what every cell read, and how much was felt, when one of so many turns was made
            that none is followed until it is told which; else `None`.
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
        self._learning = settings.learning
        self._awaited: tuple[Turn, ...] = ()
        self.declared = False
        self.distrusted: frozenset[str] = frozenset()
        self._doubled: list[tuple[str, str]] = []
        self.start = position.game.start().placement
        self.under_way = position.placement.keys() != self.start.keys()
        self.bases = Bases(self._at_first(position), self._led)
        self._remember()

    def _at_first(self, position: Position) -> Base:
        """Return the first base; where it could tell whose a piece is, by faces alone.

        What stands wrongly when a game is taken up in its middle is named as on a cleared board.
        """
        tags, face = self.sensing.tags, position.game.face
        by_faces = like_pieces_differ(position, self.sensing)
        if by_faces and self.settings.learning:
            lying = self.settings.lying
            opening = Opening(Seats(position, tags), self.standing, self._open_on, lying)
            return Base(opening.scene(), opening=opening)
        if by_faces and Secrecy.of(position.game).owners:
            due = position.placement
            faces = {uid: face(label) for uid, label in tags.items()}
            shown = {square: face(label) for square, label in due.items()}
            strays = out_of_place(shown, self.standing, faces)
            roles = {
                uid: due[cell]
                for cell, uid in self.standing.items()
                if cell in due and uid in faces and uid not in strays
                if isinstance(uid, str) and grown_into(faces[uid], shown[cell], strict=False)
            }
            seats = Seats(position, tags, roles, cleared=True)
            opening = Opening(seats, self.standing, self._open_on)
            if seats.right:
                return Base(self._open_on(RulesCache(position), self.standing, seats.roles))
            return Base(opening.scene(), opening=opening)
        strays = out_of_place(position.placement, self.standing, tags)
        scene = self._open_on(RulesCache(position), self.standing, {}, strays)
        scene.identities.lay(self.settings.lying)
        return Base(scene)

    @property
    def scene(self) -> BoardState:
        """The position now, and what was felt since."""
        return self.bases.now.scene

    @property
    def before(self) -> BoardState | None:
        """The scene before the turn taken last, while the mover may still amend it."""
        return self.bases.now.before.scene if self.bases.now.before else None

    @property
    def past(self) -> tuple[Past, ...]:
        """The positions of the game so far that may be gone back to."""
        return self.bases.now.past

    @property
    def _opening(self) -> Opening | None:
        return self.bases.now.opening

    def boards(self) -> Iterator[BoardState]:
        """Yield where the game stands, then the same after what else has stood as a whole turn."""
        yield self.scene
        if not self.settings.clock:
            yield from (base.scene for base in (*self.bases.readings(), *self.bases.unpressed))

    @property
    def position(self) -> Position:
        """The position agreed on, with the pieces that stood when all looked right last."""
        return self._opening.agreed if self._opening else self.scene.position

    def prepare(self, seen: Assessment) -> Iterator[None]:
        """Do ahead of time what taking the turn that is shown, or the next look, would need."""
        self.open_awaited()
        for base in self.bases.all():
            yield from base.scene.prepare()
        if len(seen.turns) == 1:
            seen.scene.rulebook.after(seen.turns[0])

    def note(self, cell: str, reading: Reading, t: float) -> None:
        """Take in that a cell now reads something else than before."""
        self._felt.append((cell, reading, t))
        for base in self.bases.all():
            base.note(cell, reading, t)
        if len(self._felt) > REMEMBERED or not self.scene.differs:
            self._remember()

    def _remember(self) -> None:
        """Begin to remember what is felt, from what every cell reads now."""
        self._stood, self._felt = dict(self.standing), list[Felt]()
        self.asked_on: tuple[Mapping[str, Reading], int] | None = None

    def read_on_both(self, pairs: list[tuple[str, str]]) -> bool:
        """Take in on which pairs of cells one tag is read, the older first; say if that is new."""
        if pairs == self._doubled:
            return False
        self._doubled = pairs
        on_board = [pair for pair in pairs if self.scene.squares.issuperset(pair)]
        for base in self.bases.all():
            base.scene.trail.read_on_both(on_board)
        return True

    def read_anew(self, seen: Assessment, t: float) -> list[Finding]:
        """Take up another reading of the turns made last, if only that explains the board."""
        last, base = self.bases.now, self.bases.better(seen)
        if base is None:
            return []
        self.bases.take_up(base)
        self.follow(())
        return base.told_after(last, t)

    def learn(self, t: float) -> bool:
        """Learn which pieces stand where, once all look right; forget it when none is there.

        Return whether it was learnt which disc is which.
        """
        opening, touched = self._opening, self.scene.trail.touched
        if opening is not None and opening.seats.right:
            discs = self.scene.discs
            if self._learning:
                self.bases.now.scene = opening.arranged(self.standing, t)
            else:
                self.bases.now = Base(opening.begin_anew(self.standing), past=self.past)
            self.scene.trail.touched = touched
            return discs
        if (self.scene.squares - self.distrusted).isdisjoint(self.standing):
            self._cleared(t)
        return False

    def _cleared(self, t: float) -> None:
        """Forget where like pieces came from, now that nothing stands on the board."""
        if self._opening is not None or len(self.scene.placement) > TAKEN_UP:  # else in a hand
            self._go_by_faces(t)
        self.under_way |= self._opening is not None

    def upset(self, t: float) -> bool:
        """Go by faces on a board that was upset, if that is new: nobody sees which is which.

        After the first turn only where owners are secret: the way back must not tell them.
        """
        return bool(self._opening or self.scene.secrecy.owners) and self._go_by_faces(t)

    def _go_by_faces(self, t: float) -> bool:
        """Forget where like pieces came from, if tags tell them apart; return if that is new."""
        if self._opening is not None:
            if new := self._opening.seats.clear():
                self.bases.now.scene = self._opening.scene()
            return new
        if not like_pieces_differ(self.position, self.sensing):
            return False
        self.close()
        now = self.scene
        known, roles = now.identities.first, now.identities.roles
        seats = Seats(self.position, self.sensing.tags, roles, known)
        stood: dict[str, Reading] = {s: known.get(s, True) for s in now.placement}
        opening = Opening(seats, stood, self._open_on)
        for square in sorted(now.squares):
            if (reading := self.standing.get(square)) != stood.get(square):
                opening.note(square, reading, t)
        seats.clear()  # though all was right before
        self.bases.now = Base(opening.scene(), past=self.past, opening=opening)
        return True

    @property
    def learning(self) -> bool:
        """Whether it is being learnt which discs lie where."""
        return self._opening is not None and self.scene.discs

    def stop_learning(self) -> None:
        """Know every piece from now on by its tag."""
        self.bases.now.opening, self._learning = None, False

    def await_press(self, turns: tuple[Turn, ...], *, many: bool = False) -> None:
        """Note which turns are whole, so that a reply to one of them is known as such.

        Of `many` none is followed; what is felt from now on may be a reply to the one that is told.
        """
        self.asked_on = (dict(self.standing), len(self._felt)) if many else None
        opened = [*(self._awaited or (base.turn for base in self.bases.unpressed))]
        if [*turns] != opened:
            after = self.bases.unpressed if turns and not self.settings.clock else ()
            if slid := [b for b in after if shoved(b.scene)]:  # it may have been shoved since
                self.bases.readings().extend(slid)
            self.follow(())
            self._awaited = turns

    def open_awaited(self) -> None:
        """Open where these turns lead, on what stands: what is felt from now on is felt there."""
        self.bases.readings()
        if self._awaited:
            self.follow(base for turn in self._awaited for base in self._after(turn))

    def follow(self, bases: Iterable[Base]) -> None:
        """Take these for where the turns lead for which nobody has pressed, and no others."""
        self.bases.unpressed, self._awaited = [*bases], ()

    def apart_from(self, turn: Turn) -> Base | None:
        """Return where a turn leads if the opponent's hands did all that it does not explain."""
        scene, rulebook = self.scene, self.scene.rulebook.after(turn)
        following = rulebook.position
        if self._opening or following.side == self.position.side or following.awaited is not None:
            return None
        own = handled(scene.deed(turn))
        stood = {**self._stood, **{square: self.standing.get(square) for square in own}}
        return self._later(turn, stood, [felt for felt in self._felt if felt[0] not in own])

    def _later(self, turn: Turn, stood: Mapping[str, Reading], felt: Iterable[Felt]) -> Base:
        """Return where a turn leads if this was felt after the cells had read what they read."""
        base = self._led(self.bases.now, turn, stood)
        for cell, reading, t in felt:
            base.note(cell, reading, t)
        return base

    def replied_to(self, turn: Turn) -> BoardState | None:
        """Return where a turn leads if a whole reply was felt beside it, or while it was asked."""
        if (apart := self.apart_from(turn)) is None:
            return None
        bases = [apart]
        if self.asked_on is not None:
            stood, since = self.asked_on
            bases.append(self._later(turn, stood, self._felt[since:]))
        return next((b.scene for b in bases if stands(b.scene).showing == "turns"), None)

    def _after(self, turn: Turn) -> Iterator[Base]:
        """Yield what a turn leads to, if the opponent can reply to it with his hands."""
        following = self.scene.rulebook.after(turn).position
        if following.side == self.position.side or following.awaited is not None:
            return
        was = self.bases.now
        if was.opening is not None:  # who stood where was learnt until this turn stood whole
            was = replace(was, scene=was.opening.scene(), opening=None)
        yield self._led(was, turn)

    def take(self, turn: Turn, *, amending: bool, amendable: bool) -> Position:
        """Go on to where `turn` leads, in place of the turn taken before if it is amended."""
        was, ready = self.bases.now, None
        if amending:
            was = was.before or was
        elif opened := next((one for one in self.bases.unpressed if one.turn == turn), None):
            if was.opening is None:
                ready = opened.scene
            elif turn not in stands(was.scene).turns:  # pieces were learnt until it stood whole
                was, ready = opened.before or was, opened.scene
        base = was.scene
        if not amending:
            if ready is None or judge(ready).showing == "odd":  # the pawn was exchanged meanwhile
                ready = self.replied_to(turn) or ready
            self.stop_learning()
        following, past = base.rulebook.after(turn).position, was.left()
        if base is self.scene and not base.deed(turn).physical:
            self.close()
            base.rebase(following)  # a die, a decision: what the hands have begun goes on
            self.bases.now.turn, self.bases.now.past = turn, past
        else:
            scene = ready  # with what hands have begun since, if they have
            if scene is None or not (scene.differs or scene.handled_alike):
                scene = self._led(was, turn).scene
            final = self.settings.clock or not amendable
            made = Base(scene, turn, past, before=was)
            self.bases.go_on(made, was, amendable=amendable, final=final)
            self.follow(())
            self._remember()
        self.declared = False
        return following

    def _led(self, was: Base, turn: Turn, standing: Mapping[str, Reading] | None = None) -> Base:
        """Return where a turn has led that stands on the board, or on what the cells read."""
        base = was.scene
        deed = base.deed(turn)
        changed = deed.changes(base.placement)
        exchanged = {base.identities.on.get(s, "") for s in base.wrong - changed.keys()}
        stood = self.standing if standing is None else standing
        victims = base.victims.union(victim_beside(base, turn))  # no pieces of the game any more
        stood = {**stood, **dict.fromkeys(victims)}
        scene = self._open_on(base.rulebook.after(turn), stood, base.identities.roles, exchanged)
        scene.trail.begun = max(base.trail.placed_at.values(), default=base.trail.begun)
        scene.trail.moved_last = frozenset(changed)
        scene.victims = victims
        held = base.trail.lifted_at.items()  # what is in the air yet was lifted when it was
        scene.trail.lifted_at.update((s, at) for s, at in held if s in scene.missing)
        left = scene.placement if base.discs else scene.untagged
        scene.identities.remember(base.identities.lying_after(deed, left, base.untagged))
        return Base(scene, turn, was.left(), before=was)

    def undone_by(self, count: int, cell: str) -> bool:
        """Return whether this lift goes on from before `count` turns; one may be a victim's way."""
        then = self.past[-count].position
        label = then.placement.get(cell)
        his = label is not None and not self.scene.secrecy.foreign(then.side[0], label)
        return his or count > 1

    def go_back(self, count: int) -> Position:
        """Go back to the position `count` turns ago, which the board shows again."""
        past = self.past[-count]
        scene = self._open_on(RulesCache(past.position), self.standing, past.roles, past.roles)
        self.bases.take_up(Base(scene, past.turn, self.past[:-count]))
        self.follow(())
        return past.position

    def agree(self, position: Position, t: float) -> bool:
        """Go on from another position; return whether the pieces stand otherwise in it.

        Then nobody has seen which of like pieces have come to stand where.
        """
        self.close()
        self.declared = False
        if dict(position.placement) == dict(self.position.placement):
            if self._opening:
                self.bases.now.scene = self._opening.go_on(position)
            else:
                self.scene.rebase(position)
            return False
        back = next((i for i, past in enumerate(self.past) if past.position == position), None)
        if back is not None:
            self.go_back(len(self.past) - back)
            self.close()
        else:
            roles = {} if position.placement == self.start else self.scene.identities.roles
            scene = self._open_on(RulesCache(position), self.standing, roles, roles)
            self.bases.now = Base(scene)
        self.upset(t)
        self.learn(t)  # it may stand already
        return True

    def begin_anew(self, touched: Square | None) -> None:
        """Forget what hands did that left no trace, but which piece they `touched` first."""
        self.bases.readings()  # they go on from what is forgotten here
        now = self.scene
        if now.differs:
            self.forget_times()
        elif self._opening:
            self.bases.now.scene = self._opening.begin_anew(self.standing)
        else:
            self.bases.now.scene = self._open_on(now.rulebook, self.standing, now.identities.roles)
            if now.discs:
                lying = now.identities.lying_after(Deed(), now.placement, now.untagged)
                self.scene.identities.remember(lying)
        trail, before = self.scene.trail, now.trail
        trail.touched, trail.begun, trail.moved_last = touched, before.begun, before.moved_last
        self.follow(())

    def forget_times(self) -> None:
        """Forget when and in which order things were lifted and put back."""
        self.bases.readings()  # they go on from what is forgotten here
        self.scene.trail.forget_times()
        if self._opening:
            self._opening.forget_times()
        self.follow(())
        self._remember()

    def await_set_down(self, was: BoardState, asked: Iterable[Square]) -> None:
        """Take every piece for that of its square, but one: in the air, or where it is asked of."""
        scene = self._open_on(was.rulebook, self.standing, was.identities.roles)
        scene.trail.touched, scene.trail.asked = was.trail.touched, frozenset(asked)
        for base in self.bases.all():
            base.scene = scene if base.scene is was else base.scene

    def close(self) -> None:
        """Let the turn taken last stand for good."""
        self._awaited = ()
        self.bases.close()

    def distrust(self, cell: str) -> bool:
        """Do without a cell from now on; return whether that is new."""
        if cell in self.distrusted:
            return False
        bases, self.distrusted = self.bases.all(), self.distrusted | {cell}
        for base in bases:
            base.scene.do_without(self.distrusted)
        return True

    def trust(self, cell: str, t: float) -> None:
        """Believe a cell again, which reads at `t` what it reads."""
        bases, self.distrusted = self.bases.all(), self.distrusted - {cell}
        for base in bases:
            base.scene.trust(cell, self.standing.get(cell), t)

    def _open_on(
        self,
        rulebook: RulesCache,
        standing: Mapping[str, Reading],
        roles: Mapping[str, Label],
        strict: Container[str] = (),
    ) -> BoardState:
        at_start = rulebook.position.placement == self.start
        return BoardState(
            rulebook,
            standing,
            self.sensing,
            roles,
            strict=self.sensing.tags if at_start else strict,
            distrusted=self.distrusted,
        )
