"""Log lines as journald and people like them: one line each, `key=value`, the level in front.

Nothing secret is ever logged; what a line may hold is decided where it is written, since no filter
can tell a secret by its looks.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys

_PLAIN = re.compile(r"[^\s\"=\\]+")
_PRIORITY = {"CRITICAL": 2, "ERROR": 3, "WARNING": 4, "INFO": 6, "DEBUG": 7}
"""Level -> the number by which journald knows it."""


class KeyValue(logging.Formatter):
    """Writes a record as one line.

    Args:
        journald: whether the line goes to journald, which adds the time itself and wants the
            priority in front.
    """

    def __init__(self, *, journald: bool) -> None:
        super().__init__()
        self._journald = journald

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields = {"level": record.levelname.lower(), "from": record.name.rpartition(".")[2]}
        fields["msg"] = record.getMessage()
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        line = " ".join(f"{key}={_value(text)}" for key, text in fields.items())
        if self._journald:
            return f"<{_PRIORITY.get(record.levelname, 6)}>{line}"
        return f"at={self.formatTime(record, '%H:%M:%S')} {line}"


def _value(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def start_logging(*, verbose: bool) -> None:
    """Log to the standard error stream from now on."""
    handler = logging.StreamHandler(sys.stderr)
    # systemd sets the variable where the stream leads to its journal.
    handler.setFormatter(KeyValue(journald="JOURNAL_STREAM" in os.environ))
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, handlers=[handler], force=True
    )
