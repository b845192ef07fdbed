"""Reality Check's own core for the search, turn for turn against the rules."""

import pytest
from reality_check_walks import OPTION_SETS, option_name, walk

import rules
from firmware_bridge.opponents.games.reality_check.packed_table import Table
from firmware_bridge.opponents.games.reality_check.packed_turns import turns, written
from tests.nightly import NIGHTLY, each

WALKS = 40 if NIGHTLY else 1
PLIES = 150 if NIGHTLY else 30
SOME = 1 if NIGHTLY else 23
"""Every how many-th turn is made."""


def parts(table):
    told = {name: getattr(table, name) for name in dir(table) if not name.startswith("_")}
    return {name: part for name, part in told.items() if not callable(part)}


@pytest.mark.timeout(7200 if NIGHTLY else 300)
@pytest.mark.parametrize("options", each(OPTION_SETS, 8), ids=option_name)
def test_its_turns_and_what_they_lead_to_are_those_of_the_rules(options):
    game = rules.load("reality-check", **options)
    looked = 0
    for seed in range(WALKS):
        for position in walk(game, f"core {seed}", PLIES):
            table = Table.of(position)
            outcome = position.outcome
            if outcome:
                loser = -1 if outcome.winner is None else int(outcome.winner == "white")
                assert table.lost == loser
                continue
            assert table.lost == -1
            mine = {written(table.ground, turn): turn for turn in turns(table)}
            theirs = {str(turn): turn for turn in position.turns()}
            assert mine.keys() == theirs.keys()
            for text in sorted(mine)[seed % SOME :: SOME]:
                after = Table.of(position.play(theirs[text]))
                assert parts(table.made(mine[text])) == parts(after), (str(position), text)
                looked += 1
    assert looked > 10 * WALKS
