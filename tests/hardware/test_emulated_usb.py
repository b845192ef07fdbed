"""What a trial machine is joined by: a Pico's USB port as QEMU asks for it, and a shell."""

import os
import pty
import socket
import struct
import subprocess
import threading

import pytest

from hardware.tools.emulated_console import Console, ConsoleError
from hardware.tools.usb_pico import UsbPico, descriptor
from tests.patience import PATIENCE

HELLO, CONNECT, INTERFACES, ENDPOINTS = 0, 1, 4, 5
SET_CONFIGURATION, CONFIGURATION, CANCEL, CONTROL, BULK = 6, 8, 21, 100, 101
OUT, IN = 0x02, 0x82


class Host:
    """QEMU's end of the protocol."""

    def __init__(self, path):
        self.link = socket.socket(socket.AF_UNIX)
        self.link.settimeout(PATIENCE)
        self.link.connect(str(path))
        self.link.sendall(struct.pack("<III", HELLO, 68, 0) + bytes(64) + struct.pack("<I", 0x70))
        _, length, _ = struct.unpack("<III", self.receive(12))
        (self.knows,) = struct.unpack("<I", self.receive(length)[64:])

    def receive(self, length):
        data = b""
        while len(data) < length:
            more = self.link.recv(length - len(data))
            assert more, "the cable was pulled"
            data += more
        return data

    def hear(self):
        kind, length, number = struct.unpack("<IIQ", self.receive(16))
        return kind, number, self.receive(length)

    def say(self, kind, number, body):
        self.link.sendall(struct.pack("<IIQ", kind, len(body), number) + body)

    def control(self, number, request, kind, value, length):
        head = struct.pack("<BBBBHHH", kind & 0x80, request, kind, 0, value, 0, length)
        self.say(CONTROL, number, head)
        _, answered, body = self.hear()
        assert answered == number
        return body[3], body[10:]

    def bulk(self, number, endpoint, length, data=b""):
        self.say(BULK, number, struct.pack("<BBHIH", endpoint, 0, length, 0, 0) + data)


@pytest.fixture
def board():
    ours, theirs = pty.openpty()
    yield ours, os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


@pytest.fixture
def host(tmp_path, board):
    pico = UsbPico(tmp_path / "usb", board[1])
    host = Host(tmp_path / "usb")
    yield host
    pico.unplug()
    host.link.close()


def connected(host):
    told = [host.hear() for _ in range(3)]
    assert [kind for kind, _, _ in told] == [INTERFACES, ENDPOINTS, CONNECT]
    return told[-1][2]


def test_a_pico_says_what_it_is_before_it_is_there(host):
    assert host.knows & 0x70 == 0x70, "without these QEMU refuses it at a USB 3 port"
    speed, *_, vendor, product, _ = struct.unpack("<BBBBHHH", connected(host))
    assert (speed, vendor, product) == (1, 0x2E8A, 0x0005)


def test_its_descriptors_are_whole_and_what_it_lacks_is_refused(host):
    connected(host)
    for kind in (1, 2):
        status, told = host.control(7, 6, 0x80, kind << 8, 512)
        assert status == 0
        assert told == descriptor(kind, 0)
    assert struct.unpack("<H", told[2:4])[0] == len(told)
    at = 0
    while at < len(told):
        at += told[at]
    assert at == len(told)
    assert host.control(8, 6, 0x80, 1 << 8, 8)[1] == descriptor(1, 0)[:8]
    assert host.control(9, 6, 0x80, 6 << 8, 10) == (4, b"")
    assert host.control(10, 0x22, 0x21, 3, 0) == (0, b"")
    host.say(SET_CONFIGURATION, 11, b"\1")
    assert [host.hear()[0] for _ in range(3)] == [INTERFACES, ENDPOINTS, CONFIGURATION]


def test_bytes_pass_both_ways_and_a_question_waits_until_there_is_something(host, board):
    connected(host)
    host.bulk(20, IN, 64)
    host.bulk(21, OUT, 4, b"\0\3\r\n")
    kind, number, body = host.hear()
    assert (kind, number, body[1]) == (BULK, 21, 0)
    assert os.read(board[0], 16) == b"\0\3\r\n"
    os.write(board[0], b"felt")
    kind, number, body = host.hear()
    assert (number, body[1], body[10:]) == (20, 0, b"felt")


def test_a_question_taken_back_is_answered_as_such_and_loses_nothing(host, board):
    connected(host)
    host.bulk(30, IN, 64)
    host.say(CANCEL, 30, b"")
    _, number, body = host.hear()
    assert (number, body[1]) == (30, 1)
    host.bulk(31, IN, 64)
    os.write(board[0], b"later")
    assert host.hear()[2][10:] == b"later"


@pytest.fixture
def shell(tmp_path):
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "shell"))
    server.listen(1)
    started = []

    def serve():
        link, _ = server.accept()
        started.append(subprocess.Popen(["sh"], stdin=link, stdout=link, stderr=link))
        link.close()

    thread = threading.Thread(target=serve)
    thread.start()
    console = Console(tmp_path / "shell", PATIENCE)
    thread.join()
    yield console
    console.close()
    started[0].kill()
    started[0].wait()
    server.close()


def test_a_command_in_the_machine_gives_what_it_said(shell):
    assert shell.run("echo one; echo two") == "one\ntwo"
    assert shell.run("true") == ""


def test_a_command_that_fails_or_never_ends_is_named(shell):
    with pytest.raises(ConsoleError, match="echo why; false: 1\nwhy"):
        shell.run("echo why; false")
    with pytest.raises(ConsoleError, match=r"sleep 60: no end within 0 s"):
        shell.run("sleep 60", 0.1)
