"""What a board is held against, and who stands where as long as only faces count.

That is before the first turn, and on a cleared board.

Of pieces that look alike and are not, a disc with another underside or a piece of a secret owner,
nobody may be told which stands where. So until the first turn stands whole, and once a board was
cleared, any piece that looks like the one due on a square is that piece, and which piece it is is
learnt anew.
What stands elsewhere came from a square that lacks a piece of its looks; which of several such
squares is decided by what everyone sees: what was lifted first.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from firmware_bridge.reconciler.identities import is_tag, other_side
from firmware_bridge.reconciler.preparation import RulesCache
from firmware_bridge.reconciler.secrecy import Secrecy

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.settings import Sensing
    from rules.interface import Label, Position, Square

    Make = Callable[[RulesCache, Mapping[str, Reading], Mapping[str, Label]], BoardState]


def like_pieces_differ(position: Position, sensing: Sensing) -> bool:
    """Return whether tags tell apart what looks alike to everyone."""
    return Secrecy.of(position.game).records and sensing.tier != "occupancy"


class _Once(NamedTuple):
    """A piece that has left a cell again, by where it was taken to belong."""

    home: Square


class Seats:
    """Which tag belongs to which square of one position.

    Attributes:
        agreed: the position agreed on.
        of: square of the position -> the tag of its piece, the way up in which it is due.
        cleared: whether the board was cleared, and has not been right since, so that nothing is
            known of where pieces came from.
    """

    def __init__(
        self,
        position: Position,
        tags: Mapping[str, Label],
        roles: Mapping[str, Label] = MappingProxyType({}),
        known: Mapping[Square, str] = MappingProxyType({}),
        *,
        cleared: bool = False,
    ) -> None:
        """Begin with nothing on the board.

        Args:
            position: the position agreed on.
            tags: the piece set.
            roles: what tagged pieces have become in the course of the game.
            known: the tags that its pieces are known to carry, where no label names just one piece.
            cleared: whether the board was cleared in the course of the game.
        """
        game = position.game
        self.agreed = position
        self._tags = tags
        self._looks = {uid: game.face(roles.get(uid) or label) for uid, label in tags.items()}
        self._due = game.faces(position.placement)
        self._squares = game.squares
        self._on: dict[Square, str | None] = {}
        self._home: dict[Square, Square] = {}
        self._lifted: list[Square] = []
        self._stood: set[str] = set()  # the pieces on the board when it was right last
        carrying = {label: uid for uid, label in tags.items() if ":" in label}
        named = {s: carrying[label] for s, label in position.placement.items() if label in carrying}
        fits = {s: uid for s, uid in known.items() if uid in tags and self._fits(uid, s)}
        read = {} if named else fits
        self.of = {**named, **read}
        self._was = self.of  # who belonged where when the board was right last
        self.cleared = cleared

    @property
    def position(self) -> Position:
        """The position, with the pieces that belong to its squares now."""
        told = {square: self._tags[uid] for square, uid in self.of.items()}
        placement = {**self.agreed.placement, **told}
        return self.agreed.rearranged(placement)

    @property
    def roles(self) -> Mapping[str, Label]:
        """What the tagged pieces are: on their squares what is due there, elsewhere their looks."""
        due = self.agreed.placement
        roles = {uid: due[square] for square, uid in self.of.items() if ":" not in due[square]}
        return roles | {uid: self._looks[uid] for uid in self._astray()}

    @property
    def right(self) -> bool:
        """Whether every square holds a piece, none of which looks like another than the one due.

        One that has left a square may be read there yet when it is read elsewhere, other side up:
        then the piece that is due there is not known.
        """
        read = {cell: uid for cell, uid in self._on.items() if uid}
        once = len(set(map(self._piece, read.values()))) == len(read)
        filled = self._due.keys() == self._on.keys()
        return filled and once and all(self._home.get(cell) == cell for cell in read)

    def note(self, cell: Square, reading: Reading) -> bool:
        """Take in what a cell reads now; return whether other pieces belong to the squares."""
        if cell not in self._squares:
            return False
        before = self.of, self._astray()
        self._on.pop(cell, None)
        if reading is None:
            self._lifted = [*(s for s in self._lifted if s != cell), cell]
        else:
            self._on[cell] = reading if is_tag(reading) and reading in self._tags else None
        self._home = self._homes()
        self.of = self._seated()
        if self.right:
            self._was = self.of
            self._stood = {self._piece(uid) for uid in self.of.values()}
            self.cleared = False
        return before != (self.of, self._astray())

    def clear(self) -> bool:
        """Forget where pieces came from, until all is right; return whether it was known."""
        known, self.cleared = not self.cleared, True
        self._home = self._homes()
        self.of = self._seated()
        return known

    def turned(self) -> Mapping[Square, str]:
        """Return the discs that lie on their squares turned over, by the tags read there now."""
        return {s: uid for s, uid in self._on.items() if uid and uid != self.of.get(s, uid)}

    def lay(self, lying: Mapping[Square, str]) -> None:
        """Take in by which tags discs lay when the game was left, nothing on the board yet."""
        due = self.agreed.placement
        lay = {s: u for s, u in lying.items() if s in due and self._tags.get(u) == due[s]}
        self._was = self.of = self.of | lay
        self._stood = set(map(self._piece, lay.values()))

    def adopt(self, lying: Container[Square] = ()) -> None:
        """Take it that the pieces which look right lay there as they lie now.

        Args:
            lying: the squares of which it is known how the piece that belongs there lay.
        """
        home = {s: uid for s, uid in self._on.items() if uid and self._home.get(s) == s}
        same = {s for s in home.keys() & self.of if self._piece(self.of[s]) == self._piece(home[s])}
        told = {s: uid for s, uid in home.items() if s not in lying or s not in same}
        self._was = self.of = self.of | told

    def on(self, cell: Square) -> _Once | None:
        """Return what a piece that is read on a cell is taken for, `None` if none is."""
        return _Once(self._home.get(cell, "")) if self._on.get(cell) else None

    def read(self, once: _Once) -> Reading:
        """Return the tag by which the piece was read that belongs to a square now."""
        return self.of.get(once.home, True)

    def _astray(self) -> set[str]:
        """Return the pieces that belong nowhere: of those the looks are known, and no more."""
        return {uid for cell, uid in self._on.items() if uid and cell not in self._home}

    def seated(self, cell: str, was: Reading) -> Reading:
        """Return the tag that belongs to a cell instead of another piece's that looked as is due.

        A disc that was turned over while nobody felt it is read as it lies.
        """
        if is_tag(was) and was in self._tags and self._fits(was, cell):
            due = self.of.get(cell, was)
            return was if self._piece(was) == self._piece(due) else due
        return was

    def _fits(self, uid: str, square: Square) -> bool:
        return self._looks[uid] == self._due.get(square)

    def _homes(self) -> dict[Square, Square]:
        """Return the square that each piece on the board belongs to, as far as its looks fit one.

        The one on which it stands, if that is due there; then the one it was taken to come from.
        What stands where none is due came from elsewhere; another one may have been turned over.
        """
        read = {cell: self._looks[uid] for cell, uid in self._on.items() if uid}
        homes = {cell: cell for cell, looks in read.items() if looks == self._due.get(cell)}
        untold = {s for s, uid in self._on.items() if uid is None}
        for cell, uid in sorted(self._on.items(), key=lambda on: on[0] in self._due):
            if uid is None or cell in homes:
                continue
            taken = untold.union(homes.values())
            free = [s for s in self._due if s not in taken]
            home = next(self._may_be_from(cell, uid, free), None)
            if home is not None:
                homes[cell] = home
        return homes

    def _may_be_from(self, cell: Square, uid: str, free: list[Square]) -> Iterator[Square]:
        """Yield the squares from which a piece that stands astray may have come, likely ones first.

        A disc that stood here may have been turned over, if no piece of its looks is missing. One
        that did not, from a hand or a box, came from nowhere whatever its underside; and on a
        cleared board nobody sees which stood here.
        """
        alike = [square for square in free if self._due[square] == self._looks[uid]]
        turned: list[Square] = []
        other = None if self.cleared else other_side(self._tags, uid)
        if other is not None and self._piece(uid) in self._stood:
            turned = [square for square in free if self._due[square] == self._looks[other]]
        before = self._home.get(cell)
        if before in alike or before in turned:
            yield before
        yield from self._likely(alike)
        if cell in turned:
            yield cell
        yield from self._likely(turned)

    def _likely(self, squares: list[Square]) -> list[Square]:
        """Return squares that a piece may have left, the first lifted first."""
        when = {square: number for number, square in enumerate(self._lifted)}
        return sorted(squares, key=lambda square: (when.get(square, 0), square))

    def _seated(self) -> dict[Square, str]:
        """Return which tag belongs to which square: those on the board first, then the others.

        It follows from what stands there now, and from who belonged there when all was right last,
        whatever was seen in between.
        """
        seated: dict[Square, str] = {}
        used: set[str] = set()
        for cell, home in self._home.items():
            uid = self._on[cell]
            if uid is not None and self._piece(uid) not in used:
                seated[home] = self._way_up(uid, home)
                used.add(self._piece(uid))
        used.update(self._piece(uid) for uid in self._on.values() if uid)
        waiting = {square: uid for square, uid in self._was.items() if square not in seated}
        for square, uid in waiting.items():
            if self._piece(uid) not in used:
                seated[square] = uid
                used.add(self._piece(uid))
        for square in [s for s in waiting if s not in seated]:
            fit = [u for u in (*self._was.values(), *self._tags) if self._fits(u, square)]
            spare = (u for u in fit if self._piece(u) not in used)
            # If none is left, any but the piece that stands there, which belongs elsewhere.
            other = (u for u in fit if self._piece(u) != self._piece(self._on.get(square) or u))
            uid = next(spare, None) or next(other, None)
            if uid is not None:
                seated[square] = uid
                used.add(self._piece(uid))
        return seated

    def _way_up(self, uid: str, home: Square) -> str:
        """Return the tag by which a piece that belongs to a square lay there, if it was seen to.

        No label tells by which of its two a disc with like faces lay that nobody has seen there.
        """
        lay, piece = self._was.get(home), self._piece(uid)
        if lay is not None and self._piece(lay) == piece and piece in self._stood:
            return lay  # it may have been turned over
        turned = None if self._fits(uid, home) else other_side(self._tags, uid)
        return turned or uid

    def _piece(self, uid: str) -> str:
        """Return what both sides of one disc have in common, and no two pieces of a set have."""
        label = self._tags[uid]
        return label.partition(":")[0] if ":" in label else uid


class Opening:
    """What was felt since the board was right, and which pieces belong to its squares.

    What hands do is seen as if every piece had stood all the time on the square to which it belongs
    now, so that nothing depends on which of two like ones stood there. One that has left a cell
    again is the piece that belongs now where that one was taken to belong.

    Args:
        seats: who belongs where, nothing on the board yet.
        standing: what every cell reads now.
        make: makes a scene of a position, what its cells read, and what tagged pieces are.
        lying: by which tags discs lay when the game was left, in which it is taken up again.

    Attributes:
        agreed: the position with the pieces that stood when all looked right last.
    """

    def __init__(
        self,
        seats: Seats,
        standing: Mapping[str, Reading],
        make: Make,
        lying: Mapping[Square, str] = MappingProxyType({}),
    ) -> None:
        self.seats = seats
        self.agreed = seats.agreed
        self._make = make
        self._rulebook = RulesCache(seats.position)
        self._log: list[tuple[str, Reading | _Once, float] | None] = []
        self._latest: dict[Square, tuple[int, float]] = {}  # index and time
        seats.lay(lying)
        for cell, reading in standing.items():
            seats.note(cell, reading)
        seats.adopt(lying)
        if seats.right:
            self.agreed = seats.position
        self._standing = dict(standing)

    def go_on(self, position: Position) -> BoardState:
        """Go on with another position of the same placement; return its scene."""
        self.agreed = self.seats.agreed = position
        return self.scene()

    def begin_anew(self, standing: Mapping[str, Reading]) -> BoardState:
        """Forget what hands did; return a fresh scene."""
        self._forget()
        self.seats.adopt()
        self._standing = dict(standing)
        self.agreed = self.seats.position
        return self.scene()

    def arranged(self, standing: Mapping[str, Reading], t: float) -> BoardState:
        """Return a fresh scene, now that all looks right; discs turned over are still that."""
        self._forget()
        for cell, uid in self.seats.turned().items():
            self._feel(cell, None, t)
            self._feel(cell, uid, t)
        self._standing = {**standing, **self.seats.of}
        self.agreed = self.seats.position
        return self.scene()

    def forget_times(self) -> None:
        """Forget when and in which order things were lifted and put back."""
        self._log.append(None)

    def note(self, cell: Square, reading: Reading, t: float) -> bool:
        """Take in what a cell reads now; return whether the scene must be another one."""
        left = self.seats.on(cell)
        if left is not None and cell in self._latest:
            number, then = self._latest[cell]
            self._log[number] = (cell, left, then)
        self._feel(cell, reading, t)
        return self.seats.note(cell, reading)

    def _feel(self, cell: Square, reading: Reading, t: float) -> None:
        self._latest[cell] = len(self._log), t
        self._log.append((cell, reading, t))

    def _forget(self) -> None:
        self._log.clear()
        self._latest.clear()

    def scene(self) -> BoardState:
        """Return the scene, with all that was felt noted in it."""
        position = self.seats.position
        if position != self._rulebook.position:
            self._rulebook = RulesCache(position)
        stood = {cell: self.seats.seated(cell, was) for cell, was in self._standing.items()}
        scene = self._make(self._rulebook, stood, self.seats.roles)
        scene.by_faces = self.seats.cleared or scene.secrecy.owners
        scene.identities.roles.update(self.seats.roles)
        scene.identities.lay(self.seats.of)
        for felt in self._log:
            if felt is None:
                scene.trail.forget_times()
            else:
                cell, read, t = felt
                scene.note(cell, self.seats.read(read) if isinstance(read, _Once) else read, t)
        return scene
