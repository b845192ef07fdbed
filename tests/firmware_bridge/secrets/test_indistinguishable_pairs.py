"""Indistinguishable Chess: two games that differ in whose piece is whose look the same."""

import chess
import pytest

import rules
from drivers.port import Snapshot
from firmware_bridge.messages import Call, Chosen
from rules import IllegalTurn, InvalidPosition
from tests.firmware_bridge.secrets.anything import kill
from tests.firmware_bridge.secrets.worlds import Pair, chooser, table
from tests.nightly import NIGHTLY

PAIRS = 1000 if NIGHTLY else 16
RIGHTS = True
"""Whether kings may castle yet, and pawns take in passing."""
GAME = rules.load("indistinguishable")


def somewhere(random):
    """Return a position from random play, in the fields of its text."""
    position = GAME.start()
    for _ in range(random.randrange(10, 60)):
        turns = list(position.turns())
        if not turns:
            break
        position = position.play(random.choice(turns))
    board = str(position).split()
    return [*board[:2], *(board[2:4] if RIGHTS else "--"), "0", "1"]


def disowned(random, fields):
    """Return the same pieces on the same squares, some of them the opponent's."""
    board = "".join(
        letter.swapcase() if letter.isalpha() and random.random() < 0.4 else letter
        for letter in fields[0]
    )
    owned = chess.Board(" ".join([board, *fields[1:]]))
    owned.castling_rights = owned.clean_castling_rights()
    return [board, fields[1], owned.castling_xfen(), *fields[3:]]


def worlds(random):
    """Return two positions that look alike and differ in whose piece is whose."""
    while True:
        fields = somewhere(random)
        other = disowned(random, fields)
        if fields == other:
            continue
        try:
            pair = [GAME.parse(" ".join(text)) for text in (fields, other)]
        except InvalidPosition:
            continue
        if not any(position.outcome for position in pair):
            return pair


def told(position, move):
    """Return what the rules make public of a hand movement: a turn and its looks, or a ruling."""
    referee = GAME.referee(position, 300)
    try:
        referee, ruling = referee.attempt(move)
    except IllegalTurn:
        return None
    if ruling:
        return "ruled", ruling
    turn = next((turn for turn in position.turns() if str(turn)[:4] == move), None)
    if turn is None:
        return None
    after = position.play(turn)
    promotions = sum(str(other)[:4] == move for other in position.turns())
    return "legal", dict(after.shown), after.outcome, position.deed(turn), promotions


def alike(random, positions, kind, conduct):
    """Return a movement, legal or ruled, that the rules treat alike in both worlds, or `None`.

    One that is ruled on must also be felt alike on a board with this `conduct`.
    """
    squares, all_squares = sorted(positions[0].placement), sorted(GAME.squares)
    every = [{str(turn)[:4] for turn in position.turns()} for position in positions]
    legal = every[0].intersection(*every)
    for _ in range(200):
        source = random.choice(squares)
        target = random.choice([square for square in all_squares if square != source])
        if kind == "legal" and source + target not in legal:
            continue
        first, second = (told(position, source + target) for position in positions)
        if first is None or first != second or first[0] != kind:
            continue
        if kind == "legal" or felt_alike(positions, source, target, **conduct):
            return source, target, first
    return None


def felt_alike(positions, source, target, **conduct):
    """Return whether an offence is seen as one at once: set down, or sealed and pressed.

    To reeds, a capture may be another one, or a piece lifted and put back.
    """
    kinds = set()
    for position in positions:
        aside = table("indistinguishable", position, **conduct)
        there = aside.readings.get(source)
        for square in {source, target} & aside.readings.keys():
            aside.cell(square, None)
        aside.cell(target, there)
        if conduct["sealed"]:
            aside.press(position.side)
            aside.wait(1.0)
        kinds.add(aside.table.reconciler.verdict.kind)
    return kinds == {"illegal" if conduct["sealed"] else "unexplained"}


def move(pair, random, source, target, fact, *, sealed, meanwhile=lambda: None):
    """Let hands move a piece, and end the turn; `meanwhile` they do something else before that."""
    side = pair.positions[0].side
    taken = [square for square in (fact[3].taken if fact[0] == "legal" else ()) if square != target]
    for square in taken:
        pair.lift(square)
    there = [world.readings.get(target) for world in pair.worlds]
    for a, b in fact[3].moves if fact[0] == "legal" else ((source, target),):
        pair.carry(a, b)
    meanwhile()
    if fact[0] == "legal":
        if fact[4] > 1:
            if sealed:
                pair.press(side)
            pair.answer([f"{source}{target}q"] * len(pair.worlds))
        if pair.positions[0].side == side:
            pair.press(side)
        return
    pair.pass_time(random.choice([0.2, 1.0]))
    if sealed:
        pair.press(side)
    pair.carry(target, source)
    if None not in there:
        pair.cell(target, there)
    pair.pass_time(1.0)


def displaced(seed, *, buttons, press=True):
    """Set a piece where another one stood, think it over, put both back; tell whether it was done.

    The rules say the same of it in both worlds. It happens after a first turn: without buttons that
    may yet be amended.
    """
    random = chooser("displaced", seed)
    starts = worlds(random)
    conduct = {"sealed": False, "tier": "identity", "buttons": buttons, "press": press}
    pair = Pair(*(table("indistinguishable", start, **conduct) for start in starts))
    first = alike(random, pair.positions, "legal", conduct)
    if first is None or first[2][4] > 1:
        return False
    move(pair, random, *first, sealed=not buttons)
    if not (buttons and press):
        pair.pass_time(1.0)
    squares = sorted(pair.worlds[0].readings)
    there, source = random.sample(squares, 2)
    said = [told(position, source + there) for position in pair.positions]
    if pair.over or said[0] is None or said[0] != said[1] or said[0][0] != "ruled":
        return False
    held = pair.lift(there)
    pair.carry(source, there)
    pair.pass_time(random.choice([0.3, 0.5, 2.5]))
    pair.carry(there, source)
    pair.cell(there, held)
    pair.pass_time(3.0)
    pair.same()
    return True


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize(
    "conduct",
    [{"buttons": False}, {"buttons": True}, {"buttons": True, "press": False}],
    ids=["no clock", "clock", "clock that nobody needs"],
)
def test_a_set_down_is_judged_alike_whoever_owns_what_it_displaced(conduct):
    assert sum(displaced(seed, **conduct) for seed in range(PAIRS // 2)) > PAIRS // 10


def displaced_unseen(seed):
    """Let like pieces trade places, or one stand elsewhere, while the service is down."""
    random = chooser("unseen", seed)
    starts = worlds(random)
    conduct = {"sealed": False, "tier": "identity", "buttons": random.random() < 0.5}
    tables = [table("indistinguishable", start, **conduct) for start in starts]
    one, other = random.choice(like_pieces(starts[0]))
    empty = random.choice(sorted(GAME.squares - starts[0].placement.keys()))
    after = random.choice([{one: other, other: one}, {one: other}, {one: one, empty: other}])
    if any(
        told(start, other + square) != told(starts[0], other + square)
        for start in starts
        for square in after
    ):
        return False
    for world in tables:
        were = {square: world.readings.pop(square) for square in (one, other)}
        world.readings |= {square: were[source] for square, source in after.items()}
    pair = Pair(*(world.resumed() for world in tables))
    pair.pass_time(2.0)
    pair.press(starts[0].side)
    pair.pass_time(3.0)
    for square in [one, *after]:
        if square in pair.worlds[0].readings:
            pair.cell(square, pair.lift(square))
            pair.pass_time(1.0)
    pair.same()
    return True


def like_pieces(position):
    """Return the pairs of squares whose pieces look alike."""
    shown = position.shown
    return [(a, b) for a in sorted(shown) for b in sorted(shown) if a != b and shown[a] == shown[b]]


@pytest.mark.timeout(3600 if NIGHTLY else 300)
def test_what_stands_wrongly_after_a_restart_is_judged_alike_whoever_owns_it():
    assert sum(displaced_unseen(seed) for seed in range(PAIRS // 2)) > PAIRS // 10


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_the_way_to_a_position_that_an_arbiter_gives_does_not_tell_whose_the_pieces_are(tier):
    """Which of like pieces comes to stand where, nobody has seen."""
    start = GAME.parse("4k3/8/8/8/8/P7/8/4K3 w - - 0 1")
    given = [f"4k3/8/8/8/8/1{pawn}6/8/4K3 w - - 0 1" for pawn in "Pp"]
    pair = Pair(*(table("indistinguishable", start, tier=tier) for _ in given))
    pair.inputs(lambda w, n: Call(w.t, "set-position", data={"position": given[n], "reason": "so"}))
    assert [(move.source, move.target) for move in pair.worlds[0].view.judged.restore] == [
        ("a3", "b3")
    ]
    pair.carry("a3", "b3")
    pair.press("white")
    assert pair.worlds[0].view.judged.kind == "settled"
    pair.same()


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("meanwhile", ["held", "exchanged"])
def test_hands_that_carry_out_a_computers_capture_learn_nothing_of_other_pieces(meanwhile, tier):
    """Whether a pawn is the victim's fellow is told by no way, and by no exchange of both."""
    boards = [f"4k3/{pawns}6/8/3p4/4P3/8/8/4K3 w - - 0 1" for pawns in ("pp", "pP")]
    conduct = {"tier": tier, "computers": {"white": 1}}
    pair = Pair(*(table("indistinguishable", GAME.parse(board), **conduct) for board in boards))
    pair.later(0.3)
    pair.inputs(lambda w, _: Chosen(w.t, "e4d5", 0))
    held = [(square, pair.lift(square)) for square in ("a7", "b7")]
    pair.pass_time(1.0)
    if meanwhile == "exchanged":
        held = [("a7", held[1][1]), ("b7", held[0][1])]
    for square, readings in held:
        pair.cell(square, readings)
    pair.carry("e4", "d5")
    pair.pass_time(3.0)
    assert not any(world.table.state.executing for world in pair.worlds)
    assert pair.worlds[0].view.judged.kind == "settled"
    pair.press("black")
    pair.same()


def with_pawns(pawns, *, side="w", **conduct):
    """Return a pair of tables, in whose positions the pawns on a7 and b7 belong to these sides."""
    boards = [f"4k3/{two}6/8/3p4/4P3/8/8/4K3 {side} - - 0 1" for two in pawns]
    starts = map(GAME.parse, boards)
    return Pair(
        *(table("indistinguishable", start, tier="identity", **conduct) for start in starts)
    )


SIDES_OF_TWO = [("pp", "pP"), ("pp", "PP"), ("PP", "pP"), ("pP", "Pp")]


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
@pytest.mark.parametrize("pawns", SIDES_OF_TWO)
@pytest.mark.parametrize(
    "way", ["pawn for victim", "victim for pawn", "pawn for captor", "beside", "unwatched"]
)
def test_on_the_way_back_from_a_turn_like_pieces_stand_for_each_other_whoever_owns_them(
    way, pawns, sealed
):
    """An arbiter undoes a capture; hands put a like piece back in the place of another one.

    Nobody may have watched the cells for a while, when the capture stood there yet.
    """
    pair = with_pawns(pawns, sealed=sealed)
    victim = [world.readings["d5"] for world in pair.worlds]
    pair.carry("e4", "d5")
    pair.press("white")
    pair.call("take-back", None, reason="they agree")
    assert not pair.worlds[0].table.state.played
    if way == "unwatched":
        pair.inputs(lambda world, _: Snapshot(world.t, dict(world.readings)))
    pawn = pair.lift("a7")
    if way == "victim for pawn":
        pair.cell("a7", victim)
        pair.carry("d5", "e4")
        pair.cell("d5", pawn)
    elif way == "pawn for victim":
        pair.carry("d5", "e4")
        pair.cell("d5", pawn)
        pair.pass_time(2.0)
        pair.cell("a7", victim)
    elif way == "pawn for captor":
        pair.cell("e4", pawn)
        pair.cell("a7", pair.lift("d5"))
        pair.cell("d5", victim)
    else:
        other = pair.lift("b7")
        pair.cell("b7", pawn)
        pair.cell("a7", other)
        pair.carry("d5", "e4")
        pair.cell("d5", victim)
    pair.pass_time(3.0)
    pair.press("white")
    assert pair.worlds[0].view.judged.kind == "settled"
    pair.same()


@pytest.mark.parametrize("conduct", [{"sealed": True}, {"press": False}, {"buttons": False}])
@pytest.mark.parametrize("pawns", SIDES_OF_TWO)
@pytest.mark.parametrize("side", ["white", "black"])
def test_who_exchanges_like_pieces_in_a_running_game_pays_whoever_owns_them(side, pawns, conduct):
    """To learn for nothing that both are of one side, he would only have to exchange them."""
    worlds = with_pawns(pawns, side=side[0], **conduct).worlds
    for world in worlds:
        one, other = world.readings["a7"], world.readings["b7"]
        for cell, reading in (("a7", None), ("b7", None), ("a7", other), ("b7", one)):
            world.wait(0.2)
            world.cell(cell, reading)
        world.press(side)
        world.wait(8.0)
    assert [world.table.state.offences[side] for world in worlds] == [1, 1]
    assert worlds[0].view.clocks == worlds[1].view.clocks


@pytest.mark.parametrize("grace", [0.8, 0.0])
def test_a_piece_in_the_air_when_a_game_is_taken_up_tells_not_whose_it_is(grace):
    """One of White's beside his turn cannot be, one of Black's may be lifted for the reply."""
    starts = [GAME.parse(f"{one}7/8/8/8/8/8/P7/{other}7 w - - 0 1") for one, other in ("kK", "Kk")]
    conduct = {"tier": "identity", "press": False, "agreed": {"grace": grace}}
    pair = Pair(*(table("indistinguishable", start, **conduct) for start in starts))
    pair.carry("a2", "a3")
    pair.pass_time(8.0)
    pair.call("take-back", None, reason="they agree")
    pair.lift("a8")
    kill(pair)
    pair.same()


def test_how_soon_a_press_is_answered_tells_not_whose_piece_is_touched_meanwhile():
    """With a cell that is not to be trusted, a piece that is only lifted may have moved there."""
    starts = [GAME.parse(f"7k/8/8/8/4K3/8/8/{rook}7 w - - 0 1") for rook in "Rr"]
    pair = Pair(*(table("indistinguishable", start, tier="identity") for start in starts))
    pair.call("distrust", None, cell="a2")
    pair.pace = 0.1
    rook = pair.lift("a1")
    pair.press("white")
    pair.later(0.25)
    pair.cell("a1", rook)
    pair.lift("a1")
    pair.pace = 0.05
    pair.cell("a1", rook)
    pair.pass_time(3.0)
    pair.same()


@pytest.mark.parametrize("press", [False, True])
def test_in_a_position_that_stood_before_an_arbiter_gave_it_like_pieces_are_captured(press):
    """Whoever tells of a slip has often put the pieces there already."""
    start, given = (GAME.parse(f"4k3/8/8/3p4/4P3/{x}/4K3 w - - 0 1") for x in ("8/P7", "P7/8"))
    pair = Pair(*(table("indistinguishable", start, tier="identity", press=press) for _ in "ab"))
    pair.call("adjust", None)
    pair.carry("a2", "a3")
    pair.call("set-position", None, position=str(given), reason="so")
    pair.pass_time(5.0)
    pair.call("adjust", None)
    pair.lift("d5")
    pair.carry("e4", "d5")
    if press:
        pair.press("white")
    pair.pass_time(3.0)
    assert pair.worlds[0].turns == ["e4d5"]
    pair.same()


@pytest.mark.parametrize("unheard", [False, True])
def test_where_a_game_is_taken_up_no_tag_tells_whose_a_piece_is(unheard):
    """Whether the board is heard of at once or a bit later."""
    starts = [GAME.parse(f"2b1k3/8/4p3/8/8/8/5{x}2/K7 b - - 0 1") for x in "Pp"]
    pair = Pair(*(table("indistinguishable", start, tier="identity") for start in starts))
    pair.carry("c8", "a6")
    pair.press("black")
    pair.call("take-back", None, reason="they agree")
    pawns = [pair.lift(square) for square in ("e6", "f2")]
    kill(pair, unheard=unheard)
    for square, pawn in zip(("e6", "f2"), reversed(pawns), strict=True):
        pair.cell(square, pawn)
        pair.pass_time(2.0)
    pair.same()


@pytest.mark.parametrize("seed", range(300 if NIGHTLY else 2))
def test_the_way_back_before_the_first_turn_tells_not_which_pieces_are_of_one_side(seed):
    """The power fails while many pieces stand astray: nobody knows any more where they stood."""
    random = chooser("astray", seed)
    conduct = {"sealed": True, "tier": "identity", "begin": False}
    pair = Pair(*(table("indistinguishable", start, **conduct) for start in worlds(random)))
    stands = pair.worlds[0].readings.keys()
    free = sorted(pair.positions[0].game.squares - stands)
    homes = random.sample(sorted(stands), min(8, len(stands), len(free)))
    held = [pair.lift(square) for square in homes]
    for square, readings in zip(random.sample(free, len(homes)), held, strict=True):
        pair.cell(square, readings)
    kill(pair)
    pair.same()


def test_the_way_back_of_exchanged_pieces_tells_not_whether_a_third_one_is_of_their_side():
    """It would save a movement to let like ones trade homes."""
    starts = [GAME.parse(f"4k3/pp{x}5/8/8/8/8/8/4K3 w - - 0 1") for x in "Pp"]
    pair = Pair(*(table("indistinguishable", s, sealed=True, tier="identity") for s in starts))
    held = [pair.lift(square) for square in ("a7", "b7", "c7")]
    for square, readings in zip(("b7", "a7", "c4"), held, strict=True):
        pair.cell(square, readings)
    pair.press("white")
    pair.pass_time(3.0)
    back = {(step.source, step.target) for step in pair.worlds[0].view.judged.restore}
    assert ("c4", "c7") in back
    pair.same()


def test_a_press_takes_no_turn_beside_a_piece_that_may_have_changed_places_with_its_own():
    """To reeds either may be the one that moved: nobody can be charged, if it was no turn."""
    starts = [GAME.parse(f"4k3/8/8/8/8/8/2{queen}5/R3K3 w - - 0 1") for queen in "Qq"]
    pair = Pair(*(table("indistinguishable", s, sealed=True, tier="occupancy") for s in starts))
    pair.carry("c2", "b2")
    pair.carry("a1", "a3")
    pair.press("white")
    pair.pass_time(3.0)
    pair.same()


def before_the_game(*rooks, **conduct):
    """Return a pair of tables before the game, at which rooks of these owners stand on a1."""
    starts = [GAME.parse(f"4k3/8/8/8/8/8/P7/{rook}3K3 w - - 0 1") for rook in rooks]
    pair = Pair(*(table("indistinguishable", s, begin=False, **conduct) for s in starts))
    pair.inputs(lambda world, _: Snapshot(world.t, dict(world.readings)))
    return pair


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_sealed_press_before_the_game_takes_a_turn_or_costs(tier):
    """Else it would be tried for nothing whether a piece is one's own."""
    worlds = before_the_game("R", "r", sealed=True, tier=tier).worlds
    for world in worlds:
        world.carry("a1", "d1")
        world.press("white")
        world.wait(3.0)
    assert [world.turns for world in worlds] == [["a1d1"], []]
    assert [world.table.state.offences["white"] for world in worlds] == [0, 1]
    assert {world.table.state.stage for world in worlds} == {"playing"}


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_power_cut_before_the_game_tells_not_whether_what_stands_is_a_turn(tier):
    pair = before_the_game("R", "r", sealed=True, tier=tier)
    pair.carry("a1", "d1")
    pair.pass_time(2.0)
    kill(pair)
    pair.pass_time(2.0)
    assert {world.view.phase for world in pair.worlds} == {"set-up"}
    pair.carry("d1", "a1")
    pair.pass_time(2.0)
    pair.same()
    assert {world.view.phase for world in pair.worlds} == {"ready"}


@pytest.mark.parametrize("first", ["a1", "h1"])
def test_of_two_like_pieces_in_the_air_the_first_was_set_down_whatever_may_move_there(first):
    """As long as any like piece will do, which of them came down would tell whose they are."""
    starts = [GAME.parse(f"4k3/8/8/8/8/P7/4K3/{a}6{h} w - - 0 1") for a, h in ("Rr", "rR")]
    conduct = {"begin": False, "sealed": True, "tier": "identity"}
    worlds = [table("indistinguishable", start, **conduct) for start in starts]
    for world in worlds:
        world.feed(Snapshot(world.t, dict(world.readings)))
        held = {square: world.readings[square] for square in ("a1", "h1")}
        for square in sorted(held, key=lambda square: square != first):
            world.cell(square, None)
        world.cell("d1", held["h1"])
        world.press("white")
        world.wait(3.0)
    paid = [world.table.state.offences["white"] for world in worlds]
    assert paid == ([0, 1] if first == "a1" else [1, 0])


def test_why_a_turn_is_illegal_is_not_told_before_the_game_where_nobody_is_charged():
    pair = before_the_game("R", "r", tier="identity")
    pair.carry("a1", "b3")
    pair.pass_time(3.0)
    pair.press("white")
    assert pair.worlds[0].view.judged.kind == "illegal"
    pair.same()


@pytest.mark.parametrize("elsewhere", [{"computers": {"white": 1}}, {"away": "white"}])
def test_a_press_before_the_game_tells_not_what_who_plays_elsewhere_could_play(elsewhere):
    """It costs nothing then, so it must not take a turn of his to have it put back."""
    starts = [GAME.parse(f"4k3/8/8/8/8/8/P7/{rook}3K3 w - - 0 1") for rook in "Rr"]
    how = {"sealed": True, "tier": "identity", "begin": False, **elsewhere}
    pair = Pair(*(table("indistinguishable", start, **how) for start in starts))
    pair.inputs(lambda world, _: Snapshot(world.t, dict(world.readings)))
    pair.carry("a1", "d1")
    pair.press("white")
    pair.pass_time(3.0)
    pair.same()
