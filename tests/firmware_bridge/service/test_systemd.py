import os
import socket

import pytest

from firmware_bridge.service.systemd import Notifier
from tests.patience import PATIENCE


@pytest.fixture
def manager(tmp_path, monkeypatch):
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.bind(address)
        link.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        yield link


def test_every_message_is_one_datagram(manager):
    notifier = Notifier()
    notifier.ready()
    notifier.alive()
    notifier.status("White to move\nsecret second line")
    notifier.stopping()
    heard = [manager.recv(100).decode() for _ in range(4)]
    assert heard == ["READY=1", "WATCHDOG=1", "STATUS=White to move", "STOPPING=1"]


def test_a_manager_that_does_not_listen_holds_nothing_up(manager):
    notifier = Notifier()
    for _ in range(2000):
        notifier.alive()
    assert manager.recv(100) == b"WATCHDOG=1"


def test_abstract_addresses_are_understood():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.bind(f"\0firmware-bridge-test-{os.getpid()}")
        link.settimeout(PATIENCE)
        Notifier(f"@firmware-bridge-test-{os.getpid()}").ready()
        assert link.recv(100) == b"READY=1"


def test_without_systemd_nothing_happens(monkeypatch, tmp_path):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    Notifier().ready()
    Notifier(str(tmp_path / "gone")).ready()


@pytest.mark.parametrize(
    ("usec", "pid", "seconds"),
    [
        ("30000000", None, 30.0),
        ("30000000", "own", 30.0),
        ("30000000", "1", 10.0),
        ("", None, 10.0),
        ("soon", None, 10.0),
    ],
)
def test_the_watchdog_interval_is_read(monkeypatch, usec, pid, seconds):
    monkeypatch.setenv("WATCHDOG_USEC", usec)
    if pid is None:
        monkeypatch.delenv("WATCHDOG_PID", raising=False)
    else:
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if pid == "own" else pid)
    assert Notifier().watchdog_seconds == seconds


@pytest.mark.parametrize(("usec", "every"), [("10000000", 5.0), ("", 5.0), ("1000000", 0.5)])
async def test_it_tells_that_it_lives_as_often_as_is_wanted(manager, monkeypatch, usec, every):
    class Slept(Exception):  # noqa: N818 - ends what never ends
        pass

    async def sleep(seconds):
        raise Slept(seconds)

    monkeypatch.setenv("WATCHDOG_USEC", usec)
    monkeypatch.setattr("firmware_bridge.service.systemd.asyncio.sleep", sleep)
    with pytest.raises(Slept, match=f"^{every}$"):
        await Notifier().stay_alive()
    assert [manager.recv(100) for _ in range(2)] == [b"READY=1", b"WATCHDOG=1"]
