"""An outsider's host, written from docs/distance.md alone, plays Reality Check against ours."""

import json

import pytest

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.distance import greeting
from tests.firmware_bridge.distance.outsider_game import OutsidersGame, hashed
from tests.firmware_bridge.distance.test_outsider import invited_by_us
from tests.firmware_bridge.service.test_distant_games import QuickCarrier, host, records_in
from tests.firmware_bridge.service.test_secrets_far_away import FarHands
from tests.patience import soon

DISCS = {
    "d9": "RR", "c8": "NN", "e8": "NR", "d8": "BB", "d7": "BR",
    "b7": "PP", "c7": "PN", "e7": "PB", "f7": "PR", "hand": "NB",
}  # fmt: skip


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(greeting, "AGAIN", 0.05)


async def begun(one, outsider, carrier, discs=DISCS):
    """Propose Reality Check to the outsider, and begin when both are bound."""
    agreed = Agreement("reality-check", settings=GameSettings.of({"time": "untimed"}))
    played = []

    def hear(sealed):
        if not played:
            told = json.loads(outsider_letter(outsider, sealed))
            played.append(
                OutsidersGame(
                    outsider, told["game"], lambda s: carrier.send(outsider.outbox, s), discs
                )
            )
        played[0].hear(sealed)

    carrier.listen(outsider.inbox, hear)
    await one.games.propose("Olga", "white", agreed)
    await soon(lambda: one.controller.agreement.away)
    await one.hands.set_up(rules.load("reality-check").start(), "white")
    await soon(lambda: one.state.stage == "playing")
    return played[0]


def outsider_letter(outsider, sealed):
    """Return the letter in what is sealed, without taking it."""
    taken = list(outsider.taken)
    outsider.hear(sealed)
    data = outsider.taken[-1]
    outsider.taken = taken
    return data


async def play(one, game):
    """Play a flip of each other's disc and a Reality Check."""
    await one.hands.turn("d3b5")
    await soon(lambda: len(game.facts) == 5)
    game.make("c7c6/c6")
    await soon(lambda: len(game.facts) == 7)
    await soon(lambda: one.state.executing)
    await one.hands.carry_out()
    await one.hands.turn("c3c4/d7")  # Black's bishop is a rook on its other side
    await soon(lambda: one.state.position.shown["d7"].kind == "R")
    await soon(lambda: one.state.executing)
    await one.hands.carry_out()
    game.make("d7xd2!", opened=["d7"])
    await soon(lambda: len(game.facts) == 11)


async def test_an_outsider_plays_a_whole_game_of_reality_check(tmp_path):
    outsider, side = invited_by_us()
    carrier = QuickCarrier()
    async with host(tmp_path, side.friend, carrier, hands=FarHands) as one:
        game = await begun(one, outsider, carrier)
        for right in (False, True):  # his board is set right
            game.write("pause", {"right": right})
            await soon(lambda right=right: ("distance-set-right" in one.told) is not right)
        await play(one, game)
        kind, shown = game.facts[-1]
        ((square, (label, salt)),) = shown["opened"].items()
        bound = game.facts[0][1]["pieces"]
        faces = {f"{label[1]}{label[2]}", f"{label[2]}{label[1]}"}
        proofs = {hashed(f"reality-check white {square} {each} {salt}") for each in faces}
        assert kind == "reveal"
        assert bound["d2"] in proofs
        await one.say("resign", "white")
        await soon(lambda: one.state.audited == "")
        await soon(lambda: game.audit)
        assert game.right()
        await soon(lambda: game.record)
        name = one.controller.agreement.line
        await soon(lambda: game.record in records_in(one.line.games[name].taken))
        assert len(await one.controller.archive.signatures(one.controller.kept)) == 2
        assert one.state.ending.winner == "black"
        assert [str(made.turn) for made in one.state.played][-1] == "d7xd2!"


async def test_an_outsider_who_opens_another_disc_is_named(tmp_path):
    outsider, side = invited_by_us()
    carrier = QuickCarrier()
    async with host(tmp_path, side.friend, carrier, hands=FarHands) as one:
        game = await begun(one, outsider, carrier)
        game.board["d7"] = "BN"  # it is bound to BR
        await one.hands.turn("d3b5")
        await soon(lambda: len(game.facts) == 5)
        game.make("c7c6/c6")
        await soon(lambda: len(game.facts) == 7)
        await soon(lambda: one.state.executing)
        await one.hands.carry_out()
        await one.hands.turn("c3c4/d7")  # shows a knight that there is not
        await soon(lambda: one.state.position.shown["d7"].kind == "N")
        await one.say("resign", "white")  # it is Black's turn: Black's host decides
        game.say("resign", "white")
        await soon(lambda: one.state.audited)
        assert one.state.ending.winner == "white"
        await soon(lambda: game.accused)
