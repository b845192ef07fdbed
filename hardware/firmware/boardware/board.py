"""The board's main loop: scan, read tags, obey the host, shine, and never wait for any of it."""

from boardware import ticks
from drivers.link import codec

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Generator, Sequence

    from boardware.edge import Pin, Watchdog, Wire
    from boardware.lights import Lights
    from boardware.parts import Parts
    from drivers.link.board_session import BoardSession

LOCKOUT_MS = 30
"""A button that was pressed is not looked at again for this long: its contact bounces."""
BROKEN_SCANS = 25
"""So many bad scans in a row are a fault of the chain and not a disturbance."""
TELL_MS = 1000
"""The pause between two reports on readers: of a supply that fails one tells nearly all."""
SPEAK_MS = 5
"""How often the session is asked for what is due, unless there is news."""
INTERRUPT, RAW = b"\r\x03", b"\r\x01"
"""What tools that load programs send first, `RAW` or not, and then wait; see `Maintenance`."""
INTERRUPT_MS = 200
"""For so long nothing follows it: longer than a host that greets is ever silent."""


class Maintenance(Exception):  # noqa: N818 - it is a request
    """Someone wants to load another program: leave the main loop."""


class Buttons:
    """Push buttons that close to ground, or the two contacts of a clock's lever.

    A contact that is closed from the start, as one of a lever's always is, has not been pressed.

    Args:
        pins: button number -> input with pull-up.
    """

    def __init__(self, pins: "Sequence[Pin]") -> None:
        self._pins = pins
        self._settled = [pin.value() for pin in pins]
        self._odd = [False] * len(pins)  # whether the last look found another level
        self._quiet_since = [0] * len(pins)

    def step(self, now_ms: int) -> int:
        """Look at all buttons once; return the number of one that was just pressed, else -1."""
        for number in range(len(self._pins)):  # an enumerate would need memory, each time
            if self._pins[number].value() == self._settled[number]:
                self._odd[number] = False
            elif not self._odd[number]:
                self._odd[number] = True
            elif ticks.diff(now_ms, self._quiet_since[number]) >= LOCKOUT_MS:
                self._odd[number] = False
                self._settled[number] ^= 1
                self._quiet_since[number] = now_ms
                if not self._settled[number]:
                    return number
        return -1


class Board:
    """One board, running.

    Args:
        parts: what it is made of.
        session: the link's board end.
        wire: the bytes to and from the host.
        watchdog: restarts the board when the loop no longer runs.

    Attributes:
        scans: how many samples were taken.
        late_scans: samples taken more than one whole period after their time.
    """

    def __init__(
        self, parts: "Parts", session: "BoardSession", wire: "Wire", watchdog: "Watchdog"
    ) -> None:
        self.scans = 0
        self.late_scans = 0
        self._parts = parts
        self._session = session
        self._wire = wire
        self._watchdog = watchdog
        self._period_us = 1_000_000 // parts.scan_hz
        self._scan_due = ticks.us()
        self._sample = bytearray(parts.scanner.size)
        self._bad_scans = 0
        self._out = b""
        self._spoke_at = ticks.ms()
        self._heard_at = ticks.ms()
        self._interrupted = False  # whether that looks as if a tool wants to load something
        self._news = False  # whether something happened that the host should hear at once
        self._frame: bytearray | None = None
        self._test: Generator[None, None, list[int]] | None = parts.self_test()
        self._failed: tuple[int, ...] = ()  # cells of which the host was told that none reads them
        self._told_at = ticks.add(ticks.ms(), -TELL_MS)
        self._asked = False  # whether the host asked for the test under way
        self._was_online = False
        self._dark = False  # whether the lights do not answer
        self._chores = False  # whether this round is for what can wait
        if parts.tags:
            parts.tags.found = self._identified

    def run(self) -> None:
        """Run for ever; raise Maintenance when someone wants to load another program."""
        while True:
            self.step()

    def step(self) -> None:
        """Do one small round: sample the contacts if it is time, and a little of everything else.

        What can wait is done every other time, and no tag is read when a frame is made: a pass
        that samples, reads a tag and sends a frame would last until after the next sample's time.
        """
        now = ticks.ms()
        late = ticks.diff(ticks.us(), self._scan_due)
        if late >= 0:
            self._scan(now, late)
        spoken = False
        self._chores = not self._chores and not self._news
        if self._chores:
            self._press(now)
            self._obey(now)
            self._shine(now)
        else:
            self._listen(now)
            spoken = self._speak(now)
        if self._parts.tags and self._test is None and not spoken:
            self._parts.tags.step(now)
        self._watchdog.feed()

    def _scan(self, now: int, late_us: int) -> None:
        self.scans += 1
        if late_us >= self._period_us:
            self.late_scans += 1
            self._scan_due = ticks.us()
        self._scan_due = ticks.add(self._scan_due, self._period_us)
        if not self._parts.scanner.read_into(self._sample):
            self._bad_scans += 1
            if self._bad_scans == BROKEN_SCANS:
                self._session.notice("contacts-broken", (), now)
            return
        if self._bad_scans:
            was_broken = self._bad_scans >= BROKEN_SCANS
            self._bad_scans = 0
            if was_broken:
                self._mended((), now)
        for contact, closed in self._parts.debouncer.feed(self._sample):
            if contact < len(self._session.readings):
                self._changed(contact, closed, now)

    def _press(self, now: int) -> None:
        pressed = self._parts.buttons.step(now)
        if pressed >= 0:
            self._session.press(pressed, now)
            self._news = True

    def _changed(self, cell: int, closed: bool, now: int) -> None:
        self._news = True
        self._session.feel(cell, True if closed else None, now)
        if self._parts.tags:
            if closed:
                self._parts.tags.placed(cell)
            else:
                self._parts.tags.lifted(cell)

    def _identified(self, cell: int, uid: bytes) -> None:
        self._news = True
        self._session.feel(cell, uid or True, ticks.ms())

    def _listen(self, now: int) -> None:
        data = self._wire.read()
        if data:
            self._session.receive(data, now)
            self._heard_at = now
            self._news = True
            self._interrupted = not self._session.online and _interrupts(self._session.unfinished)
        elif self._interrupted and ticks.diff(now, self._heard_at) >= INTERRUPT_MS:
            raise Maintenance
        if self._session.online and not self._was_online:
            self._tell_of_faults(now)
        self._was_online = self._session.online

    def _mended(self, cells: "tuple[int, ...]", now: int) -> None:
        """Say that something works again, and what still does not."""
        self._session.notice("mended", cells, now)
        self._tell_of_faults(now)

    def _tell_of_faults(self, now: int) -> None:
        """Say all that does not work, as to a host that has just come."""
        if self._failed:
            self._session.notice("tag-reader-fault", self._failed, now)
        if self._bad_scans >= BROKEN_SCANS:
            self._session.notice("contacts-broken", (), now)
        if self._dark:
            self._session.notice("light-fault", (), now)

    def _obey(self, now: int) -> None:
        if self._session.commands:
            what = self._session.commands.pop(0)
            if what == codec.SELF_TEST:
                self._test = self._parts.self_test()
                self._asked = True
            elif what < len(codec.SOUNDS) and self._parts.sounds:
                self._parts.sounds.play(codec.SOUNDS[what], now)
        if self._parts.sounds:
            self._parts.sounds.step(now)
        if self._test is not None:
            self._go_on_testing(now)
        elif self._parts.tags and ticks.diff(now, self._told_at) >= TELL_MS:
            self._tell_of_readers(now)

    def _go_on_testing(self, now: int) -> None:
        assert self._test is not None  # noqa: S101 - the caller looked
        try:
            next(self._test)
        except StopIteration as done:
            self._test = None
            if self._parts.tags:
                self._parts.tags.faulty = set(done.value)
                self._tell_of_readers(now)
            if self._asked:
                self._asked = False
                passed = not self._failed and self._bad_scans < BROKEN_SCANS and not self._dark
                code = "self-test-passed" if passed else "self-test-failed"
                self._session.notice(code, self._failed, now)

    def _tell_of_readers(self, now: int) -> None:
        """Say which readers do not answer, and which ones do again, if that is news."""
        assert self._parts.tags  # noqa: S101 - the caller looked
        faulty = self._parts.tags.faulty
        mended = tuple(cell for cell in self._failed if cell not in faulty)
        more = len(faulty) + len(mended) > len(self._failed)
        if not mended and not more:
            return
        self._told_at = now
        self._failed = tuple(sorted(faulty))
        if mended:
            self._mended(mended, now)
        else:
            self._session.notice("tag-reader-fault", self._failed, now)

    def _shine(self, now: int) -> None:
        lights: Lights | None = self._parts.lights
        if lights is None or self._parts.lamps is None:
            return
        if self._session.lights_changed:
            self._session.lights_changed = False
            lights.set(self._session.lights)
        if self._frame is None:
            self._frame = lights.step(now)
            return
        try:
            if self._parts.lamps.show(self._frame):
                self._frame = None
                if self._dark:
                    self._dark = False
                    self._mended((), now)
        except OSError:  # the game goes on without lights
            self._frame = None
            if not self._dark:
                self._dark = True
                self._session.notice("light-fault", (), now)

    def _speak(self, now: int) -> bool:
        """Send one frame, if the host takes it; ask for the next only when that is out.

        So a host that does not read fills the session's own queue, which says when it overflows.
        Return whether a frame was made.
        """
        made = False
        if not self._out and (self._news or ticks.diff(now, self._spoke_at) >= SPEAK_MS):
            self._spoke_at = now
            self._out = self._session.transmit(now, 1)
            self._news = made = bool(self._out)  # where one frame was due there may be more
        if self._out:
            sent = self._wire.write(self._out)
            if sent:
                self._out = self._out[sent:]
        return made


def _interrupts(unfinished: bytes) -> bool:
    """Return whether this ends as what tools send, and not as a frame, whose end would follow."""
    return unfinished.endswith(INTERRUPT) or unfinished.endswith(INTERRUPT + RAW)  # noqa: PIE810
