"""What people may ask of a computer it answers, and it knows when a game is over."""

import contextlib
import sys

import pytest

from drivers.port import Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages import Call
from firmware_bridge.messages.records import Record
from firmware_bridge.referee.game_state import State
from firmware_bridge.referee.referee import apply
from firmware_bridge.service.manners import AS_LONG, IN_A_ROW, LOST, Answers, wish
from firmware_bridge.service.seat_process import Opponent
from rules.draws import CLAIMED_QUIET_TURNS
from rules.values import SIDES
from tests.firmware_bridge.service.desk_help import Hands, heard
from tests.firmware_bridge.service.test_computer_players import executing, played
from tests.firmware_bridge.service.test_secrets_far_away import FarHands
from tests.nightly import one_of
from tests.patience import soon
from tests.sample import SAMPLE

EXPECTING = """
import sys
import rules
from firmware_bridge.opponents.protocol import read_knowledge, read_seen
given, belief = {}, None
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "isready": print("readyok", flush=True)
    if word == "setoption":
        name, _, value = rest.removeprefix("name ").partition(" value ")
        given[name] = value
    if word == "position":
        known, game = read_knowledge(rest), rules.load(given["Game"])
        belief = game.believe(known.side, known)
    if word == "seen": belief = belief.after(read_seen(rest))
    if word == "go":
        world = belief.worlds()[0]
        rather = lambda one: (str(one) not in PREFERS, bool(world.deed(one).taken), str(one))
        turn = min(world.turns(), key=rather)
        print(f"info depth 1 score cp SCORE nodes 1 pv {turn}")
        print(f"bestmove {turn}", flush=True)
"""
"""Plays the first of all quiet turns, preferred ones before, and expects what the test says."""


TURNED = "reality-check"
"""The game whose board must read faces, and whose computer has tokens; hands go another way."""
GAMES = (*one_of(*(game for game in SAMPLE if game != TURNED), "chess", "grid"), TURNED)
"""All games at night; manners know no game."""


@contextlib.asynccontextmanager
async def begun(folder, game, start, **computers):
    """Begin a game in which computers play; give its hands and the controller."""
    kind = TokenHands if game == TURNED else Hands
    async with played(folder, game=game, start=start, hands=kind, **computers) as (hands, at):
        await hands.set_up()
        await at.submit(Call(at.now(), "start"))
        yield hands, at


class TokenHands(FarHands):
    """Hands at a board that reads faces: a person's discs are real, a computer's are tokens."""

    async def set_up(self):
        start = self.state.position
        people = {side[0] for side in SIDES} - {s[0] for s in self.controller.agreement.computers}
        real = {square: x for square, x in start.placement.items() if x[0] in people}
        self.readings = {square: self.reading(label) for square, label in real.items()}
        await self.lay_tokens(start)
        await self.controller.submit(Snapshot(self.t, dict(self.readings)))


def expecting(score, prefers="()"):
    program = EXPECTING.replace("SCORE", str(score)).replace("PREFERS", prefers)
    command = (sys.executable, "-c", program)
    return lambda seating, told: Opponent.start(seating, told, command)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("score", "accepts"), [(-50, True), (50, False)])
async def test_an_offered_draw_is_answered_as_it_stands(tmp_path, game, score, accepts):
    computers = {"white": "computer 3"}
    async with begun(tmp_path, game, expecting(score), **computers) as (hands, at):
        answers = Answers(at, hands.computers.expects)
        async with heard(at, answers):
            await soon(executing(at))
            await at.submit(Call(at.now(), "offer-draw", "black"))
            if accepts:
                await soon(lambda: at.view().ending)
                assert at.view().ending.reason == "agreed-draw"
            else:
                await soon(lambda: at.table.state.offer is None)
                assert at.view().ending is None
                # Nobody else may speak for it.
                await at.submit(Call(at.now(), "resign", "white"))
                assert at.view().ending is None


@pytest.mark.parametrize("game", one_of(*GAMES))
async def test_it_resigns_in_every_game_when_all_is_lost_for_long(tmp_path, game):
    both = {"white": "computer 3", "black": "computer 2"}
    async with begun(tmp_path, game, expecting(LOST - 500), **both) as (hands, at):
        while await soon(lambda: at.view().ending or executing(at)()):
            if at.view().ending:
                break
            await hands.carry_out()
        ending = at.view().ending
        assert (ending.reason, ending.winner) == ("resignation", "black")
        assert sum(turn.side == "white" for turn in at.table.state.played) == IN_A_ROW - 1


@pytest.mark.parametrize("game", one_of(*GAMES))
async def test_it_claims_in_every_game_the_draw_that_is_its_due(tmp_path, game):
    both = {"white": "computer 3", "black": "computer 3"}
    start = expecting(0, prefers="{'g1f3', 'f3g1', 'g8f6', 'f6g8'}")
    async with begun(tmp_path, game, start, **both) as (hands, at):
        while await soon(lambda: at.view().ending or executing(at)()):
            if at.view().ending:
                break
            await hands.carry_out()
        due = ("no-progress", CLAIMED_QUIET_TURNS) if game == TURNED else ("repetition", 8)
        assert (at.view().ending.reason, len(at.table.state.played)) == due


def state_after(game, *turns):
    terms = Agreement(game).terms()
    state = State.begin(terms, terms.game.start())
    for number, turn in enumerate(turns):
        state = apply(terms, state, Record(1000 * number, "taken", {"turn": turn})).state
    return state


def test_who_has_lost_for_long_resigns_but_not_against_children():
    state = state_after("mockery")
    lost = [LOST] * IN_A_ROW
    assert wish(state, lost, level=3) == "resign"
    assert wish(state, lost, level=2) is None
    assert wish(state, [*lost, LOST + 1], level=5) is None
    assert wish(state, lost[1:], level=5) is None


KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")


def test_who_is_not_better_claims_what_repetition_gives():
    state = state_after("mockery", *KNIGHTS * 2)
    assert wish(state, [0], level=3) == "claim-draw"
    assert wish(state, [1], level=3) is None
    assert wish(state_after("mockery", *KNIGHTS), [0], level=3) is None


def test_a_draw_is_offered_where_nothing_moves_on_and_not_at_every_turn():
    still = "4k3/8/8/8/8/8/8/R3K2r w - - {} 60 -"
    terms = Agreement("mockery").terms()
    state, busy = (State.begin(terms, terms.game.parse(still.format(clock))) for clock in (60, 10))
    even = [5] * 10
    assert wish(state, even, level=3) == "offer-draw"
    assert wish(busy, even, level=3) is None
    assert wish(state, [5] * 11, level=3) is None
    assert wish(state, [*even[1:], 90], level=3) is None
    assert len(even) >= AS_LONG
