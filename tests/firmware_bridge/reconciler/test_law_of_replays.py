"""The same recording gives the same output: at any hour, in any process, however it hashes."""

import json
import os
import subprocess
import sys
from random import Random

from firmware_bridge.bench.games import choose, styles
from firmware_bridge.recordings.format import read
from firmware_bridge.recordings.replaying import Replay
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.firmware_bridge.reconciler.holding import NIGHTLY, OF_ALL
from tests.nightly import each

GAMES = 20 if NIGHTLY else 1
SOME = each(OF_ALL, 3)


def recorded(row, number):
    """Yield the lines of a recording: some turns by clumsy hands, then more than any hand does."""
    dice, game = Random(f"{row.name} {row.tier} {number}"), row.load()
    position, t = game.start(), 0.0
    pieces = Pieces(simulated_pieces(game), position.placement, row.tier)
    header = {"format": "firmware-bridge-recording", "version": 1, "game": row.game,
              "options": dict(row.options), "position": str(position), "tier": row.tier,
              "clock": number % 2 == 0, "settings": {"take_backs": True}}  # fmt: skip
    if row.tier != "occupancy":
        header |= {"tags": pieces.tags, "on": pieces.standing()}
    yield json.dumps(header)
    for _ in range(3):
        turn = choose(position, dice)
        if position.outcome or not position.deed(turn).physical:
            break
        for change in play(position, turn, pieces, dice, styles(dice)):
            yield json.dumps({"t": t + change.t, "cell": change.cell, "reading": change.reading})
            done = t + change.t
        t = done + dice.uniform(0.5, 2.0)
        yield json.dumps({"t": t, "button": position.side})
        yield json.dumps({"t": t + 0.2, "answer": str(turn)})
        position, t = position.play(turn), t + dice.uniform(1.0, 5.0)
    cells = sorted(position.game.squares)
    for cell in dice.choices(cells, k=15):
        t += dice.choice((0.0, 0.05, 0.5, 1.0, 6.0))
        reading = None if cell in pieces.on else pieces.reading(dice.choice(list(pieces.tags)))
        yield json.dumps({"t": t, "cell": cell, "reading": reading})
    yield json.dumps({"t": t + 20, "end": True})


def outputs():
    """Print what every recording gives, but for how long it took."""
    for row in SOME:
        for number in range(GAMES):
            why = not row.load().traits.long_turns  # so many turns take their time to be told of
            for line in Replay(read(recorded(row, number)), referee=True, why=why).lines():
                if "per_event_us" not in line:
                    print(row.name, row.tier, number, json.dumps(line))  # noqa: T201


def test_the_same_recordings_give_the_same_output_in_another_process():
    command = [sys.executable, "-c", f"from {__name__} import outputs; outputs()"]
    runs = [
        subprocess.Popen(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True
        )
        for seed in ("1", "2")
    ]
    one, other = (run.communicate()[0].splitlines() for run in runs)
    assert all(run.returncode == 0 for run in runs)
    assert sum('"taken"' in line for line in one) > len(SOME)
    assert one == other
