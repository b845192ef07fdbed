from tests.firmware_bridge.table.driving import Driven


def test_a_summary_shows_what_was_written_down_while_its_clocks_run_on():
    driven = Driven("mockery", settings={"time": "5m"})
    summary = driven.table.summary()
    driven.play("e2e4")
    driven.wait(10)
    assert summary.view(driven.t).board["e2"].kind == "P"
    assert summary.view(driven.t).clocks["white"].left_ms == 300_000 - 10_700
    assert len(summary.referee_view(driven.t).history) < len(
        driven.table.summary().referee_view(driven.t).history
    )
    assert "e2" not in driven.view.board


def test_when_storage_has_failed_help_is_called():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.table.fail()
    assert driven.view.phase == "storage-failed"
    assert driven.view.wants[0].key == "want-help"
    assert driven.table.summary().seat("white", driven.t).public.phase == "storage-failed"
