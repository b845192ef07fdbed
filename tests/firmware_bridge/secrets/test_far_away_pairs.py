"""Reality Check far away: what one board shows and is told does not tell what the other hides."""

import itertools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.distance.letters import packed
from firmware_bridge.distance.line import Line
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.service.friend_heard import BUSY
from firmware_bridge.service.owed import owed
from tests.firmware_bridge.secrets.test_reality_check_pairs import OPTIONS, arranged
from tests.firmware_bridge.table import two_boards
from tests.firmware_bridge.table.test_two_boards import DEEDS, do
from tests.firmware_bridge.table.two_boards import LINE, TwoBoards
from tests.nightly import NIGHTLY

PAIRS = 400 if NIGHTLY else 6
DRAWN = re.compile(r"[0-9a-f]{16,}")
"""Hashes and links of chains: random numbers to whoever does not know what they are made of."""


@settings(max_examples=PAIRS, deadline=None)
@given(
    deeds=st.lists(DEEDS, min_size=4, max_size=16),
    seed=st.integers(0, 9999),
    options=st.sampled_from(OPTIONS),
)
def test_a_board_shows_the_same_whatever_lies_below_the_other_sides_discs(deeds, seed, options):
    pair = pair_of(seed, time="5m+2s", **options)
    for deed in deeds:
        if deed[0] == "turn":
            turn_alike(pair, deed[1])
        else:
            for both in pair:
                do(both, deed)
        if any(b.table.state.stage == "over" for both in pair for b in both.boards.values()):
            return  # everything is public then
        assert seen(pair[0]) == seen(pair[1])


def turn_alike(pair, number):
    """Make a turn in both games that shows the same to everybody, if there is one."""
    for both in pair:
        both.settle()
    movers = [of_mover(both) for both in pair]
    stands = all(each.readings.keys() == each.position.placement.keys() for each in movers)
    if stands and all(each.table.state.goes_on for each in movers):
        for turn in itertools.islice(alike(pair, random.Random(number)), 1):
            for both in pair:
                make(both, turn)


def pair_of(seed, *, time="untimed", **options):
    """Return two games that differ in what Black's discs hide."""
    how = {"settings": {"time": time}, "seed": seed, **options}
    one = TwoBoards("reality-check", **how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(two_boards, "starts", with_others(two_boards.starts, seed))
        return one, TwoBoards("reality-check", **how)


def with_others(starts, seed):
    """Let Black's discs be others with the same faces up."""

    def drawn(game, options, number):
        found = starts(game, options, number)
        black = found["black"]
        shown = {s: p.kind for s, p in black.shown.items() if p.side == "black"}
        dealt = arranged(random.Random(seed + 7), shown)
        hidden = black.game.start(black=dealt)
        hidden = hidden.game.start_told(hidden, "white", black.told_of("white"))
        return {**found, "black": hidden}

    return drawn


def alike(pair, chooser):
    """Yield turns that both games can make, and that show the same to everybody."""
    one, other = (of_mover(both).position for both in pair)
    if one.awaited == "roll":
        return
    turns = [turn for turn, _ in zip(one.turns(), itertools.repeat(0, 500), strict=False)]
    chooser.shuffle(turns)
    for turn in turns:
        same = next((one for one in other.turns() if str(one) == str(turn)), None)
        if same and shown(pair[0], turn) == shown(pair[1], same):
            yield str(turn)


def shown(both, turn):
    """Return all that the rules make public of a turn, by the true pieces of both sides."""
    true = truth(both)
    after = true.play(true.parse_turn(str(turn)))
    return [turn.public, true.revealed(turn), *(after.told_of(side) for side in ("white", "black"))]


def truth(both):
    """Return where the game stands, as nobody at the boards knows it."""
    white, black = (board.position for board in both.boards.values())
    theirs = {s: x for s, x in black.placement.items() if x[0] == "b"}
    mine = {s: x for s, x in white.placement.items() if x[0] == "w"}
    return white.rearranged({**mine, **theirs})


def of_mover(both):
    side = both.boards["white"].position.side
    return both.boards[side]


def make(both, text):
    board = of_mover(both)
    before = board.position
    turn = before.parse_turn(text)
    deed = before.deed(turn)
    if deed.physical:
        board.hands(deed, before, before.play(turn))
    board.press(before.side)
    if board.table.state.put is None:
        board.answer(text)
    if board.table.state.put is None and board.position is before:
        board.press(before.side)
    both.settle()


def seen(both):
    """Return what White's board shows, and all that White's host has been told."""
    white, black = both.boards.values()
    return white.view, white.outputs, list(letters_of(black)), black.view.phase in BUSY


def letters_of(board):
    """Yield what a host writes of its game so far: kind, body, and how much the carrier sees."""
    game, line = (
        RecordedGame(board.table.agreement, board.table.state, board.table.records),
        Line(LINE),
    )
    while letter := owed(game, line):
        line = line.write(*letter, 0, lambda _: bytes(64))
        kind, body = letter
        told = DRAWN.sub("#", str(body))
        yield kind, told, len(line.sent[-1].data), len(packed(line.sent[-1]))


def test_the_referee_of_one_board_is_shown_nothing_that_only_the_other_host_knows():
    both = TwoBoards("reality-check", seed=3)
    white = both.boards["white"]
    shown = white.table.summary().referee_view(white.t)
    black = {s for s, label in white.position.placement.items() if label[0] == "b"}
    assert {label for s, label in shown.placement.items() if s in black} <= {
        f"b{face}?" for face in "PNBR"
    }
    assert shown.hands["black"] == ()
    assert shown.position == white.position.knowledge("white").text
    assert white.table.state.seed not in str(shown)
