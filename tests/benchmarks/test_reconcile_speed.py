"""How long the reconciler takes for an event, to prepare a position, and to play seeded games."""

import pytest

from drivers.port import CellEvent
from firmware_bridge.bench.games import ROWS
from firmware_bridge.bench.reconcile import run
from firmware_bridge.diagnostics.stopwatch import quantile
from firmware_bridge.reconciler import Reconciler, Sensing, Settings
from firmware_bridge.reconciler.preparation import wholly
from firmware_bridge.simulation import Pieces
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.firmware_bridge.reconciler.holding import set_out


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name} {row.tier}")
def test_four_events_of_a_move_and_back(benchmark, row):
    reconciler, pieces, _ = set_out(row, 4, clock=True)
    wholly(reconciler.prepare())
    position = reconciler.position
    moves = (position.deed(turn).moves for turn in position.turns())
    source, target = next(m[0] for m in moves if len(m) == 1 and m[0][1] not in pieces.on)
    tag = pieces.reading(pieces.on[source])
    events = [(source, None), (target, tag), (target, None), (source, tag)]

    def there_and_back():
        for cell, reading in events:
            reconciler.feel(CellEvent(1.0, cell, reading))

    benchmark(there_and_back)
    assert reconciler.verdict.kind == "settled"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name} {row.tier}")
def test_a_press_on_an_illegal_board(benchmark, row):
    """A piece stands where no turn puts it; the figure to hold is 3 ms."""

    def odd():
        reconciler, pieces, _ = set_out(row, 4, clock=True)
        wholly(reconciler.prepare())
        own, side = reconciler.position.placement, reconciler.position.side
        home = min(square for square, label in own.items() if label[0] == side[0])
        free = max(reconciler.position.game.squares - own.keys())
        reconciler.feel(CellEvent(1.0, home, None))
        reconciler.feel(CellEvent(1.5, free, pieces.reading(pieces.on[home])))
        return (reconciler, 2.0, side), {}

    benchmark.pedantic(Reconciler.press, setup=odd, rounds=20)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name} {row.tier}")
def test_the_whole_board_lifted_and_set_up_again(benchmark, row):
    """Piece after piece; the figure to hold is 5 ms for the slowest event."""

    def fresh():
        start = row.load().start()
        pieces = Pieces(simulated_pieces(row.load()), start.placement, row.tier)
        sensing = Sensing(row.tier, {} if row.tier == "occupancy" else pieces.tags)
        reconciler = Reconciler(start, sensing, Settings(), pieces.standing())
        wholly(reconciler.prepare())
        return (reconciler, sorted(pieces.standing().items())), {}

    def lifted_and_put_back(reconciler, standing):
        changes = [*((cell, None) for cell, _ in standing), *standing]
        for t, (cell, reading) in enumerate(changes, start=1):
            reconciler.feel(CellEvent(float(t), cell, reading))
        assert reconciler.verdict.kind == "settled"

    benchmark.pedantic(lifted_and_put_back, setup=fresh, rounds=3)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name} {row.tier}")
def test_preparing_a_position(benchmark, row):
    position = set_out(row, 4)[0].position
    text, game = str(position), position.game

    def fresh():
        return (Reconciler(game.parse(text), Sensing(row.tier), Settings()),), {}

    benchmark.pedantic(lambda reconciler: wholly(reconciler.prepare()), setup=fresh, rounds=20)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name} {row.tier}")
def test_events_of_seeded_games(benchmark, row):
    figures = benchmark.pedantic(lambda: run(row, 2, 20, seed=3), rounds=1)
    shares = {"median": 0.5, "p99": 0.99, "max": 1.0}
    benchmark.extra_info["event_us"] = {
        name: round(quantile(figures.event_us, share)) for name, share in shares.items()
    }
    assert figures.clean
