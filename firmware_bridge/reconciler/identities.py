"""Which piece carries which tag, and what labels tell of pieces that change during a game."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from drivers.port import Reading
    from rules.interface import Deed, Label, Square

_KIND = "piece:"


def label_of_kind(reading: Reading) -> Label | None:
    """Return the label in a reading of a board that tells kinds of pieces and no single tags."""
    if not isinstance(reading, str) or not reading.startswith(_KIND):
        return None
    return reading[len(_KIND) :]


def grown_into(was: Label, now: Label, *, strict: bool) -> bool:
    """Return whether a piece enrolled as `was` may stand for `now`.

    In the course of a game a piece may be left standing when it is promoted or changes sides. At
    the start (`strict`) every piece is itself. A two-faced disc always tells what it is.
    """
    if was == now:
        return True
    if strict or ":" in was:
        return False
    return was[1:] == now[1:] or was[1:] == "P"


def same_disc(one: Label, other: Label) -> bool:
    """Return whether both are the same two-faced disc, either side up."""
    return ":" in one and one.split(":")[0] == other.split(":")[0]


def other_side(tags: Mapping[str, Label], uid: str) -> str | None:
    """Return the tag on the other side of a two-faced disc, `None` if the piece set has none."""
    disc = tags.get(uid, "")
    return next((o for o, of in tags.items() if o != uid and same_disc(of, disc)), None)


UNTOLD = ""
"""What is shown by a piece of which the board does not tell which one it is."""


def is_tag(reading: Reading) -> TypeGuard[str]:
    """Return whether a reading is the UID of one tag, and not only a kind or that of any piece."""
    return isinstance(reading, str) and label_of_kind(reading) is None


def out_of_place(
    placement: Mapping[Square, Label], standing: Mapping[str, Reading], tags: Mapping[str, Label]
) -> frozenset[str]:
    """Return the tags that are read on another piece's square while their own piece is lacking.

    Such a piece was carried there while nobody felt it; it is no promoted pawn left standing.
    """
    uids = {cell: uid for cell, uid in standing.items() if isinstance(uid, str) and uid in tags}
    read = {cell: tags[uid] for cell, uid in uids.items()}
    lacking = Counter(
        label
        for square, label in placement.items()
        if standing.get(square) is None or read.get(square, label) != label
    )
    lacking.subtract(label for cell, label in read.items() if cell not in placement)
    strays = {cell: label for cell, label in read.items() if placement.get(cell, label) != label}
    lacking.subtract(strays.values())
    return frozenset(uids[cell] for cell, label in strays.items() if lacking[label] >= 0)


class Identities:
    """The tags of one position.

    Attributes:
        roles: what the tagged pieces are in this position, whatever they were enrolled as.
        first: the tag that each square's piece carries.
        on: the tag read on a square, or read there last while its piece stayed.
    """

    def __init__(
        self, placement: Mapping[Square, Label], tags: Mapping[str, Label], *, secret: bool
    ) -> None:
        """Begin with no tag read.

        Args:
            placement: the pieces of the position.
            tags: the piece set.
            secret: whether the colour of a piece tells nothing of its owner.
        """
        self._placement = placement
        self._tags = tags
        self._secret = secret
        self.roles: dict[str, Label] = {}
        self._home: dict[str, Square] = {}
        self._guessed: dict[str, Label] = {}
        self.first: dict[Square, str] = {}
        self.on: dict[Square, str] = {}

    def adopt(self, cell: Square, uid: str, was: Label | None, *, strict: bool) -> None:
        """Take in a tag that is read when the scene begins.

        Args:
            cell: where it is read.
            uid: the tag.
            was: what its piece is known to have been, if it is.
            strict: whether it must still be that, or else what it was enrolled as.
        """
        label = was or self._tags.get(uid)
        due = self._placement.get(cell)
        if due and ":" not in due and (not label or grown_into(label, due, strict=strict)):
            label = due  # nobody knows a strange tag, but its piece stands where it should
        if label:
            self.roles[uid] = label
        self.on[cell] = uid
        if label == due:  # else it stands astray, or was turned over unfelt
            self._home[uid] = cell
            self.first[cell] = uid

    def lying_after(
        self, deed: Deed, squares: Iterable[Square], untagged: Container[Square]
    ) -> Mapping[Square, str]:
        """Return by which tags discs lie after what was done to them, as far as they were read.

        Args:
            deed: what was done.
            squares: where they lie now.
            untagged: the squares on which no tag is read.
        """
        came_from = {target: source for source, target in deed.moves}
        turned = {square for square, _ in deed.flips}
        new = {square for square, _ in (*deed.placed, *deed.becomes)}
        lying = {}
        for square in squares:
            home = came_from.get(square, square)
            uid = None if square in untagged else self.on.get(square)
            if home != square and uid == self.first.get(square):
                uid = None  # that of a victim pushed aside, in whose place nothing has been read
            if uid is None and (lay := self.first.get(home)):
                uid = other_side(self._tags, lay) if square in turned else lay
            if uid is not None and square not in new:
                lying[square] = uid
        return lying

    def remember(self, lying: Mapping[Square, str]) -> None:
        """Go on knowing which tags pieces carry that are not read now, and what these are."""
        for square, uid in lying.items():
            label = self._placement.get(square)
            if label and square not in self.first and uid not in self._home:
                self.first[square] = uid
                self._home[uid] = square
                if square not in self.on and ":" not in label:
                    self.roles[uid] = label

    def lay(self, lying: Mapping[Square, str]) -> None:
        """Take in by which tag discs lay when the position was agreed on, whatever is read now."""
        for square, uid in lying.items():
            if self.first.get(square) not in (None, uid):
                del self._home[self.first.pop(square)]
        self.remember(lying)

    def came_from(self, reading: Reading) -> Square:
        """Return where a piece that is read stood at first; no square if its tag does not tell."""
        return self._home.get(reading, "") if isinstance(reading, str) else ""

    def met(self, cell: Square, uid: str) -> Square | None:
        """Take in a tag that is read now; return where its piece stood at first, if known."""
        self.on[cell] = uid
        return self._home.get(uid)

    def meet(
        self, cell: Square, uid: str, air: Sequence[Square], mover: str, *, unfelt: bool
    ) -> list[Square]:
        """Take in a tag that is read for the first time; return where its piece may have stood.

        Args:
            cell: where it is read.
            uid: the tag.
            air: first squares of the pieces that it may be, the likeliest last.
            mover: the letter of the side to move.
            unfelt: whether no hand has touched this cell, so that it stood here from the beginning.
        """
        was, due = self.roles.get(uid) or self._tags.get(uid), self._placement.get(cell)
        air = [home for home in air if home == cell or not self._has_its_like(home)]
        if unfelt and cell not in self.first and not self._is_in_the_air(was, due, air):
            if was and due and grown_into(was, due, strict=False):
                self.roles[uid] = due
            self._home[uid] = cell
            self.first[cell] = uid
            return [cell]
        if not was:
            return []
        homes = self._homes(was, cell, air)
        gone = [self._placement.get(home) for home in air if home != cell]
        promoted = f"{mover}P" in gone  # no pawn is promoted on its own square
        taken = promoted and self._is_told(cell)  # its own tag is another one
        own = UNTOLD if taken else due or UNTOLD
        self._guessed[uid] = self._guess(was, own, homes, mover, promoted=promoted)
        return [home for home in homes if self._placement[home] == self._placement[homes[0]]]

    def _is_in_the_air(self, was: Label | None, due: Label | None, air: Sequence[Square]) -> bool:
        """Return whether it is a piece off the board whose tag nobody has read, and not `due`."""
        return was != due and any(
            self._placement.get(home) == was and not self._is_told(home) for home in air
        )

    def _is_told(self, home: Square) -> bool:
        """Return whether a tag of the piece set tells which piece stood there at first."""
        return self.first.get(home) in self._tags

    def _has_its_like(self, home: Square) -> bool:
        """Return whether a piece is read there that is what should stand there: none is missed."""
        return home in self.on and self.label(self.on[home]) == self._placement.get(home)

    def strange(self) -> set[Square]:
        """Return the squares on which a tag is read that is no piece's of this game."""
        return {s for s, uid in self.on.items() if uid not in self._tags and uid not in self.roles}

    def label(self, uid: str) -> Label:
        """Return what the piece with this tag is, as far as that is known."""
        return self.roles.get(uid) or self._guessed.get(uid, self._tags.get(uid, UNTOLD))

    def _homes(self, label: Label, cell: Square, air: Sequence[Square]) -> list[Square]:
        """Return where a piece may have stood whose tag is read for the first time, on `cell`.

        Squares whose own tag is known are none; those of the same label come first, among them the
        cell itself, then the latest left. What is due on the cell by its own tag has not changed.
        """
        strict = not self._secret and self._placement.get(cell) == label
        homes = [home for home in reversed(air) if self._may_have_stood(label, home, strict=strict)]
        return sorted(homes, key=lambda home: (self._placement[home] != label, home != cell))

    def _may_have_stood(self, label: Label, home: Square, *, strict: bool) -> bool:
        due = self._placement.get(home)
        if due is None or same_disc(label, due):
            return due is not None
        return not self._is_told(home) and grown_into(label, due, strict=strict)

    def _guess(
        self, label: Label, due: Label, homes: list[Square], mover: str, *, promoted: bool
    ) -> Label:
        """Return what a piece is that was not known to be on the board.

        A pawn is what it was promoted to, if nothing else is gone. Where its colour tells nothing,
        a piece is one of those that are gone, or a promoted pawn.
        """
        kind = label[1:]
        if not self._secret:
            gone = self._placement[homes[0]] if homes else label
            was_promoted = kind == "P" and gone[0] == label[0]
            return gone if was_promoted else label
        labels = {self._placement[home] for home in homes}
        if not homes and due[1:] == kind:
            labels.add(due)
        if not labels or (kind != "P" and promoted):
            labels.add(mover + kind)
        return labels.pop() if len(labels) == 1 else UNTOLD
