"""A pair of game clocks as one immutable value that is told the time.

All times are whole milliseconds of table time, so readings are exact whatever the machine does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_bridge.clock.control import Period, TimeControl
from rules.interface import Side
from rules.values import SIDES, opponent

__all__ = ["Account", "Clock"]


@dataclass(frozen=True, slots=True)
class Account:
    """One player's time: what was left when last counted, turns completed, period reached.

    Example:
        >>> Account(300_000).turns
        0
    """

    left: int
    turns: int = 0
    period: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """Both players' time.

    Attributes:
        running: whose time runs; `None` while the clock is stopped.
        since: when that time was last counted.
        spent: how much of the current turn was used before `since`.
        fallen: whose flag fell first.
        told: whose time another host measures: it runs for show here, and its flag falls there.

    Example:
        >>> from firmware_bridge.clock import control
        >>> clock = Clock.of(control.parse("5m")).start("white", 0)
        >>> clock.left("white", 2000), clock.left("black", 2000)
        (298000, 300000)
    """

    control: TimeControl
    white: Account
    black: Account
    running: Side | None = None
    since: int = 0
    spent: int = 0
    fallen: Side | None = None
    told: Side | None = None

    @classmethod
    def of(cls, control: TimeControl, told: Side | None = None) -> Clock:
        """Return stopped clocks with the first period's time."""
        if control.untimed:
            return cls(control, Account(0), Account(0), told=told)
        white, black = (Account(control.of(side)[0].whole_ms) for side in SIDES)
        return cls(control, white, black, told=told)

    def account(self, side: Side) -> Account:
        """Return the account of one player as last counted."""
        return self.white if side == "white" else self.black

    def left(self, side: Side, now: int) -> int:
        """Return the milliseconds a player has left at `now`; 0 once the flag is down."""
        return max(0, self._charged(side, now).left)

    def delay_left(self, side: Side, now: int) -> int:
        """Return how much of this turn's free delay is left to a player at `now`."""
        used = self.spent + now - self.since if self.running == side else 0
        return max(0, self._free(side) - used)

    def falls_at(self) -> int | None:
        """Return when the running flag falls if nothing happens before, or `None`."""
        if self.running in {None, self.told} or self.control.untimed or self.fallen:
            return None
        assert self.running is not None  # noqa: S101 - has just been seen
        free = max(0, self._free(self.running) - self.spent)
        return self.since + free + self.account(self.running).left

    def start(self, side: Side, now: int) -> Clock:
        """Let one player's time run from `now`; goes on with the turn if it was his already."""
        return replace(self._counted(now), running=side, since=now)

    def stop(self, now: int) -> Clock:
        """Stop the clock; the turn under way may go on later."""
        return replace(self._counted(now), running=None, since=now)

    def complete(self, side: Side, now: int) -> Clock:
        """Count a completed turn of `side` with its increment and let the opponent's time run."""
        counted = self._counted(now)
        used = counted.spent
        account = counted.account(side)
        if not self.control.untimed:
            account = _rewarded(self.control.of(side), account, used)
        account = replace(account, turns=account.turns + 1)
        running = opponent(side) if self.running else None
        return replace(_with(counted, side, account), running=running, since=now, spent=0)

    def undo(self, side: Side, now: int, *, before: Clock, made: int) -> Clock:
        """Take a completed turn of `side` back, and what it earned; the time it took stays used.

        It was completed when the table's time was `made`; `before` are the clocks before it.
        """
        thought = before.start(side, made)
        earned = thought.complete(side, made).account(side).left - thought.account(side).left
        counted = self._counted(now)
        account = replace(thought.account(side), left=counted.account(side).left - earned)
        return replace(_with(counted, side, account), spent=0, since=now)

    def reading(self, side: Side, now: int) -> tuple[int, int]:
        """Return a player's milliseconds left and those used of the turn under way, to tell."""
        counted = self._counted(now)
        return counted.account(side).left, counted.spent

    def could_read(self, side: Side, reading: tuple[int, int], mover: Side) -> bool:
        """Return whether a player's clock can read so: what is used is no more there, and no less.

        `reading` is what is told of it, `mover` whose turn is under way.
        """
        if self.control.untimed:
            return True
        (left, spent), mine = reading, self.account(side).left
        if side != mover:
            return left == mine
        free = self._free(side)
        return left + max(0, spent - free) == mine + max(0, self.spent - free)

    def as_told(self, side: Side, reading: tuple[int, int], now: int) -> Clock:
        """Return the clock with a player's time as the host beside him has read it."""
        left, spent = reading
        counted = replace(self._counted(now), since=now, spent=spent, told=None)
        return _with(counted, side, replace(counted.account(side), left=left))

    def fresh_turn(self) -> Clock:
        """Forget what the turn under way has used, so that its delay is whole again."""
        return replace(self, spent=0)

    def raised(self) -> Clock:
        """Put a fallen flag up again; without time it falls again as soon as the clock runs."""
        return replace(self, fallen=None)

    def add(self, side: Side, ms: int, now: int) -> Clock:
        """Give time to a player, or take it with a negative amount."""
        counted = self._counted(now)
        account = counted.account(side)
        return _with(counted, side, replace(account, left=account.left + ms))

    def judge(self, now: int) -> Clock:
        """Return the clock stopped with the first flag down if one has fallen by `now`."""
        if self.fallen or self.control.untimed:
            return self
        counted = self._counted(now)
        for side in (self.running, "white", "black"):
            if side and side != self.told and counted.account(side).left <= 0:
                return replace(counted, fallen=side, running=None)
        return self

    def _period(self, side: Side) -> Period:
        return self.control.of(side)[self.account(side).period]

    def _free(self, side: Side) -> int:
        return 0 if self.control.untimed else self._period(side).mode.free_ms

    def _charged(self, side: Side, now: int) -> Account:
        """Return a player's account with what ran since it was last counted."""
        account, mover = self.account(side), self.running
        if mover is None or now <= self.since or self.control.untimed:
            return account
        free = self._free(mover)
        charge = max(0, self.spent + now - self.since - free) - max(0, self.spent - free)
        if side == mover:
            return replace(account, left=account.left - charge)
        gains = self._period(mover).mode.opponent_gains
        return replace(account, left=account.left + charge) if gains else account

    def _counted(self, now: int) -> Clock:
        """Charge the time that ran since it was last counted."""
        if self.running is None or now <= self.since:
            return self
        white, black = (self._charged(side, now) for side in SIDES)
        spent = self.spent + now - self.since
        return replace(self, white=white, black=black, since=now, spent=spent)


def _rewarded(periods: tuple[Period, ...], account: Account, used: int) -> Account:
    """Return an account with what a completed turn earns: increment, and the next period's time."""
    period = periods[account.period]
    left = account.left + period.mode.earned(account.left, used)
    following = account.period + 1
    due = sum(earlier.turns or 0 for earlier in periods[:following])
    if period.turns and account.turns + 1 >= due:
        return replace(account, left=left + periods[following].whole_ms, period=following)
    return replace(account, left=left)


def _with(clock: Clock, side: Side, account: Account) -> Clock:
    return replace(clock, white=account) if side == "white" else replace(clock, black=account)
