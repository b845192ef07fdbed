"""Every puzzle that comes with a game, proved by its rules; and solved with hands on a board."""

import pytest

import rules
from drivers.port import Snapshot
from firmware_bridge import puzzles
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.journal import Summary
from firmware_bridge.messages import Call
from firmware_bridge.service.computer_players import ComputerPlayers
from firmware_bridge.service.ladder import level_after
from firmware_bridge.simulation.piece_sets import arrangement_of, simulated_pieces
from tests.firmware_bridge.pages.app_help import pages_at
from tests.firmware_bridge.puzzles.proof import forcing, tree, won
from tests.firmware_bridge.service.desk_help import desk_at, heard
from tests.nightly import NIGHTLY
from tests.patience import soon

ALL = [puzzle for game in rules.games() for puzzle in puzzles.of(game)]
BY_DAY = [puzzle for puzzle in ALL if puzzle.turns < 3 or NIGHTLY]


def at(puzzle):
    return rules.load(puzzle.game).parse(puzzle.position)


def named(puzzle):
    return puzzle.id


def test_there_are_some_of_every_length_for_games_without_secret_pieces():
    lengths = {game: {p.turns for p in puzzles.of(game)} for game in rules.games()}
    assert not lengths["reality-check"]
    for game in ("chess", "indistinguishable", "mockery", "reversi"):
        assert lengths[game] >= {1, 2, 3}
    for game in ("realm", "chess960", "grid"):
        assert lengths[game] >= {1, 2}
    assert {6, 7} <= {puzzle.checks for puzzle in puzzles.of("realm")}


@pytest.mark.parametrize("puzzle", [p for p in BY_DAY if not p.checks], ids=named)
def test_a_win_is_forced_by_one_first_turn_and_by_no_shorter_way(puzzle):
    position = at(puzzle)
    assert position.outcome is None
    assert puzzle.turns == 1 or not won(position, puzzle.turns - 1)
    assert len(forcing(position, 1)) == 1 if puzzle.turns == 1 else True
    assert puzzle.ways == ({} if puzzle.turns == 1 else shortened(tree(position, puzzle.turns)))


def shortened(ways):
    """Leave the turns out that win at once: they are known by it."""
    return {
        turn: {reply: {following: {} for following in after} for reply, after in answers.items()}
        for turn, answers in ways.items()
    }


@pytest.mark.parametrize("puzzle", [p for p in ALL if p.checks], ids=named)
def test_so_many_checks_are_given_by_one_turn_alone(puzzle):
    position = at(puzzle)

    def checks(turn):
        return position.play(turn).finder.board.checkers.bit_count()

    most = {str(turn) for turn in position.turns() if checks(turn) >= puzzle.checks}
    assert most == puzzle.ways.keys()


@pytest.mark.parametrize("puzzle", ALL, ids=named)
def test_every_way_is_legal_and_answers_all_that_can_be_answered(puzzle):
    def follow(position, ways, left):
        for text, answers in ways.items():
            after = position.play(position.parse_turn(text))
            if answers:
                assert answers.keys() == {str(reply) for reply in after.turns()}
            for reply, next_ways in answers.items():
                assert left > 2
                follow(after.play(after.parse_turn(reply)), next_ways, left - 1)

    assert bool(puzzle.ways) == (puzzle.turns > 1 or bool(puzzle.checks))
    follow(at(puzzle), puzzle.ways, puzzle.turns)


def agreed(name):
    return Agreement.to_solve(puzzles.find(name), GameSettings.of({}), buttons=True)


async def stand(hands, puzzle):
    hands.t += 0.1
    placed = dict.fromkeys(at(puzzle).placement, True)
    await hands.controller.submit(Snapshot(hands.t, placed))


async def carry(hands, turn, before):
    """Make a turn of chess on the board, and press."""
    if turn[2:4] in before.placement:
        await hands.feel(turn[2:4], None)
    await hands.turn(turn[:4], before.side)


def first_of(game, turns):
    return next(puzzle for puzzle in puzzles.of(game) if puzzle.turns == turns)


@pytest.mark.parametrize("game", ["mockery", "indistinguishable"])
async def test_a_wrong_turn_is_taken_back_and_the_right_ones_solve_it(tmp_path, game):
    puzzle = first_of(game, 2)
    async with desk_at(tmp_path) as hands:
        controller = hands.controller
        await controller.begin(agreed(puzzle.id))
        assert controller.view().phase in ("set-up", "waiting")
        await stand(hands, puzzle)
        view = controller.view()
        assert (view.phase, view.to_act) == ("playing", "white")
        assert view.puzzle == puzzle.id
        assert not view.advised
        position = at(puzzle)
        king = position.king("white")
        wrong = next(
            str(turn)
            for turn in position.turns()
            if str(turn) not in puzzle.ways
            and str(turn)[:2] == king
            and not position.deed(turn).taken
        )
        await carry(hands, wrong, position)
        assert "puzzle-wrong" in hands.said()
        assert controller.table.state.position == position
        assert controller.view().phase == "restoring"
        await hands.move(wrong[2:4] + wrong[:2])
        assert (controller.view().phase, controller.view().to_act) == ("playing", "white")
        (right,) = puzzle.ways
        if game == "indistinguishable":  # its best level takes its time
            await carry(hands, right, position)
            assert "puzzle-right" in hands.said()
            return
        async with heard(controller, ComputerPlayers(controller)):
            await carry(hands, right, position)
            assert "puzzle-right" in hands.said()
            await soon(lambda: controller.view().phase == "executing")
            await hands.carry_out()
            now = controller.table.state.position
            await carry(hands, str(forcing(now, 1)[0]), now)
            assert controller.view().phase == "over"
        assert "puzzle-solved" in hands.said()


async def test_seven_checks_solve_it_though_it_is_no_mate(tmp_path):
    puzzle = puzzles.of("realm")[-1]
    async with desk_at(tmp_path) as hands:
        await hands.controller.begin(agreed(puzzle.id))
        await stand(hands, puzzle)
        for source, target in (("c4", "e3"), ("e5", "f3"), ("e6", "f4")):
            await hands.feel(source, None)
            await hands.feel(target, True)
        await hands.feel("d3", None)
        await hands.feel("e4", None)
        await hands.feel("e4", True)
        await hands.press("white")
        assert hands.controller.view().phase == "over"
        assert "puzzle-solved" in hands.said()


async def test_no_hint_is_given_and_no_level_follows(tmp_path):
    puzzle = first_of("reversi", 1)
    async with desk_at(tmp_path) as hands:
        await hands.controller.begin(agreed(puzzle.id))
        await stand(hands, puzzle)
        assert hands.controller.objection(Call(hands.t, "hint", "white")) == "refused-hint"
    lost = {"players": {"black": "computer 5"}, "puzzle": puzzle.id}
    assert level_after([Summary("", "", lost, {"winner": "black"})]) == 1


async def test_a_puzzle_outlives_the_service_and_comes_again(tmp_path):
    name = first_of("mockery", 2).id
    async with desk_at(tmp_path) as hands:
        await hands.controller.begin(agreed(name))
        await stand(hands, puzzles.find(name))
    async with desk_at(tmp_path) as hands:
        assert hands.controller.agreement.puzzle == name
        assert hands.controller.view().puzzle == name
        assert hands.controller.agreement.rematch("x").position == puzzles.find(name).position


async def test_puzzles_are_chosen_on_a_page_and_begun_at_the_machine(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        page = (await browser.get("/learn/mockery/puzzles?language=de")).text
        assert page.count("data-puzzle=") == len(puzzles.of("mockery"))
        assert "Gewinne in zwei Zügen" in page
        assert (await browser.get("/learn/reality-check/puzzles")).status_code == 404
        begun = await browser.post("/api/v1/game/puzzle", json={"puzzle": "mockery-1"})
        assert begun.status_code == 202
        assert hands.controller.agreement.puzzle == "mockery-1"
        assert 'name="who" value="people" checked' in (await browser.get("/setup")).text
        for wrong, status in (("mockery-99", 404), ("chess", 404), (7, 400)):
            answer = await browser.post("/api/v1/game/puzzle", json={"puzzle": wrong})
            assert answer.status_code == status
    async with pages_at(tmp_path / "far") as (hands, browser):
        answer = await browser.post("/api/v1/game/puzzle", json={"puzzle": "mockery-1"})
        assert answer.status_code == 403


@pytest.mark.parametrize("puzzle", ALL, ids=named)
def test_the_simulated_board_has_the_pieces_of_every_puzzle(puzzle):
    position = at(puzzle)
    placed = arrangement_of(position.game, position)
    assert placed.keys() == position.placement.keys()
    there = {face.tag for piece in simulated_pieces().pieces for face in piece.faces}
    assert set(placed.values()) <= there
