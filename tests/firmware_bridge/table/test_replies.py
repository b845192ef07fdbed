"""A reply before the clock was pressed costs nobody, and tells nobody whose piece was moved."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.messages import Ruled
from firmware_bridge.messages.outputs import VerdictChanged
from tests.firmware_bridge.secrets.test_indistinguishable_pairs import worlds
from tests.firmware_bridge.secrets.worlds import Pair, chooser, table
from tests.firmware_bridge.table.driving import OPENED_AS_CHESS, Driven
from tests.firmware_bridge.table.test_gaps import SEATS
from tests.nightly import few

AGREED = {"time": "45m", "penalty": "5m"}
CHESS = [seat for seat in SEATS if seat[0] in OPENED_AS_CHESS and seat[1] != "face"]
TIMES = ("5m", "5m+3s", "2/5m, 1m", "untimed")


def unfined(driven):
    fined = any(isinstance(output, Ruled) for output in driven.outputs)
    return not fined and driven.table.state.offences == {"white": 0, "black": 0}


def whole(driven, text):
    """Make a turn with tidy hands, and press nothing."""
    before = driven.position
    turn = before.parse_turn(text)
    driven.hands(before.deed(turn), before, before.play(turn))


@pytest.mark.parametrize(("game", "tier"), SEATS)
@settings(max_examples=few(15))
@given(seed=st.integers(0, 2**32), time=st.sampled_from(TIMES), late=st.booleans())
def test_a_legal_reply_takes_the_turn_that_nobody_pressed_for(game, tier, seed, time, late):
    dice = random.Random(seed)
    driven = Driven(game, tier=tier, settings={**AGREED, "time": time})
    driven.random_turns(seed, dice.randint(0, 5))
    if driven.table.state.stage != "playing" or driven.position.awaited:
        return
    pair = replied(driven, dice)
    if pair is None:
        return
    count, start = len(driven.turns), len(driven.outputs)
    first, reply = pair
    mover = driven.position.side
    whole(driven, str(first))
    if driven.table.reconciler.verdict.kind not in ("complete", "extendable"):
        return
    after = driven.position.play(first)
    driven.hands(after.deed(reply), after, after.play(reply))
    driven.wait(4)  # a reply counts once it has rested, longer where the mover may go on
    if driven.table.reconciler.verdict.kind == "choice":
        return  # to this board it may have been another one
    assert (len(driven.turns), driven.position) == (count + 1, after)
    assert driven.said.count("not-pressed") == 1
    if late:
        driven.press(mover)  # whom it does not concern any more
    driven.press(after.side)
    assert (len(driven.turns), driven.position) == (count + 2, after.play(reply))
    told = [o.verdict.kind for o in driven.outputs[start:] if isinstance(o, VerdictChanged)]
    assert not {"illegal", "disturbed"} & set(told)
    assert unfined(driven)


def replied(driven, dice):
    """Return a turn and a reply to it of which the board leaves no doubt, or `None`."""
    turns = [t for t, _ in zip(driven.position.turns(), range(200), strict=False)]
    first = dice.choice(turns)
    after = driven.position.play(first)
    if not plain(driven.position, first) or after.awaited or after.outcome:
        return None
    replies = [t for t, _ in zip(after.turns(), range(200), strict=False) if plain(after, t)]
    return (first, dice.choice(replies)) if replies else None


def plain(position, turn):
    deed = position.deed(turn)
    felt = position.play(turn).placement.keys() != position.placement.keys()
    return turn.plain and deed.moves and felt and not (deed.becomes or deed.placed)


@pytest.mark.parametrize(("game", "tier"), CHESS)
def test_the_clock_goes_over_when_the_reply_is_whole(game, tier):
    driven = Driven(game, tier=tier, settings={"time": "5m"})
    driven.carry("e2", "e4")
    driven.wait(10)
    driven.carry("e7", "e5")
    driven.wait(10)
    left = {side: face.left_ms for side, face in driven.view.clocks.items()}
    assert left == {"white": 289_200, "black": 290_000}
    assert driven.view.clocks["black"].running


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("sealed", [False, True])
def test_no_channel_tells_whose_piece_was_set_down_wrongly_after_a_turn(tier, sealed):
    told = [astray(seed, tier, sealed=sealed) for seed in range(few(40))]
    assert sum(told) > len(told) // 8 or sealed


def astray(seed, tier, *, sealed):
    """Make one legal turn in two worlds, then set a piece down that is no legal reply in either.

    Sealed, it may be one in either of them: nothing is told of it before it is pressed for.
    """
    dice = chooser("replies", seed, tier, sealed)
    starts = worlds(dice)
    first = alike(starts)
    if not first:
        return False
    move = dice.choice(first)
    after = [start.play(start.parse_turn(move)) for start in starts]
    replies = {str(turn)[:4] for position in after for turn in position.turns()}
    source = dice.choice(sorted(after[0].placement.keys() - {move[2:4]}))
    free = sorted(starts[0].game.squares - after[0].placement.keys() - {move[:2]})
    target = dice.choice(free)
    quiet = sorted(reply for reply in replies if reply[2:] in free)
    if sealed and quiet and dice.random() < 0.5:
        source, target = (reply := dice.choice(quiet))[:2], reply[2:]
    legal = source + target in replies and not sealed
    if legal or any(explained(start, move, source, target) for start in starts):
        return False
    pair = Pair(*(table("indistinguishable", start, sealed=sealed, tier=tier) for start in starts))
    pair.carry(move[:2], move[2:])
    pair.carry(source, target)
    pair.pass_time(dice.choice([0.2, 2.0]))
    if dice.random() < 0.5:
        pair.press(starts[0].side)
        pair.pass_time(2.0)
    pair.carry(target, source)
    pair.pass_time(1.0)
    pair.press(starts[0].side)
    pair.same()
    assert not pair.worlds[0].table.state.offences["white"]
    return "press-first" in pair.worlds[0].said


def alike(starts):
    """Return the quiet moves of one piece that are legal turns in both worlds and end neither."""
    found = []
    for start in starts:
        deeds = {str(turn): start.deed(turn) for turn in start.turns()}
        found.append(
            {
                move
                for move, deed in deeds.items()
                if len(move) == 4 and len(deed.moves) == 1 and not deed.taken
            }
        )
    both = sorted(found[0] & found[1])
    return [m for m in both if not any(s.play(s.parse_turn(m)).outcome for s in starts)]


def explained(start, move, source, target):
    """Return whether the two movements are a turn together, such as castling."""
    return any(
        {(move[:2], move[2:4]), (source, target)} <= set(start.deed(turn).moves)
        for turn in start.turns()
    )
