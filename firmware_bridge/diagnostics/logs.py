"""Log lines as journald and people like them: one line each, `key=value`, the level in front.

Nothing secret is ever logged; what a line may hold is decided where it is written, since no filter
can tell a secret by its looks. What an unexpected error says nobody has decided, so of such only
the type and the places in the code are told.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

_PLAIN = re.compile(r"[^\s\"=\\]+")
_PRIORITY = {"CRITICAL": 2, "ERROR": 3, "WARNING": 4, "INFO": 6, "DEBUG": 7}
"""Level -> the number by which journald knows it."""
_REMEMBERED = 256
"""Different lines of which it is known when they were written last."""
NEWS_EVERY, NEWS_MOST = 60.0, 16
"""Seconds for which a refusal is not told again, and how many different ones are told in them."""


class KeyValue(logging.Formatter):
    """Writes a record as a line; journald adds the time itself, and wants the priority in front."""

    def __init__(self, *, journald: bool) -> None:
        super().__init__()
        self._journald = journald

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields = {"level": record.levelname.lower(), "from": record.name.rpartition(".")[2]}
        fields["msg"] = record.getMessage()
        if record.exc_info:
            error = record.exc_info[1]
            fields["trace"] = "" if error is None else bare_trace(error)
        line = " ".join(f"{key}={_value(text)}" for key, text in fields.items())
        if self._journald:
            return f"<{_PRIORITY.get(record.levelname, 6)}>{line}"
        return f"at={self.formatTime(record, '%H:%M:%S')} {line}"


def bare_trace(error: BaseException) -> str:
    """Return where an error came from, one place a line, without a word of what it says.

    What an error came from may have come from it in its turn: each is told once.
    """
    return "\n".join(_lines(error, set()))


def _lines(error: BaseException, known: set[int]) -> list[str]:
    known.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    sources = [] if before is None else [before]
    if isinstance(error, BaseExceptionGroup):
        sources += error.exceptions
    lines = [line for each in sources if id(each) not in known for line in _lines(each, known)]
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"  {_place(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    return [*lines, type(error).__qualname__, *places]


def _place(file: str) -> str:
    """Return the end of a path: enough to find the code, and nobody's home folder."""
    return "/".join(Path(file).parts[-3:])


def _value(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


class Refusals:
    """Lets what is refused again and again be logged once, and counted from then on.

    Who is refused chooses how often, and partly with what: both are limited here.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._told: dict[str, float] = {}

    def is_news(self, what: str) -> bool:
        """Whether this has not been told within `NEWS_EVERY` seconds; it counts as told now."""
        now = self._clock()
        self._told = {told: t for told, t in self._told.items() if now - t < NEWS_EVERY}
        if what in self._told or len(self._told) >= NEWS_MOST:
            return False
        self._told[what] = now
        return True


class Once(logging.Filter):
    """Lets the same line through once in `NEWS_EVERY` seconds, with how often it came meanwhile.

    A cable that flaps and files that have run out say the same thing thousands of times.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is to be written; it says how many like it were not."""
        now, said = self._clock(), record.getMessage()
        told = (record.name, said)
        since, left_out = self._told.get(told, (-math.inf, 0))
        if now - since < NEWS_EVERY:
            self._told[told] = since, left_out + 1
            return False
        if len(self._told) >= _REMEMBERED:  # the oldest is forgotten
            del self._told[next(iter(self._told))]
        self._told.pop(told, None)
        self._told[told] = now, 0
        if left_out:
            record.msg, record.args = f"{said} ({left_out} times more before)", ()
        return True


PACKAGES = ("drivers", "firmware_bridge")
"""Our own, which log more than the libraries do."""


def start_logging(*, verbose: bool) -> None:
    """Log to the standard error stream from now on, with `verbose` what the libraries do, too."""
    handler = logging.StreamHandler(sys.stderr)
    # systemd sets the variable where the stream leads to its journal.
    handler.setFormatter(KeyValue(journald="JOURNAL_STREAM" in os.environ))
    handler.addFilter(Once())
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, handlers=[handler], force=True
    )
    for package in PACKAGES:
        logging.getLogger(package).setLevel(logging.INFO)
