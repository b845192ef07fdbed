"""One position, and everything felt on the board since it was agreed on."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.labels import grown_into, label_of_kind, same_disc
from rules.explain import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from drivers.port import Reading
    from rules.explain import Explainer
    from rules.interface import Deed, Label, Position, Square, Turn

OVERLAP = 0.12
"""Seconds: while a piece crosses a border, its old cell may open this much after the new closed."""
BOUNCE = 0.025
"""Seconds: a contact that closes again so soon has only chattered; hands are not so quick."""
NUDGE = 0.2
"""Seconds: a piece that comes back sooner was nudged, not lifted by a hand that means it."""
UNTOLD = ""
"""What is shown by a piece of which the board does not tell which one it is."""


class Scene:
    """What the board shows against one position, kept up to date cell by cell.

    Attributes:
        position: the position that the board is judged against.
        placement: its pieces by square.
        shown: what stands where now: a label, or `UNTOLD`.
        missing: squares that should hold a piece and are empty.
        extra: squares that should be empty and hold something.
        wrong: squares that hold another piece than they should.
        untagged: squares whose cell tells only that something stands there.
        uid_on: the tag read on a square, or read there last while its piece stayed.
        stood_on: where each tag was read when the scene began.
        unsure: squares of the position whose piece may have been exchanged unfelt.
        lifted_at: when a square was emptied last, chatter not counted.
        left_at: when the piece of a square was lifted last that was certainly the one of the
            position.
        placed_at: when something was set on a square last.
        origin: where the piece now on a square stood at first, as far as that is known or likely.
        air: first squares of the pieces off the board, the latest last.
        distrusted: squares whose cells do not tell the truth; they are taken to be right.
        discs: whether the pieces are two-faced discs.
        touched: the square of the first piece that the mover lifted.
        last_placed: the square filled last.
        legal_alone: which single movements (from, to) are legal, as far as that was asked.
    """

    __slots__ = (
        "_deeds",
        "_explainer",
        "_first_uid",
        "_guessed",
        "_home",
        "_last_lifted",
        "_mixed",
        "_opened_at",
        "_roles",
        "_tags",
        "_was_unsure",
        "air",
        "discs",
        "distrusted",
        "extra",
        "last_placed",
        "left_at",
        "legal_alone",
        "lifted_at",
        "missing",
        "origin",
        "placed_at",
        "placement",
        "position",
        "shown",
        "squares",
        "stood_on",
        "touched",
        "uid_on",
        "unsure",
        "untagged",
        "wrong",
    )

    def __init__(
        self,
        position: Position,
        standing: Mapping[str, Reading],
        tags: Mapping[str, Label],
        roles: Mapping[str, Label],
        *,
        strict: bool = False,
        distrusted: frozenset[Square] = frozenset(),
    ) -> None:
        """Begin a scene.

        Args:
            position: the position agreed on.
            standing: what the cells read at this moment.
            tags: the piece set.
            roles: what tagged pieces have become in the course of the game.
            strict: whether every tag must stand for the piece that it was enrolled as.
            distrusted: squares whose cells do not tell the truth.
        """
        self.position = position
        self.placement: Mapping[Square, Label] = dict(position.placement)
        self.squares = position.game.squares
        self.distrusted = distrusted & self.squares
        self._explainer: Explainer | None = None
        self.legal_alone: dict[tuple[Square, Square], bool] = {}
        self._deeds: dict[Turn, Deed] = {}
        self._tags = tags
        self._roles: dict[str, Label] = {}
        self._home: dict[str, Square] = {}
        self._first_uid: dict[Square, str] = {}
        self._guessed: dict[str, Label] = {}
        self.uid_on: dict[Square, str] = {}
        self.shown: dict[Square, Label] = {}
        self.missing: set[Square] = set()
        self.extra: set[Square] = set()
        self.wrong: set[Square] = set()
        self.untagged: set[Square] = set()
        self.unsure: set[Square] = set()
        self.lifted_at: dict[Square, float] = {}
        self.left_at: dict[Square, float] = {}
        self.placed_at: dict[Square, float] = {}
        self.origin: dict[Square, Square] = {}
        self.air: list[Square] = []
        self._mixed: set[Square] = set()
        self._last_lifted: Square | None = None
        self._opened_at = 0.0
        self._was_unsure = False
        self.discs = any(":" in label for label in self.placement.values())
        self.touched: Square | None = None
        self.last_placed: Square | None = None
        self._adopt(standing, roles, strict=strict)

    def _adopt(
        self, standing: Mapping[str, Reading], roles: Mapping[str, Label], *, strict: bool
    ) -> None:
        """Give every piece that stands where it should the role it has in the position."""
        for cell, reading in standing.items():
            if cell not in self.squares or cell in self.distrusted or reading is None:
                continue
            if isinstance(reading, str) and label_of_kind(reading) is None:
                was = roles.get(reading) or self._tags.get(reading)
                due = self.placement.get(cell)
                if was and due and grown_into(was, due, strict=strict):
                    was = due
                if was:
                    self._roles[reading] = was
                self._home[reading] = cell
                self._first_uid[cell] = reading
                self.uid_on[cell] = reading
            elif reading is True:
                self.untagged.add(cell)
            self.shown[cell] = self._label(cell, reading)
        self.stood_on: Mapping[str, Square] = dict(self._home)
        for square in self.distrusted & self.placement.keys():
            self.shown[square] = self.placement[square]
        self._compare_all()
        self.air = sorted(self.missing)

    @property
    def roles(self) -> Mapping[str, Label]:
        """What the tagged pieces on the board are in this position."""
        return self._roles

    @property
    def explainer(self) -> Explainer:
        """The prepared search for turns; the first use prepares it."""
        explainer = self._explainer
        if explainer is None:
            explainer = self._explainer = self.position.explainer()
        return explainer

    def prepare(self) -> None:
        """Prepare the search for turns, which otherwise its first use does."""
        if self._explainer is None:
            self.explainer.leading_to(self.seen())

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do to make a legal turn of the position."""
        deed = self._deeds.get(turn)
        if deed is None:
            deed = self._deeds[turn] = self.position.deed(turn)
        return deed

    def rebase(self, position: Position) -> None:
        """Go on with another position of the same placement, such as one with fewer turns."""
        self.position = position
        self._explainer = None
        self.legal_alone.clear()
        self._deeds.clear()

    def do_without(self, cells: frozenset[str]) -> None:
        """Take these squares to be right from now on, whatever their cells read."""
        self.distrusted = cells & self.squares
        for square in self.distrusted:
            self.shown.pop(square, None)
            if square in self.placement:
                self.shown[square] = self.placement[square]
            self.unsure.discard(square)
            self._compare(square)

    def forget_handling(self) -> None:
        """Forget what was lifted and put back: it was an adjustment."""
        self.lifted_at.clear()
        self.left_at.clear()
        self.placed_at.clear()
        self.touched = None
        self.last_placed = None
        self._last_lifted = None

    def labels_beside(self, standing: Mapping[str, Reading]) -> Mapping[str, Label]:
        """Return what is known of the pieces on reserve cells."""
        return {
            cell: self._label(cell, reading)
            for cell, reading in standing.items()
            if cell not in self.squares and isinstance(reading, str)
        }

    def turned_over(self, square: Square) -> bool:
        """Return whether its tag tells that the piece now on `square` was turned over."""
        uid = self.uid_on.get(square)
        if uid is None or square in self.untagged:
            return False
        home = self.origin.get(square, square)
        first = self._first_uid.get(home)
        if first is None:
            return self.shown[square] != self.placement.get(home)
        return uid != first

    def may_be_turned(self, square: Square) -> bool:
        """Return whether the piece on `square` was set down and its tag tells not which way up."""
        unread = square in self.untagged or self.origin.get(square, square) not in self._first_uid
        return square in self.placed_at and unread

    @property
    def came_home(self) -> bool:
        """Whether the last piece set down went back to where it stood."""
        return self.last_placed is not None and self.last_placed not in self.differing

    @property
    def handled_alike(self) -> bool:
        """Whether hands may have made a turn although the board shows what it showed before."""
        if len(self.unsure) > 1 or (self.discs and self.unsure):
            return True
        first = self._first_uid
        return any(
            first.get(cell, uid) != uid or (cell not in first and self.may_be_turned(cell))
            for cell, uid in self.uid_on.items()
        )

    @property
    def differs(self) -> bool:
        """Whether the board shows anything else than the position."""
        return bool(self.missing or self.extra or self.wrong)

    @property
    def differing(self) -> set[Square]:
        """The squares that show something else than the position."""
        return self.missing | self.extra | self.wrong

    def note(self, cell: str, reading: Reading, t: float) -> None:
        """Take in that a cell now reads something else than before."""
        if cell not in self.squares or cell in self.distrusted:
            return
        if reading is None:
            self._lift(cell, t)
        else:
            self._place(cell, reading, t)
        self._compare(cell)

    def _lift(self, cell: Square, t: float) -> None:
        if self.shown.pop(cell, None) is None:
            return  # it was so already when the scene began
        if t - self.placed_at.get(cell, -math.inf) > BOUNCE:
            self.lifted_at[cell] = t
        self._last_lifted = cell
        self._opened_at = t
        if self.touched is None and self.placement.get(cell, " ")[0] == self.position.side[0]:
            self.touched = cell
        home = self.origin.pop(cell, cell)
        if home == cell and cell not in self.unsure:
            self.left_at[cell] = t
        if home not in self.air:
            self.air.append(home)
        if len(self.air) > 1:
            self._mixed.update(self.air)
        self._was_unsure = cell in self.unsure
        self.unsure.discard(cell)
        self.untagged.discard(cell)
        self.uid_on.pop(cell, None)
        last = self.last_placed
        if last is not None and last != cell and last in self.shown:
            self._crossed(last, t)

    def _crossed(self, last: Square, t: float) -> None:
        """See whether the piece that came down on `last` is the one that left its cell just now."""
        if t - self.placed_at[last] > OVERLAP or self.shown[last] not in (
            UNTOLD,
            self.placement.get(last),
        ):
            return
        if last in self.placement:
            if self.origin.get(last, last) == last:
                self.unsure.add(last)
                self.shown[last] = UNTOLD
                self._compare(last)
        elif last not in self.origin:
            self.origin[last] = self.air.pop()

    def _place(self, cell: Square, reading: Reading, t: float) -> None:
        came_late = cell in self.shown
        alone = self.air == [cell] and cell not in self._mixed
        if not came_late:
            self.placed_at[cell] = t
            self.last_placed = cell
            if cell == self.touched and t - self.lifted_at[cell] <= NUDGE:
                self.touched = None
            if cell in self.placement:
                sure = self._stays_sure(cell, reading, t, alone=alone)
                (self.unsure.discard if sure else self.unsure.add)(cell)
        if isinstance(reading, str) and label_of_kind(reading) is None:
            self.uid_on[cell] = reading
            self._meet(cell, reading, came_late=came_late)
        elif not came_late and self.air:
            self._came_from(cell, self._likely(cell))
        (self.untagged.add if reading is True else self.untagged.discard)(cell)
        if not (came_late and reading is True):  # a tag that is lost was that of this piece
            self.shown[cell] = self._label(cell, reading)

    def _stays_sure(self, cell: Square, reading: Reading, t: float, *, alone: bool) -> bool:
        """Return whether the piece set down is certainly the one that stood here."""
        if self._was_unsure and cell == self._last_lifted:
            return False  # whatever stood here has come back
        bounced = cell == self._last_lifted and t - self._opened_at <= BOUNCE
        return bounced or (alone and not (self.discs and reading is True))

    def _meet(self, cell: Square, uid: str, *, came_late: bool) -> None:
        """Take in a tag: where its piece stood at first, and what it is."""
        home = self._home.get(uid)
        if home is None:
            due = self.placement.get(cell)
            was = self._tags.get(uid)
            handled = cell in self.lifted_at or cell in self.placed_at or cell in self.unsure
            unfelt = came_late and not handled and cell not in self._first_uid
            if unfelt and was and due and grown_into(was, due, strict=False):
                self._roles[uid] = due
            home = cell if unfelt else None
            if home is not None:
                self._home[uid] = home
                self._first_uid[home] = uid
            elif was:
                homes = self._homes_of(was)
                home = homes[0] if homes else None
                self._guessed[uid] = self._guess(was, cell, homes)
        if home is not None:
            if came_late and cell in self.origin:
                self.air.append(self.origin.pop(cell))
            self._came_from(cell, home)

    def _homes_of(self, label: Label) -> list[Square]:
        """Return where a piece may have stood whose tag is read for the first time.

        Squares whose own tag is known are none; those of the same label come first, then the
        latest left.
        """
        homes = [home for home in reversed(self.air) if self._may_have_stood(label, home)]
        return sorted(homes, key=lambda home: self.placement[home] != label)

    def _may_have_stood(self, label: Label, home: Square) -> bool:
        due = self.placement.get(home)
        if due is None or same_disc(label, due):
            return due is not None
        return home not in self._first_uid and grown_into(label, due, strict=False)

    def _guess(self, label: Label, cell: Square, homes: list[Square]) -> Label:
        """Return what a piece is that was not known to be on the board.

        Where its colour tells nothing, it is one of those that are gone, or a promoted pawn.
        """
        kind = label[1:]
        if not self.position.game.traits.owners_secret or not kind:
            return label
        mover = self.position.side[0]
        labels = {self.placement[home] for home in homes}
        if not homes and self.placement.get(cell, UNTOLD)[1:] == kind:
            labels.add(self.placement[cell])
        if not labels or (kind != "P" and f"{mover}P" in map(self.placement.get, self.air)):
            labels.add(mover + kind)
        return labels.pop() if len(labels) == 1 else UNTOLD

    def _came_from(self, cell: Square, home: Square) -> None:
        if home in self.air:
            self.air.remove(home)
            if not self.air:
                self._mixed.clear()
        if home != cell:
            self.origin[cell] = home

    def _likely(self, cell: Square) -> Square:
        """Guess which of the pieces off the board came down here: the latest, but no victim."""
        if self.air[-1] != cell or len(self.air) == 1:
            return self.air[-1]
        mover = self.position.side[0]
        if self.placement.get(cell, mover)[0] == mover:
            return cell
        own = [home for home in self.air if self.placement.get(home, " ")[0] == mover]
        return own[-1] if own else cell

    def _label(self, cell: Square, reading: Reading) -> Label:
        if isinstance(reading, str):
            kind = label_of_kind(reading)
            if kind is not None:
                return kind
            known = self._roles.get(reading)
            return known or self._guessed.get(reading, self._tags.get(reading, UNTOLD))
        return UNTOLD if cell in self.unsure else self.placement.get(cell, UNTOLD)

    def _compare_all(self) -> None:
        """Compare every square at once, which is quicker than one by one."""
        shown, placement = self.shown, self.placement
        self.missing = placement.keys() - shown.keys()
        self.extra = shown.keys() - placement.keys()
        both = placement.keys() & shown.keys()
        self.wrong = {square for square in both if shown[square] not in (placement[square], UNTOLD)}

    def _compare(self, square: Square) -> None:
        due = self.placement.get(square)
        have = self.shown.get(square)
        self.missing.discard(square)
        self.extra.discard(square)
        self.wrong.discard(square)
        if have is None:
            if due is not None:
                self.missing.add(square)
        elif due is None:
            self.extra.add(square)
        elif have not in (due, UNTOLD):
            self.wrong.add(square)

    def seen(self) -> Seen:
        """What the board shows, in the words of the rules: every label that is certain is in it."""
        return Seen(
            frozenset(self.shown), {square: label for square, label in self.shown.items() if label}
        )

    def seen_by_tags(self) -> Seen | None:
        """The same with the labels that tags tell now and no others; `None` if that is the same.

        A piece that was pushed aside and replaced without its cell ever opening is found so.
        """
        shown = self.shown
        if not any(shown.get(square) for square in self.untagged):
            return None
        untagged = self.untagged
        return Seen(
            frozenset(shown),
            {square: label for square, label in shown.items() if label and square not in untagged},
        )

    def in_time(self, deed: Deed) -> bool:
        """Return whether every piece left its square before it arrived elsewhere."""
        fixed = {square for square, _ in deed.becomes}
        left, filled = self.left_at, self.placed_at
        return all(
            target in fixed or left.get(source, 0.0) <= filled.get(target, math.inf) + OVERLAP
            for source, target in deed.moves
        )

    def resettled(self, least: float = 0.0) -> set[Square]:
        """Return the unsure squares that were filled while what is missing now was in the air.

        Args:
            least: for how many seconds they were empty at least; shorter is a mere nudge.
        """
        lifted, placed = self.lifted_at, self.placed_at
        since = min((lifted.get(square, 0.0) for square in self.missing), default=math.inf)
        return {
            square
            for square in self.unsure
            if since < placed.get(square, 0.0) and placed[square] - lifted.get(square, 0.0) > least
        }

    @contextmanager
    def showing_otherwise(self, squares: Iterable[Square]) -> Iterator[None]:
        """Let squares seem empty where they are not, or taken by something where they are empty."""
        were = {square: self.shown.get(square) for square in squares}
        for square, label in were.items():
            if label is None:
                self.shown[square] = UNTOLD
            else:
                del self.shown[square]
            self._compare(square)
        try:
            yield
        finally:
            for square, label in were.items():
                if label is None:
                    del self.shown[square]
                else:
                    self.shown[square] = label
                self._compare(square)

    def handled_since(self, square: Square, t: float) -> float | None:
        """Return when a piece was put back on `square`, lifted after `t`; `None` if it was not."""
        placed = self.placed_at.get(square)
        if placed is None or square not in self.shown:
            return None
        lifted = self.lifted_at.get(square)
        return placed if lifted is not None and t <= lifted <= placed else None
