"""Reality Check's mind: what each turn is worth on the average of the worlds that may be.

A thousand turns are legal, most of them a move and a flip that have nothing to do with each other.
So all are seen at a glance first (`glance`). Of what seems best the captures that follow are looked
into, and of what is best then every answer of the opponent, in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import cast

from firmware_bridge.opponents.engine import WON, Choice, Engine, Stopped, Worlds, nobody
from firmware_bridge.opponents.games.reality_check.endgame import Endgames
from firmware_bridge.opponents.games.reality_check.fading import faded
from firmware_bridge.opponents.games.reality_check.glance import Glance, Rated, made
from firmware_bridge.opponents.games.reality_check.hunt import Hunt, at_once
from firmware_bridge.opponents.games.reality_check.packed_table import OWNER, Table, Turn
from firmware_bridge.opponents.games.reality_check.packed_turns import turns, written
from firmware_bridge.opponents.games.reality_check.worth import Judge
from firmware_bridge.opponents.levels import Level
from rules.games.reality_check.game import RealityCheckPosition

_FAR = 2 * WON
_SURE = WON - 100
"""What is worth more is won in every world."""
_GLANCED = 4
"""In how many worlds turns are seen at a glance."""
_CAPTURES = 3
"""How many captures in a row are looked into."""
_REPLIES = 5
"""How many of the opponent's answers are looked into."""
AGAIN = 60
"""What it costs to lead to where pieces of the same sides stood before, each time they did, and to
undo one's own last turn."""
_NODES_SETTLED, _NODES_REPLIED = 8, 130
"""About how many tables are looked at for a turn in one world."""


Stand = tuple[int, ...]
"""Whose piece is on each square, -1 for nobody's; faces may go in circles by flips."""


def _stand(table: Table) -> Stand:
    return tuple([OWNER[cell] for cell in table.cells])


class RealityCheckEngine(Engine):
    """Plays in every world that may be, or in as many of them as its level affords."""

    def __init__(self, seed: str = "", stopped: Callable[[], bool] = nobody) -> None:
        super().__init__(seed, stopped)
        self._met: Counter[Stand] = Counter()
        self._moved = ["", ""]

    def choose(self, belief: Worlds, level: Level, rng: Random) -> Choice:
        """Return a turn for the side to act."""
        return self.ranked(belief, level, rng, 1)[0]

    def ranked(self, belief: Worlds, level: Level, rng: Random, count: int) -> tuple[Choice, ...]:
        """Return the best turns; one that wins is told without others."""
        worlds = cast("tuple[RealityCheckPosition, ...]", belief.worlds())
        tables = [Table.of(world) for world in worlds]
        if won := _won(tables, level, self.stopped):
            turn, plies = won
            text = written(tables[0].ground, turn)
            return (Choice(text, WON - plies, plies, len(worlds), (text,)),)
        most = max(1, level.nodes // 250)
        some = tables if len(tables) <= most else rng.sample(tables, most)
        believed = [faded(table, level.memory, rng) for table in some]
        thought = _Thought(believed, level, rng, self.stopped)
        return thought.ranked(self._met, self._moved[tables[0].side])[:count]

    def saw(self, before: Worlds, turn: str) -> None:
        """Remember where pieces stood, and what either moved last."""
        table = Table.of(cast("RealityCheckPosition", before.worlds()[0]))
        self._met[_stand(table)] += 1
        self._moved[table.side] = turn.partition("/")[0]


def _won(
    tables: Sequence[Table], level: Level, stopped: Callable[[], bool]
) -> tuple[Turn, int] | None:
    """Return a turn that wins in every world, with the plies that it takes, if one is seen."""
    if level.depth > 1 and (turn := _won_at_once(tables)):
        return turn, 1
    for plies in range(3, level.depth + 1, 2):
        if turn := Hunt(tables[0].side, level.nodes, stopped).turn(tables, plies // 2 + 1):
            return turn, plies
    return None


def _won_at_once(tables: Sequence[Table]) -> Turn | None:
    """Return a turn that wins at once in every world, if there is one."""
    left = set(at_once(tables[0]))
    for table in tables[1:]:
        if not left:
            break
        left.intersection_update(at_once(table))
    return min(left) if left else None


class _Thought:
    """One turn being thought about."""

    def __init__(
        self,
        tables: Sequence[Table],
        level: Level,
        rng: Random,
        stopped: Callable[[], bool],
    ) -> None:
        self._tables = tables
        self._level = level
        self._rng = rng
        side = tables[0].side
        true = tables[0].true
        leads = (true[side] > true[1 - side]) - (true[side] < true[1 - side])
        endgames = Endgames(tables[:_GLANCED], side, stopped)
        self._judge = Judge(side, endgames, leads, blind=level.overlooks(rng))
        self._judge.stopped = stopped

    def ranked(self, met: Mapping[Stand, int], moved: str) -> tuple[Choice, ...]:
        """Return the turns that were looked into most, as they seem, the best first.

        Args:
            met: how often pieces have stood where; it would rather not go in circles.
            moved: its last turn's movement, which it would rather not undo.
        """
        first, depth = self._tables[0], self._level.depth
        rated = self._glanced()
        if depth > 1:
            rated = self._narrowed(rated, self._settled, self._level.nodes // 3, _NODES_SETTLED)
        if depth > 2:
            rated = self._narrowed(rated, self._replied, self._level.nodes, _NODES_REPLIED)
        back = moved[2:] + moved[:2]
        named = [(score, written(first.ground, turn), turn) for score, turn in rated]
        rather = [
            (score - AGAIN * (met.get(_stand(made(first, turn)), 0) + (text[:4] == back)), text)
            for score, text, turn in named
        ]
        seeming = sorted(
            ((self._seeming(score), text, score) for score, text in rather), reverse=True
        )
        depth, nodes = min(depth, 3), self._judge.nodes
        return tuple(
            Choice(text, round(score), depth, nodes, (text,)) for _, text, score in seeming
        )

    def _seeming(self, score: float) -> float:
        """Return what a turn seems to be worth to a mind that misjudges; a win is a win."""
        return score if abs(score) > _SURE else score + self._rng.gauss(0, self._level.error)

    def _narrowed(
        self, rated: Rated, look: Callable[[Turn], float], nodes: int, each: int
    ) -> Rated:
        """Return the best turns with what they are worth when looked into.

        `nodes` tables may have been looked at in the end; about `each` are for one turn in one
        world.
        """
        rated = sorted(rated, key=lambda one: (-one[0], one[1]))
        keep = max(3, (nodes - self._judge.nodes) // (each * len(self._tables)))
        looked: Rated = []
        with suppress(Stopped):
            for _, turn in rated[:keep]:
                looked.append((look(turn), turn))
        return looked or rated

    def _glanced(self) -> Rated:
        """Return every turn at a glance; when somebody wants one now, those seen, or any."""
        rated: Rated = []
        with suppress(Stopped):
            rated.extend(Glance(self._tables[:_GLANCED], self._judge).turns())
        return rated or [(0, next(turns(self._tables[0])))]

    def _settled(self, turn: Turn) -> float:
        return Glance(self._tables, self._judge).worth(turn, _CAPTURES)

    def _replied(self, turn: Turn) -> float:
        scores = [self._after_replies(table, turn) for table in self._tables]
        return sum(scores) / len(scores) + Glance(self._tables, self._judge).news(turn)

    def _after_replies(self, table: Table, turn: Turn) -> float:
        """Return what a turn is worth once the opponent has given his best answer."""
        after = made(table, turn)
        quiet = self._judge.settled(after, -_FAR, _FAR, _CAPTURES)
        if after.side == table.side:
            return quiet
        if after.awaited or after.over_limit or abs(quiet) > _SURE:
            return -quiet
        glance = Glance([after], self._judge)
        replies = sorted(glance.turns(), reverse=True)
        best = max([quiet, *(glance.scored(after, t, 2) for _, t in replies[:_REPLIES])])
        if best < -_SURE:  # won, unless an answer that seemed bad is the one that saves him
            best = max(glance.scored(after, reply, 1) for reply in turns(after))
        return -best


ENGINE = RealityCheckEngine
