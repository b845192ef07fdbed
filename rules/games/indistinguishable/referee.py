"""The referee of Indistinguishable Chess: attempts in, rulings out, by the letter of the rules."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from rules.game_referee import Ruling
from rules.games.indistinguishable.position import IndistinguishablePosition
from rules.interface import IllegalTurn, Square, Turn
from rules.orthodox.conversion import king_attackers
from rules.orthodox.objections import objection

KING_PENALTY = 300
"""Seconds for exposing one's own king, whatever was agreed for the rest."""

WORDS = {
    "opponents-piece": "Illegal, opponent's piece.",
    "must-capture": "You must capture this piece.",
    "illegal-capture": "Illegal capture. Another capture attempt must be made.",
    "exposes-king": "Illegal move - exposing your King to Check.",
    "illegal-move": "Illegal move.",
}
"""What the referee calls out, by the short name of the call."""


@dataclass(frozen=True, slots=True)
class IndistinguishableReferee:
    """The game as its referee sees it; every step gives the next state.

    Attributes:
        position: the position, its turns limited to owed captures while an obligation stands.
        penalty: seconds for an illegal attempt, as agreed before the game.
    """

    position: IndistinguishablePosition
    penalty: int = 300

    @property
    def obligation(self) -> Square | None:
        """The square of the piece that must be captured, if any."""
        return self.position.obligation

    def play(self, turn: Turn) -> IndistinguishableReferee:
        """Return the state after a legal turn; an obligation is met by it.

        Raises:
            IllegalTurn: when the turn is not legal, or not the capture that is owed.
        """
        return IndistinguishableReferee(self.position.play(turn), self.penalty)

    def attempt(self, move: str) -> tuple[IndistinguishableReferee, Ruling | None]:
        """Judge a piece set down, from one square on another.

        Args:
            move: `e2e5`, or `e7e8q` with the new piece, which may be left out.

        Returns:
            The state after the ruling: the same position, perhaps with an obligation. There is no
            ruling, and nothing changes, when the movement is a legal turn.

        Raises:
            IllegalTurn: `syntax` when `move` names no movement, `game-over` after the end,
                `empty-square` when there is no piece to move.
        """
        text = _with_promotion(self.position, move)
        try:
            self.position.parse_turn(text)
        except IllegalTurn as illegal:
            if illegal.reason in ("syntax", "game-over", "empty-square"):
                raise
            return self._rule(chess.Move.from_uci(text), illegal)
        return self, None

    def _rule(
        self, move: chess.Move, illegal: IllegalTurn
    ) -> tuple[IndistinguishableReferee, Ruling]:
        """Return the ruling on an illegal movement of a piece."""
        if illegal.reason == "not-your-piece" and self.obligation is None:
            return self._rule_opponents_piece(move)
        if illegal.reason in ("exposes-king", "still-in-check"):
            # That the king was in check before, nobody has been told.
            calls = ("exposes-king",)
            return self, _ruling("exposes-king", calls, KING_PENALTY, self.obligation)
        if self.obligation is not None:
            return self, _ruling(
                "must-capture", ("illegal-capture",), self.penalty, self.obligation
            )
        reason = _whoever_stands_there(self.position.board, move, illegal.reason)
        return self, _ruling(reason, ("illegal-move",), self.penalty)

    def _rule_opponents_piece(self, move: chess.Move) -> tuple[IndistinguishableReferee, Ruling]:
        """Return the ruling on a piece of the opponent's that was moved, and what it obliges to."""
        owing = self.position.owing(move.from_square)
        calls, penalty = ["opponents-piece"], self.penalty
        if owing.obligation is not None:
            calls.append("must-capture")
        if _exposes_king(self.position.board, move):
            calls.append("exposes-king")
            penalty += KING_PENALTY
        ruling = _ruling("not-your-piece", tuple(calls), penalty, owing.obligation)
        return IndistinguishableReferee(owing, self.penalty), ruling


def _ruling(
    reason: str, calls: tuple[str, ...], penalty: int, obligation: Square | None = None
) -> Ruling:
    return Ruling(reason, calls, tuple(WORDS[call] for call in calls), penalty, obligation)


def _whoever_stands_there(board: chess.Board, move: chess.Move, reason: str) -> str:
    """Return the reason that holds whoever's the piece on the target is, where one does."""
    if reason != "own-piece-there":
        return reason
    board.set_piece_at(move.to_square, chess.Piece(chess.KNIGHT, not board.turn))
    told = objection(board, move)
    return told.reason if told else reason


def _with_promotion(position: IndistinguishablePosition, move: str) -> str:
    """Return the movement with a queen named where a pawn arrives and nothing has been named."""
    pawn = position.side[0] + "P"
    last_rank = "8" if position.side == "white" else "1"
    if len(move) == 4 and move[3] == last_rank and position.placement.get(move[:2]) == pawn:
        return move + "q"
    return move


def _exposes_king(board: chess.Board, move: chess.Move) -> bool:
    """Whether the mover's king is attacked once the opponent's piece stands where it was put."""
    piece = board.remove_piece_at(move.from_square)
    board.set_piece_at(move.to_square, piece)
    return board.king(board.turn) is not None and bool(king_attackers(board, board.turn))
