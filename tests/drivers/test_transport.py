import asyncio
import grp
import os
import pty
import termios
import tty
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from drivers.board_reasons import Reason
from drivers.transport import (
    Lost,
    Opened,
    PortSettings,
    PortUnusableError,
    SerialTransport,
    explain,
    open_port,
)
from tests.patience import in_time


class FarEnd:
    """The device's end of a pty, played by the test."""

    def __init__(self):
        self.ours, self.theirs = pty.openpty()
        tty.setraw(self.theirs)
        os.set_blocking(self.ours, False)
        self.port = os.ttyname(self.theirs)

    async def read(self, size):
        """Return so many bytes; a pty may take its time."""
        heard = b""
        while len(heard) < size:
            try:
                heard += os.read(self.ours, size)
            except BlockingIOError:
                await asyncio.sleep(0.005)
        return heard

    def close(self):
        for end in (self.ours, self.theirs):
            with suppress(OSError):
                os.close(end)


@pytest.fixture
def far_end():
    end = FarEnd()
    yield end
    end.close()


@contextmanager
def as_nobody():
    """Be a user without rights for a moment, when the tests run as root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


async def next_item(traffic):
    return await in_time(anext(traffic))


def test_a_port_that_does_not_exist():
    with pytest.raises(PortUnusableError, match="There is no port /dev/ttyNONE"):
        open_port(PortSettings("/dev/ttyNONE"))


def test_a_port_without_permission_names_the_group_to_join(far_end):
    Path(far_end.port).chmod(0)
    with as_nobody(), pytest.raises(PortUnusableError) as caught:
        open_port(PortSettings(far_end.port))
    assert f"No permission to use {far_end.port}. Run: sudo usermod -aG " in str(caught.value)
    assert "log in again" in str(caught.value)


def test_the_group_is_the_ports_own(far_end):
    os.chown(far_end.port, -1, os.getgid())
    text = str(explain(far_end.port, PermissionError(13, "Permission denied")))
    known = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    assert f"-aG {known.get(os.getgid(), 'dialout')} " in text
    assert "-aG dialout " in str(explain("/dev/ttyNONE", PermissionError(13, "Permission denied")))


def test_a_port_in_use(far_end):
    settings = PortSettings(far_end.port)
    in_use = pytest.raises(PortUnusableError, match="is in use by another program")
    with open_port(settings), in_use:
        open_port(settings)


@pytest.mark.parametrize("kind", ["file", "folder", "null"])
def test_what_is_no_serial_port(kind, tmp_path):
    path = {"file": tmp_path / "file", "folder": tmp_path, "null": "/dev/null"}[kind]
    if kind == "file":
        path.write_bytes(b"")
    with pytest.raises(PortUnusableError, match="is not a serial port"):
        open_port(PortSettings(str(path)))


def test_a_user_without_a_name_is_told_the_same(monkeypatch):
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 987654)
    text = str(explain("/dev/ttyNONE", PermissionError(13, "Permission denied")))
    assert "sudo usermod -aG dialout $USER  and log in again" in text


async def test_bytes_pass_both_ways(far_end):
    async with SerialTransport(PortSettings(far_end.port)) as transport:
        traffic = transport.traffic()
        assert await next_item(traffic) == Opened()
        os.write(far_end.ours, b"\x00\xff\x11\x13\x03\x0d\x0a")
        assert await next_item(traffic) == b"\x00\xff\x11\x13\x03\x0d\x0a"
        transport.write(b"\x00\x0a\x0d\x04")
        assert await far_end.read(4) == b"\x00\x0a\x0d\x04"


async def test_a_port_that_vanishes_and_returns_is_opened_again(tmp_path, monkeypatch):
    monkeypatch.setattr("drivers.transport.FIRST_PAUSE", 0.02)
    link = tmp_path / "board"
    first = FarEnd()
    link.symlink_to(first.port)
    async with SerialTransport(PortSettings(str(link))) as transport:
        traffic = transport.traffic()
        assert await next_item(traffic) == Opened()
        link.unlink()
        first.close()
        assert str((await next_item(traffic)).reason).startswith(f"The port {link} has disappeared")
        assert str((await next_item(traffic)).reason).startswith(f"There is no port {link}")
        transport.write(b"dropped")
        second = FarEnd()
        link.symlink_to(second.port)
        assert await next_item(traffic) == Opened()
        transport.write(b"kept")
        assert await second.read(4) == b"kept"
    second.close()


async def test_pauses_grow_from_half_a_second_to_ten(monkeypatch):
    pauses = []
    real_sleep = asyncio.sleep

    async def sleep(seconds):
        if seconds >= 0.5:
            pauses.append(seconds)
        await real_sleep(0.001)

    monkeypatch.setattr("drivers.transport.asyncio.sleep", sleep)
    async with SerialTransport(PortSettings("/dev/ttyNONE")) as transport:
        traffic = transport.traffic()
        assert isinstance(await next_item(traffic), Lost)
        while len(pauses) < 7:
            await real_sleep(0.005)
        assert pauses[:7] == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
        assert transport._items.empty(), "the same reason is not said again and again"
        before = len(pauses)
        transport.settled()
        while len(pauses) < before + 3:
            await real_sleep(0.005)
        assert 0.5 in pauses[before:]


async def test_giving_up_closes_the_port_and_says_why(far_end, monkeypatch):
    monkeypatch.setattr("drivers.transport.FIRST_PAUSE", 0.02)
    async with SerialTransport(PortSettings(far_end.port)) as transport:
        traffic = transport.traffic()
        assert await next_item(traffic) == Opened()
        transport.give_up(Reason("told", {"text": "This is a toaster."}))
        transport.give_up(Reason("told", {"text": "Said too late."}))
        assert await next_item(traffic) == Lost(Reason("told", {"text": "This is a toaster."}))
        assert await next_item(traffic) == Opened()


async def test_a_flood_that_nobody_reads_is_bounded(far_end):
    async with SerialTransport(PortSettings(far_end.port)) as transport:
        traffic = transport.traffic()
        assert await next_item(traffic) == Opened()
        sent = 0
        for _ in range(400):
            with suppress(BlockingIOError):
                sent += os.write(far_end.ours, b"x" * 4096)
            await asyncio.sleep(0.001)
        assert transport._items.qsize() <= 256
        read = 0
        while read < sent:
            read += len(await next_item(traffic))
        assert read == sent


async def test_a_far_end_that_does_not_read_does_not_block_us(far_end):
    async with SerialTransport(PortSettings(far_end.port)) as transport:
        traffic = transport.traffic()
        assert await next_item(traffic) == Opened()
        for _ in range(200):
            transport.write(b"y" * 1024)
        assert len(transport._out) <= 16384
        got = b""
        while transport._out:
            try:
                got += os.read(far_end.ours, 65536)
            except BlockingIOError:
                await asyncio.sleep(0.005)
        assert set(got) == {ord("y")}


@pytest.mark.parametrize("call", ["tcgetattr", "tcsetattr", "tcflush"])
async def test_a_port_that_vanishes_while_it_is_opened_is_found_again(call, tmp_path, monkeypatch):
    monkeypatch.setattr("drivers.transport.FIRST_PAUSE", 0.02)
    link, first = tmp_path / "board", FarEnd()
    link.symlink_to(first.port)
    real = getattr(termios, call)

    def vanish(*arguments):
        monkeypatch.setattr(termios, call, real)
        link.unlink()  # others may be given the number of what is closed at once
        first.close()
        return real(*arguments)

    monkeypatch.setattr(termios, call, vanish)
    async with SerialTransport(PortSettings(str(link))) as transport:
        traffic = transport.traffic()
        assert str((await next_item(traffic)).reason).startswith(f"There is no port {link}")
        second = FarEnd()
        link.symlink_to(second.port)
        assert await next_item(traffic) == Opened()
    second.close()


async def test_a_wire_goes_on_after_what_nobody_foresaw(far_end, monkeypatch, caplog):
    monkeypatch.setattr("drivers.transport.FIRST_PAUSE", 0.02)
    transport = SerialTransport(PortSettings(far_end.port))
    opens = [RuntimeError("so"), open_port(transport.settings)]
    monkeypatch.setattr(transport, "_open", lambda: next(answers()))

    def answers():
        answer = opens.pop(0)
        if isinstance(answer, Exception):
            raise answer
        yield answer

    async with transport:
        traffic = transport.traffic()
        assert (await next_item(traffic)).reason.more[0].code == "driver-failed"
        assert await next_item(traffic) == Opened()
        transport.fail(RuntimeError("so"))
        assert (await next_item(traffic)).reason.more[0].code == "driver-failed"
    assert "RuntimeError" in caplog.text
