"""What a seat's process gives up for good, so that it cannot reach what it must not know.

Once it has loaded all that it plays with it needs its two pipes and memory, and may have nothing
else: no file, no socket, no other process, nobody to signal or to look into. A chess program is
started before that, behind a door of its own: while it starts it may read itself and the libraries
of the system, from then on it may open nothing either.

Several laws of the kernel say so at once, of which each machine has some: limits of resources
everywhere, seccomp on the machines that `kernel` knows, Landlock in kernels that were built with
it. `lacking` tells which of them this one does not have.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
from collections.abc import Iterator
from itertools import pairwise

from firmware_bridge.opponents import kernel
from firmware_bridge.opponents.kernel import Condition
from firmware_bridge.opponents.protocol import MEMORY_BYTES

PROGRAM_BYTES = 200 << 20
"""What a chess program may have of the memory: Stockfish 15.1 takes 158 MB with its network."""
_NICENESS = 10
_LAST_OF_ITS_OWN = 2  # of the files that are open: its two pipes, and standard error
_PR_SET_PDEATHSIG = 1
_PR_GET_SECCOMP = 21
_M_ARENA_MAX = -8
"""How malloc calls the number of its arenas; each but the first takes 64 MB of addresses."""

_TO_PLAY = (
    *("read", "write", "close", "fstat", "lseek", "brk", "munmap", "mremap", "madvise"),
    *("futex", "futex_time64", "select", "pselect6", "pselect6_time64", "restart_syscall"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "exit", "exit_group"),
    *("clock_gettime", "clock_gettime64", "clock_getres", "gettimeofday", "sched_yield"),
    *("clock_nanosleep", "clock_nanosleep_time64", "nanosleep", "getpid", "gettid"),
    *("set_robust_list", "rseq"),
)
"""What Python and the C library ask for while nothing is opened: pipes, memory, threads, time."""
_TO_START = (
    *(
        "execve",
        "open",
        "openat",
        "writev",
        "pread64",
        "access",
        "faccessat",
        "readlink",
        "readlinkat",
    ),
    *("stat", "newfstatat", "statx", "getcwd", "uname", "sysinfo", "getrandom", "getrlimit"),
    *("arch_prctl", "set_tid_address", "sched_getaffinity", "mmap", "mprotect", "getdents64"),
)
"""What a program asks for besides, and its loader, until it has all of its libraries."""
_THREAD: Condition = (0, 0x10000, 0x10000)
"""`clone` makes a thread (CLONE_THREAD), no process."""
_NOT_EXECUTED: Condition = (2, 4, 0)
"""Memory is mapped without PROT_EXEC: no machine code is made."""
_OWN_LIMITS: Condition = (0, 0xFFFFFFFF, 0)
"""`prlimit64` asks about the process itself."""
_ASKS: Condition = (1, 0xFFFFFFFC, 0)
"""`fcntl` asks about a file, and names nobody who gets signals of it."""
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/local/lib", "/etc/ld.so.cache")
"""Where the loader looks; nobody keeps secrets there."""


def settle_in() -> None:
    """Take a low priority and the limits, before anything is loaded."""
    with contextlib.suppress(OSError):  # systemd may have forbidden it, having set one itself
        os.nice(_NICENESS)
    with contextlib.suppress(AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
    _limit(MEMORY_BYTES)


def _limit(memory: int) -> None:
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    with contextlib.suppress(OSError, AttributeError):
        kernel.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def confine(program: Door | None = None) -> None:
    """Give up everything but the pipes and memory; what this kernel does not know is left.

    Args:
        program: the chess program that plays behind a door of its own, if one does.
    """
    under = {"clone": _THREAD, "mmap": _NOT_EXECUTED, "mprotect": _NOT_EXECUTED}
    kept = [_LAST_OF_ITS_OWN]
    if program is not None:
        memory = MEMORY_BYTES - PROGRAM_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        under |= dict.fromkeys(("kill", "prlimit64"), (0, 0xFFFFFFFF, program.pid))
        kept += program.pipes
    _close_all_but(kept)
    with contextlib.suppress(OSError, AttributeError):
        kernel.only_read(())
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    with contextlib.suppress(OSError, AttributeError):
        kernel.allow(_TO_PLAY, under)


def _close_all_but(kept: list[int]) -> None:
    edges = [*sorted(kept), resource.getrlimit(resource.RLIMIT_NOFILE)[0]]
    for low, high in pairwise(edges):
        os.closerange(low + 1, high)


def lacking() -> tuple[str, ...]:
    """Return which laws this kernel does not have: `seccomp`, `Landlock`."""
    return tuple(_lacking())


def _lacking() -> Iterator[str]:
    try:
        kernel.machine()
        kernel.prctl(_PR_GET_SECCOMP)
    except (OSError, AttributeError):
        yield "seccomp"
    if not kernel.landlock_version():
        yield "Landlock"


class Door:
    """A program of others, which can reach nothing but its pipes.

    It is started where nothing else runs yet in this process, and `shut` once it says that it is
    ready: before that its loader has libraries to open. One that cannot be started has ended.
    """

    def __init__(self, path: str) -> None:
        its_input, to_it = os.pipe()
        from_it, its_output = os.pipe()
        self.pipes = (to_it, from_it)
        self.pid = os.fork()
        if not self.pid:
            try:
                os.dup2(its_input, 0)
                os.dup2(its_output, 1)
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                _become(path)
            finally:
                os._exit(1)
        os.close(its_input)
        os.close(its_output)

    def shut(self) -> None:
        """Let it open nothing any more."""
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (0, 0))

    def end(self) -> None:
        """Kill the program."""
        pipes, self.pipes = self.pipes, (-1, -1)
        if pipes == self.pipes:
            return
        for pipe in pipes:
            with contextlib.suppress(OSError):
                os.close(pipe)
        with contextlib.suppress(OSError):  # a confined process cannot wait for it
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


def _become(path: str) -> None:
    """Run a program in the place of this one, with what it needs to start and no more."""
    os.chdir("/")
    _limit(PROGRAM_BYTES)
    with contextlib.suppress(OSError, AttributeError):
        kernel.only_read((os.path.realpath(path), *_LIBRARIES))
    with contextlib.suppress(OSError, AttributeError):
        under = {"clone": _THREAD, "prlimit64": _OWN_LIMITS, "fcntl": _ASKS}
        kernel.allow((*_TO_PLAY, *_TO_START), under)
    os.execve(path, [path], {"MALLOC_ARENA_MAX": "1"})  # noqa: S606 - what its owner installed
