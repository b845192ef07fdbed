"""What a seat's process can reach: every way is tried from inside, as the service's own user."""

import json
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.opponents import confinement, kernel, protocol
from firmware_bridge.opponents.confinement import Door
from firmware_bridge.service.seat_process import Opponent
from rules import load
from tests.patience import soon

PREPARED = """
import ctypes, json, mmap, os, resource, signal, socket, sys, threading
from firmware_bridge.opponents import confinement, kernel
libc = ctypes.CDLL(None, use_errno=True)
journal, owner = sys.argv[1], os.getppid()
folder = os.path.dirname(journal)
def call(number, *arguments):
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "")
"""
WAYS = (
    PREPARED
    + """
ways = {
    "read the journal": lambda: open(journal).read(),
    "write into the folder": lambda: open(folder + "/new", "w"),
    "list the folder": lambda: os.listdir(folder),
    "look for the journal": lambda: os.stat(journal),
    "rename the journal": lambda: os.rename(journal, journal),
    "make a folder": lambda: os.mkdir(folder + "/made%d" % os.getpid()),
    "change its mode": lambda: os.chmod(journal, 0o600),
    "cut it": lambda: os.truncate(journal, 1),
    "touch it": lambda: os.utime(journal),
    "link it": lambda: os.link(journal, journal + "2%d" % os.getpid()),
    "signal its owner": lambda: os.kill(owner, 0),
    "signal itself": lambda: os.kill(os.getpid(), 0),
    "hold its owner": lambda: os.pidfd_open(owner),
    "read its owner's memory": lambda: open("/proc/%d/mem" % owner, "rb"),
    "read its owner's names": lambda: open("/proc/%d/environ" % owner, "rb").read(),
    "write its own memory": lambda: open("/proc/self/mem", "r+b"),
    "slow its owner": lambda: os.setpriority(os.PRIO_PROCESS, owner, 0),
    "limit its owner": lambda: resource.prlimit(owner, resource.RLIMIT_CORE),
    "a socket": lambda: socket.socket(),
    "a pair of sockets": lambda: socket.socketpair(),
    "a pipe": lambda: os.pipe(),
    "another name of a pipe": lambda: os.dup(1),
    "memory as a file": lambda: os.memfd_create("x"),
    "an event": lambda: os.eventfd(0),
    "a process": lambda: os.fork() or os._exit(0),
    "a program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "machine code": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC),
    "more files": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9)),
    "much memory": lambda: bytearray(400 << 20),
}
if sys.argv[2] == "confined":
    confinement.settle_in()
    confinement.confine()
told = {}
for name, way in ways.items():
    try:
        way()
    except (OSError, MemoryError, ValueError) as error:
        told[name] = type(error).__name__
    else:
        told[name] = "done"
threads = threading.Thread(target=lambda: told.update({"a thread": "done"}))
threads.start()
threads.join()
print(json.dumps(told))
"""
)
EVERY_CALL = (
    PREPARED
    + """
column = kernel.machine()[1]
mine = {kernel._NUMBERS[name][column] for name in (*confinement._TO_PLAY, "clone", "clone3")}
probes = {335, 336} if column == 0 else set()  # the kernel's own way back from a probe
confinement.confine()
told = []
x32 = 0x40000000
for number in {*range(600), *range(x32, x32 + 600)} - mine - probes:
    ctypes.set_errno(0)
    if libc.syscall(number, -1, -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() != 1:
        told.append(number)
print(json.dumps(told))
"""
)
OTHER_MACHINE = (
    PREPARED
    + """
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")  # mov eax, 20 (getpid); int 0x80; ret
as_32_bits = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
if sys.argv[2] == "confined":
    confinement.confine()
print(json.dumps(as_32_bits() == os.getpid()))
"""
)


def inside(script, journal, how="confined"):
    """Run a script in a process of its own, this one being its owner."""
    code = (sys.executable, "-c", script, str(journal), how)
    return subprocess.run(code, capture_output=True, text=True, check=False)


@pytest.fixture
def journal(tmp_path):
    path = tmp_path / "journal"
    path.write_text("every underside, and the key of every seat")
    return path


needs_seccomp = pytest.mark.skipif(
    "seccomp" in confinement.lacking(), reason="this kernel or machine has no seccomp"
)


@needs_seccomp
def test_it_reaches_nothing_but_its_pipes_and_memory(journal):
    free = json.loads(inside(WAYS, journal, "free").stdout)
    assert set(free.values()) == {"done"}
    before = journal.parent.stat().st_mtime_ns
    told = json.loads(inside(WAYS, journal).stdout)
    assert told.pop("a thread") == "done"
    assert told.pop("much memory") == "MemoryError"
    assert set(told.values()) <= {"PermissionError", "OSError", "ValueError"}, told
    assert journal.parent.stat().st_mtime_ns == before


@needs_seccomp
def test_of_all_system_calls_those_alone_are_left_that_it_plays_with(journal):
    assert json.loads(inside(EVERY_CALL, journal).stdout) == []


@needs_seccomp
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the machine code is for x86_64")
def test_system_calls_of_another_machine_end_it(journal):
    free = inside(OTHER_MACHINE, journal, "free")
    if free.returncode == -signal.SIGSEGV:
        pytest.skip("this kernel runs no programs of 32 bits")
    assert json.loads(free.stdout)
    assert inside(OTHER_MACHINE, journal).returncode == -signal.SIGSYS


PROGRAM = "/usr/bin/python3"
"""In the place of a chess program, it does what its input says; its library is the system's."""
CURIOUS = """
import os, resource, socket, subprocess, sys, time
journal, owner = {journal!r}, os.getppid()
ways = {{
    "read the journal": lambda: open(journal).read(),
    "write into the folder": lambda: open(journal + "2", "w"),
    "remove the journal": lambda: os.unlink(journal + "none"),
    "list the folder": lambda: os.listdir(os.path.dirname(journal)),
    "signal its owner": lambda: os.kill(owner, 0),
    "read its owner's memory": lambda: open("/proc/%d/mem" % owner, "rb"),
    "a socket": lambda: socket.socket(),
    "a process": lambda: os.fork() or os._exit(0),
    "another program": lambda: os.execv("/bin/true", ["true"]),
    "limit its owner": lambda: resource.prlimit(owner, resource.RLIMIT_CORE),
    "much memory": lambda: bytearray(250 << 20),
}}
for name, way in ways.items():
    try:
        way()
    except (OSError, MemoryError) as error:
        print(name, type(error).__name__, flush=True)
    else:
        print(name, "done", flush=True)
print("ready", flush=True)
while resource.getrlimit(resource.RLIMIT_NOFILE)[0]:
    time.sleep(0.01)
try:
    open("/etc/ld.so.cache")
except OSError as error:
    print("a library", type(error).__name__, flush=True)
"""


@pytest.mark.skipif(bool(confinement.lacking()), reason="this kernel lacks some of the laws")
@pytest.mark.skipif(not Path(PROGRAM).exists(), reason=f"there is no {PROGRAM}")
def test_a_program_of_others_reaches_itself_and_libraries_alone_until_its_door_is_shut(journal):
    door = Door(PROGRAM)
    write, read = door.pipes
    os.write(write, CURIOUS.format(journal=str(journal)).encode())
    os.close(write)
    heard = b""
    while b"ready" not in heard:
        more = os.read(read, 4096)
        assert more, heard
        heard += more
    assert b"done" not in heard
    assert heard.count(b"\n") == CURIOUS.count(": lambda") + 1
    door.shut()
    assert os.read(read, 4096) == b"a library OSError\n"
    door.end()
    assert journal.exists()


KNOWN = protocol.knows(load("indistinguishable").start().knowledge("white"))


@pytest.mark.chess_programs
async def test_a_running_mind_and_its_program_have_given_up_all_else():
    opponent = await Opponent.start(protocol.Seating("indistinguishable", {}, 6, "1"), (KNOWN,))
    await opponent.think(load("indistinguishable").start())
    program = program_of(opponent.pid)
    for pid in (opponent.pid, program):
        assert {"Seccomp:\t2", "NoNewPrivs:\t1"} <= set(about(pid, "status"))
        assert limit_of(pid, "open files") == 0
    spaces = [limit_of(pid, "address space") for pid in (opponent.pid, program)]
    assert sum(spaces) <= protocol.MEMORY_BYTES
    await opponent.close()
    await soon(lambda: not about(program, "limits"))


def program_of(pid):
    """The process that a process has started."""
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


def about(pid, what):
    """What the kernel tells of a process, a line each; nothing once it is gone."""
    try:
        return Path(f"/proc/{pid}/{what}").read_text().splitlines()
    except OSError:
        return []


def limit_of(pid, name):
    line = next(line for line in about(pid, "limits") if name in line)
    return int(line.partition(name)[2].split()[0])


def test_what_a_kernel_lacks_is_told_and_no_file_is_opened_all_the_same(journal, monkeypatch):
    assert confinement.lacking() == ()
    monkeypatch.setattr(kernel, "_MACHINES", {})
    monkeypatch.setattr(kernel, "landlock_version", lambda: 0)
    assert confinement.lacking() == ("seccomp", "Landlock")
    poorer = WAYS.replace(
        "ways = {", "kernel._MACHINES, kernel._CREATE_RULESET = {}, 9999\nways = {"
    )
    told = json.loads(inside(poorer, journal).stdout)
    assert {told[way] for way in ("read the journal", "a socket", "a pipe")} == {"OSError"}
