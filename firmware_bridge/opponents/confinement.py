"""What a seat's process takes from itself before it begins: memory, priority, the network.

All of it holds for every program that it starts, too.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import resource
import signal
import struct

from firmware_bridge.opponents.protocol import MEMORY_BYTES

_NICENESS = 10
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _FILTER = 1, 22, 38, 2
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _EPERM = 0x7FFF0000, 0x00050001
_SOCKET = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198), "armv7l": (0x40000028, 281)}
"""By machine, what the kernel calls it and the number of the system call `socket`."""


def confine() -> None:
    """Take it all; what this kernel does not know is left, since the game must go on."""
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, AttributeError):
        _end_with_the_owner()
        _leave_the_network()


def _prctl(*arguments: object) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(*arguments) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _end_with_the_owner() -> None:
    _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def _leave_the_network() -> None:
    """Have the kernel refuse new sockets from now on: a filter over system calls (seccomp)."""
    known = _SOCKET.get(platform.machine())
    if known is None:
        return
    machine, socket = known
    steps = b"".join(
        struct.pack("HBBI", *step)
        for step in (
            (_LOAD, 0, 0, 4),  # the machine; another one's calls have other numbers
            (_EQUAL, 0, 3, machine),
            (_LOAD, 0, 0, 0),  # the system call
            (_EQUAL, 0, 1, socket),
            (_RETURN, 0, 0, _EPERM),
            (_RETURN, 0, 0, _ALLOW),
        )
    )
    kept = ctypes.create_string_buffer(steps)
    program = _Program(len(steps) // 8, ctypes.addressof(kept))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _prctl(_PR_SET_SECCOMP, _FILTER, ctypes.byref(program))
