"""A game on a board, with turns of it that hands can make, and what must come of them."""

from dataclasses import dataclass

CHESS = ("indistinguishable", "reversi", "realm", "mockery")
DISCS = ("reality-check",)
ALL = CHESS + DISCS
RECORDED = ("reversi", "realm", "mockery")
"""Games in which turns may be undone: in the others nobody may keep or see a record."""

START = "as the game begins"
QUIET = "4k3/4p3/8/8/8/8/4P3/R3K2R w KQ - 0 1"
CAPTURE = "4k3/4p3/8/3p4/4P3/8/8/4K3 w - - 0 1"
PASSING = "4k3/4p3/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTION = "4k3/1P2p3/8/8/8/8/8/4K3 w - - 0 1"
DISC_CAPTURE = "rn/nnbbnb/pppnbrpbpr/7/7/3RN3/PPPNBRPBPR/NNBBNB/1 w RR/rr - - - 2"


@dataclass(frozen=True)
class Came:
    """What must come of it: the turns that stand, in order, and how the board is judged at last."""

    turns: tuple[str, ...] = ()
    verdict: str = "settled"
    reason: str | None = None
    cells: tuple[str, ...] | None = None
    quiet: bool = True
    goes_on: bool = True
    said: str | None = None
    winners: tuple[str, ...] = ()


class Seat:
    """A game on a board, with turns of it that hands can make."""

    def __init__(self, board, game, tier, *, clock):
        self._board, self.game, self.tier, self.clock = board, game, tier, clock
        self._from_start = False
        self.discs = game in DISCS
        self.side = "white"

    def set_out(self, position=None, **settings):
        """Set the pieces up; without a position, few of them."""
        self._from_start = position == START
        if self.discs:
            text = DISC_CAPTURE if position == CAPTURE else None
        elif position == START:
            text = None
        else:
            text = (position or QUIET) + (" -" if self.game == "mockery" else "")
        self.b = self._board(self.game, text, self.tier, self.clock, **settings)
        return self.b

    def tag(self, cell):
        """What a cell reads of the piece that stands there at first."""
        return True if self.tier == "occupancy" else f"T-{cell}"

    @property
    def move(self):
        return ("c3", "c4") if self.discs else ("e2", "e4")

    @property
    def slide(self):
        return ("d3", "c4", "b5", "a6") if self.discs else ("a1", "a2", "a3", "a4")

    @property
    def capture(self):
        return ("d4", "d7") if self.discs else ("e4", "d5")

    def finish(self, turn):
        """Let a turn be taken: by the press, by the screen's answer, or by standing."""
        if self.clock:
            self.b.press(self.side)
        elif self.game == "realm" or "x" in turn:
            self.b.answer(turn)
        self.b.end()
        return Came((turn,))

    def quiet(self):
        """End the quiet move that was made."""
        return self.finish("".join(self.move))

    def captured(self):
        """End the capture that was made."""
        return self.finish("x".join(self.capture) if self.discs else "".join(self.capture))

    def answered_by_black(self):
        """Let Black make a turn, to see that the game goes on."""
        self.side = "black"
        if self.discs:
            self.b.carry("c7", "c6").flip("e7")
            return self.finish("c7c6/e7").turns
        move = ("e7", "e5") if self._from_start else ("e8", "d7")
        self.b.carry(*move)
        return self.finish("".join(move)).turns
