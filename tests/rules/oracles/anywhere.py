"""A position anywhere in any game: of random play, or of pieces thrown on the board."""

from itertools import islice

import positions_960
import random_positions
import reality_check_walks
import realm_walks

import rules
from rules.orthodox import OrthodoxGame

ORTHODOX = [name for name, game in rules.games().items() if issubclass(game, OrthodoxGame)]
FAMILIES = {"orthodox": ORTHODOX} | {name: [name] for name in rules.games() if name not in ORTHODOX}
"""Games by what positions of them are made by: those that move as in chess, and each other one."""


def position_of(family, source):
    """Return a position of one of the games of a family, with some of its options."""
    game_id = source.choice(FAMILIES[family])
    if game_id == "realm":
        return _of_realm(source)
    if game_id == "reality-check":
        game = rules.load(game_id, **source.choice(reality_check_walks.OPTION_SETS))
        *_, last = reality_check_walks.walk(game, source.random(), plies=source.randint(0, 80))
        return last
    if game_id == "chess960":
        return source.choice((positions_960.played, positions_960.castling))(source)
    game, thrown = rules.load(game_id), family == "orthodox" and source.random() < 0.5
    return (random_positions.thrown if thrown else random_positions.played)(game, source)


def _of_realm(source):
    game = rules.load("realm", **source.choice(realm_walks.OPTIONS))
    if source.random() < 0.5:
        return game.parse(realm_walks.thrown(source))
    return source.choice(list(realm_walks.walk(game, source, turns=25)))


def some_turns(position, source, count=12):
    """Return all turns; where there may be thousands the first ones, and some of any realm."""
    if not position.game.traits.long_turns:
        return list(position.turns())
    found = list(islice(position.turns(), count))
    return found and found + [realm_walks.random_turn(position, source) for _ in range(count)]
