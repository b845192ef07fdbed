"""From what a board shows to turns, against going through every turn there is."""

import random
from itertools import combinations, islice

import pytest
import realm_walks

import rules
from rules.explain import Seen
from tests.nightly import enough, few

MOST = 2500
"""Positions with more turns than this are left out: the slow twin goes through all of them."""


def explains(result, old, seen, squares):
    return all(
        square in result
        and seen.known.get(square, result[square]) in (result[square], old.get(square))
        for square in squares
    )


class SlowTwin:
    def __init__(self, position):
        self.before = dict(position.placement)
        self.turns = [
            (turn, dict(position.play(turn).placement), realm_walks.becomes(position, turn),
             position.deed(turn))
            for turn in position.turns()
        ]  # fmt: skip
        self.deeds = {turn: deed for turn, _, _, deed in self.turns}

    def fitting(self, seen):
        return {
            turn
            for turn, result, old, _ in self.turns
            if result.keys() == seen.occupied and explains(result, old, seen, seen.occupied)
        }

    def lacking(self, seen):
        """The turns that fit when the fewest of the missing pieces are put back, and stay there."""
        missing = sorted(self.before.keys() - seen.occupied)
        for count in range(1, len(missing) + 1):
            found = set()
            for back in combinations(missing, count):
                known = {**seen.known, **{square: self.before[square] for square in back}}
                fits = self.fitting(Seen(seen.occupied.union(back), known))
                found |= {(turn, frozenset(back)) for turn in fits if not self.fills(turn, back)}
            if found:
                return found
        return set()

    def fills(self, turn, squares):
        return any(target in squares for _, target in self.deeds[turn].moves)

    def arrived(self, seen):
        other = {s for s, label in seen.known.items() if label != self.before.get(s)}
        return (seen.occupied - self.before.keys()) | other

    def leading_to(self, seen):
        """The turns that explain what has arrived, whichever like piece it was."""
        arrived = self.arrived(seen)
        return {turn for turn, result, old, _ in self.turns if explains(result, old, seen, arrived)}

    def handles(self, turn, seen):
        """Whether the turn moves, takes or changes all that is in the air."""
        return self.before.keys() - seen.occupied <= self.deeds[turn].changes(self.before).keys()

    def surely_leading_to(self, seen):
        """Those of them that no piece known to stand still contradicts."""
        arrived, before = self.arrived(seen), self.before
        still = {s for s, label in seen.known.items() if label == before.get(s)}
        wanted = self.leading_to(seen)
        return {
            turn
            for turn, _, _, deed in self.turns
            if turn in wanted and not any(a in still and b in arrived for a, b in deed.moves)
        }


def positions(options, seed, count):
    source = random.Random(seed)
    game = rules.load("realm", **options)
    walked = realm_walks.sample(game, source, count)
    thrown = [game.parse(realm_walks.thrown(source, most=12)) for _ in range(count)]
    for position in walked + thrown:
        if position.outcome is None and len(list(islice(position.turns(), MOST + 1))) <= MOST:
            yield position, source


@pytest.mark.parametrize("options", enough(realm_walks.OPTIONS), ids=realm_walks.option_name)
def test_what_is_found_is_what_going_through_every_turn_finds(options):
    looked_at = 0
    for position, source in positions(options, 11, few(10)):
        twin, explainer = SlowTwin(position), position.explainer()
        for _ in range(8):
            seen = realm_walks.board_on_the_way(position, source)
            context = str(position), sorted(seen.occupied), dict(seen.known)
            assert set(explainer.fitting(seen, 10**6)) == twin.fitting(seen), context
            leading = set(explainer.leading_to(seen, 10**6))
            assert twin.surely_leading_to(seen) <= leading <= twin.leading_to(seen), context
            lifted = twin.before.keys() - seen.occupied
            handling = set(explainer.leading_to(seen, 10**6, handling=lifted))
            handled = {turn for turn in leading if twin.handles(turn, seen)}
            # In a combination a like piece may pass through a square that the description spares.
            assert handled <= handling if options["power"] else handled == handling, context
            if len(twin.before.keys() - seen.occupied) <= 2:
                lacking = {(one.turn, one.missing) for one in explainer.lacking(seen, 10**6)}
                assert lacking == twin.lacking(seen), context
            looked_at += 1
    assert looked_at > 20


@pytest.mark.parametrize("options", realm_walks.OPTIONS, ids=realm_walks.option_name)
def test_every_stage_of_a_turn_leads_there(options):
    source = random.Random(3)
    for position in realm_walks.sample(rules.load("realm", **options), source, 8):
        if position.outcome:
            continue
        turn = realm_walks.random_turn(position, source)
        explainer = position.explainer()
        for known in (True, False):
            for stage in stages(position, turn, source):
                seen = Seen(frozenset(stage), dict(stage) if known else {})
                assert explainer.leading_to(seen), (str(position), str(turn), stage)


def stages(position, turn, source):
    """The board after each movement of hands: all pieces lifted, then set down in any order."""
    board = dict(position.placement)
    deed = position.deed(turn)
    for square in deed.taken:
        board.pop(square)
        yield board
    for square, _ in deed.moves:
        board.pop(square)
        yield board
    moves = list(deed.moves)
    source.shuffle(moves)
    for start, target in moves:
        board[target] = dict(deed.becomes).get(target, position.placement[start])
        yield board


def seen_after(position, changes):
    board = dict(position.placement)
    for square, label in changes.items():
        board.pop(square, None)
        if label:
            board[square] = label
    return board


def test_a_swap_in_place_cannot_be_felt_by_occupancy_alone():
    position = rules.load("realm").start()
    fits = position.explainer().fitting(Seen(frozenset(position.placement)))
    assert len(fits) == 44
    assert {turn.kind for turn in fits} == {"R"}
    board = seen_after(position, {"a1": "wP", "a2": "wR"})
    fits = position.explainer().fitting(Seen(frozenset(board), board))
    assert list(map(str, fits)) == ["R-ab12:a1a2,a2a1"]


def test_a_move_may_be_part_of_a_longer_turn():
    position = rules.load("realm").start()
    board = seen_after(position, {"d2": None, "d4": "wP"})
    seen = Seen(frozenset(board), board)
    assert list(map(str, position.explainer().fitting(seen))) == ["d2d4"]
    longer = set(map(str, position.explainer().leading_to(seen, 10**4)))
    assert {"d2d4", "C-cd34:b1c3,c2c4,d1d3,d2d4", "D-cd12:c2c4,d2d4"} <= longer


def test_pieces_may_be_moved_in_an_order_that_is_not_the_legal_one():
    # The queen is already on d3, though her pawn still stands on d2.
    position = rules.load("realm").start()
    board = seen_after(position, {"d1": None, "d3": "wQ"})
    explainer = position.explainer()
    assert explainer.fitting(Seen(frozenset(board), board)) == ()
    assert explainer.leading_to(Seen(frozenset(board), board))
    assert explainer.leading_to(Seen(frozenset(board)))


def test_a_promoted_pawn_may_be_left_standing():
    position = rules.load("realm").parse("7k/1P6/8/8/8/8/8/K7 w - - 0 1")
    board = seen_after(position, {"b7": None, "b8": "wP"})
    fits = position.explainer().fitting(Seen(frozenset(board), board))
    assert sorted(map(str, fits)) == ["b7b8b", "b7b8n", "b7b8q", "b7b8r"]


def test_nothing_explains_an_opponents_piece_elsewhere():
    position = rules.load("realm").start()
    board = seen_after(position, {"e7": None, "e5": "bP"})
    explainer = position.explainer()
    assert explainer.fitting(Seen(frozenset(board), board)) == ()
    assert explainer.leading_to(Seen(frozenset(board), board)) == ()
    assert explainer.fitting(Seen(frozenset(board))) == ()


def test_the_limit_is_kept():
    explainer = rules.load("realm").start().explainer()
    still = Seen(frozenset(rules.load("realm").start().placement))
    assert len(explainer.fitting(still, 3)) == 3
    assert len(explainer.leading_to(still)) == 1
    assert len(explainer.leading_to(still, 5)) == 5
    assert explainer.fitting(still, 0) == ()


def test_two_bare_kings_explain_nothing():
    position = rules.load("realm").parse("8/8/8/3k4/8/8/8/3K4 w - - 0 1")
    seen = Seen(frozenset({"d5", "d2"}), {"d5": "bK", "d2": "wK"})
    assert position.explainer().fitting(seen) == ()
    assert position.explainer().leading_to(seen) == ()


def test_a_castled_rook_may_end_outside_the_realm_of_the_turn():
    position = rules.load("realm", power=True, free=True).parse(
        "r3kbnr/1b1npppp/p7/1pppq3/1PPP4/P1NB4/R1QKPPPP/5BNR b kq - 1 5"
    )
    turn = position.parse_turn("P-bc78:b7c7,d7b8,e8c8")
    board = dict(position.play(turn).placement)
    for known in ({}, board):
        seen = Seen(frozenset(board), known)
        assert turn in position.explainer().fitting(seen)
        assert turn in position.explainer().leading_to(
            seen, 64, handling=position.placement.keys() - board.keys()
        )
