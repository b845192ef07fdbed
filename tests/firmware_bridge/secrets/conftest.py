"""What the tests of secrets share: an ear for the log."""

import logging

import pytest

from firmware_bridge.diagnostics import logs


@pytest.fixture
def heard(caplog):
    """Return what gives, and forgets, all log lines so far that are wanted, debugging included."""
    caplog.set_level(logging.DEBUG)
    plain = logs.KeyValue(journald=True)

    def lines(wanted=lambda record: True):
        found = [plain.format(record) for record in caplog.records if wanted(record)]
        caplog.clear()
        return found

    return lines
