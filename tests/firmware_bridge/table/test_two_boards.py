"""A game between two boards: both hosts come to the same game, whatever is held back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from drivers.port import Snapshot
from firmware_bridge.messages import LineChanged, Wished
from firmware_bridge.referee.facts import SAID
from firmware_bridge.service.compatibility import hides
from tests.firmware_bridge.table.carrying_out import OPTIONS
from tests.firmware_bridge.table.test_table_laws import make_turn, put_right
from tests.firmware_bridge.table.two_boards import LINE, TwoBoards, bind
from tests.nightly import NIGHTLY

EXAMPLES = 200 if NIGHTLY else 2
GAMES = [
    (name, options)
    for name in sorted(rules.games())
    for options in (OPTIONS.get(name, [{}]) if hides(rules.load(name)) else [{}])
]
TIMES = "5m+2s", "3d a turn"
SIDES = st.sampled_from(["white", "black"])
NOT_THE_END = sorted(set(SAID) - {"resign", "accept-draw"})
DEEDS = st.one_of(
    st.tuples(st.just("turn"), st.integers(0, 60)),
    st.tuples(st.just("turn"), st.integers(0, 60)),
    st.tuples(st.just("slip"), SIDES, st.integers(0, 60)),
    st.tuples(st.just("press"), SIDES, st.sampled_from(["white", "black", "pause", "draw"])),
    st.tuples(st.just("say"), SIDES, st.sampled_from(NOT_THE_END)),
    st.tuples(st.just("say"), SIDES, st.sampled_from(SAID)),
    st.tuples(st.just("wait"), SIDES, st.sampled_from([1, 12, 100])),
    st.tuples(st.just("line"), SIDES),
    st.tuples(st.just("crash"), SIDES),
    st.tuples(st.just("gap"), SIDES, st.integers(0, 60)),
    st.tuples(st.just("send"), st.integers(1, 3)),
    st.tuples(st.just("settle")),
)


def do(game, deed):  # noqa: C901 - one line for each kind of deed
    """Let one thing happen at one of the boards, or between them."""
    match deed:
        case "turn", number:
            if number % 2:  # else a hand may be busy yet with the other side's turn
                game.settle()
            turn(game, number)
        case "slip", side, number:
            slip(game.boards[side], number)
        case "press", side, button:
            game.boards[side].press(button)
        case "say", side, what:
            game.boards[side].say(what, side)
        case "wait", side, seconds:
            game.boards[side].wait(seconds)
        case "line", side:
            board = game.boards[side]
            board.feed(LineChanged(board.t, not board.table.state.line_out))
        case "gap", side, number:
            unseen(game.boards[side], number)
        case "crash", side:
            board = game.boards[side]
            board.come_back(board.table.records, board.readings)
        case "send", most:
            game.send(most)
        case ("settle",):
            game.settle()


def turn(game, number):
    """Let whoever is to move make a turn, once his board is right."""
    for side, board in game.boards.items():
        state = board.table.state
        if state.position.side == side and state.goes_on and not state.executing:
            # What comes after the moves with a flip is rarer and tells more.
            far = hides(board.table.agreement.terms().game) and number % 3
            make_turn(board, 997 * number if far else number, most=600 if far else 60)
            return


def unseen(board, number):
    """Carry a piece somewhere else while nobody watches, and look at the whole board after it."""
    free = sorted(board.position.game.squares - board.readings.keys())
    home = sorted(board.readings)[number % len(board.readings)]
    board.readings[free[number % len(free)]] = board.readings.pop(home)
    board.t += 1.0
    board.feed(Snapshot(board.t, dict(board.readings)))


def slip(board, number):
    """Let a hand set a piece where it does not belong, and put it back."""
    squares = sorted(cell for cell in board.readings if cell in board.start.placement)
    free = sorted(board.table.agreement.terms().game.squares - board.readings.keys())
    source, target = squares[number % len(squares)], free[number % len(free)]
    board.carry(source, target)
    board.wait(1)
    board.carry(target, source)
    board.wait(1)


@pytest.mark.parametrize(("game", "options"), GAMES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(DEEDS, max_size=16), st.integers(0, 9999), st.sampled_from(TIMES))
def test_both_hosts_come_to_one_game(game, options, deeds, seed, time):
    both = TwoBoards(game, settings={"time": time, "penalty": "30s"}, seed=seed, **options)
    for deed in deeds:
        do(both, deed)
    for board in both.boards.values():
        if not board.table.state.executing:
            put_right(board)
        if board.table.state.line_out:
            board.feed(LineChanged(board.t, out=False))
        if board.table.state.paused:
            board.press(board.table.agreement.terms().here)
    both.settle()
    both.agree()


def test_a_pause_stands_on_the_board_whose_own_host_has_just_come_back():
    both = TwoBoards("chess", settings={"time": "5m+2s"})
    for deed in [("turn", 2), ("settle",), ("crash", "white"), ("say", "black", "pause")]:
        do(both, deed)
    both.settle()
    assert [board.table.state.stage for board in both.boards.values()] == ["paused", "paused"]
    both.agree()


@pytest.mark.parametrize(("line", "stage"), [("1" * 32, "playing"), (LINE, "over")])
def test_what_a_friend_says_is_of_the_game_that_he_names(line, stage):
    white = TwoBoards("chess").boards["white"]
    white.feed(Wished(white.t + 1, line, "resign", 0))
    assert white.table.state.stage == stage


def test_nobody_speaks_at_one_board_for_who_has_another():
    """His host would take it for a lie: he has said nothing."""
    both = TwoBoards("chess")
    both.boards["white"].say("adjourn", "black")
    both.settle()
    assert [board.table.state.stage for board in both.boards.values()] == ["playing", "playing"]
    both.agree()


def test_no_turn_is_told_before_both_hosts_are_bound():
    """It would be told as the fact that the other host writes meanwhile to bind itself."""
    game = TwoBoards("reality-check", bound=False)
    white, black = game.boards.values()
    bind(white)
    make_turn(white, 3)
    assert white.table.state.put is None
    assert white.table.state.stage == "ready"
    bind(black)
    game.settle()
    game.agree()
    assert {board.table.state.stage for board in (white, black)} == {"playing"}
