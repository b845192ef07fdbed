"""Reality Check far away: what one board shows and is told does not tell what the other hides."""

import itertools
import json
import random

import pytest

from firmware_bridge.referee.facts import facts
from tests.firmware_bridge.secrets.test_reality_check_pairs import OPTIONS, arranged
from tests.firmware_bridge.table import two_boards
from tests.firmware_bridge.table.two_boards import TwoBoards
from tests.nightly import NIGHTLY

PAIRS = 400 if NIGHTLY else 12
TURNS = 10
UNLIKE = ("pieces", "dice", "link")
"""Hashes, and links of chains: random numbers to whoever does not know what they are made of."""


@pytest.mark.parametrize("seed", range(PAIRS))
def test_a_board_shows_the_same_whatever_lies_below_the_other_sides_discs(seed, monkeypatch):
    options = OPTIONS[seed % len(OPTIONS)]
    chooser = random.Random(seed)
    one = TwoBoards("reality-check", settings={"time": "5m+2s"}, seed=seed, **options)
    monkeypatch.setattr(two_boards, "starts", with_others(two_boards.starts, seed))
    other = TwoBoards("reality-check", settings={"time": "5m+2s"}, seed=seed, **options)
    pair = one, other
    for _ in range(TURNS):
        assert seen(one) == seen(other)
        if one.boards["white"].table.state.stage != "playing":
            return
        turn = next(iter(alike(pair, chooser)), None)
        if turn is None:
            return
        for both in pair:
            make(both, turn)
        if any(
            board.table.state.stage == "over" for both in pair for board in both.boards.values()
        ):
            return  # everything is public then


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
    white = both.boards["white"]
    told = [
        [
            fact.kind,
            {k: v for k, v in dict(two_boards.told_of(white, fact)).items() if k not in UNLIKE},
        ]
        for fact in facts(white.table.records)
        if fact.data["at"] == "black"
    ]
    sizes = [
        len(json.dumps(two_boards.told_of(white, fact))) for fact in facts(white.table.records)
    ]
    return white.view, told, sizes, white.outputs


def test_the_referee_of_one_board_is_shown_nothing_that_only_the_other_host_knows():
    both = TwoBoards("reality-check", seed=3)
    white = both.boards["white"]
    shown = white.table.referee_view(white.t)
    black = {s for s, label in white.position.placement.items() if label[0] == "b"}
    assert {label for s, label in shown.placement.items() if s in black} <= {
        f"b{face}?" for face in "PNBR"
    }
    assert shown.hands["black"] == ()
    assert shown.position == white.position.knowledge("white").text
    assert white.table.state.seed not in str(shown)
