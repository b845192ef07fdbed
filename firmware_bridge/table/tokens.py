"""What stands on the board for a computer: tokens with one face each, known by the face alone.

What lies below a computer's piece is in the journal and nowhere on the board, so what a disc that
stands for it has underneath means nothing: any piece of its colour that shows the face will do.
This is the only place that knows that. To those who look at what stands there (the set-up, and
what hands carry out) a token is its face. To those who judge hands it is the two-faced disc that
is due on its square, and a token with another face there is that disc turned over.

Which disc that is, nobody who judges hands may know. They are given a *world*: a position that
everyone but the computer may take for the true one, always the same among all that look alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from drivers.port import CellEvent, Reading, Snapshot
from firmware_bridge.reconciler import Sensing
from firmware_bridge.reconciler.identities import label_of_kind, same_disc
from firmware_bridge.reconciler.readings import Readings
from rules.interface import Game, Label, Position, Square
from rules.values import SIDES, opponent, piece_of

_TOKEN, _TURNED, _OTHER_FACE = "token/", "/turned", "/other-face"


class Tokens:
    """The tokens among what stands on one board; in most games there are none.

    Attributes:
        sensing: the same for who judges hands: a token carries the tag of a disc.
        faces: the same for who looks at what stands there: a token is its face.
    """

    def __init__(self, game: Game, sensing: Sensing, standing: Mapping[str, Reading]) -> None:
        self._game = game
        self._letters = {side[0] for side in game.tokens}
        self._readings = Readings(sensing, standing)
        self._face_of = {uid: self._face(x) for uid, x in sensing.tags.items() if self._own(x)}
        others = {uid: x for uid, x in sensing.tags.items() if not self._own(x)}
        self.faces = replace(sensing, tags={**sensing.tags, **self._face_of})
        discs = self._discs()
        odd = frozenset(uid for uid in discs if uid.endswith(_OTHER_FACE))
        self.sensing = replace(sensing, tags={**others, **discs}, other_faces=odd)
        self._labels = sensing.tags
        self._world: tuple[Position, Position] | None = None
        self._stood: dict[str, Reading] = {}
        self._told: dict[str, Reading] = {}
        self._astray: dict[str, tuple[Reading, str]] = {}
        self._lifted: list[Square] = []

    @property
    def standing(self) -> Mapping[str, Reading]:
        """What every cell reads now; empty cells are left out."""
        return self._readings.readings

    def world(self, position: Position, judged: Position | None = None) -> Position:
        """Return the position that hands are judged in, the same whatever the tokens hide.

        Args:
            position: where the game stands.
            judged: where judging has come to; it stays if it looks like the position.
        """
        if not self._letters:
            return position
        before, world = self._world or (None, None)
        if before is not position or world is None:
            known = (one for one in (judged, world) if one is not None)
            like = (one for one in known if self._looks_like(one, position))
            world = next(like, None) or self._first_like(position)
            self._world = position, world
        return world

    def _looks_like(self, one: Position, other: Position) -> bool:
        """Return whether nobody but the computers can tell two positions apart."""
        others = [opponent(side) for side in self._game.tokens]
        return all(one.knowledge(side) == other.knowledge(side) for side in others)

    def _first_like(self, position: Position) -> Position:
        for side in sorted(self._game.tokens):
            position = next(self._game.agreeing(position.knowledge(opponent(side))))
        return position

    def learnt(self, position: Position, world: Position) -> Position:
        """Return a position with the pieces that were found in its world; tokens stay."""
        return position.rearranged({**world.placement, **self.start_in(position)})

    def label(self, cell: str) -> Label | None:
        """Return what a cell tells of the piece on it, `None` if nothing; of a token its face."""
        return label_read(self.faces, self.standing.get(cell))

    def seen(self, placement: Mapping[Square, Label]) -> Mapping[Square, Label]:
        """Return what hands can see of a placement: of a token its face."""
        return {s: self._face(x) if self._own(x) else x for s, x in placement.items()}

    def look(self, cell: str) -> Label | None:
        """Return the same as `label`, but of a piece whose owner is secret how it looks."""
        label = self.label(cell)
        return self._game.face(label) if label and self._game.traits.owners_secret else label

    def looks(self, placement: Mapping[Square, Label]) -> Mapping[Square, Label]:
        """Return the same as `seen`, but of pieces whose owners are secret how they look."""
        if self._game.traits.owners_secret:
            return self._game.faces(placement)
        return self.seen(placement)

    def judged_here(self, position: Position, judged: Position) -> bool:
        """Return whether hands are judged where the game stands, and no more where it was."""
        return not self._letters or self.world(position, judged).placement == judged.placement

    def kept(self, lying: Mapping[Square, str]) -> Mapping[Square, str]:
        """Return by which tags discs lie, without those that stand for tokens.

        Their names are of the world that hands were judged in, and after a crash it is another one.
        """
        return {square: uid for square, uid in lying.items() if not uid.startswith(_TOKEN)}

    def start_in(self, position: Position) -> dict[Square, Label]:
        """Return the pieces in a position for which tokens stand, undersides included."""
        return {s: label for s, label in position.placement.items() if self._own(label)}

    def as_discs(self, position: Position) -> Mapping[str, Reading]:
        """Return what the cells read, for who judges hands."""
        self._stood = self._right(position)
        self._told = self._discs_on(self.world(position))
        return dict(self._told)

    def felt(
        self, item: CellEvent | Snapshot, position: Position
    ) -> Iterator[CellEvent | Snapshot]:
        """Take in what the board felt; yield it for who judges hands."""
        for cell, reading in self._readings.take_in(item):
            if reading is None:
                self._lifted = [*(s for s in self._lifted if s != cell), cell]
        if not self._letters:
            yield item
        elif isinstance(item, Snapshot):
            known = {c: tag for c, tag in self._stood.items() if isinstance(tag, str)}
            self._stood = {**self._right(position), **known}
            self._told = self._discs_on(self.world(position))
            yield Snapshot(item.t, dict(self._told))
        else:
            yield from self._news(position, item.t)

    def _right(self, position: Position) -> dict[str, Reading]:
        """Return what is read where what stands, or did before it was lifted, shows what is due."""
        due = self.seen(self.world(position).placement)
        lying = {**self._stood, **self.standing}
        return {c: tag for c, tag in lying.items() if label_read(self.faces, tag) == due.get(c)}

    def agreed(self, position: Position, t: float) -> Iterator[CellEvent]:
        """Take it that the tokens stand as they should; yield what reads otherwise by that."""
        if self._letters:
            self._stood = self._right(position)
            yield from self._news(position, t)

    def in_hand(self, position: Position, t: float) -> Iterator[CellEvent]:
        """Yield tokens that are off their squares as turned over; `put_back` yields the contrary.

        Nobody who turns one over knows which one to set down, so he may hold it when he has done.
        """
        for square, disc in self.start_in(self.world(position)).items():
            if self.standing.get(square) is None:
                yield CellEvent(t, square, _turned(disc))

    def put_back(self, position: Position, t: float) -> Iterator[CellEvent]:
        """Yield the tokens that are off their squares as they are."""
        yield from (replace(event, reading=None) for event in self.in_hand(position, t))

    def _news(self, position: Position, t: float) -> Iterator[CellEvent]:
        """Yield what reads otherwise now, for who judges hands: pieces go up first."""
        before, now = self._told, self._discs_on(self.world(position))
        self._told = now
        yield from (CellEvent(t, cell, None) for cell in before.keys() - now.keys())
        for cell, reading in now.items():
            if before.get(cell) != reading:
                yield CellEvent(t, cell, reading)

    def _own(self, label: Label) -> bool:
        """Return whether it is a token's label: by colour, whatever it is cut from."""
        return label[:1] in self._letters

    def _face(self, label: Label) -> Label:
        face = self._game.face(label)
        return face if face.endswith("?") else f"{face}?"

    def _discs(self) -> dict[str, Label]:
        """Return the tags of the discs for which tokens stand, with a tag for each side."""
        if not self._letters:
            return {}
        start = self._game.start()
        labels = [*start.placement.values(), *(x for side in SIDES for x in start.hands[side])]
        names = {piece_of(label) for label in labels if self._own(label)}
        discs = {f"{name}:{down}" for name in names for down in name[1:]}
        return {_lying(disc): disc for disc in discs} | {
            tag(disc): _other_way_up(disc) for disc in discs for tag in (_turned, _showing_another)
        }

    def _discs_on(self, position: Position) -> dict[str, Reading]:
        """Return what every cell reads, tokens as the discs for which they stand."""
        due = position.placement
        shown = {
            cell: self._face_of[reading]
            for cell, reading in self.standing.items()
            if isinstance(reading, str) and reading in self._face_of
        }
        home = {c: due[c] for c, face in shown.items() if due.get(c, " ")[0] == face[0]}
        now: dict[str, Reading]
        now = {
            c: _turned(label) if self._turned_over(c) else self._by_face(label, shown[c])
            for c, label in home.items()
        }
        away = {c: face for c, face in shown.items() if c not in home}
        now |= self._gone_astray(away, position, set(map(piece_of, home.values())))
        return {c: now.get(c, reading) for c, reading in self.standing.items()}

    def _turned_over(self, cell: str) -> bool:
        """Return whether the disc on a cell shows its other side, be it like the one before."""
        was, now = self._stood.get(cell), self.standing[cell]
        if not isinstance(was, str) or not isinstance(now, str) or was == now:
            return False
        return same_disc(self._labels.get(was, ""), self._labels.get(now, ""))

    def _by_face(self, disc: Label, face: Label) -> str:
        """Return the tag that is read of a disc for which a token with this face stands.

        With another face than its own it is turned over, whatever its other side shows.
        """
        return _lying(disc) if self._face(disc) == face else _showing_another(disc)

    def _gone_astray(
        self, away: Mapping[str, Label], position: Position, used: set[str]
    ) -> dict[str, Reading]:
        """Return what is read where no token is due: a disc that is not on its square, if any.

        It is the one that it has been taken for; or that of its face which was lifted last.
        """
        kept = {c: was for c, was in self._astray.items() if was[0] == self.standing.get(c)}
        self._astray = {}
        now: dict[str, Reading] = {}
        for cell, face in away.items():
            reading, disc = self.standing[cell], None
            if cell in kept and piece_of(self.sensing.tags[kept[cell][1]]) not in used:
                disc = kept[cell][1]
            else:
                disc = next(iter(self._lacking(face, position, used)), None)
            now[cell] = True if disc is None else disc
            if disc is not None:
                used.add(piece_of(self.sensing.tags[disc]))
                self._astray[cell] = reading, disc
        return now

    def _lacking(self, face: Label, position: Position, used: set[str]) -> list[str]:
        """Return the discs of a side that stand nowhere, the likeliest first."""
        when = {square: number for number, square in enumerate(self._lifted, 1)}
        due = {
            square: label
            for square, label in position.placement.items()
            if label[0] == face[0] and piece_of(label) not in used
        }
        squares = sorted(due, key=lambda s: (self._face(due[s]) != face, -when.get(s, 0), s))
        in_hand = [
            f"{name}:{down}"
            for side in SIDES
            for name in position.hands[side]
            for down in name[1:]
            if name[0] == face[0] and name not in used
        ]
        spare = sorted(in_hand, key=lambda label: (self._face(label) != face, label))
        return [*(self._by_face(due[s], face) for s in squares), *map(_lying, spare)]


def _other_way_up(disc: Label) -> Label:
    name, _, down = disc.partition(":")
    return f"{name}:{name[1:].replace(down, '', 1)}"


def _lying(disc: Label) -> str:
    """Return the tag that is read while a disc lies as its label says."""
    return f"{_TOKEN}{disc}"


def _turned(disc: Label) -> str:
    """Return the tag on its other side."""
    other = _other_way_up(disc)
    return f"{_TOKEN}{disc}{_TURNED}" if other == disc else _lying(other)


def _showing_another(disc: Label) -> str:
    """Return the same where another face is seen: on a disc with like faces it is a third tag."""
    return f"{_TOKEN}{disc}{_OTHER_FACE}" if _other_way_up(disc) == disc else _turned(disc)


def label_read(sensing: Sensing, reading: Reading) -> Label | None:
    """Return what a cell tells of the piece on it, `None` if nothing."""
    if not isinstance(reading, str):
        return None
    return sensing.tags.get(reading) or label_of_kind(reading)
