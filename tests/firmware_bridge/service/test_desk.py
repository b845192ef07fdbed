import shutil
import sqlite3
from contextlib import closing
from functools import partial
from unittest.mock import Mock

import pytest

from drivers import beside
from drivers.description import load_description
from drivers.port import CellEvent, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Answer, Call, LightsChanged, PublicTurn, Tick
from firmware_bridge.service.controller import AGAIN_AFTER
from tests.firmware_bridge.journal.meddling import (
    delete_all,
    delete_folder,
    put_earlier_there,
    write_over_file,
)
from tests.firmware_bridge.service.desk_help import Hands, desk_at
from tests.firmware_bridge.table.driving import Driven
from tests.firmware_bridge.table.test_decisions import CAPTURING
from tests.patience import soon


async def test_a_game_begins_when_the_pieces_stand_and_the_clock_is_pressed(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        assert hands.controller.view().phase == "waiting"
        await hands.set_up()
        assert hands.controller.view().phase == "ready"
        await hands.press("black")
        assert hands.controller.view().phase == "playing"
        await hands.move("e2e4")
        assert hands.controller.view().number == 0
        await hands.press("white")
        view = hands.controller.view()
        assert view.number == 1
        assert view.to_act == "black"
        assert "e4" in view.board


async def test_what_is_shown_is_on_disk_before(tmp_path):
    on_disk = []

    def look(outputs):
        if any(isinstance(output, PublicTurn) for output in outputs):
            with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database:
                query = "SELECT count(*) FROM records WHERE kind = 'taken'"
                on_disk.append(database.execute(query).fetchone()[0])

    async with desk_at(tmp_path) as hands:
        hands.controller.listeners.append(look)
        await hands.begin("e2e4", "e7e5")
    assert on_disk == [1, 2]


async def test_a_game_goes_on_after_the_service_died(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        await hands.begin("e2e4")
        before, game = hands.controller.view(), hands.controller.game_id
    async with desk_at(tmp_path, game="mockery") as hands:
        after = hands.controller.view()
        assert hands.controller.game_id == game
        assert after.game == "reversi"
        assert after.board == before.board
        assert after.clocks["white"].left_ms == before.clocks["white"].left_ms
        assert not after.clocks["black"].running
        assert after.phase == "paused"


@pytest.mark.parametrize(
    ("meddle", "told"),
    [
        (delete_all, "page-journal-gone"),
        (delete_folder, "page-journal-gone"),
        (put_earlier_there, "page-journal-anew"),
        (write_over_file, "page-journal-anew"),
    ],
)
async def test_files_that_go_while_the_game_goes_on_cost_no_turn_and_that_is_said(
    tmp_path, meddle, told
):
    games, earlier = tmp_path / "games", tmp_path / "earlier"
    async with desk_at(games) as hands:
        shutil.copytree(games, earlier)
        await hands.begin("e2e4")
        meddle(games, earlier)
        await hands.turn("e7e5", "black")
        assert told in {each.key for each in hands.controller.notices.shown}
    async with desk_at(games) as hands:
        assert hands.controller.view().number == 2


async def test_a_game_in_which_nothing_happened_gives_way_to_the_configured_one(tmp_path):
    async with desk_at(tmp_path) as hands:
        await hands.set_up()
    async with desk_at(tmp_path, game="mockery") as hands:
        assert hands.controller.view().game == "mockery"


async def test_another_game_can_be_begun_with_the_pieces_that_stand_there(hands):
    await hands.set_up()
    first = hands.controller.game_id
    await hands.controller.begin(Agreement("mockery"))
    assert hands.controller.game_id != first
    assert hands.controller.view().game == "mockery"
    assert hands.controller.view().phase == "ready"


@pytest.mark.parametrize("late", [True, False])
async def test_what_a_computer_says_of_a_game_is_not_heard_in_the_next(hands, late):
    await hands.set_up()
    said_of = hands.controller.game_id
    if late:
        await hands.controller.begin(Agreement("indistinguishable"))
    await hands.press("black")
    call = Call(hands.controller.now(), "resign", "white", own=True, game_id=said_of)
    await hands.controller.submit(call)
    assert hands.controller.view().phase == ("playing" if late else "over")


async def test_nothing_is_shown_as_taken_once_storage_has_failed(tmp_path, monkeypatch):
    shown = []
    async with desk_at(tmp_path) as hands:
        await hands.begin()
        await hands.move("e2e4")
        hands.controller.listeners.append(shown.extend)
        monkeypatch.setattr(Journal, "_write", Mock(side_effect=sqlite3.Error))
        await hands.press("white")
        await hands.turn("e7e5", "black")
        view = hands.controller.view()
        assert view.phase == "storage-failed"
        assert view.number == 0
        assert "e2" in view.board
        assert hands.controller.hub.latest("referee").sight.view.public.phase == "storage-failed"
    assert all(isinstance(output, LightsChanged) for output in shown)


async def test_a_game_goes_on_as_soon_as_it_can_be_written_again(hands, monkeypatch):
    await hands.begin()
    await hands.move("e2e4")
    monkeypatch.setattr(Journal, "_write", broken := Mock(side_effect=sqlite3.Error))
    await hands.press("white")
    assert hands.controller.view().phase == "storage-failed"
    await hands.move("e4e3")  # what hands do meanwhile is seen
    hands.t += AGAIN_AFTER
    await hands.press("white")
    assert broken.call_count == 2, "it was tried again"
    assert hands.controller.view().phase == "storage-failed"
    monkeypatch.undo()
    hands.t += AGAIN_AFTER
    await hands.feel("e8", None)
    await hands.feel("e8", True)
    assert hands.controller.view().phase == "paused"
    await hands.press("white")
    await hands.press("white")
    assert hands.controller.view().number == 1
    assert "e3" in hands.controller.view().board


async def test_events_that_come_late_are_taken_as_of_now(hands):
    await hands.begin()
    await hands.feel("e2", None)
    await hands.controller.submit(CellEvent(hands.t - 50, "e4", True))
    await hands.press("white")
    assert hands.controller.view().number == 1


async def test_time_alone_wakes_the_desk(tmp_path):
    async with desk_at(tmp_path, grace=0.05) as hands:
        await hands.begin()
        await hands.move("e2e5")
        assert hands.controller.view().judged.kind == "unexplained"
        hands.t += 1.0
        await hands.feel("e5", True)
        await soon(lambda: hands.controller.view().judged.kind == "illegal")


async def test_announcements_stay_for_the_pages_newest_first(hands):
    await hands.begin()
    assert hands.said() == ["go", "ready"]


async def test_what_was_said_before_the_last_turn_is_history(hands):
    await hands.begin()
    assert hands.said()[0] == "go"
    for turn, side in (("e2e4", "white"), ("f7f6", "black"), ("d1h5", "white")):
        await hands.turn(turn, side)
    assert hands.said() == ["check"]


async def test_setting_up_again_after_the_end_begins_another_game(hands):
    await hands.begin("f2f3", "e7e5", "g2g4", "d8h4")
    assert hands.controller.view().ending.winner == "black"
    first = hands.controller.game_id
    await hands.set_up()
    hands.t += 10.0
    await hands.set_up()
    assert hands.controller.game_id != first
    assert hands.controller.view().phase == "ready"


async def test_how_a_game_ended_is_shown_over_a_restart_until_another_is_wanted(tmp_path):
    async with desk_at(tmp_path) as hands:
        await hands.begin("f2f3", "e7e5", "g2g4", "d8h4")
        ended, stood = hands.controller.view(), dict(hands.controller.table.standing)
    for _ in range(2):
        async with desk_at(tmp_path) as hands:
            await hands.controller.submit(Snapshot(hands.t, stood))
            shown = hands.controller.view()
            assert (shown.phase, shown.ending) == ("over", ended.ending)
            assert (shown.standing, shown.wants) == (ended.standing, ended.wants)
            first = hands.controller.game_id
    async with desk_at(tmp_path) as hands:
        await hands.set_up()  # they were put up while it was off
        assert hands.controller.view().phase == "ready"
        assert hands.controller.game_id != first
        await hands.press("black")
        await hands.controller.submit(Call(hands.t, "resign", "white"))
    async with desk_at(tmp_path) as hands:  # nobody has touched a piece
        await hands.set_up()
        assert hands.controller.view().ending.winner == "black"
    async with desk_at(tmp_path, "mockery") as hands:
        assert hands.controller.view().phase == "over", "a rematch is chosen"


async def test_one_folder_serves_one_desk(tmp_path):
    async with desk_at(tmp_path):
        with pytest.raises(Exception, match="Another firmware-bridge"):
            Journal(tmp_path)


async def test_what_a_reality_check_has_shown_is_nowhere_to_be_read_later(tmp_path):
    driven = Driven("reality-check", position=CAPTURING)
    at_faces = partial(Hands, sensing=driven.sensing, board=load_description("full"))
    capturing = Agreement("reality-check", position=CAPTURING)
    async with desk_at(tmp_path, hands=at_faces, agreement=capturing) as hands:
        await hands.controller.submit(Snapshot(hands.t, driven.readings))
        await hands.press("black")
        lying = driven.readings["e4"]
        for cell, reading in (("e7", None), ("e4", None), ("e7", lying)):
            await hands.feel(cell, reading)
        await hands.controller.submit(Answer(hands.t, "e4xe7!", "white"))
        await hands.press("white")
        assert hands.said()[:4] == ["reality-check", "shown", "shown", "to-hand"]
        await hands.wait(60)
        assert hands.said()[:2] == ["reality-check", "to-hand"]


async def test_a_game_that_was_chosen_is_still_there_after_a_crash_before_its_first_turn(tmp_path):
    chosen = Agreement("indistinguishable", players={"white": "Ada"}, chosen=True)
    async with desk_at(tmp_path) as hands:
        await hands.controller.begin(chosen)
        await hands.set_up()
    async with desk_at(tmp_path) as hands:
        assert hands.controller.agreement == chosen
        await hands.set_up()
        assert hands.controller.view().phase == "ready"


@pytest.mark.parametrize("stands", [False, True], ids=["being set up", "ready"])
@pytest.mark.parametrize("chosen", [False, True])
async def test_who_is_seated_stays_so_when_the_service_dies_before_the_game(
    tmp_path, chosen, stands
):
    async with desk_at(tmp_path) as hands:
        if chosen:
            await hands.controller.begin(Agreement("mockery", chosen=True))
        if stands:
            await hands.set_up()
        seated_at = hands.controller.game_id
    for _ in range(2):
        async with desk_at(tmp_path) as hands:
            assert hands.controller.game_id == seated_at  # the seats' keys are made from it
            assert hands.controller.view().phase == "waiting"
            await hands.set_up()
            assert hands.controller.view().phase == "ready"
    async with desk_at(tmp_path) as hands:
        await hands.begin()
        assert hands.controller.view().phase == "playing"
        assert hands.controller.game_id == seated_at


async def test_a_chosen_game_that_this_board_cannot_carry_gives_way_as_well(tmp_path):
    async with desk_at(tmp_path) as hands:
        await hands.controller.begin(Agreement("reality-check", chosen=True))
    async with desk_at(tmp_path) as hands:
        assert hands.controller.agreement.game == "reversi"


async def test_the_lights_of_one_game_go_out_with_it(hands):
    lit = {}

    def follow(outputs):
        for output in outputs:
            if isinstance(output, LightsChanged):
                lit.clear()
                lit.update(output.lights)

    hands.controller.listeners.append(follow)
    await hands.begin("e2e4")
    assert lit
    await hands.move("e4e2")
    await hands.controller.begin(Agreement("reversi"))
    assert hands.controller.view().phase == "ready"
    assert lit == {}


async def test_what_nobody_foresaw_costs_one_input_and_the_game_goes_on_from_disk(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(beside, "FIRST_PAUSE", 0.01)
    async with desk_at(tmp_path, time="5m") as hands:
        controller = hands.controller
        await hands.begin("e2e4")
        before = controller.table.records
    async with desk_at(tmp_path, kept=True) as hands:
        controller = hands.controller
        await hands.set_up()
        monkeypatch.setattr(controller.table, "feed", lambda _: {}["a secret"])
        assert await controller.submit(Tick(hands.t)) == ()
        await hands.begin()
        assert controller.table.records[: len(before)] == before
        assert controller.view().number == 1
        assert controller.view().phase == "playing"


async def test_a_pause_is_not_lost_when_much_else_waits(tmp_path, monkeypatch):
    monkeypatch.setattr("firmware_bridge.service.inbox.WAITING", 1)
    async with desk_at(tmp_path, time="5m") as hands:
        await hands.begin()
        for what in ("pause", "resume", "pause"):
            hands.controller.tell(Call(hands.t, what))
        await soon(lambda: sum(r.kind == "call" for r in hands.controller.table.records) == 4)
        await soon(lambda: hands.controller.view().phase == "paused")
