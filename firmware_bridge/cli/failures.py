"""How a command ends: exit codes by class, and errors that say what, where and what to do."""

from __future__ import annotations

import enum

import click


class ExitCode(enum.IntEnum):
    """Why a command ended. Listed in `docs/configuration.md`."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    CONFIG = 3
    BOARD = 4
    STORAGE = 5
    NETWORK = 6


class Failure(click.ClickException):
    """An end that is no programming error: shown as one plain message, without a traceback."""

    def __init__(self, message: str, code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.exit_code = int(code)  # type: ignore[misc] # click reads it from the instance
