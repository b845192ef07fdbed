"""How a command ends: exit codes by class, and errors that say what, where and what to do."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click


class ExitCode(enum.IntEnum):
    """Why a command ended."""

    DONE = 0
    """All is done."""
    FAILED = 1
    """A walk was left early, a measurement failed, or nobody was met with an invitation's words,
    which the lines above say; anything else is a defect: please report it with them."""
    USAGE = 2
    """The command line is wrong."""
    CONFIG = 3
    """The configuration is wrong."""
    BOARD = 4
    """The board, its description or its pieces cannot be used."""
    STORAGE = 5
    """Games cannot be kept, or a file cannot be written."""
    NETWORK = 6
    """The pages cannot be served at their address, or a friend far away is not reached."""


class Failure(click.ClickException):
    """An end that is no programming error: shown as one plain message, without a traceback."""

    def __init__(self, message: str, code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.exit_code = int(code)  # type: ignore[misc] # click reads it from the instance


@contextmanager
def plain_failures() -> Iterator[None]:
    """Turn what people can put right into one plain message, with the exit code of its class."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        code = _code_of(error)
        if code is None:
            raise
        from firmware_bridge.config.loading import told_in_full

        raise Failure(told_in_full(error), code) from None


def _code_of(error: Exception) -> ExitCode | None:
    """Return the exit code of what people can put right, `None` for a defect."""
    from rules import UnknownGame

    if isinstance(error, UnknownGame):  # some of what follows cannot be imported then
        return ExitCode.CONFIG
    # Imported only now, when something has failed: every command would pay for all of this.
    from drivers.port import DriverError
    from firmware_bridge.calibration.files import FilesError
    from firmware_bridge.calibration.session import StoppedEarlyError
    from firmware_bridge.config import ConfigError
    from firmware_bridge.config.game_settings import BadSetting
    from firmware_bridge.distance.canonical import Refused
    from firmware_bridge.distance.friends import FriendsUnreadable
    from firmware_bridge.distance.pairing import Spent
    from firmware_bridge.distance.sealing import NotInstalled
    from firmware_bridge.journal import JournalDamaged, StorageFailed
    from firmware_bridge.opponents.entrants import UnknownPlayer
    from firmware_bridge.pages.server import AddressRefused
    from firmware_bridge.recordings.format import BadRecording
    from firmware_bridge.simulation.self_play import UnplayableError

    kinds: dict[ExitCode, tuple[type[Exception], ...]] = {
        ExitCode.USAGE: (BadRecording, Refused, UnknownPlayer, UnplayableError),
        ExitCode.CONFIG: (ConfigError, BadSetting, NotInstalled),
        ExitCode.BOARD: (DriverError,),
        ExitCode.STORAGE: (StorageFailed, JournalDamaged, FilesError, FriendsUnreadable),
        ExitCode.NETWORK: (AddressRefused,),
        ExitCode.FAILED: (StoppedEarlyError, Spent),
    }
    return next((code for code, errors in kinds.items() if isinstance(error, errors)), None)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say plainly that a file or folder that the command was told to write cannot be written."""
    try:
        yield
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise Failure(message, ExitCode.STORAGE) from None
