"""The search of Realm Chess: the best turns, the best replies to them, and so on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable

from firmware_bridge.opponents.games.realm.tree import MATE, Node, Tree, worth
from firmware_bridge.opponents.levels import Level
from rules.games.realm.game import RealmPosition

GROWN = (80, 20, 16, 12)
"""How many turns are made in a position so many turns from the root."""
LOOKED_AT = (40, 10, 8, 6)
"""Into how many of them the search goes on."""
DEEPEST = 12  # turns ahead at most, and so the longest mate that a score can tell
_MARGIN = 60
"""How much worse than the best a turn of the root may be and still be told from the others."""


class _Enough(Exception):  # noqa: N818 - it ends a search, and is no error
    """The nodes are used up, or somebody wants the turn now."""


class Search:
    """One search for one turn.

    Attributes:
        tree: the positions looked at.
        depth: how many turns deep the last whole search went.
    """

    def __init__(
        self,
        position: RealmPosition,
        level: Level,
        past: Collection[Hashable],
        stopped: Callable[[], bool],
    ) -> None:
        """Begin a search; to come back to one of the `past`, keys of positions, is a draw."""
        self.tree = Tree(position.game)
        self.depth = 0
        self._root = self.tree.root(position)
        self._level = level
        self._past = past
        self._stopped = stopped

    def run(self) -> list[Node]:
        """Return the turns of the root that were searched, the best first, at least one."""
        most = min(GROWN[0], max(8, self._level.nodes // 2))
        best = list(self.tree.expand(self._root, most))
        for child in best:
            if child.state[:4] in self._past:
                child.value, child.children = 0, []
        best.sort(key=_value)
        self.depth = 1
        deepest = min(DEEPEST, self._level.depth)
        while self.depth < deepest and abs(best[0].value) < MATE - DEEPEST and len(best) > 1:
            searched: list[Node] = []
            lead = best[0].value
            try:
                self._deepen(best, searched)
            except _Enough:
                return self._with_others(searched, best, lead)
            self.depth += 1
            best = sorted(searched, key=_value)
        return best

    def _with_others(self, searched: list[Node], before: list[Node], lead: int) -> list[Node]:
        """Return the turns searched last; in the opening with the others, as far behind as before.

        There turns worth nearly the same are chosen from, and often one alone was searched.

        `before` are all, the best first; `lead` is what the best was worth before it was searched.
        """
        if not searched or self._level.error != self._level.variety:
            return sorted(searched, key=_value) or before
        others = [child for child in before if all(child is not one for one in searched)]
        for child in others:
            child.value += before[0].value - lead
        return sorted(searched + others, key=_value)

    def _deepen(self, children: list[Node], searched: list[Node]) -> None:
        """Search the children one turn deeper than before; those done are added to `searched`."""
        alpha = -MATE
        for child in children[: LOOKED_AT[0]]:
            child.value = self._value(child, self.depth, -MATE, -alpha + _MARGIN, 1)
            searched.append(child)
            alpha = max(alpha, worth(child))

    def _value(self, node: Node, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return what a position is worth to its side to move, looked at `depth` turns deep."""
        if node.children is None and (self.tree.nodes >= self._level.nodes or self._stopped()):
            raise _Enough
        most = GROWN[min(ply, len(GROWN) - 1)]
        if depth == 1 and node.children is None:
            return self._leaf(node, most, beta)
        children = self.tree.expand(node, most)
        if not children:
            return node.value
        if depth == 1:
            return worth(children[0])
        best = -MATE
        for child in children[: LOOKED_AT[min(ply, len(LOOKED_AT) - 1)]]:
            child.value = self._value(child, depth - 1, -beta, -alpha, ply + 1)
            best = max(best, worth(child))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        children.sort(key=_value)
        return best

    def _leaf(self, node: Node, most: int, beta: int) -> int:
        """Return what the best turn seems to be worth; one that is too good is good enough."""
        best = -MATE
        for child in self.tree.growing(node, most):
            best = max(best, worth(child))
            if best >= beta:
                return best
        return best if node.children else node.value


def _value(node: Node) -> int:
    return node.value
