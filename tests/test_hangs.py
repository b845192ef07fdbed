"""A test that hangs fails soon, whatever catches errors on the way."""

import asyncio
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hangs import Hung, named

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


@pytest.mark.parametrize("doing", [hang, hang_with_an_example, hang_in_a_task])
def test_what_hangs_is_failed(doing):
    with pytest.raises(Hung, match=r"worked for 0\.1 s"), named(SOON):
        doing()


def test_what_ends_is_left_alone():
    with named(SOON):
        pass
    sum(range(10_000_000))
