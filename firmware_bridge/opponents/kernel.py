"""What the kernel is asked to refuse: system calls (seccomp) and files (Landlock).

Both hold for the thread that asks, for every thread and program that it starts from then on, and
for good. Python has no names for them, so they are called by their numbers, which are those of the
kernel's own headers; every machine here has the bytes of a number in the same order.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

_MACHINES = {
    ("x86_64", 8): (0xC000003E, 0),
    ("aarch64", 8): (0xC00000B7, 1),
    ("aarch64", 4): (0x40000028, 2),
    ("armv8l", 4): (0x40000028, 2),
    ("armv7l", 4): (0x40000028, 2),
    ("armv6l", 4): (0x40000028, 2),
}
"""By machine and the bytes of an address, what seccomp calls it, and its column below: a kernel of
64 bits runs programs of 32, whose calls have numbers of their own."""
_NUMBERS: Mapping[str, tuple[int | None, int | None, int | None]] = {
    "access": (21, None, 33),
    "arch_prctl": (158, None, 0xF0005),
    "brk": (12, 214, 45),
    "clock_getres": (229, 114, 264),
    "clock_gettime": (228, 113, 263),
    "clock_gettime64": (None, None, 403),
    "clock_nanosleep": (230, 115, 265),
    "clock_nanosleep_time64": (None, None, 407),
    "clone": (56, 220, 120),
    "clone3": (435, 435, 435),
    "close": (3, 57, 6),
    "execve": (59, 221, 11),
    "exit": (60, 93, 1),
    "exit_group": (231, 94, 248),
    "faccessat": (269, 48, 334),
    "fcntl": (72, 25, 221),
    "fstat": (5, 80, 197),
    "futex": (202, 98, 240),
    "futex_time64": (None, None, 422),
    "getcwd": (79, 17, 183),
    "getdents64": (217, 61, 217),
    "getpid": (39, 172, 20),
    "getrandom": (318, 278, 384),
    "getrlimit": (97, 163, 191),
    "gettid": (186, 178, 224),
    "gettimeofday": (96, 169, 78),
    "kill": (62, 129, 37),
    "lseek": (8, 62, 19),
    "madvise": (28, 233, 220),
    "mmap": (9, 222, 192),
    "mprotect": (10, 226, 125),
    "mremap": (25, 216, 163),
    "munmap": (11, 215, 91),
    "nanosleep": (35, 101, 162),
    "newfstatat": (262, 79, 327),
    "open": (2, None, 5),
    "openat": (257, 56, 322),
    "pread64": (17, 67, 180),
    "prlimit64": (302, 261, 369),
    "pselect6": (270, 72, 335),
    "pselect6_time64": (None, None, 413),
    "read": (0, 63, 3),
    "readlink": (89, None, 85),
    "readlinkat": (267, 78, 332),
    "restart_syscall": (219, 128, 0),
    "rseq": (334, 293, 398),
    "rt_sigaction": (13, 134, 174),
    "rt_sigprocmask": (14, 135, 175),
    "rt_sigreturn": (15, 139, 173),
    "sched_getaffinity": (204, 123, 242),
    "sched_yield": (24, 124, 158),
    "select": (23, None, 142),
    "set_robust_list": (273, 99, 338),
    "set_tid_address": (218, 96, 256),
    "sigaltstack": (131, 132, 186),
    "stat": (4, None, 195),
    "statx": (332, 291, 397),
    "sysinfo": (99, 179, 116),
    "uname": (63, 160, 122),
    "write": (1, 64, 4),
    "writev": (20, 66, 146),
}
"""The numbers of system calls on each machine, `None` where there is none."""

Condition = tuple[int, int, int]
"""Which argument, from 0; its bits that matter; what they must be."""

_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _FILTER = 22, 38, 2
_LOAD, _AND, _EQUAL, _RETURN = 0x20, 0x54, 0x15, 0x06
_ALLOW, _KILL, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
"""What a filter says: go on; die; EPERM; ENOSYS, upon which the C library asks in the older way."""
_ARGUMENTS = 16
"""Bytes before the arguments in what a filter sees, eight bytes each."""


def call(number: int, *arguments: object) -> int:
    """Make a system call that Python has no name for.

    Raises:
        OSError: when the kernel refuses or does not know it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    result: int = libc.syscall(number, *arguments)
    return _checked(result, "syscall")


def prctl(*arguments: object) -> None:
    """Set something for this process; raise `OSError` when the kernel refuses."""
    libc = ctypes.CDLL(None, use_errno=True)
    _checked(libc.prctl(*arguments), "prctl")


def _checked(result: int, name: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def allow(names: Iterable[str], under: Mapping[str, Condition]) -> None:
    """Have the kernel refuse all system calls but these; those of another machine kill.

    Those `under` a condition are allowed where an argument is as it says.

    Raises:
        OSError: when this kernel has no seccomp, or its machine is unknown here.
    """
    architecture, column = machine()
    steps = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
    ]
    for name in names:
        if (number := _NUMBERS[name][column]) is not None:
            steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for name, (argument, bits, wanted) in under.items():
        if (number := _NUMBERS[name][column]) is not None:
            steps += [
                (_EQUAL, 0, 5, number),
                (_LOAD, 0, 0, _ARGUMENTS + 8 * argument),
                (_AND, 0, 0, bits),
                (_EQUAL, 0, 1, wanted),
                (_RETURN, 0, 0, _ALLOW),
                (_RETURN, 0, 0, _REFUSE),
            ]
    clone3 = _NUMBERS["clone3"][column]
    steps += [(_EQUAL, 0, 1, clone3 or 0), (_RETURN, 0, 0, _UNKNOWN), (_RETURN, 0, 0, _REFUSE)]
    kept = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = _Program(len(steps), ctypes.addressof(kept))
    prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    prctl(_PR_SET_SECCOMP, _FILTER, ctypes.byref(program))


def machine() -> tuple[int, int]:
    """Return what seccomp calls this machine, and the column of its numbers.

    Raises:
        OSError: when they are not known here.
    """
    known = _MACHINES.get((platform.machine(), struct.calcsize("P")))
    if known is None:
        raise OSError(f"the system calls of {platform.machine()} are not known here")
    return known


_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""The numbers of Landlock's calls: the same on every machine."""
_ASK_VERSION, _PATH_BENEATH = 1, 1
_READ = 0b1101
"""Execute, read a file, list a folder."""
_READ_FILE = 0b0101
_FILE_RIGHTS = ((5, 16), (3, 15), (2, 14), (1, 13))
"""From which version on how many ways to touch files can be refused."""
_NET_SINCE, _SCOPES_SINCE = 4, 6
_NET, _SCOPES = 0b11, 0b11
"""To bind and connect; abstract sockets of others, signals to others."""


def landlock_version() -> int:
    """Return which Landlock this kernel has, 0 where it has none."""
    try:
        return call(_CREATE_RULESET, None, 0, _ASK_VERSION)
    except (OSError, AttributeError):
        return 0


def only_read(places: Iterable[str]) -> None:
    """Have the kernel refuse all files but these, and all of the network that it can refuse.

    Args:
        places: files and folders that may be read and executed; those not there are left out.

    Raises:
        OSError: when this kernel has no Landlock.
    """
    version = landlock_version()
    rights = next((1 << count for since, count in _FILE_RIGHTS if version >= since), 0) - 1
    if rights < 0:
        raise OSError("this kernel has no Landlock")
    wanted = struct.pack("Q", rights)
    if version >= _NET_SINCE:
        wanted += struct.pack("Q", _NET)
    if version >= _SCOPES_SINCE:
        wanted += struct.pack("Q", _SCOPES)
    ruleset = call(_CREATE_RULESET, wanted, ctypes.c_size_t(len(wanted)), 0)
    try:
        for place in filter(Path.exists, map(Path, places)):
            opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
            granted = _READ if place.is_dir() else _READ_FILE
            rule = struct.pack("=Qi", granted, opened)
            call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
            os.close(opened)
        prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
