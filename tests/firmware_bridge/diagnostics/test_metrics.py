"""What is counted, who may read it, and that it tells no secret."""

import re
from importlib.metadata import version

import pytest

from drivers.link.host_session import LinkStatistics
from drivers.port import Snapshot
from firmware_bridge.config import ConfigError, load_config
from firmware_bridge.diagnostics.metrics import Metrics
from tests.firmware_bridge.pages.app_help import pages_at

NAMES = {
    "bridge_link_frames_total", "bridge_link_crc_errors_total", "bridge_link_resend_ratio",
    "bridge_link_rtt_seconds", "bridge_board_snapshot_age_seconds", "bridge_sensor_events_total",
    "bridge_reconcile_seconds", "bridge_help_requests_total", "bridge_turns_total",
    "bridge_illegal_attempts_total", "bridge_journal_sync_seconds",
    "bridge_journal_failures_total", "bridge_queue_depth", "bridge_loop_lag_seconds",
    "bridge_watchdog_missed_total", "bridge_refused_total", "bridge_build_info",
}  # fmt: skip


def values(text):
    """Return name with labels -> value."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


async def test_the_machine_itself_reads_what_was_played(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await hands.begin("e2e4")
        answer = await browser.get("/metrics")
        assert answer.status_code == 200
        told = values(answer.text)
        assert told['bridge_turns_total{variant="reversi"}'] == 1
        assert told["bridge_reconcile_seconds_count"] >= 4
        assert told["bridge_journal_sync_seconds_count"] >= 1
        assert told['bridge_queue_depth{queue="controller"}'] == 0


async def test_nobody_else_does(tmp_path):
    async with pages_at(tmp_path) as (_, browser):
        assert (await browser.get("/metrics")).status_code == 403
    async with pages_at(tmp_path, client="127.0.0.1") as (_, browser):
        behind_a_proxy = await browser.get("/metrics", headers={"X-Forwarded-For": "10.0.0.7"})
        assert behind_a_proxy.status_code == 403


async def test_whoever_is_named_reads_them_with_the_token(tmp_path):
    named = {"address": "192.168.1.20", "token": "sixteen letters!"}
    right = {"Authorization": f"Bearer {named['token']}"}
    async with pages_at(tmp_path, config={"metrics": named}) as (_, browser):
        assert (await browser.get("/metrics")).status_code == 403
        wrong = {"Authorization": "Bearer sixteen lettersX"}
        assert (await browser.get("/metrics", headers=wrong)).status_code == 403
        answer = await browser.get("/metrics", headers=right)
        assert f'version="{version("firmware-bridge")}"' in answer.text
    async with pages_at(tmp_path, client="192.168.1.21", config={"metrics": named}) as (_, browser):
        assert (await browser.get("/metrics", headers=right)).status_code == 403


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ({"address": "192.168.1.5"}, "metrics.token"),
        ({"address": "192.168.1.5", "token": "short"}, "at least 16"),
        ({"address": "monitor.local", "token": "sixteen letters!"}, "address in numbers"),
    ],
)
def test_metrics_are_not_opened_by_half(tmp_path, section, told):
    file = tmp_path / "config.toml"
    lines = [f'{key} = "{value}"' for key, value in section.items()]
    file.write_text("\n".join(["[metrics]", *lines]))
    with pytest.raises(ConfigError, match=told) as error:
        load_config(file)
    assert "short" not in str(error.value)


def test_every_promised_name_is_there():
    metrics = Metrics()
    counts = LinkStatistics(good=90, damaged=10, repeated=9, early=0, round_trip=0.004)
    metrics.watch_link(lambda: counts)
    metrics.round_trip(counts)
    metrics.felt(Snapshot(10.0, {}), lambda: 12.5)
    text = metrics.text().decode()
    assert set(re.findall(r"^# TYPE (bridge_\S+)", text, re.MULTILINE)) >= NAMES
    told = values(text)
    assert told['bridge_link_frames_total{dir="in"}'] == 100
    assert told["bridge_link_crc_errors_total"] == 10
    assert told["bridge_link_resend_ratio"] == 0.1
    assert told["bridge_board_snapshot_age_seconds"] == 2.5
    assert told["bridge_link_rtt_seconds_count"] == 1


def test_no_label_names_a_square_a_piece_or_a_seat():
    text = Metrics().text().decode()
    labels = {label for name in values(text) for label in re.findall(r'(\w+)="', name)}
    assert labels <= {
        *("dir", "kind", "reason", "variant", "stage", "queue", "le"),
        *("version", "python"),
    }
    assert "white" not in text


async def test_a_raspberry_pi_tells_of_heat_and_power(tmp_path, monkeypatch):
    flags = tmp_path / "get_throttled"
    flags.write_text("50005\n")
    monkeypatch.setattr("firmware_bridge.diagnostics.metrics.THROTTLED", flags)
    assert values(Metrics().text().decode())["pi_throttled_flags"] == 0x50005
    flags.unlink()
    assert "pi_throttled_flags" not in values(Metrics().text().decode())
