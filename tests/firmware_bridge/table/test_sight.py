from tests.firmware_bridge.table.driving import Driven


def test_a_sight_shows_what_was_written_down_while_its_clocks_run_on():
    driven = Driven("mockery", settings={"time": "5m"})
    sight = driven.table.sight()
    driven.play("e2e4")
    driven.wait(10)
    assert sight.view(driven.t).board["e2"].kind == "P"
    assert sight.view(driven.t).clocks["white"].left_ms == 300_000 - 10_700
    assert len(sight.referee_view(driven.t).history) < len(
        driven.table.referee_view(driven.t).history
    )
    assert "e2" not in driven.view.board


def test_when_storage_has_failed_the_clocks_stand_still_and_help_is_called():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.wait(4)
    failed = driven.table.sight().storage_failed()
    view = failed.view(driven.t + 1000)
    assert view.phase == "storage-failed"
    assert view.wants[0].key == "want-help"
    assert not any(clock.running for clock in view.clocks.values())
    assert failed.seat("white", driven.t).public.phase == "storage-failed"
