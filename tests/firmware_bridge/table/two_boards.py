"""Two tables of one game, and the letters between them, held back as long as one likes."""

import random

import rules
from drivers.port import Snapshot
from firmware_bridge.messages import FactTold, Wished
from firmware_bridge.referee.audit import gone_through, opened_at_end
from firmware_bridge.referee.fact_forms import told
from firmware_bridge.referee.facts import facts
from firmware_bridge.referee.game_state import State
from firmware_bridge.referee.referee import rebuild
from firmware_bridge.service.compatibility import hides
from rules.values import opponent
from tests.firmware_bridge.secrets.test_reality_check_pairs import arranged
from tests.firmware_bridge.table.carrying_out import carry_out
from tests.firmware_bridge.table.driving import Driven

LINE = "0" * 32


def bind(board):
    """Let a host bind itself to the pieces that are set up on its board."""
    board.feed(Snapshot(board.t, dict(board.readings)))
    board.press(board.table.agreement.terms().here)


class TwoBoards:
    """White's board and Black's.

    Args:
        game: the game's id.
        settings: game settings by name.
        bound: whether both hosts have bound themselves to what their pieces hide.
        options: the game's options.
    """

    def __init__(self, game, *, settings=None, seed=0, bound=True, **options):
        self.boards = {
            side: Driven(
                game,
                settings=settings,
                options=options,
                start=start,
                begin=start is None,
                away=opponent(side),
                line=LINE,
            )
            for side, start in starts(game, options, seed).items()
        }
        if hides(rules.load(game)) and bound:
            for board in self.boards.values():
                bind(board)
            self.settle()

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
            if not there.table.distant.ready_for(own[known].kind):
                return False  # its board is set up again after a crash
            there.t += 0.1
            told = FactTold(there.t, LINE, known + 1, own[known].kind, told_of(here, own[known]))
            assert there.table.distant.objection(told) is None
            there.feed(told)
            return len(facts(there.table.records)) > known
        if what := here.table.state.asked:
            wish = Wished(there.t + 0.1, LINE, what, known)
            if there.table.distant.minds(wish):
                there.t = wish.t
                there.feed(wish)
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

    def go_through(self):
        """See that with all open both hosts find the same game, and no lie in it."""
        (one, _), (other, _) = pairs = [*self.pairs()]
        whole = []
        for here, there in pairs:
            terms, theirs = here.table.agreement.terms(), there.table.agreement.terms()
            opened = opened_at_end(theirs, there.table.records)
            whole.append(gone_through(terms, here.table.records, opened))
        assert whole[0] == whole[1]
        true = whole[0].start
        for text in whole[0].turns.values():
            true = true.play(true.parse_turn(text))
        for board, side in ((one, "white"), (other, "black")):
            if board.table.state.put is None:
                assert board.table.state.position.knowledge(side) == true.knowledge(side)
        return whole[0]

    def agree(self):
        """See that both hosts have one game."""
        white, black = (board.table for board in self.boards.values())
        for board in self.boards.values():
            table = board.table
            begun = State.begin(table.agreement.terms(), board.start)
            assert rebuild(table.agreement.terms(), begun, table.records) == table.state
        told = [
            [(f.kind, told_of(board, f)) for f in facts(board.table.records)]
            for board in self.boards.values()
        ]
        assert told[0] == told[1]
        one, other = white.state, black.state
        for what in ("stage", "offences", "offer", "ending"):
            assert str(getattr(one, what)) == str(getattr(other, what)), what
        if white.agreement.terms().hides:
            for side in ("white", "black"):
                assert one.position.told_of(side) == other.position.told_of(side)
            self.go_through()
        else:
            assert str(one.position) == str(other.position)
        assert (one.own and one.own.obligation) == (other.own and other.own.obligation)
        if one.ending is None:
            rests = opponent(one.position.side)
            assert one.clock.account(rests) == other.clock.account(rests)
        assert [p.turn.public for p in one.played] == [p.turn.public for p in other.played]


def some_start(game, side, chooser):
    """Return a start in which a side's pieces stand somehow, and the other's as everybody knows."""
    stood = {s: x for s, x in game.start().placement.items() if x[0] == side[0]}
    squares = sorted(stood)
    if game.free_start:
        squares = sorted(chooser.sample(sorted(game.rules.board.halves[side]), 9))
    faces = list("PPPNNBBRR")  # of each no more than four pieces have
    chooser.shuffle(faces)
    if not game.free_start:
        faces = [game.face(stood[square])[1] for square in squares]
    return game.start(**{side: arranged(chooser, dict(zip(squares, faces, strict=True)))})


def told_of(board, record):
    """Return what one host tells the other of a fact."""
    return told(record.kind, record.data, hides=board.table.agreement.terms().hides)


def starts(game, options, seed):
    """Return how each board is set up, `None` where nothing is chosen."""
    loaded = rules.load(game, **options)
    if not hides(loaded):
        return {"white": None, "black": None}
    chooser, own, shown = random.Random(seed), {}, {}
    for side in ("white", "black"):
        drawn = some_start(loaded, side, chooser)
        shown[side], own[side] = drawn.told_of(side), drawn
    return {
        side: loaded.start_told(start, opponent(side), shown[opponent(side)])
        for side, start in own.items()
    }
