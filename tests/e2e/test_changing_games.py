"""Another game is chosen on the set-up page, whatever the board is doing.

One walk goes once from every arrangement to every other, those of options included, at night and in
each way to set up the pieces. By day each way is gone, to games with an option to write, to
choose and to tick; that each game follows each other one is tried in tests/firmware_bridge/table.
"""

import itertools
import json

import pytest

from firmware_bridge.games import USUAL
from firmware_bridge.simulation.piece_sets import set_ups, simulated_pieces
from tests.e2e.conftest import Hand, get
from tests.nightly import NIGHTLY
from tests.patience import until

pytestmark = pytest.mark.browser
KINDS = dict(set_ups())
FIRST = USUAL
NAMES = sorted(KINDS, key=lambda name: (name != FIRST, name))
WALK = [*itertools.chain.from_iterable(itertools.combinations(NAMES, 2)), FIRST]
WAYS = ["begins first", "sets up first", "lets them follow"]
BY_DAY = [FIRST, "indistinguishable-single-set", "reality-check-advanced", "chess960"]


def test_the_walk_goes_once_from_each_to_each():
    assert sorted(itertools.pairwise(WALK)) == sorted(itertools.permutations(NAMES, 2))
    assert set(BY_DAY) <= set(NAMES)


class Changer:
    """Somebody with the set-up page on one screen and the simulated board on another."""

    def __init__(self, running, window):
        self.running = running
        self.hand = Hand(window(running.board))
        self.setup = window("about:blank")

    def choose(self, name):
        """Choose the game that begins so, with its options."""
        game = KINDS[name]
        self.setup.goto(f"{self.running.display}setup")
        self.setup.check(f'[name="game"][value="{game.id}"]')
        more = self.setup.locator('[data-part="more"] details:has(.options):not([open]) > summary')
        if more.is_visible():
            more.click()
        for option, value in game.options.items():
            field = self.setup.locator(f'[data-for="{game.id}"] [name="{option}"]')
            if isinstance(value, bool):
                field.set_checked(value)
            elif isinstance(game.allowed[option], range):
                field.fill(str(value))
            else:
                field.select_option(str(value))

    def change(self, name, way):
        """Begin this game; return what the display says of it once nothing is to be done."""
        before = self.running.state["id"]
        self.choose(name)
        if way == "sets up first":
            self.hand.set_up(name)
        self.setup.click('[data-part="begin"]')  # no game has begun, so nothing is asked
        self.setup.wait_for_url(self.running.display)
        if way == "begins first":
            self.hand.set_up(name)
        until(lambda: self.running.state["id"] != before)
        return until(self.ready, "the game cannot begin")

    def ready(self):
        scene = self.running.state
        return scene if scene["phase"] == "ready" else None

    def looks(self):
        """What stands where on the simulated board, as people see it."""
        pieces = json.loads(get(f"{self.running.board}state"))["pieces"].values()
        return {piece["at"]: piece["look"] for piece in pieces if piece["at"] != "tray"}


def looks(name):
    """What stands where in the arrangement of this name, as people see it."""
    pieces = simulated_pieces()
    look = {face.tag: face.look for piece in pieces.pieces for face in piece.faces}
    return {cell: look[tag] for cell, tag in pieces.arrangements[name].items()}


@pytest.mark.parametrize("start", range(len(WAYS)) if NIGHTLY else [0])
def test_every_game_begins_after_every_other(start, shared, window):
    walk = WALK if NIGHTLY else BY_DAY
    shared.begin(FIRST)
    changer = Changer(shared, window)
    until(changer.ready)
    for step, name in enumerate(walk[1:], start):
        scene = changer.change(name, WAYS[step % len(WAYS)])
        assert (scene["game"], scene["variant"]) == (KINDS[name].id, KINDS[name].options)
        assert (scene["lights"], scene["restore"], scene["more"]) == ({}, [], [])
        until(lambda name=name: changer.looks() == looks(name))
    changer.hand.press("black")
    until(lambda: shared.phase == "playing")
    assert window.complaints == []
