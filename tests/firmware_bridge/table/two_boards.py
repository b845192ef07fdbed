"""Two tables of one game, and the letters between them, held back as long as one likes."""

from firmware_bridge.messages import Call, FactTold
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.referee.facts import facts, has_word
from firmware_bridge.referee.game_state import State
from firmware_bridge.referee.referee import rebuild
from rules.values import opponent
from tests.firmware_bridge.table.carrying_out import carry_out
from tests.firmware_bridge.table.driving import Driven

LINE = "0" * 32


class TwoBoards:
    """White's board and Black's.

    Args:
        game: the game's id.
        settings: game settings by name.
        options: the game's options.
    """

    def __init__(self, game, *, settings=None, **options):
        self.boards = {
            side: Driven(game, settings=settings, options=options, away=opponent(side), line=LINE)
            for side in ("white", "black")
        }

    def pairs(self):
        """Yield each board with the other one."""
        for side, board in self.boards.items():
            yield board, self.boards[opponent(side)]

    def send(self, most=1000):
        """Carry what is told between the hosts until nothing new comes, or so much has come."""
        for _ in range(most):
            told = [self._tell(here, there) for here, there in self.pairs()]
            if not any(told):
                return

    def _tell(self, here, there):
        """Carry one fact or wish from one host to the other; return whether it made a change."""
        known = len(facts(there.table.records))
        own = facts(here.table.records)
        if known < len(own):
            record = own[known]
            there.t += 0.1
            told = FactTold(there.t, LINE, known + 1, record.kind, record.data)
            assert there.table.objection_to(told) is None
            there.feed(told)
            return len(facts(there.table.records)) > known
        state = there.table.state
        what, known = here.table.state.asked, len(facts(there.table.records))
        if what and has_word(there.table.agreement.terms(), state):
            by = here.table.agreement.terms().here if CALLS[what].by == "player" else None
            there.t += 0.1
            there.feed(Call(there.t, what, by, {}, own=True))
        return len(facts(there.table.records)) > known

    def settle(self):
        """Carry everything, with hands that do what is shown, until both boards are right."""
        for _ in range(100):
            known = [len(board.table.records) for board in self.boards.values()]
            self.send()
            for board in self.boards.values():
                carry_out(board)
            if known == [len(board.table.records) for board in self.boards.values()]:
                return
        raise AssertionError("the boards do not come to rest")

    def agree(self):
        """See that both hosts have one game."""
        white, black = (board.table for board in self.boards.values())
        for board in self.boards.values():
            table = board.table
            begun = State.begin(table.agreement.terms(), board.start)
            assert rebuild(table.agreement.terms(), begun, table.records) == table.state
        told = [[(f.kind, dict(f.data)) for f in facts(t.records)] for t in (white, black)]
        assert told[0] == told[1]
        one, other = white.state, black.state
        for what in ("position", "stage", "offences", "offer", "ending"):
            assert str(getattr(one, what)) == str(getattr(other, what)), what
        assert (one.own and one.own.obligation) == (other.own and other.own.obligation)
        if one.ending is None:
            rests = opponent(one.position.side)
            assert one.clock.account(rests) == other.clock.account(rests)
        assert [str(p.turn) for p in one.played] == [str(p.turn) for p in other.played]
