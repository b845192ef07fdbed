"""The mind for Indistinguishable Chess: a memory that fades, and programs of others."""

import os
import random
import shutil
import signal

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware_bridge.opponents import Level, level_of
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.games.indistinguishable.memory import Memory, believed
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.match import Match, entrant, settled
from firmware_bridge.opponents.seat import Seat
from tests.conftest import PATH

GAME = rules.load("indistinguishable")
FORGETFUL = Level(1, "forgetful", nodes=30, depth=1, error=200, memory=0.9)


@pytest.mark.chess_programs
def test_a_level_that_never_asks_a_program_starts_none():
    external.program.cache_clear()
    started = {
        level: Seat(GAME, level_of(GAME.id, level), "1").door is not None for level in LEVELS
    }
    external.program().close()
    assert started == {level: not level_of(GAME.id, level).blind for level in LEVELS}
    assert set(started.values()) == {True, False}


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.setattr(external, "PROGRAMS", ())
    external.program.cache_clear()


def remembered(seed, plies):
    """A memory after some random turns, and where the game stands."""
    rng, memory, position = random.Random(seed), Memory(str(seed)), GAME.start()
    for _ in range(plies):
        if position.outcome is not None:
            break
        turn = rng.choice(list(position.turns()))
        memory.saw(position.deed(turn))
        position = position.play(turn)
    return memory, position


@given(st.integers(0, 200), st.integers(0, 80))
def test_what_never_moved_and_both_kings_are_never_mistaken(seed, plies):
    memory, position = remembered(seed, plies)
    start = GAME.start().placement
    for square in memory.wrong(position, kept=0.5):
        assert position.placement[square] != start.get(square) or square in memory._since
        assert position.placement[square][1] != "K"
    assert memory.wrong(position, kept=1) == ()


@given(st.integers(0, 200), st.integers(0, 80))
def test_the_more_is_kept_the_fewer_mistakes_and_always_the_same(seed, plies):
    memory, position = remembered(seed, plies)
    again, _ = remembered(seed, plies)
    much, little = set(memory.wrong(position, 0.99)), set(memory.wrong(position, 0.9))
    assert much <= little
    assert set(again.wrong(position, 0.9)) == little
    memory.sure_of_all()
    assert memory.wrong(position, 0.0) == ()


@given(st.integers(0, 200), st.integers(0, 80))
def test_what_is_believed_could_be_played(seed, plies):
    memory, position = remembered(seed, plies)
    if position.outcome is None:
        board = believed(chess.Board(position.fen), memory.wrong(position, kept=0.3))
        assert board.is_valid()
        assert any(board.generate_legal_moves())


class Hall:
    """A game between two forgetful minds, everybody told what there is to see and hear."""

    def __init__(self, seed):
        self.position = GAME.start()
        self.rulings = []
        self._rng = random.Random(seed)
        self._seats = {s: Seat(GAME, FORGETFUL, f"{seed} {s}") for s in ("white", "black")}
        for side, seat in self._seats.items():
            seat.know(self.position.knowledge(side))

    def walk(self, plies):
        for _ in range(plies):
            if self.position.outcome is None:
                self._make(self._rng.choice(list(self.position.turns())))

    def think(self):
        """Let the side to act try until it is right; return the turn that it came to."""
        while True:
            wanted = self._seats[self.position.side].choose().turn
            try:
                turn = self.position.parse_turn(wanted)
            except rules.IllegalTurn:
                referee, ruling = GAME.referee(self.position, 300).attempt(wanted)
                self.rulings.append(ruling)
                self.position = referee.position
                for seat in self._seats.values():
                    seat.rule(wanted)
            else:
                self._make(turn)
                return turn

    def _make(self, turn):
        for side, seat in self._seats.items():
            seat.see(self.position.seen(turn, side))
        self.position = self.position.play(turn)


def test_it_tries_is_ruled_upon_and_owes_the_capture(nothing_installed):
    reasons, owed = set(), 0
    for seed in range(40):
        hall = Hall(seed)
        hall.walk(40)
        if hall.position.outcome is None:
            before = hall.position
            turn = hall.think()
            reasons |= {ruling.reason for ruling in hall.rulings}
            assert all(ruling.penalty >= 300 for ruling in hall.rulings)
            if hall.rulings and (square := hall.rulings[-1].obligation):
                owed += 1
                assert before.captures(turn.move, chess.parse_square(square))
        if owed and "not-your-piece" in reasons:
            break
    assert "not-your-piece" in reasons
    assert owed


def test_without_a_program_our_own_search_plays_and_says_so(nothing_installed):
    seat = Seat(GAME, FORGETFUL, "1")
    seat.know(GAME.start().knowledge("white"))
    turn, _, _ = settled(seat, GAME.start())
    assert turn in set(GAME.start().turns())
    assert seat.note == f"{external.NONE}: our own search plays."


@pytest.mark.chess_programs
@pytest.mark.parametrize("name", external.PROGRAMS)
@pytest.mark.parametrize("error", [0, 100])
def test_each_program_plays_and_always_the_same(name, error):
    level = Level(3, "club", nodes=300, error=error)
    choices = []
    for _ in range(2):
        program = external.Program(shutil.which(name, path=PATH))
        for board in (chess.Board(), chess.Board("7k/8/8/8/8/8/1r6/K7 w - - 0 1")):
            choices.append(program.choose(board, level, random.Random(1)))
            assert chess.Move.from_uci(choices[-1].turn) in board.legal_moves
        program.close()
    assert choices[:2] == choices[2:]


@pytest.mark.chess_programs
@pytest.mark.parametrize("ends", [signal.SIGKILL, signal.SIGSTOP])
def test_a_program_that_dies_or_hangs_is_replaced_by_our_own_search(ends, monkeypatch):
    level = Level(5, "master", nodes=300)
    seat = Seat(GAME, level, "1")
    seat.know(GAME.start().knowledge("white"))
    settled(seat, GAME.start())
    assert "plays" in seat.note
    os.kill(seat.door.pid, ends)
    monkeypatch.setattr(external, "_CEILING_S", 0.1)
    turn, _, _ = settled(seat, GAME.start())
    assert turn in set(GAME.start().turns())
    assert "()" not in seat.note
    assert seat.note.endswith("our own search plays.")


@pytest.mark.chess_programs
def test_a_whole_game_is_played_with_a_program():
    level = Level(3, "x", nodes=50, error=40, memory=0.98)
    played = Match(GAME, (entrant(level), None), "1", 80).play(0)
    assert played.turns
    assert played.result in ("1-0", "*")


@pytest.mark.chess_programs
def test_a_program_is_told_that_it_is_chess960_and_castles():
    game, castled = rules.load("chess960", start=3), 0  # BQNNRKRB: king and rook change places
    level = Level(4, "x", nodes=400)
    for number in range(2):
        played = Match(game, (entrant(level), entrant(level)), "1", 60).play(number)
        position = played.opened[0]
        for text in played.turns:
            turn = position.parse_turn(text)
            castled += position.written(turn).startswith("O-O")
            position = position.play(turn)
    assert castled


REPEATED = (
    "b2b3 h7h5 b1c3 f7f5 d2d4 a7a5 d1d2 e7e6 e2e3 d7d5 c3e2 g8f6 f2f4 f6e4 g2g4 e4d2 g1h3 d2f3 "
    "e1f2 d8h4 f2g2 f3e1 g2g1 e1f3 g1g2 f3e1 g2g1"
)
"""Black, a queen ahead, has given check from f3 once too often already."""


@pytest.mark.chess_programs
def test_a_program_that_wins_does_not_repeat_a_position_for_the_third_time():
    seat, position = Seat(GAME, Level(4, "strong", nodes=1_500), "1"), GAME.start()
    seat.know(position.knowledge("black"))
    for text in REPEATED.split():
        turn = position.parse_turn(text)
        seat.see(position.seen(turn, "black"))
        position = position.play(turn)
    assert seat.choose().turn != "e1f3"
