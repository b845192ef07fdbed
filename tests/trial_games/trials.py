"""What the trial games show of themselves; `tests/test_trial_games.py` runs this where they are."""

import json
import random

import pytest

import rules
from firmware_bridge.bench import games, reconcile
from firmware_bridge.messages import Declare, Said
from firmware_bridge.opponents import engine_of, level_of
from firmware_bridge.opponents.any_game import RulesNode
from firmware_bridge.recordings import export
from firmware_bridge.recordings.format import read
from firmware_bridge.recordings.replaying import Replay
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules.explain import Seen
from tests.firmware_bridge.secrets.worlds import Pair, chooser, table
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import NIGHTLY, at_night, few, one_of

ROWS = [row for row in games.ROWS if row.name == "marseillais"]
if not NIGHTLY:  # where pieces have no names a turn says the least of itself
    ROWS = [row for row in ROWS if row.tier == "occupancy"]


def thousand_turns(seed):
    """A position of Marseillais Chess after some random turns, and chance."""
    dice, position = random.Random(seed), rules.load("marseillais").start()
    for _ in range(dice.randrange(1, 9)):
        position = position.play(dice.choice(list(position.turns())))
    return position, dice


def test_another_board_start_and_text_are_played_to_the_end():
    driven = Driven("breakthrough", tier="occupancy", settings={"time": "5m"})
    driven.random_turns(seed=3, count=100)
    assert driven.view.ending.reason == "broken-through"
    told = export.to_json(driven.table)
    assert told["start"] == "W:Wa1,a2,b1,b2,c1,c2,d1,d2,e1,e2:Ba5,a6,b5,b6,c5,c6,d5,d6,e5,e6:1"
    pgn = export.to_pgn(driven.table)
    assert "cannot replay" in pgn
    assert " 1. " in " ".join(pgn.split())
    assert driven.resumed().view.ending == driven.view.ending


def test_a_recording_of_it_is_refereed_in_its_own_words():
    header = {
        "format": "firmware-bridge-recording",
        "version": 1,
        "game": "breakthrough",
        "position": "W:Wa1,c3:Ba6,c4:5",
        "tier": "occupancy",
        "clock": True,
        "settings": {"language": "de"},
    }
    hands = [
        {"t": 1.0, "cell": "c4", "reading": None},
        {"t": 2.0, "cell": "c3", "reading": None},
        {"t": 3.0, "cell": "c4", "reading": True},
        {"t": 4.0, "button": "white"},
        {"t": 5.0, "cell": "c4", "reading": None},
        {"t": 6.0, "cell": "c4", "reading": True},
        {"t": 6.5, "cell": "c3", "reading": True},
        {"t": 7.0, "cell": "c3", "reading": None},
        {"t": 8.0, "cell": "d4", "reading": True},
        {"t": 9.0, "button": "white"},
        {"t": 20.0, "end": True},
    ]
    told = list(Replay(read(map(json.dumps, [header, *hands])), referee=True).lines())
    assert "straight-capture" in {line.get("reason") for line in told}
    assert any("Ein Mann schlägt schräg." in line.get("say", "") for line in told)
    assert [line["taken"] for line in told if "taken" in line] == ["c3-d4"]


def test_a_declaration_of_its_own_shows_what_it_says_it_shows():
    start = rules.load("masked-king").parse("white 7 b2:K d1:P | c3:P d5:K")
    driven = Driven("masked-king", position=str(start))
    driven.feed(Declare(driven.t, "masks-off"))
    driven.cell("c3", None)
    driven.carry("b2", "c3")
    driven.press("white")
    assert driven.table.records[-1].data["turn"] == "b2xc3!"
    shown = {(piece.square, piece.faces[0]) for piece in driven.view.revealed}
    assert shown == {("b2", "P"), ("c3", "K")}
    assert "masks-off" in [o.key for o in driven.outputs if isinstance(o, Said)]
    driven.feed(Declare(driven.t, "reality-check"))
    assert driven.said[-1].startswith("refused")


def test_what_its_men_look_like_tells_nothing():
    pieces = simulated_pieces()
    on = {piece.faces[0].tag: piece.faces[0] for piece in pieces.pieces if len(piece.faces) == 1}
    standing = pieces.arrangements["masked-king"]
    assert {on[tag].look for tag in standing.values()} == {"wP", "bP"}
    assert {on[tag].label for tag in standing.values()} == {"wP", "bP", "wK", "bK"}
    assert "breakthrough-6" in pieces.arrangements


@pytest.mark.parametrize("seed", range(few(20)))
def test_two_games_that_differ_in_who_is_king_look_the_same(seed):
    random, game = chooser("masked", seed), rules.load("masked-king")
    kings = [(random.choice("abcd"), random.choice("abcd")) for _ in range(2)]
    starts = [
        game.set_up(
            {f"{file}1": "wK" if file == white else "wP" for file in "abcd"}
            | {f"{file}5": "bK" if file == black else "bP" for file in "abcd"}
        )
        for white, black in kings
    ]
    pair = Pair(*(table("masked-king", start) for start in starts))
    for number in range(12):
        first, second = pair.positions
        if number:  # until the first turn, players may arrange their secret anew
            pair.lift_some(random, 2)
            pair.try_some(random, game.squares)
        alike = [
            turn
            for turn in first.turns()
            if first.revealed(turn) == second.revealed(turn)
            and first.play(turn).outcome == second.play(turn).outcome
        ]
        if not alike:
            break
        turn = random.choice(alike)
        if turn.unmasks:
            pair.declare()
        pair.carry(turn.source, turn.target)
        pair.press(first.side)
        pair.pass_time(1.0)
        if pair.over:
            break
    pair.same()


@pytest.mark.parametrize("seed", range(2))
def test_turns_of_one_deed_that_lead_to_one_position_are_one_to_the_board(seed):
    position, dice = thousand_turns(seed)
    explainer, turns = position.explainer(), list(position.turns())
    assert sum(1 for _ in explainer.prepare()) > len(turns) // 50  # a few at a time
    for turn in dice.sample(turns, min(len(turns), 20)):
        after = position.play(turn).placement
        for known in ({}, after):
            fits = explainer.fitting(Seen(frozenset(after), known), len(turns))
            ends = [position.play(one) for one in fits]
            assert position.play(turn) in ends
            told = [(str(end), sorted(position.deed(one).changes(position.placement).items()))
                    for end, one in zip(ends, fits, strict=True)]  # fmt: skip
            assert all(told.count(one) == 1 for one in told)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.tier)
def test_nobody_is_asked_in_which_order_two_moves_were_made(row):
    figures = reconcile.run(row, games=1, plies=6, seed=2)
    assert figures.turns == figures.right == 6
    assert figures.asked < 2


def chosen(position, number):
    """What a level chooses."""
    belief = position.game.believe(position.side, position.knowledge(position.side))
    mind, level = engine_of("marseillais")("1"), level_of("marseillais", number)
    return mind.choose(belief, level, random.Random(1))


@at_night("by day it is seen that few answers are looked at")
def test_of_a_thousand_turns_the_best_level_looks_at_the_answers():
    position, _ = thousand_turns(1)
    choice = chosen(position, 7)
    assert position.parse_turn(choice.turn)
    assert len(choice.line) > 1


@pytest.mark.parametrize(
    ("text", "taken"),
    one_of(
        ("rnb1kbnr/pppp1ppp/8/4q3/8/4BN2/PPPPPPPP/RN1QKB1R w KQkq - 0 5", "e5"),
        ("rn1qkb1r/pppppppp/4bn2/8/4Q3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 5", "e4"),
    ),
)
def test_of_a_thousand_turns_the_computer_takes_the_queen(text, taken):
    position = rules.load("marseillais").parse(text)
    turn = position.parse_turn(chosen(position, 5).turn)
    assert taken in position.deed(turn).taken


def test_where_there_are_a_thousand_turns_few_answers_are_looked_at():
    position, _ = thousand_turns(1)
    some, every = RulesNode(position), RulesNode(position, whole=True)
    taking = {text for _, text in every.captures()}
    assert taking.isdisjoint(every.quiets())
    assert taking.union(every.quiets()) == {*map(str, position.turns())}
    assert 0 < len(some.captures()) <= 6
    assert 0 < len(some.quiets()) <= 12
    assert [*some.captures()] == [*every.captures()][: len(some.captures())]
