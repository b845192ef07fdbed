"""What is stopped while it is timed has no figures, and must not hide those of all others."""

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    except BaseException as stopped:
        # pytest-benchmark leaves out by itself what ended with an error, but not what was ended.
        if not isinstance(stopped, Exception):
            item.funcargs["benchmark"].has_error = True
        raise
