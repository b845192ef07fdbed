"""Log lines: one line each, whatever they hold."""

import logging
import sys

import pytest

from firmware_bridge.diagnostics.logs import NEWS_EVERY, KeyValue, Once, bare_trace


def record(message, *arguments, level=logging.WARNING, exc_info=None):
    return logging.LogRecord(
        "firmware_bridge.mqtt.bridge", level, "x.py", 1, message, arguments, exc_info
    )


def test_a_line_has_keys_and_values_and_its_priority_for_journald():
    line = KeyValue(journald=True).format(record("broker: %s", "lost"))
    assert line == '<4>level=warning from=bridge msg="broker: lost"'


def test_elsewhere_it_has_the_time():
    assert KeyValue(journald=False).format(record("gone")).startswith("at=")


@pytest.mark.parametrize("text", ["two\nlines", 'a "quote"', "a=b", ""])
def test_no_value_breaks_out_of_its_line(text):
    line = KeyValue(journald=True).format(record("%s", text))
    assert "\n" not in line
    assert line.count("msg=") == 1
    assert line.endswith('"')


def broken(position):
    return {}[position]


def test_a_trace_stays_on_the_line_and_tells_where_but_not_what():
    try:
        broken("secret position")
    except KeyError:
        line = KeyValue(journald=True).format(record("bad", exc_info=sys.exc_info()))
    assert "\n" not in line
    assert "KeyError" in line
    assert "in broken" in line
    assert "secret position" not in line


def test_every_part_of_a_group_is_told():
    trace = bare_trace(ExceptionGroup("both", [ValueError("one"), OSError("two")]))
    assert "ValueError" in trace
    assert "OSError" in trace


def test_the_cause_is_told_too():
    try:
        try:
            broken("x")
        except KeyError as error:
            raise RuntimeError("y") from error
    except RuntimeError as error:
        trace = bare_trace(error)
    assert trace.index("KeyError") < trace.index("RuntimeError")


def test_errors_that_came_from_each_other_are_told_once_each():
    inner = ValueError("one")
    group = ExceptionGroup("both", [inner])
    inner.__context__ = group  # as it is when a task group ends while it is being ended
    assert bare_trace(group) == "ValueError\nExceptionGroup"


def test_the_same_line_is_written_once_and_then_counted():
    now = [0.0]
    once, written = Once(lambda: now[0]), []
    for _ in range(10_000):
        for text in ("gone", "there"):
            line = record("board: %s", text)
            if once.filter(line):
                written.append(line.getMessage())
    assert written == ["board: gone", "board: there"]
    now[0] = NEWS_EVERY
    line = record("board: %s", "gone")
    assert once.filter(line)
    assert line.getMessage() == "board: gone (9999 times more before)"
    assert sum(once.filter(record("%s", str(number))) for number in range(1000)) == 1000
    assert len(once._told) <= 256
