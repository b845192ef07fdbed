"""What the service counts and times, for Prometheus: no square, no piece, no seat, no secret.

Counts follow from what everyone may see anyway. Times do not say what was thought about, but they
do depend on it a little; that is why nobody may read them but the machine itself, and whoever its
owner names in the configuration, and why what is judged in a game with secrets is not timed.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from drivers.link.host_session import LinkStatistics
from drivers.port import BoardEvent, BoardNotice, ButtonEvent, CellEvent, LinkChanged, Snapshot
from firmware_bridge.messages import PublicOutput, PublicTurn, PublicVerdict, Ruled

CONTENT_TYPE = CONTENT_TYPE_LATEST
LOOP_EVERY = 1.0
"""Seconds between two looks at how late the event loop is."""
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
"""Where a Raspberry Pi tells of too little power or too much heat; absent elsewhere."""
_FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Buckets in seconds, in equal steps of the logarithm: from one event's work to a stalled disk."""
_KINDS: dict[type[BoardEvent], str] = {
    CellEvent: "cell",
    ButtonEvent: "button",
    Snapshot: "snapshot",
    LinkChanged: "link",
    BoardNotice: "notice",
}


class Metrics:
    """All figures of one service.

    Attributes:
        reconcile: seconds from an input to what it leads to.
        journal_sync: seconds until records are on disk.
        journal_failures: records that could not be written.
        watchdog_missed: signs of life that came too late.
        refused: what was asked without right: PINs beyond the limit, commands of the house.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.reconcile = self._histogram("bridge_reconcile_seconds", "From an input to its effect.")
        self.journal_sync = self._histogram("bridge_journal_sync_seconds", "Until it is on disk.")
        self.journal_failures = self._counter("bridge_journal_failures", "Failed writes.")
        self.watchdog_missed = self._counter("bridge_watchdog_missed", "Late signs of life.")
        self.refused = self._counter("bridge_refused", "Asked without right.", "reason")
        self._round_trip = self._histogram("bridge_link_rtt_seconds", "To the board and back.")
        self._events = self._counter("bridge_sensor_events", "What the board told.", "kind")
        self._turns = self._counter("bridge_turns", "Turns taken.", "variant")
        self._attempts = self._counter("bridge_illegal_attempts", "Illegal handling.", "stage")
        self._help = self._counter("bridge_help_requests", "Boards that need a hand.", "reason")
        self._lag = Gauge("bridge_loop_lag_seconds", "Late loop.", registry=self._registry)
        self._age = Gauge(
            "bridge_board_snapshot_age_seconds",
            "Since all cells were read at once.",
            registry=self._registry,
        )
        self._depth = Gauge("bridge_queue_depth", "What waits.", ["queue"], registry=self._registry)
        build = {"version": version("firmware-bridge"), "python": platform.python_version()}
        Info("bridge_build", "What runs.", registry=self._registry).info(build)
        self._registry.register(_Throttled())

    def text(self) -> bytes:
        """Return everything as Prometheus reads it."""
        return generate_latest(self._registry)

    def felt(self, event: BoardEvent, now: Callable[[], float]) -> None:
        """Count what a board told."""
        self._events.labels(_KINDS[type(event)]).inc()
        if isinstance(event, Snapshot):
            self._age.set_function(lambda: now() - event.t)

    def hear(self, outputs: Iterable[PublicOutput]) -> None:
        """Count what a table gave out."""
        for output in outputs:
            match output:
                case PublicTurn(game=game, amended=False):
                    self._turns.labels(game).inc()
                case Ruled():
                    self._attempts.labels("ruled").inc()
                case PublicVerdict(kind="illegal"):
                    self._attempts.labels("seen").inc()
                case PublicVerdict(kind="disturbed"):
                    self._help.labels("disturbed").inc()

    def watch_queue(self, name: str, depth: Callable[[], int]) -> None:
        """Tell how much waits somewhere."""
        self._depth.labels(name).set_function(depth)

    def watch_link(self, statistics: Callable[[], LinkStatistics]) -> None:
        """Tell how well the board's wire works."""
        self._registry.register(_Link(statistics))

    def round_trip(self, statistics: LinkStatistics) -> None:
        """Note how long the board's answer took last."""
        if statistics.round_trip is not None:
            self._round_trip.observe(statistics.round_trip)

    async def watch_loop(self) -> None:
        """Measure how late the event loop is, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOP_EVERY
            await asyncio.sleep(LOOP_EVERY)
            self._lag.set(max(0.0, loop.time() - due))

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(name, what, labels, registry=self._registry)

    def _histogram(self, name: str, what: str) -> Histogram:
        return Histogram(name, what, registry=self._registry, buckets=_FAST)


class _Link(Collector):
    """Reads the wire's own counts when somebody asks."""

    def __init__(self, statistics: Callable[[], LinkStatistics]) -> None:
        self._statistics = statistics

    def collect(self) -> Iterable[CounterMetricFamily | GaugeMetricFamily]:
        """Return the wire's figures."""
        counts = self._statistics()
        frames = CounterMetricFamily("bridge_link_frames", "Frames of the board.", labels=["dir"])
        frames.add_metric(["in"], counts.good + counts.damaged)
        yield frames
        yield CounterMetricFamily(
            "bridge_link_crc_errors", "Frames that came damaged.", counts.damaged
        )
        yield GaugeMetricFamily(
            "bridge_link_resend_ratio",
            "Share of frames that came again.",
            counts.repeated / max(1, counts.good),
        )


class _Throttled(Collector):
    """Reads what a Raspberry Pi tells of its power and heat; nothing elsewhere."""

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Return the flags, if this is a Raspberry Pi."""
        try:
            flags = int(THROTTLED.read_text(encoding="ascii").strip(), 16)
        except (OSError, ValueError):
            return
        yield GaugeMetricFamily("pi_throttled_flags", "As vcgencmd get_throttled says.", flags)
