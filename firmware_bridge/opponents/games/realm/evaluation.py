"""One position of the search: who attacks what, and what that is worth."""

from __future__ import annotations

import chess

from firmware_bridge.opponents.chesslike.tables import DISTANCE, EDGE, KING_ATTACKS, reach
from firmware_bridge.opponents.games.realm.piece_values import KINDS, PLACED, PROMOTION, WORTH
from rules.games.realm.bitboard import EMPTY, scan
from rules.games.realm.realms import Division

_SEVENTH = (chess.BB_RANK_2, chess.BB_RANK_7)
_MOBILITY = {"P": 0, "N": 4, "B": 4, "R": 2, "Q": 1, "K": 0}
_MOST = 10_000
"""More than any piece is worth: what a king pays in an exchange."""
_TILES = 16  # as many realms as blocks fill the board: more, and they overlap
_FLIGHTS = (60, 35, 20, 10, 5, 0, 0, 0, 0)
"""What it is worth that the other king has so few squares to go to."""

_Piece = tuple[int, int, str, int]
"""A piece: its square, that square's bit, its kind, and the squares that it attacks."""


class Army:
    """One side's pieces.

    Attributes:
        pieces: each of them.
        king: the king's square.
        men: the squares on which they stand.
        all: the squares that they attack.
        pawns, minors, rooks, queens: the squares attacked by these.
    """

    __slots__ = ("all", "king", "men", "minors", "pawns", "pieces", "queens", "rooks")

    def __init__(self, pieces: list[_Piece], men: int) -> None:
        self.pieces = pieces
        self.men = men
        self.king = pawns = minors = rooks = queens = near = 0
        for square, _, kind, attacked in pieces:
            if kind == "P":
                pawns |= attacked
            elif kind in "NB":
                minors |= attacked
            elif kind == "R":
                rooks |= attacked
            elif kind == "Q":
                queens |= attacked
            else:
                self.king, near = square, attacked
        self.pawns, self.minors, self.rooks, self.queens = pawns, minors, rooks, queens
        self.all = pawns | minors | rooks | queens | near

    def cheapest(self, bit: int) -> int:
        """Return the worth of the least piece that attacks the square; a king's is the highest."""
        if self.pawns & bit:
            return WORTH["P"]
        if self.minors & bit:
            return WORTH["N"]
        if self.rooks & bit:
            return WORTH["R"]
        return WORTH["Q"] if self.queens & bit else _MOST

    def gain(self, bit: int, worth: int, other: Army) -> int:
        """Return what taking the other side's piece of some worth on a square promises."""
        if not self.all & bit:
            return 0
        if not other.all & bit:
            return worth
        return max(0, worth - self.cheapest(bit))

    @property
    def mobility(self) -> int:
        """What the squares open to the pieces are worth."""
        free = ~self.men
        return sum(
            _MOBILITY[kind] * (attacked & free).bit_count() for _, _, kind, attacked in self.pieces
        )

    def hunting(self, other: Army) -> int:
        """Return how well a king who is alone is driven to the edge, and met by the other one."""
        if other.men.bit_count() > 1:
            return 0
        return 12 * EDGE[other.king] + 5 * (14 - DISTANCE[self.king][other.king])

    def pressure(self, other: Army) -> int:
        """Return what it is worth to attack the squares around the other king."""
        near = KING_ATTACKS[other.king]
        free = (near & ~other.men & ~self.all).bit_count()
        return 9 * (near & self.all).bit_count() + _FLIGHTS[free]


class Evaluation:
    """A board as the side to move sees it.

    Attributes:
        own, enemy: the armies of the side to move and of the other one.
        value: what the board is worth to the side to move, in hundredths of a pawn.
        cornered: whether the king of the side to move is in check, and by himself has no way out.
    """

    __slots__ = ("cornered", "enemy", "own", "value")

    def __init__(self, squares: str, realms: Division, *, white: bool, power: bool) -> None:
        score, sides = _armies(squares)
        self.own, self.enemy = own, enemy = sides[white], sides[not white]
        value = score if white else -score
        value += own.hunting(enemy) - enemy.hunting(own)
        value += own.mobility - enemy.mobility + own.pressure(enemy) - enemy.pressure(own)
        promises = _best_gain(own, enemy, realms, white=white, power=power)
        threats = _best_gain(enemy, own, realms, white=not white, power=power)
        self.cornered = False
        if enemy.all >> own.king & 1:
            self.cornered = not KING_ATTACKS[own.king] & ~own.men & ~enemy.all
            value += promises // 2 - threats // 2 - 30
        else:
            value += promises * 7 // 8 - threats // 4
        self.value = value + 15


def _armies(squares: str) -> tuple[int, tuple[Army, Army]]:
    """Return what White's pieces are worth more than Black's, and Black's army and White's."""
    score = 0
    men = [0, 0]
    found = []
    for square, letter in enumerate(squares):
        if letter != EMPTY:
            kind = letter.upper()
            white = letter == kind
            men[white] |= 1 << square
            score += PLACED[letter][square]
            found.append((square, kind, white))
    occupied = men[0] | men[1]
    pieces: tuple[list[_Piece], list[_Piece]] = ([], [])
    for square, kind, white in found:
        attacked = reach(KINDS[kind], square, occupied, white=white)
        pieces[white].append((square, 1 << square, kind, attacked))
    return score, (Army(pieces[0], men[0]), Army(pieces[1], men[1]))


def _best_gain(own: Army, enemy: Army, realms: Division, *, white: bool, power: bool) -> int:
    """Return about what the best captures and promotions of a single turn gain."""
    hanging: dict[int, int] = {}
    into: dict[int, int] = {}
    around = realms.around
    targets = 0
    if own.all & enemy.men:
        for square, bit, kind, _ in enemy.pieces:
            gain = bit & own.all and own.gain(bit, WORTH[kind], enemy)
            if gain:
                hanging[square] = gain
                into[around[square]] = into.get(around[square], 0) + gain
                targets |= bit
    seventh = _SEVENTH[white]
    if not targets and not seventh & own.men:
        return 0
    out: dict[int, int] = {}
    for square, bit, kind, attacked in own.pieces:
        gain = PROMOTION if kind == "P" and bit & seventh else 0
        if attacked & targets:
            gain = max(gain, *(hanging[target] for target in scan(attacked & targets)))
        if gain:
            out[around[square]] = out.get(around[square], 0) + gain
    if len(realms.realms) > _TILES:
        into, out = _by_block(into), _by_block(out)
    if power:
        return max((into.get(key, 0) + out.get(key, 0) for key in into | out), default=0)
    return max(max(into.values(), default=0), max(out.values(), default=0))


def _by_block(gains: dict[int, int]) -> dict[int, int]:
    """Return the gains by single realms of those known by all the realms around them."""
    found: dict[int, int] = {}
    for key, gain in gains.items():
        for realm in scan(key):
            found[realm] = found.get(realm, 0) + gain
    return found
