"""The course of a game on one board: the position, the turn before it, and the past."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assessment import BUSY
from firmware_bridge.reconciler.board_state import BoardState
from firmware_bridge.reconciler.factors import handled
from firmware_bridge.reconciler.identities import grown_into, out_of_place
from firmware_bridge.reconciler.preparation import RulesCache
from firmware_bridge.reconciler.redress import victim_aside
from firmware_bridge.reconciler.seats import Base, Opening, Seats, like_pieces_differ
from firmware_bridge.reconciler.secrecy import Secrecy
from firmware_bridge.reconciler.stories import judge
from rules.interface import Deed, IllegalTurn

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.findings import Finding
    from firmware_bridge.reconciler.seats import Past
    from firmware_bridge.reconciler.settings import Sensing, Settings
    from rules.interface import Label, Position, Square, Turn

Felt = tuple[str, "Reading", float]
REMEMBERED = 100
"""So many changes are remembered of what was felt while the board was not right."""
FEW = 2
"""A board with so few pieces is not cleared when they are all lifted."""


class GameTracker:
    """Keeps the bases that a board is judged against, from turn to turn.

    Attributes:
        standing: what every cell reads.
        start: the starting position's placement.
        declared: whether the turn being made was declared to say more than hands do.
        under_way: whether the game was taken up in its middle: turns were made that nobody felt.
        distrusted: the cells that are done without.
        readings: what else the game may have come to: where each turn leads that was whole on the
            board since the last but one was taken.
        unpressed: where the turns lead that are whole now, and for which nobody has pressed.
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
        self.readings: list[Base] = []
        self.unpressed: list[Base] = []
        self._awaited: tuple[Turn, ...] = ()
        self.declared = False
        self.distrusted: frozenset[str] = frozenset()
        self._doubled: list[tuple[str, str]] = []
        self.start = position.game.start().placement
        self.under_way = position.placement.keys() != self.start.keys()
        self._now = self._at_first(position)
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
        return self._now.scene

    @property
    def before(self) -> BoardState | None:
        """The scene before the turn taken last, while the mover may still amend it."""
        return self._now.before.scene if self._now.before else None

    @property
    def past(self) -> tuple[Past, ...]:
        """The positions of the game so far that may be gone back to."""
        return self._now.past

    @property
    def _opening(self) -> Opening | None:
        return self._now.opening

    @property
    def position(self) -> Position:
        """The position agreed on, with the pieces that stood when all looked right last."""
        return self._opening.agreed if self._opening else self.scene.position

    def prepare(self, seen: Assessment) -> Iterator[None]:
        """Do ahead of time what taking the turn that is shown, or the next look, would need."""
        self.open_awaited()
        for base in self.bases():
            yield from base.scene.prepare()
        if len(seen.turns) == 1:
            seen.scene.rulebook.after(seen.turns[0])

    def note(self, cell: str, reading: Reading, t: float) -> None:
        """Take in that a cell now reads something else than before."""
        self._felt.append((cell, reading, t))
        for base in self.bases():
            base.note(cell, reading, t)
        if len(self._felt) > REMEMBERED or not self.scene.differs:
            self._remember()

    def _remember(self) -> None:
        """Begin to remember what is felt, from what every cell reads now."""
        self._stood, self._felt = dict(self.standing), list[Felt]()
        self._asked_on: tuple[Mapping[str, Reading], int] | None = None

    def read_on_both(self, pairs: list[tuple[str, str]]) -> bool:
        """Take in on which pairs of cells one tag is read, the older first; say if that is new."""
        if pairs == self._doubled:
            return False
        self._doubled = pairs
        on_board = [pair for pair in pairs if self.scene.squares.issuperset(pair)]
        for base in self.bases():
            base.scene.trail.read_on_both(on_board)
        return True

    def bases(self) -> list[Base]:
        """Return all that the board is held against."""
        found = [self._now, *self.readings, *self.unpressed]
        for base in found:
            if base.before and base.before not in found:
                found.append(base.before)
        return found

    def read_anew(self, seen: Assessment, t: float) -> list[Finding]:
        """Take up another reading of the turns made last, if only that explains the board.

        A victim that was parked where it could have gone looks like second thoughts until it is
        gone, or known beside the capture. What seemed to amend the turn before the last was its
        piece, set aside by the other player while he moved; then nothing is astray, or he has.
        """
        moved = seen.closely or self.scene.extra | self.scene.wrong
        astray = seen.likelihood <= self.scene.habits.weights["beside-a-turn"] or seen.answered
        if not (astray or (moved and seen.showing in BUSY)):
            return []
        for base in self.readings:  # where nothing is astray, hands are on the way from here
            if astray or len(base.past) == len(self.past):
                found = judge(base.scene)
                amended = base.replaces(self._now)  # by what was perhaps a victim's way
                told = victim_aside(base.scene) if amended else found.showing == "position"
                likely = astray or (seen.closely and not amended)
                if found.made_since or (likely and told):
                    return self._take_up(base, t)
        return self._take_up(was, t) if (was := self._now.withdrawn()) else []

    def _take_up(self, base: Base, t: float) -> list[Finding]:
        """Go on from this reading, and keep the one that was taken for true beside it."""
        last, known = self._now, self.bases()
        self._now, self._awaited, self.unpressed = base, (), []
        self.readings = [o for o in known if o is not base and len(o.past) >= len(base.past)]
        return base.told_after(last, t)

    def _beside(self, was: Base, turn: Turn) -> Iterator[Base]:
        """Yield what else the game may have come to when a turn leads on from what it `was`.

        It was another turn that was shown instead of this one, or instead of the one before it.
        What hands only went on with is no other reading.
        """
        done = was.scene.deed(turn).changes(was.scene.placement).items()
        for one in (*self.readings, self._now):
            if len(one.past) > len(was.past) and one.turn:
                left = one.past[-1]
                if not left.position.deed(one.turn).changes(left.placement).items() <= done:
                    yield one
            elif one is not was and one.replaces(was):
                with suppress(IllegalTurn):
                    yield self._led(one, one.scene.position.parse_turn(str(turn)))

    def learn(self, t: float) -> bool:
        """Learn which pieces stand where, once all look right; forget it when none is there.

        Return whether it was learnt which disc is which.
        """
        opening, touched = self._opening, self.scene.trail.touched
        if opening is not None and opening.seats.right:
            discs = self.scene.discs
            if self._learning:
                self._now.scene = opening.arranged(self.standing, t)
                opening.seats.cleared = False
            else:
                self._now = Base(opening.begin_anew(self.standing), past=self.past)
            self.scene.trail.touched = touched
            return discs
        if (self.scene.squares - self.distrusted).isdisjoint(self.standing):
            self._cleared(t)
        return False

    def _cleared(self, t: float) -> None:
        """Forget where like pieces came from, now that nothing stands on the board."""
        if self._opening is not None:
            self._opening.seats.cleared = self.scene.by_faces = True
        elif len(self.scene.placement) > FEW:
            self._go_by_faces(t)
        self.under_way |= self._opening is not None

    def upset(self, t: float) -> bool:
        """Go by faces, where owners are secret, on a board that was upset; return if that is new.

        Nobody sees which of like pieces is which, and the way back must not tell it.
        """
        return self.scene.secrecy.owners and self._opening is None and self._go_by_faces(t)

    def _go_by_faces(self, t: float) -> bool:
        """Forget where like pieces came from, if tags tell them apart; return whether they do."""
        if not like_pieces_differ(self.position, self.sensing):
            return False
        self.close()
        now = self.scene
        known, roles = now.identities.first, now.identities.roles
        seats = Seats(self.position, self.sensing.tags, roles, known, cleared=True)
        stood: dict[str, Reading] = {s: known.get(s, True) for s in now.placement}
        opening = Opening(seats, stood, self._open_on)
        for square in sorted(now.squares):
            if (reading := self.standing.get(square)) != stood.get(square):
                opening.note(square, reading, t)
        self._now = Base(opening.scene(), past=self.past, opening=opening)
        return True

    @property
    def learning(self) -> bool:
        """Whether it is being learnt which discs lie where."""
        return self._opening is not None and self.scene.discs

    def stop_learning(self) -> None:
        """Know every piece from now on by its tag."""
        self._now.opening, self._learning = None, False

    def await_press(self, turns: tuple[Turn, ...], *, many: bool = False) -> None:
        """Note which turns are whole, so that a reply to one of them is known as such.

        Of `many` none is followed; what is felt from now on may be a reply to the one that is told.
        """
        self._asked_on = (dict(self.standing), len(self._felt)) if many else None
        opened: tuple[Turn | None, ...] = self._awaited or tuple(b.turn for b in self.unpressed)
        if turns != opened:
            self.follow(())
            self._awaited = turns

    def open_awaited(self) -> None:
        """Open where these turns lead, on what stands: what is felt from now on is felt there."""
        if self._awaited:
            self.follow(base for turn in self._awaited for base in self._after(turn))

    def follow(self, bases: Iterable[Base]) -> None:
        """Take these for where the turns lead for which nobody has pressed, and no others."""
        self.unpressed, self._awaited = [*bases], ()

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
        base = self._led(self._now, turn, stood)
        for cell, reading, t in felt:
            base.note(cell, reading, t)
        return base

    def replied_to(self, turn: Turn) -> BoardState | None:
        """Return where a turn leads if a whole reply was felt beside it, or while it was asked."""
        if (apart := self.apart_from(turn)) is None:
            return None
        bases = [apart]
        if self._asked_on is not None:
            stood, since = self._asked_on
            bases.append(self._later(turn, stood, self._felt[since:]))
        return next((b.scene for b in bases if judge(b.scene).showing == "turns"), None)

    def amended_to(self, turn: Turn) -> BoardState | None:
        """Return where a turn leads if it was made in place of the one taken last."""
        was = self._now.before
        return self._led(was, turn).scene if was and turn != self._now.turn else None

    def _after(self, turn: Turn) -> Iterator[Base]:
        """Yield what a turn leads to, if the opponent can reply to it with his hands."""
        following = self.scene.rulebook.after(turn).position
        if following.side == self.position.side or following.awaited is not None:
            return
        if self._opening is None:
            yield self._led(self._now, turn)
        else:
            seats = self._opening.seats.after(following)
            deed, left = self.scene.deed(turn), following.placement if self.scene.discs else ()
            lying = self.scene.identities.lying_after(deed, left, self.scene.untagged)
            opening = Opening(seats, self.standing, self._open_on, lying)
            yield Base(opening.scene(), turn, self._now.left(), opening, self._now)

    def amendable(self) -> Iterator[Base]:
        """Yield what is taken for true, and in what its turns were made that may yet be others."""
        base: Base | None = self._now
        while base is not None and base.opening is None:
            yield base
            base = base.before

    def keep(self, was: Base, turns: tuple[Turn, ...]) -> None:
        """Keep where turns lead that stand whole in place of what was taken to be made there."""
        for made in (self._led(was, turn) for turn in turns):
            if not any(one.turn == made.turn and one.replaces(made) for one in self.readings):
                self.readings.append(made)

    def take(self, turn: Turn, *, amending: bool, amendable: bool) -> Position:
        """Go on to where `turn` leads, in place of the turn taken before if it is amended."""
        was = (self._now.before if amending else None) or self._now
        base, ready = was.scene, None
        if not amending:
            ready = next((one.scene for one in self.unpressed if one.turn == turn), None)
            if ready and self._opening and ready.position != base.position.play(turn):
                ready = None
            if ready is None or judge(ready).showing == "odd":  # the pawn was exchanged meanwhile
                ready = self.replied_to(turn) or ready
            self.stop_learning()
        following, past = base.rulebook.after(turn).position, was.left()
        stands = self.settings.clock or (amending and not amendable)
        others = [] if stands else [*self._beside(was, turn)]
        if amendable and was.before:
            others += [one for one in self.readings if one.replaces(was)]
        if base is self.scene and not base.deed(turn).physical:
            self.close()
            base.rebase(following)  # a die, a decision: what the hands have begun goes on
            self._now.turn, self._now.past = turn, past
        else:
            scene = ready  # with what hands have begun since, if they have
            if scene is None or not (scene.differs or scene.handled_alike):
                scene = self._led(was, turn).scene
            self.follow(())
            self._now, self.readings = Base(scene, turn, past, before=was), others
            for one in self.bases():
                if len(one.past) < len(was.past) or not amendable:
                    one.before = None
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
        scene = self._open_on(base.rulebook.after(turn), stood, base.identities.roles, exchanged)
        scene.trail.begun = max(base.trail.placed_at.values(), default=base.trail.begun)
        scene.trail.moved_last = frozenset(changed)
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
        past, last = self.past[-count], self._now
        self.close()
        scene = self._open_on(RulesCache(past.position), self.standing, past.roles, past.roles)
        self._now, self.readings = Base(scene, past.turn, self.past[:-count]), [last]
        return past.position

    def agree(self, position: Position, t: float) -> bool:
        """Go on from another position; return whether the pieces stand otherwise in it.

        Then nobody has seen which of like pieces have come to stand where.
        """
        self.close()
        self.declared = False
        if dict(position.placement) == dict(self.position.placement):
            if self._opening:
                self._now.scene = self._opening.go_on(position)
            else:
                self.scene.rebase(position)
            return False
        back = next((i for i, past in enumerate(self.past) if past.position == position), None)
        if back is not None:
            self.go_back(len(self.past) - back)
            self.close()
        else:
            roles = {} if position.placement == self.start else self.scene.identities.roles
            self._now = Base(self._open_on(RulesCache(position), self.standing, roles, roles))
        self.upset(t)
        self.learn(t)  # it may stand already
        return True

    def begin_anew(self, touched: Square | None) -> None:
        """Forget what hands did that left no trace, but which piece they `touched` first."""
        now = self.scene
        if now.differs:
            self.forget_times()
        elif self._opening:
            self._now.scene = self._opening.begin_anew(self.standing)
        else:
            self._now.scene = self._open_on(now.rulebook, self.standing, now.identities.roles)
            if now.discs:
                lying = now.identities.lying_after(Deed(), now.placement, now.untagged)
                self.scene.identities.remember(lying)
        trail, before = self.scene.trail, now.trail
        trail.touched, trail.begun, trail.moved_last = touched, before.begun, before.moved_last
        self.follow(())

    def forget_times(self) -> None:
        """Forget when and in which order things were lifted and put back."""
        self.scene.trail.forget_times()
        if self._opening:
            self._opening.forget_times()
        self.follow(())
        self._remember()

    def await_set_down(self, asked: Iterable[Square]) -> None:
        """Take every piece for that of its square, but one: in the air, or where it is asked of."""
        now = self.scene
        self._now.scene = self._open_on(now.rulebook, self.standing, now.identities.roles)
        self.scene.trail.touched, self.scene.trail.asked = now.trail.touched, frozenset(asked)

    def close(self) -> None:
        """Let the turn taken last stand for good."""
        self._awaited, self.readings, self.unpressed = (), [], []
        self._now.before = None

    def distrust(self, cell: str) -> bool:
        """Do without a cell from now on; return whether that is new."""
        if cell in self.distrusted:
            return False
        self.distrusted |= {cell}
        for base in self.bases():
            base.scene.do_without(self.distrusted)
        return True

    def trust(self, cell: str, t: float) -> None:
        """Believe a cell again, which reads at `t` what it reads."""
        self.distrusted -= {cell}
        for base in self.bases():
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
