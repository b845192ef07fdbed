"""Hands that are clumsy in every way anybody thought of: nobody pays for it, no game is stuck."""

import random

import pytest
from click.testing import CliRunner

import rules
from drivers.port import CellEvent
from firmware_bridge.bench import clumsy
from firmware_bridge.bench.clumsiness import STYLES
from firmware_bridge.bench.clumsy import (
    NAMES,
    Game,
    asks_what_was_done,
    begun,
    opening,
    run,
    shows,
    together,
)
from firmware_bridge.bench.exchanges import EXCHANGES
from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import ROWS
from firmware_bridge.bench.scene import Scene
from firmware_bridge.cli import main
from firmware_bridge.messages import Tick
from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.recordings.format import Header, Recording
from firmware_bridge.simulation import Pieces
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.nightly import NIGHTLY, each, one_of

UNSOUND = (
    *("adjust", "analysis", "border", "child", "elbow", "hoard", "kings", "lingering", "polled"),
    *("premove", "sleeve", "sweep", "tip", "trade", "unpressed", "vacated"),
)
"""Styles in which somebody still pays, or a game is stuck: measured by the bench, and told."""
SOUND = tuple(name for name in NAMES if name not in UNSOUND)


HELD = [(style, row) for style in SOUND for row in ROWS]
if not NIGHTLY:  # each style on a row of its own, where a game takes no second
    QUICK = [row for row in ROWS if row.game != "realm"]
    HELD = [(style, random.Random(style).choice(QUICK)) for style in SOUND]


@pytest.mark.parametrize(("style", "row"), HELD, ids=lambda each: getattr(each, "name", each))
def test_nobody_pays_and_no_game_is_stuck(style, row, monkeypatch):
    if not NIGHTLY:
        monkeypatch.setattr(clumsy, "_HANDLINGS", 4)
    figures = Figures()
    run(row, style, 10 if NIGHTLY else 1, 11, figures)
    assert [failure.told for failure in figures.failures if failure.fault != "alarm"] == []
    assert figures.right == figures.turns


def test_styles_are_mixed_anew_with_each_seed_and_nothing_that_is_asked_for_gets_lost():
    mixed = [together(NAMES, 3, seed) for seed in range(20)]
    for styles in mixed:
        assert [style.split("+")[0] for style in styles] == list(NAMES)
        for first, *others in (style.split("+") for style in styles):
            assert len({first, *others}) == 3
            assert set(others) <= set(STYLES)
    assert len({tuple(styles) for styles in mixed}) == len(mixed)


@pytest.mark.parametrize(
    ("game", "position", "turns", "asks"),
    [
        ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q a7a8r a7a8b a7a8n", False),
        ("reversi", "4k3/Rp2p3/3B4/8/8/8/8/4K3 w - - 0 1", "d6e7 d6e7~a7", False),
        ("reversi", "4k3/R3p3/3B4/8/8/8/8/4K3 w - - 0 1", "d6e7 a7e7", True),
        ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", True),
    ],
)
def test_what_the_rules_leave_to_the_player_is_no_question_of_what_he_did(
    game, position, turns, asks
):
    at = rules.load(game).parse(position)
    verdict = Verdict("choice", tuple(map(at.parse_turn, turns.split())))
    assert asks_what_was_done(verdict, [at]) is asks


@pytest.mark.parametrize("row", one_of(*ROWS), ids=lambda row: f"{row.name}")
@pytest.mark.parametrize("style", NAMES)
def test_every_style_leaves_the_pieces_as_its_turns_do(style, row):
    made = 0
    for seed in range(3 if NIGHTLY else 2):
        dice = random.Random(f"{seed}/{style}")
        position = opening(row.load().start(), dice)
        pieces = Pieces(simulated_pieces(row.load()), position.placement, row.tier)
        scene = Scene(position, pieces, dice, clock=True)
        handling = EXCHANGES[style if style in EXCHANGES else "turn"](scene)
        if handling is None:
            continue
        made += 1
        before = handling.line.standing(handling.line.end)
        if seed:
            STYLES["knock"](handling.line)
        STYLES.get(style, lambda line: None)(handling.line)
        line = handling.line
        assert line.standing(line.end) == before
        assert all(act.t >= 0 for act in line.acts)
        for change, following in zip(line.changes, line.changes[1:], strict=False):
            assert change.t <= following.t
    assert made or style in EXCHANGES


def test_a_turn_that_an_accident_hid_stands_once_it_was_put_back_and_made_anew():
    row = next(row for row in ROWS if row.game == "indistinguishable")
    figures = Figures()
    run(row, "sweep", 1, 900, figures)
    assert figures.back > 0
    assert (figures.right, figures.dead) == (figures.turns, 0)


def test_one_game_of_every_row_is_enough_for_every_clock(monkeypatch):
    played = set()

    class Unplayed(Game):
        def handle(self, style, figures):
            played.add((self._clock, self._presses))
            return False

    monkeypatch.setattr(clumsy, "Game", Unplayed)
    for row in each(ROWS, 2):
        run(row, "hold", 1, 1, Figures())
    assert played == set(clumsy.CLOCKS)


def test_a_failure_is_kept_from_where_it_begins():
    position = rules.load("mockery").start()
    header = Header("mockery", str(position), "occupancy", clock=True)
    lifted = (CellEvent(1.0, "e2", None), CellEvent(1.5, "e5", True), Tick(9.0))
    assert shows(Recording(header, lifted), "alarm", position)
    assert not shows(Recording(header, lifted[:1]), "alarm", position)
    assert begun(header).state.position == position


def test_the_command_prints_a_line_a_style_and_knows_its_names():
    arguments = ["bench", "reconcile", "--games", "1", "--only", "mockery identity", "--styles"]
    result = CliRunner().invoke(main, [*arguments, "hold,adjust+hold"])
    rows = [line.split()[0] for line in result.output.splitlines() if not line.startswith(" ")]
    assert rows[:3] == ["style", "hold", "adjust+hold"]
    refused = CliRunner().invoke(main, [*arguments, "clumsy"])
    assert refused.exit_code == 2
    assert "There is no style clumsy. There are: tremble, knock," in refused.output
    alone = CliRunner().invoke(main, [*arguments[:-1], "--together", "2"])
    assert (alone.exit_code, "name --styles too" in alone.output) == (2, True)
