"""One position, and what the board shows against it since it was agreed on."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.identities import (
    UNTOLD,
    Identities,
    is_tag,
    label_of_kind,
    same_disc,
)
from firmware_bridge.reconciler.preparation import RulesCache
from firmware_bridge.reconciler.secrecy import Secrecy
from firmware_bridge.reconciler.trace import EventTrace, PieceAssignments
from rules.explain import Difference, Seen

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from drivers.port import Reading
    from firmware_bridge.reconciler.settings import Sensing
    from rules.explain import Explainer
    from rules.interface import Deed, Label, Position, Square, Turn


class BoardState:
    """What the board shows against one position, kept up to date cell by cell.

    Attributes:
        position: the position that the board is judged against.
        habits: what hands and sensors are known to do.
        mover: the letter of the side to move.
        long_turns: whether a turn may be part of a longer one.
        secrecy: what must not be gone by, since players may not know it.
        placement: its pieces by square.
        squares: the squares of its board.
        rulebook: what the rules say about it.
        trail: what hands did, and when.
        identities: which piece carries which tag.
        shown: what stands where now: a label, or `UNTOLD`.
        missing: squares that should hold a piece and are empty.
        extra: squares that should be empty and hold something.
        wrong: squares that hold another piece than they should.
        untagged: squares whose cell tells only that something stands there.
        unsure: squares of the position on which another piece than its own may stand, or its own
            disc the other way up.
        victims: squares where these stand beside the captures that took them: to all that follows
            they are empty, until a hand changes them.
        whereabouts: where pieces may have gone.
        ways_tell: whether these ways alone tell which pieces a turn has moved: no tag tells it, and
            every cell is to be trusted.
        distrusted: squares whose cells do not tell the truth; they are taken to be right.
        discs: whether the pieces are two-faced discs.
        exposed: squares whose disc has been seen the other way up.
        by_faces: whether the way back names faces alone: one like piece is as good as another.
    """

    def __init__(
        self,
        rulebook: RulesCache,
        standing: Mapping[str, Reading],
        sensing: Sensing,
        roles: Mapping[str, Label],
        *,
        strict: Container[str] = (),
        distrusted: frozenset[Square] = frozenset(),
    ) -> None:
        """Begin a scene.

        Args:
            rulebook: the position agreed on, and what the rules say about it.
            standing: what the cells read at this moment.
            sensing: what the board can feel.
            roles: what tagged pieces have become in the course of the game.
            strict: tags whose piece must still be what it is known to have been.
            distrusted: squares whose cells do not tell the truth.
        """
        position = rulebook.position
        game = position.game
        self.position = position
        self.mover = position.side[0]
        self.long_turns = game.traits.long_turns
        self.secrecy = Secrecy.of(game)
        self.rulebook = rulebook
        self.habits = sensing.habits
        self.placement: Mapping[Square, Label] = dict(position.placement)
        self.squares = game.squares
        self.distrusted = distrusted & self.squares
        self.discs = any(":" in label for label in self.placement.values())
        self.exposed: set[Square] = set()
        self.by_faces = False
        self._other_faces = sensing.other_faces
        self.identities = Identities(self.placement, sensing.tags, secret=self.secrecy.owners)
        self.shown: dict[Square, Label] = {}
        self.untagged: set[Square] = set()
        self.unsure: set[Square] = set()
        self.victims: frozenset[Square] = frozenset()
        self._adopt(standing, roles, strict)
        self.missing = self.placement.keys() - self.shown.keys()
        self.extra = self.shown.keys() - self.placement.keys()
        self.trail = EventTrace(self.placement, self.habits, drops=self.discs)
        alike = self.long_turns and sensing.tier == "occupancy"
        self.whereabouts = PieceAssignments(self.placement, self.missing, self.habits, alike=alike)
        self.ways_tell = not (self.discs or self.identities.first or self.distrusted)
        told = self.shown.keys() - self.untagged - self.extra
        self.wrong = {square for square in told if self._is_wrong(square)}

    def _adopt(
        self, standing: Mapping[str, Reading], roles: Mapping[str, Label], strict: Container[str]
    ) -> None:
        """Give every piece that stands where it should the role it has in the position."""
        for cell, reading in standing.items():
            if cell not in self.squares or cell in self.distrusted or reading is None:
                continue
            if is_tag(reading):
                was = roles.get(reading)
                self.identities.adopt(cell, reading, was, strict=reading in strict)
            elif reading is True:
                self.untagged.add(cell)
            self.shown[cell] = self._label(cell, reading)
        for square in self.distrusted & self.placement.keys():
            self.shown[square] = self.placement[square]

    # --- The rules ------------------------------------------------------------------------------

    @property
    def explainer(self) -> Explainer:
        """The prepared search for turns; the first use prepares it."""
        return self.rulebook.explainer

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do to make a legal turn of the position."""
        return self.rulebook.deed(turn)

    def prepare(self) -> Iterator[None]:
        """Find out what is asked sooner or later: is the game over, which turns are there."""
        return self.rulebook.prepare(self.seen)

    def rebase(self, position: Position) -> None:
        """Go on with another position of the same placement, such as one with fewer turns."""
        self.position = position
        self.mover = position.side[0]
        self.rulebook = RulesCache(position)

    # --- What happens ---------------------------------------------------------------------------

    def note(self, cell: str, reading: Reading, t: float) -> None:
        """Take in that a cell now reads something else than before."""
        if cell not in self.squares or cell in self.distrusted:
            return
        self.victims -= {cell}
        if reading is None:
            self._lift(cell, t)
        else:
            self._place(cell, reading, t)
        self._compare(cell)

    def _doubt(self) -> None:
        """Show anew what no tag tells, by what may have gone where."""
        before, self.unsure = self.unsure, self.whereabouts.doubtful() - self.distrusted
        if self.discs:
            unread = self.untagged & self.placement.keys()
            self.unsure |= unread & (self.trail.placed_at.keys() | self.identities.on.keys())
        if before or self.unsure:
            for square in (before | self.unsure) & self.untagged:
                sure = square not in self.unsure
                label = self.placement[square] if sure else self._untold(square)
                if label != self.shown[square]:
                    self._show(square, label)

    def _untold(self, square: Square) -> Label:
        """Return what stands on an unsure square if no tag tells it."""
        home = None if self.discs else self.whereabouts.agreed.get(square)
        return UNTOLD if home is None else self.placement.get(home, UNTOLD)

    def do_without(self, cells: frozenset[str]) -> None:
        """Take these squares to be right from now on, whatever their cells read or have read."""
        self.distrusted = cells & self.squares
        self.ways_tell = False  # it would have to be known what was lifted from these and set down
        for square in self.distrusted:
            self.shown.pop(square, None)
            if square in self.placement:
                self.shown[square] = self.placement[square]
            self.unsure.discard(square)
            self.trail.forget(square)
            self._compare(square)

    def trust(self, cell: Square, reading: Reading, t: float) -> None:
        """Believe the cell of a square again, and what it reads."""
        self.distrusted -= {cell}
        self.note(cell, reading, t)

    def _lift(self, cell: Square, t: float) -> None:
        if self.shown.pop(cell, None) is None:
            self.trail.lifted_at.setdefault(cell, t)  # the scene began with this very lift
            return
        own = cell in self.placement and cell not in self.unsure
        self.trail.lift(cell, t, self.mover, own=own)
        self.whereabouts.lift(cell, t)
        self.untagged.discard(cell)
        self.identities.on.pop(cell, None)
        self._doubt()

    def _is_read(self, square: Square) -> bool:
        """Return whether a tag is read on a square, or was read last while its piece stayed."""
        return square in self.identities.on and square not in self.untagged

    def _place(self, cell: Square, reading: Reading, t: float) -> None:
        came_late = cell in self.shown
        if not came_late:
            self.trail.place(cell, t)
            mover = self.mover if self.secrecy.lifts_tell else ""
            self.whereabouts.place(cell, t, mover, self.identities.came_from(reading))
            self.shown[cell] = UNTOLD
            if self.missing <= {cell}:
                self.trail.asked = frozenset()  # nothing hangs any more
        if is_tag(reading):
            self._meet(cell, reading)
        (self.untagged.add if reading is True else self.untagged.discard)(cell)
        self._doubt()
        if not (came_late and reading is True):  # a tag that is lost was that of this piece
            self.shown[cell] = self._label(cell, reading)
        if self.trail.between and all(map(self._is_read, self.trail.between)):
            self.trail.between = frozenset()  # by two tags: it is not one piece
        if self.discs and is_tag(reading):
            self._see_face(cell)

    def _see_face(self, cell: Square) -> None:
        """Take in which way up a disc lies; a tag that is in no piece set does not tell."""
        if self.shown[cell] == UNTOLD:
            self.untagged.add(cell)
        elif self.turned_over(cell):
            self.exposed.add(self.whereabouts.origin.get(cell, cell))

    def _meet(self, cell: Square, uid: str) -> None:
        """Take in a tag: where its piece stood at first, and what it is."""
        home = self.identities.met(cell, uid)
        if home is not None:
            self.whereabouts.tell(cell, [home])
            return
        air, unfelt = self.whereabouts.may_be_from(cell), cell not in self.trail.placed_at
        if homes := self.identities.meet(cell, uid, air, self.mover, unfelt=unfelt):
            self.whereabouts.tell(cell, homes)

    def _label(self, cell: Square, reading: Reading) -> Label:
        if isinstance(reading, str):
            told = label_of_kind(reading) or self.identities.label(reading)
            if told or self.discs:
                return told
        return self._untold(cell) if cell in self.unsure else self.placement.get(cell, UNTOLD)

    # --- What the board shows -------------------------------------------------------------------

    @property
    def differs(self) -> bool:
        """Whether the board shows anything else than the position."""
        return bool(self.missing or self.extra or self.wrong)

    @property
    def differing(self) -> set[Square]:
        """The squares that show something else than the position."""
        return self.missing | self.extra | self.wrong

    @property
    def moved_last_alone(self) -> bool:
        """Whether nothing stands astray but what the last turn moved, on a square of its own.

        So everyone knows who moves it, and nobody what it displaces. What came from nowhere must
        stand where the turn began.
        """
        homes = {self.whereabouts.origin.get(square, square) for square in self.extra}
        return not self.wrong and homes <= self.trail.moved_last

    @property
    def lone_oddity(self) -> Square | None:
        """The one square that differs, if it may do so because its cell is dead or stuck.

        A tag that is read leaves no doubt that something stands there.
        """
        if len(self.differing) != 1:
            return None
        (square,) = self.differing
        return square if square in self.missing or square in self.untagged else None

    @property
    def going_home(self) -> bool:
        """Whether the last piece in a hand is lifted yet, or went back to where it stood."""
        last = self.trail.last_placed
        return self.trail.lifting or (last is not None and last not in self.differing)

    @property
    def handled_alike(self) -> bool:
        """Whether hands may have made a turn although the board shows what it showed before."""
        if len(self.unsure) > 1 or (self.discs and self.unsure):
            return True
        first = self.identities.first
        return any(
            first.get(cell, uid) != uid or (cell not in first and self.may_be_turned(cell))
            for cell, uid in self.identities.on.items()
        )

    @property
    def ways_name_kinds(self) -> bool:
        """Whether these ways alone tell what has moved, and like pieces are the same in them."""
        return self.ways_tell and self.long_turns

    @property
    def may_be_unmoved(self) -> bool:
        """Whether pieces that no tag tells apart may only have been lifted and put back."""
        return self.ways_tell and self.placement.keys() >= self.whereabouts.visited

    @property
    def lifts_are_secret(self) -> bool:
        """Whether pieces were only lifted and put back, and whose they are nobody can or may know.

        What is made of them must not depend on that, nor, where tags are read, of what stands
        unread: it may be what was lifted.
        """
        told = (self.identities.first or self.identities.on) and not self.untagged
        return not (self.secrecy.lifts_tell or told or self.extra or self.wrong)

    @property
    def may_be_secret_captures(self) -> bool:
        """Whether such pieces are in the air, and others were put back: to reeds, captures."""
        return self.lifts_are_secret and bool(self.missing and self.unsure)

    @property
    def hangs(self) -> bool:
        """Whether one such piece is in the air, or unfelt, and no cell is known to feel nothing."""
        return self.lifts_are_secret and len(self.missing) == 1 and not self.distrusted

    @property
    def captures(self) -> list[tuple[Square, Square]]:
        """The captures, target and source, that such pieces may be by how hands moved them.

        Whoever sets nothing down but where it was asked for has heard it.
        """
        left, came, late = self.trail.left_at, self.trail.placed_at, self.habits.overlap
        asked, again = self.trail.asked - self.missing, self.unsure & came.keys()
        ways = product(sorted(again if again and again <= asked else again | asked), self.missing)
        return [
            (to, at)
            for to, at in ways
            if to in asked or left.get(at, 0.0) < came.get(to, 0.0) + late
        ]

    def turned_over(self, square: Square) -> bool:
        """Return whether its tag tells that the piece now on `square` was turned over."""
        uid = self.identities.on.get(square)
        if uid is None or square in self.untagged:
            return False
        home, first = self._home_of(square), self.identities.first
        return uid != first.get(home, uid) or self.shown.get(square) != self.placement.get(home)

    def _home_of(self, square: Square) -> Square:
        """Return where the piece now on `square` stood at first; unseen, its tag or name tells."""
        felt = self.whereabouts.origin.get(square)
        if home := felt or self.identities.came_from(self.identities.on.get(square)):
            return home
        shown = self.shown.get(square, UNTOLD)
        return next((s for s, label in self.placement.items() if same_disc(label, shown)), square)

    def same_piece(self, square: Square) -> bool:
        """Return whether the tag read on `square` is that of the piece that stood there first."""
        on, first = self.identities.on, self.identities.first
        return self._is_read(square) and on[square] == first.get(square)

    def may_be_turned(self, square: Square) -> bool:
        """Return whether nothing tells which way up the piece on `square` was set down.

        One that was read in this turn and no longer is may have been turned over, its lift unfelt.
        """
        set_down = square in self.trail.placed_at or square in self.identities.on
        return set_down and square in self.untagged

    def turned(self) -> set[Square]:
        """Return the squares of which the tags tell that the disc there was turned over."""
        first, label = self.identities.first, self.identities.label
        found = set()
        for square, uid in self.identities.on.items():
            was = first.get(self._home_of(square), uid)
            if was != uid and square not in self.untagged and same_disc(label(was), label(uid)):
                found.add(square)
        return found

    def resettled(self, *, nudged: bool = False) -> set[Square]:
        """Return the squares on which what is missing now may have been set down unfelt.

        They are those that were filled while it was in the air, also after a nudge if these count;
        a like piece makes no doubt of what stands there, but it may be another one. Where lifts
        are secret, what is taken for a capture if it is legal is one if it is not.
        """
        if self.lifts_are_secret:
            return {target for target, _ in self.captures}
        least = 0.0 if nudged else self.habits.nudge
        filled = self.unsure
        if self.ways_name_kinds:
            filled = self.placement.keys() & self.trail.placed_at.keys() - self.missing
        return self.trail.filled_meanwhile(filled, self.missing, least)

    def labels_beside(self, standing: Mapping[str, Reading]) -> Mapping[str, Label]:
        """Return what is known of the pieces on reserve cells."""
        return {
            cell: self._label(cell, reading)
            for cell, reading in standing.items()
            if cell not in self.squares and isinstance(reading, str)
        }

    def seen(self) -> Seen:
        """What the board shows, in the words of the rules: every label that is certain is in it."""
        shown = self.shown
        known = shown if all(shown.values()) else {s: label for s, label in shown.items() if label}
        return self._in_words(known)

    def seen_by_tags(self) -> Seen | None:
        """The same with the labels that tags tell now and no others; `None` if that is the same.

        A piece that was pushed aside and replaced without its cell ever opening is found so.
        """
        shown, untagged = self.shown, self.untagged
        if not any(shown.get(square) for square in untagged):
            return None
        told = {s: label for s, label in shown.items() if label and s not in untagged}
        return self._in_words(told)

    def _in_words(self, known: Mapping[Square, Label]) -> Seen:
        """Return what the board shows if no more than the `known` labels are told."""
        changed = {square: known[square] for square in self.wrong if square in known}
        changed.update((square, known[square]) for square in self.extra if square in known)
        difference = Difference(frozenset(self.missing), frozenset(self.extra), changed)
        return Seen(self.shown.keys(), known, difference)

    def showing_otherwise(self, squares: Iterable[Square]) -> AbstractContextManager[None]:
        """Let squares seem empty where they are not, or taken by something where they are empty."""
        return self.showing({s: None if s in self.shown else UNTOLD for s in squares})

    @contextmanager
    def showing(self, changes: Mapping[Square, Label | None]) -> Iterator[None]:
        """Let squares seem to show something else than they do, `None` for nothing."""
        were = {square: self.shown.get(square) for square in changes}
        for square, label in changes.items():
            self._show(square, label)
        try:
            yield
        finally:
            for square, label in were.items():
                self._show(square, label)

    def _show(self, square: Square, label: Label | None) -> None:
        if label is None:
            self.shown.pop(square, None)
        else:
            self.shown[square] = label
        self._compare(square)

    def _compare(self, square: Square) -> None:
        self.missing.discard(square)
        self.extra.discard(square)
        self.wrong.discard(square)
        if square not in self.shown:
            if square in self.placement:
                self.missing.add(square)
        elif square not in self.placement:
            self.extra.add(square)
        elif self._is_wrong(square):
            self.wrong.add(square)

    def _is_wrong(self, square: Square) -> bool:
        """Return whether another piece than the one due is known to stand on an occupied square."""
        return (
            self.shown[square] not in (self.placement[square], UNTOLD)
            or self.identities.on.get(square) in self._other_faces  # labelled the same either way
            or self._stands_on_a_like_one(square)
        )

    def _stands_on_a_like_one(self, square: Square) -> bool:
        """Return whether a piece left its square for that of a like one.

        Where looks tell nothing this must look as it does if the other one is another piece.
        """
        if not self.secrecy.looks or not self._is_read(square):
            return False
        home = self.whereabouts.origin.get(square, square)
        return home != square and self.placement.get(home) == self.placement.get(square)
