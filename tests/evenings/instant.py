"""An event loop in which no time passes: where all wait, its clock jumps to whoever waits least.

Threads are taken for calls that answer after a while, so that one seed always gives one evening.
"""

import asyncio
import selectors

STEP = 1e-6
"""Seconds that a round of the loop takes: what waits for less than the clock tells would spin."""
SPINS = 20_000
"""Rounds of the loop at one instant after which somebody spins."""


class _Jumping(selectors.DefaultSelector):
    """Waits for nothing: what is not there at once lets the clock jump."""

    clock = None

    def select(self, timeout=None):
        events = super().select(0)
        if not events and timeout is None:
            raise RuntimeError("nobody waits for anything any more")
        if not events:
            self.clock.now += timeout
        return events


class Spinning(BaseException):
    """Somebody goes round and round without waiting for anything."""


class InstantLoop(asyncio.SelectorEventLoop):
    """Such a loop.

    Args:
        answers_after: returns the seconds after which a call in a thread answers.
        now: where its clock stands at first.
    """

    def __init__(self, answers_after=lambda: 0.0, now=1000.0):
        selector = _Jumping()
        super().__init__(selector)
        selector.clock = self
        self.now = now
        self.steps, self.since = 0, now
        self.answers_after = answers_after

    def time(self):
        return self.now

    def _run_once(self):
        self.steps = self.steps + 1 if self.now - self.since < 0.001 else 0
        self.since, self.now = self.now, self.now + STEP
        if self.steps > SPINS:
            raise Spinning("somebody goes round and round without waiting for anything")
        super()._run_once()

    def run_in_executor(self, executor, func, *args):
        answer = self.create_future()
        try:
            done, failed = func(*args), None
        except Exception as error:  # noqa: BLE001 - it is handed on
            done, failed = None, error

        def give():
            if not answer.done():
                answer.set_exception(failed) if failed else answer.set_result(done)

        self.call_later(self.answers_after(), give)
        return answer
