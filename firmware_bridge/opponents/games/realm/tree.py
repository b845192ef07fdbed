"""The tree of a search: positions, their promising turns, and what these lead to."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.opponents.games.realm.candidates import candidates
from firmware_bridge.opponents.games.realm.evaluation import Evaluation
from firmware_bridge.opponents.games.realm.piece_values import PLACED
from rules.games.realm.game import RealmChess, RealmPosition
from rules.games.realm.search_state import State, following
from rules.games.realm.steps import Step

MATE = 100_000
"""The worth of a mate now; one turn later it is one less."""


class Node:
    """A position of the tree.

    Attributes:
        state: the position.
        steps: the turn that led here.
        value: what the position is worth to its side to move, as far as is known.
        children: what its promising turns lead to, best first; `None` while not all were looked at.
    """

    __slots__ = ("children", "known", "state", "steps", "value")

    def __init__(self, state: State, value: int, steps: tuple[Step, ...] = ()) -> None:
        self.state = state
        self.steps = steps
        self.value = value
        self.children: list[Node] | None = None
        self.known: dict[tuple[str, int], Node] = {}


def worth(child: Node) -> int:
    """Return what a turn that leads to `child` is worth; a mate fades with every turn."""
    value = child.value
    return -value + (value > MATE // 2) - (value < -MATE // 2)


def plain(state: State) -> int:
    """Return what stands on the board to the side to move, whatever is attacked."""
    worth = sum(
        PLACED[there][square] for square, there in enumerate(state.squares) if there in PLACED
    )
    return worth if state.white else -worth


class Tree:
    """Grows nodes, and counts them.

    Attributes:
        nodes: how many positions have been looked at; to make the turns of one counts as some more,
            since it takes as long, on a free board above all.
    """

    def __init__(self, game: RealmChess) -> None:
        self._game = game
        self._division = game.division
        self._effort = len(self._division.realms) ** 2 // 100
        self.nodes = 0

    def root(self, position: RealmPosition) -> Node:
        """Return the node of a position that goes on."""
        return self._node(position.state, ())

    def expand(self, node: Node, most: int) -> list[Node]:
        """Return what at most so many turns lead to, the best first.

        A node without a legal turn has none, and its value is that of mate or stalemate.
        """
        if node.children is None:
            list(self.growing(node, most))
        return node.children or []

    def growing(self, node: Node, most: int) -> Iterator[Node]:
        """Yield the children as they are made; who has seen enough of them may stop."""
        position = RealmPosition(self._game, node.state)
        finder = position.finder
        self.nodes += self._effort
        found: dict[tuple[str, int], Node] = {}
        sets = () if position.drawn else candidates(finder, self._evaluation(node.state), most)
        for steps in sets:
            state = following(node.state, finder.board, steps)
            key = state.squares, state.passed
            if key not in found and state.squares != node.state.squares:
                if key not in node.known:
                    node.known[key] = self._node(state, steps)
                found[key] = node.known[key]
                yield found[key]
        node.known = {}
        node.children = sorted(found.values(), key=lambda child: child.value)
        if not found:
            node.value = -MATE if position.in_check and not position.drawn else 0

    def _evaluation(self, state: State) -> Evaluation:
        return Evaluation(state.squares, self._division, white=state.white, power=self._game.power)

    def _node(self, state: State, steps: tuple[Step, ...]) -> Node:
        self.nodes += 1
        evaluation = self._evaluation(state)
        node = Node(state, evaluation.value, steps)
        if evaluation.cornered and not RealmPosition(self._game, state).finder.any_turn():
            node.value, node.children = -MATE, []
        return node
