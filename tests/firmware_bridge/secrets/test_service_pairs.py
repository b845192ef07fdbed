"""The whole service, asked over HTTP: two games that differ in owners alone are answered alike."""

import itertools
import json

import pytest

from drivers.port import Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.diagnostics.support_bundle import told
from firmware_bridge.journal import Journal
from rules.values import opponent
from tests.firmware_bridge.pages.app_help import pages_at
from tests.firmware_bridge.secrets.test_indistinguishable_pairs import alike, worlds
from tests.firmware_bridge.secrets.worlds import chooser

ADDRESSES = (
    "/",
    "/setup",
    "/play/white",
    "/referee",
    "/metrics",
    "/readyz",
    "/api/v1/state",
    "/api/v1/seat/white/state",
    "/api/v1/referee/state",
    "/api/v1/referee/export.json",
    "/api/v1/referee/export.pgn",
)
OPEN = {"sealed": False, "tier": "occupancy"}


def script(random, positions):
    """Return what hands do in both worlds: legal turns, and at the end something illegal."""
    for kind in ("legal", "legal", "ruled"):
        found = None if any(p.outcome for p in positions) else alike(random, positions, kind, OPEN)
        if found is None:
            return
        source, target, fact = found
        capture = target in positions[0].placement
        yield "cell", source, None
        if capture:
            yield "cell", target, None
        yield "cell", target, True
        if kind == "ruled":
            yield "wait", 2.0
            continue
        if fact[4] > 1 or len(fact[3].moves) > 1 or fact[3].taken not in ((), (target,)):
            return  # a promotion, a castling or a capture in passing needs more hands than these
        yield "press", positions[0].side
        positions = [
            position.play(next(turn for turn in position.turns() if str(turn) == source + target))
            for position in positions
        ]


async def do(hands, what, *details):
    if what == "cell":
        await hands.feel(*details)
    elif what == "press":
        await hands.press(*details)
    else:
        hands.t += details[0]
        await hands.controller.submit(
            Snapshot(hands.t, dict(hands.controller.table.reconciler.standing))
        )


async def transcript(folder, position, steps, heard):
    """Return everything that strangers can get out of the service, step by step, as bytes."""
    out = []
    async with pages_at(folder, "indistinguishable") as (hands, browser):
        settings = GameSettings.of({"time": "45m"})
        await hands.controller.begin(
            Agreement("indistinguishable", settings=settings, position=str(position))
        )
        hands.t += 1
        await hands.controller.submit(Snapshot(hands.t, dict.fromkeys(position.placement, True)))
        for step in (("press", opponent(position.side)), *steps):
            await do(hands, *step)
            for address in ADDRESSES:
                answer = await browser.get(address)
                out.append((address, answer.status_code, answer.headers.raw, answer.content))
            out.append(hands.controller.hub.latest("public").number)
            out.append(json.dumps(list(told(hands.controller.table.records))))
        assert hands.controller.table.state.stage == "playing"
    out.append([line.replace(str(folder), "") for line in heard()])
    return out


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_nothing_that_the_service_answers_tells_whose_piece_is_whose(
    seed, tmp_path, heard, monkeypatch
):
    random = chooser("service", seed)
    positions = worlds(random)
    steps = list(script(random, positions))
    assert ("press", positions[0].side) in steps
    found = []
    for name, position in zip(("one", "two"), positions, strict=True):
        numbers = itertools.count()
        monkeypatch.setattr("secrets.token_hex", lambda _=4, n=numbers: f"{next(n):08x}")
        monkeypatch.setattr(Journal, "new_game", lambda _, n=numbers: f"game-{next(n)}")
        found.append(await transcript(tmp_path / name, position, steps, heard))
    for one, two in zip(*found, strict=True):
        assert one == two
