"""What a table is worth, and what it is worth once all that can be captured has been captured."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.opponents.engine import WON, Stopped, nobody
from firmware_bridge.opponents.games.reality_check.endgame import NEVER, Endgames
from firmware_bridge.opponents.games.reality_check.packed_table import (
    CAPTURE,
    DECIDE,
    FACES_OF,
    GIVE_UP,
    HAND,
    OWNER,
    THROW,
    TRUE,
    TRUE_PIECES,
    UP,
    Table,
    pieces_in,
)
from firmware_bridge.opponents.games.reality_check.packed_turns import answers, drops
from firmware_bridge.opponents.games.reality_check.reach import lines_of, occupied_of, set_of

TRUE_WORTH = (0, 0, 450, 800, 1080)
"""What a side's true pieces in play are worth together, by their number."""
LAST = 1_500
"""What it is worth to threaten the last of them."""
ON_BOARD, IN_HAND, OVER = 80, 45, 60
"""What a piece is worth on the board and in hand, and what one too many in hand costs."""
STAKE = 50
"""What is lost when a piece that is not true, or not to a true one, is captured."""
ACTIVE = 60
"""What a true piece is worth that is not hiding in hand."""
GOAL = 2
"""What a square is worth that a piece could go to."""
HOME = (0, 40, 10)
"""What a home square is worth on which a piece could be dropped out of reach, by true pieces."""
FLIGHT, SAFE = (0, 20, 6), (0, 12, 3)
"""What a square is worth that a true piece could flee to: the first three, and up to ten."""
CLOSE = 6
"""What each step is worth by which a true piece is nearer to the one that it hunts."""
HUNT = 16
"""The same, when it is the last one that is hunted."""
IDLE = 12
"""How many steps away a true piece counts that is still in hand."""
FEWER = 200
"""What each true piece that is gone is worth to who leads: an exchange brings him nearer."""
CHASE = 12
"""What each ply is worth by which two true pieces are nearer to the capture of the last one."""
ELUSIVE = (0, 30, 90, 140)
"""What it is worth to be rid of a true piece of the other's, by its face: a last rook is never
caught by two true pieces on an open board, a last bishop seldom, a last pawn nearly always."""
BARE = 700
"""What it costs the one who led that either has one left: neither catches the other."""


_STOP_MASK = 63
"""Every 64 tables it is asked whether to stop: some milliseconds."""


class Judge:
    """Looks at tables for one side, which presses: it likes to be near.

    Args:
        side: for whom.
        endgames: how it would catch the other's last true piece.
        leads: 1 if it has more true pieces than the other, which likes exchanges then; -1 if it
            has fewer, and would rather have none.
        blind: whether it overlooks what is attacked.

    Attributes:
        nodes: how many tables were looked at.
        stopped: whether somebody wants the turn now; then `Stopped` is raised.
    """

    def __init__(
        self, side: int, endgames: Endgames, leads: int = 0, *, blind: bool = False
    ) -> None:
        self._side = side
        self._endgames = endgames
        self._leads = leads
        self._blind = blind
        self.nodes = 0
        self.stopped: Callable[[], bool] = nobody

    def value(self, table: Table) -> int:
        """Return what a table is worth to the side to act, captures not looked into."""
        self.nodes += 1
        if not self.nodes & _STOP_MASK and self.stopped():
            raise Stopped
        seen = Survey(table, self._side)
        worth = seen.worth
        for owner, stakes in enumerate(seen.stakes):
            if not stakes or self._blind:
                continue
            most = max(stakes)
            # Who is to act saves one piece of his, or captures one of the other's.
            if owner == table.side:
                worth[owner] -= min(most >> 3, STAKE) + 3 * (sum(stakes) - most >> 2)
            else:
                worth[owner] -= 3 * most + sum(stakes) >> 2
        worth[self._side] += self._pressure(table, seen.true)
        return worth[table.side] - worth[1 - table.side]

    def _pressure(self, table: Table, true: tuple[list[int], list[int]]) -> int:
        near, me = table.ground.near, self._side
        mine, prey, last = true[me], true[1 - me], table.true[1 - me] == 1
        pressure = self._leads * FEWER * (8 - table.true[0] - table.true[1])
        pressure -= self._leads * BARE * (table.true == (1, 1))
        pressure -= sum([ELUSIVE[UP[table.cells[square]]] for square in prey])
        held = pieces_in(table.hands[1 - me] & TRUE_PIECES)
        pressure -= sum([ELUSIVE[FACES_OF[piece][0]] for piece in held])
        if prey:
            close = HUNT if last else CLOSE
            far = IDLE * (table.true[me] - len(mine))
            for square in mine:
                row = near[square]
                far += min([row[other] for other in prey])
            pressure -= close * far
        if prey and last:
            pressure += CHASE * (NEVER - self._endgames.plies(table, mine, prey[0]))
        return pressure

    def settled(self, table: Table, alpha: int, beta: int, depth: int) -> int:
        """Return what a table is worth to the side to act once it is quiet, or `depth` plies on."""
        lost = table.lost
        if lost >= 0:
            self.nodes += 1
            return -WON - depth if lost == table.side else WON + depth
        if table.awaited:
            return self._answered(table, alpha, beta, depth)
        if table.over_limit and depth > 0:
            placed = [table.made(turn) for turn in drops(table)]
            return -self.settled(min(placed, key=self.value), -beta, -alpha, depth - 1)
        best = self.value(table)
        if best >= beta or depth <= 0:
            return best
        alpha = max(alpha, best)
        for gain, *turn in prey_of(table):
            if best + gain + 2 * STAKE < alpha:
                break
            after = table.made((CAPTURE, turn[0], turn[1], turn[2]))
            best = max(best, -self.settled(after, -beta, -alpha, depth - 1))
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best

    def _answered(self, table: Table, alpha: int, beta: int, depth: int) -> int:
        """Return what the best answer to what is awaited is worth to the side that gives it."""
        if table.awaited == GIVE_UP:
            given = [table.made(turn) for turn in answers(table)]
            return max(-self.settled(after, -beta, -alpha, depth - 1) for after in given)
        if table.awaited == HAND:
            turns = [t for t in answers(table) if not _gives_up_true(t)] or [*answers(table)]
            return max(self.settled(table.made(turn), alpha, beta, depth) for turn in turns)
        if table.awaited == THROW:
            return self.thrown(table)
        return max(-self.settled(table.made(t), -beta, -alpha, depth - 1) for t in answers(table))

    def thrown(self, table: Table) -> int:
        """Return what a throw of the first die is worth on the average, to who throws it."""
        total = 0
        for die in range(1, 7):
            after = table.copied().use_dice((die,), -1)
            if after.awaited:
                total += max(-self.value(after.made(turn)) for turn in answers(after))
            else:
                total -= self.value(after)
        return total // 6


def _gives_up_true(turn: tuple[int, ...]) -> bool:
    return turn[0] == DECIDE and not turn[1] and bool(TRUE_PIECES >> turn[2] & 1)


def _stake(true: int) -> int:
    """Return what is lost with one of so many true pieces."""
    return TRUE_WORTH[true] - TRUE_WORTH[true - 1] if true > 1 else LAST


class Survey:
    """What stands on a table, once over.

    Attributes:
        worth: what White and Black have, without what threatens it. The ways out of the true
            pieces are counted for the hunted side alone: who presses minds his own less.
        true: the squares of the true pieces of either.
        stakes: for either, what could be lost of what is attacked.
    """

    __slots__ = (
        "_attacked",
        "_covered",
        "_flights",
        "_hunted",
        "_occupied",
        "_own",
        "stakes",
        "true",
        "worth",
    )

    def __init__(self, table: Table, hunter: int) -> None:
        self.worth = [0, 0]
        self.true: tuple[list[int], list[int]] = ([], [])
        self._occupied, self._own = occupied_of(table.cells), [0, 0]
        self._flights: tuple[list[int], list[int]] = ([], [])
        self._attacked, self._hunted, self._covered = [0, 0], [0, 0], [0, 0]
        self._look(table)
        self.stakes = self._threatened(table, 0), self._threatened(table, 1)
        for side in (0, 1):
            self._in_hand(table, side)
        self._ways_out(table, 1 - hunter)

    def _look(self, table: Table) -> None:
        """Find what either has on the board, where it goes and what it attacks."""
        occupied, lines = self._occupied, lines_of(table.ground)
        worth, own, attacked = self.worth, self._own, self._attacked
        for square, cell in enumerate(table.cells):
            if not cell:
                continue
            owner, line = OWNER[cell], lines[UP[cell]][square]
            goals, met, covered, room = line.known.get(occupied & line.mask) or line.reached(
                occupied
            )
            own[owner] |= 1 << square
            attacked[owner] |= met
            worth[owner] += ON_BOARD + GOAL * room
            if TRUE[cell]:
                worth[owner] += ACTIVE
                self.true[owner].append(square)
                self._hunted[owner] |= met
                self._covered[owner] |= covered
                self._flights[owner].append(goals)

    def _threatened(self, table: Table, side: int) -> list[int]:
        """Return what each attacked piece of a side is worth to it."""
        other, true = 1 - side, table.true
        attacked = self._attacked[other] & self._own[side]
        hunted = [q for q in self.true[side] if self._hunted[other] >> q & 1]
        stakes = [STAKE] * (attacked.bit_count() - len(hunted))
        guarding = true[other] <= true[side] > 1
        for square in hunted:
            guarded = guarding and self._hunted[side] >> square & 1
            stakes.append(_stake(true[side]) >> guarded)
        return stakes

    def _in_hand(self, table: Table, side: int) -> None:
        true, held = table.true[side], table.hands[side].bit_count()
        self.worth[side] += TRUE_WORTH[true] + IN_HAND * held - OVER * max(0, held - true + 1)

    def _ways_out(self, table: Table, side: int) -> None:
        """Count where the last true pieces of a side could flee to, or be dropped."""
        true = table.true[side]
        if true > 2:
            return
        away = ~self._covered[1 - side]
        homes = set_of(table.homes[side]) & away & ~self._occupied
        self.worth[side] += HOME[true] * homes.bit_count()
        for goals in self._flights[side]:
            safe = (goals & away).bit_count()
            self.worth[side] += FLIGHT[true] * min(safe, 3) + SAFE[true] * min(safe, 10)


def prey_of(table: Table) -> list[tuple[int, int, int, int]]:
    """Return the captures as (what it wins, from, to, whether to check), the best first."""
    cells, side, taking = table.cells, table.side, table.ground.taking
    other = 1 - side
    left = table.true[other]
    most = _stake(left) if left > 1 else WON
    full = table.hands[other].bit_count() >= left - 1
    found = []
    for a, cell in enumerate(cells):
        if not cell or OWNER[cell] != side:
            continue
        for ray in taking[UP[cell]][a]:
            for b in ray:
                there = cells[b]
                if there:
                    if OWNER[there] != side:
                        check = TRUE[cell] and TRUE[there]
                        found.append((most if check else STAKE + STAKE * full, a, b, int(check)))
                    break
    found.sort(reverse=True)
    return found
