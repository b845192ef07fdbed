"""The slow twins of the rules under one roof: turns, outcomes and checks by position text."""

import mockery_oracle
import orthodox_oracle
import reversi_oracle


class Reversi:
    turns = staticmethod(reversi_oracle.turns)
    outcome = staticmethod(reversi_oracle.outcome)

    @staticmethod
    def checked(text):
        state = orthodox_oracle.parse(text)
        return not orthodox_oracle.safe(state, state.side)


class Orthodox(Reversi):
    @staticmethod
    def turns(text):
        state = orthodox_oracle.parse(text)
        return {move: orthodox_oracle.show(after) for move, after in orthodox_oracle.legal(state)}

    @classmethod
    def outcome(cls, text):
        if cls.turns(text):
            return None
        if not cls.checked(text):
            return (None, "stalemate")
        return ({"w": "black", "b": "white"}[text.split()[1]], "checkmate")


class Mockery:
    turns = staticmethod(mockery_oracle.turns)
    outcome = staticmethod(mockery_oracle.outcome)

    @staticmethod
    def checked(text):
        """Whether the king is in check or gone: only then can it be over with a winner."""
        state, invisible = mockery_oracle.parse(text)
        gone = ("K" if state.side == "w" else "k") not in state.board.values()
        return gone or mockery_oracle.in_check(state.board, invisible, state.side)


TWINS = {"reversi": Reversi, "mockery": Mockery, "indistinguishable": Orthodox}
