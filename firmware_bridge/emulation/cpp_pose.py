"""Poses as a device of the open Chess Peripheral Protocol, in lines of text. Pure.

The program at the other end (the central) rules the round; this end says what stands on the board
and which moves were made there, and has the board show where the central's own moves must go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from firmware_bridge.emulation.follower import Done, Follower, chess
from rules.interface import IllegalTurn, InvalidPosition, Position

FEATURES = frozenset({"get_state", "state_stream", "undo", "moved"})
"""What can be asked for beyond the least that the protocol demands."""
LONGEST = 512
"""Bytes of a line; more without an end is noise."""
_CASTLING = (("K", "wK", "e1", "wR", "h1"), ("Q", "wK", "e1", "wR", "a1"),
             ("k", "bK", "e8", "bR", "h8"), ("q", "bK", "e8", "bR", "a8"))  # fmt: skip


class CppPose:
    """One device at the other end of a cable."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._buffer = b""
        self._features: set[str] = set()
        self._round = False
        self._in_step = False
        self._awaited = False
        self._told = ""
        self._commands: dict[str, Callable[[str, float], Sequence[str]]] = {
            "feature": self._feature,
            "variant": lambda name, _: ["ok" if name == "standard" else "nok"],
            "set_variant": lambda name, _: [] if name == "standard" else ["err No such variant"],
            "get_state": lambda _, __: [f"state {self._state()}"],
            "begin": self._begin,
            "move": partial(self._follow, follower.play),
            "promote": partial(self._follow, follower.instead),
            "undo": lambda _, t: self._follow(follower.go_back, t),
            "ok": lambda _, __: [],
            "nok": self._refused,
            "end": self._end,
            "err": lambda _, __: [],
        }

    def hear(self, data: bytes, t: float) -> bytes:
        """Take in lines; return the answers."""
        *lines, self._buffer = re.split(rb"[\r\n\0]+", self._buffer + data)
        if len(self._buffer) > LONGEST:
            self._buffer = b""
        answers: list[str] = []
        for line in lines:
            word, _, rest = line.decode("ascii", errors="replace").strip().partition(" ")
            if word:
                command = self._commands.get(word)
                answers += command(rest.strip(), t) if command else ["err Unsupported command"]
        return _sent([*answers, *self._news()])

    def felt(self, done: Sequence[Done]) -> bytes:
        """Return what is told of what the board now shows, and of moves that were made there."""
        moves = [f"{act.what} {act.uci}" for act in done if act.what == "move" or self._can("undo")]
        return _sent([*self._news(), *(moves if self._round else ())])

    def _news(self) -> list[str]:
        """Return what has changed for the central: the squares, and whether both agree."""
        news = []
        state = self._state()
        streams = self._can("state_stream") or (self._round and not self._in_step)
        if state != self._told:
            self._told = state
            if streams:
                news.append(f"state {state}")
        if not self._round:
            return news
        if self._follower.settled and not self._in_step:
            news.append(f"sync {state}")
            self._in_step = True
        elif self._follower.settled and self._awaited and self._can("moved"):
            news.append("moved")
        elif self._follower.wrong and self._in_step and not self._awaited:
            news.append(f"unsync {state}")
            self._in_step = False
        self._awaited = self._awaited and not self._follower.settled
        return news

    def _feature(self, name: str, t: float) -> Sequence[str]:  # noqa: ARG002 - as all commands
        if name not in FEATURES:
            return ["nok"]
        self._features.add(name)
        return ["ok"]

    def _begin(self, fen: str, t: float) -> Sequence[str]:
        try:
            position = _position(fen)
        except InvalidPosition as error:
            return [f"err {error}"]
        self._round, self._awaited = True, False
        self._follower.begin(position, t)
        self._told = self._state()
        self._in_step = self._follower.settled
        return [f"{'sync' if self._in_step else 'unsync'} {self._told}"]

    def _follow(self, act: Callable[..., object], *said: object) -> Sequence[str]:
        """Go where the central says; the hands have to follow on the board."""
        if not self._round:
            return ["err No round has begun"]
        try:
            act(*said)
        except IllegalTurn as error:
            return [f"err {error}"]
        self._awaited = not self._follower.settled
        return []

    def _refused(self, _: str, t: float) -> Sequence[str]:
        """The central does not take the last move: the hands have to take it back."""
        self._follower.go_back(t)
        if not self._round or self._follower.settled:
            return []
        self._in_step = False
        self._told = self._state()
        return [f"unsync {self._told}"]

    def _end(self, _: str, t: float) -> Sequence[str]:
        self._round = self._awaited = False
        self._follower.begin(chess().start(), t)
        return []

    def _can(self, feature: str) -> bool:
        """Whether the central has asked for this feature; without that it is off."""
        return feature in self._features

    def _state(self) -> str:
        stands = self._follower.stands
        rows = []
        for rank in range(8, 0, -1):
            row = "".join(
                _letter(stands[cell]) if (cell := f"{file}{rank}") in stands else "."
                for file in "abcdefgh"
            )
            rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
        return "/".join(rows)


def _letter(label: str | None) -> str:
    """Return a piece's letter, capital for White; `?` where nobody can tell."""
    if label is None:
        return "?"
    return label[1] if label[0] == "w" else label[1].lower()


def _position(fen: str) -> Position:
    """Return the position of a FEN, whose fields from the side on may be left out.

    Raises:
        InvalidPosition: when it is none.
    """
    fields = fen.split()
    placement, side = (*fields, "", "w")[0], (*fields[1:2], "w")[0]
    if len(fields) >= 6:
        return chess().parse(" ".join(fields[:6]))
    bare = chess().parse(f"{placement} {side} - - 0 1").placement
    castling = fields[2] if len(fields) > 2 else "".join(
        right
        for right, king, home, rook, corner in _CASTLING
        if bare.get(home) == king and bare.get(corner) == rook
    )  # fmt: skip
    return chess().parse(f"{placement} {side} {castling or '-'} - 0 1")


def _sent(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("ascii", errors="replace")
