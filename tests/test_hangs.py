"""A test that hangs fails soon, whatever catches errors on the way."""

import asyncio
import contextlib
import subprocess
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.conftest import pytest_runtest_call as while_timed
from tests.hangs import named

SOON = 0.1


def hang():
    while True:
        with contextlib.suppress(Exception):
            sum(range(1000))


@given(st.integers())
def hang_with_an_example(_):
    hang()


def hang_in_a_task():
    async def task():
        hang()

    async def both():
        await asyncio.create_task(task())

    asyncio.run(both())


def hang_whatever_is_caught():
    with contextlib.suppress(BaseException):
        hang()


@pytest.mark.parametrize(
    "doing",
    [
        hang,
        hang_with_an_example,
        hang_in_a_task,
        hang_whatever_is_caught,
    ],
)
def test_what_hangs_is_failed(doing):
    what = doing.__name__
    failed = pytest.raises(pytest.fail.Exception, match=rf"{what} has worked for 0\.1 s")
    with failed, named(SOON, SOON, what):
        doing()


HIDING = """
from tests.hangs import named
with named(0.1, 0.01):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""


def test_who_hides_again_and_again_that_he_hangs_costs_the_process():
    ended = subprocess.run([sys.executable, "-c", HIDING], capture_output=True, check=False)
    assert ended.returncode == 1
    assert b"hangs.py" in ended.stderr


def test_what_ends_is_left_alone():
    with named(SOON):
        pass
    sum(range(10_000_000))


@pytest.mark.parametrize(
    ("ended", "left_out"), [(KeyboardInterrupt, True), (AssertionError, False)]
)
def test_what_is_stopped_while_it_is_timed_is_not_counted(ended, left_out):
    timed = SimpleNamespace(has_error=False)
    call = while_timed(SimpleNamespace(funcargs={"benchmark": timed}))
    next(call)
    with pytest.raises(ended):
        call.throw(ended())
    assert timed.has_error == left_out
