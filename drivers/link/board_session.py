"""Protocol 1.1, the board's end: what the firmware and the simulated board both run.

Pure: bytes in, bytes out, time is given. Runs unchanged on CPython and MicroPython, so it keeps
to plain classes; the device holds it under the same path. `hardware/protocol.md` describes the
rules that this file carries out.

All times are the board's own: milliseconds modulo `codec.CLOCK_WRAP`, as `time.ticks_ms()` gives
them on a Pico.
"""

from drivers.link import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drivers.link.codec import Message, Reading

WINDOW = 8
"""Events in flight before the host has confirmed them."""
KEPT = 64
"""Events kept until the host has confirmed them; one more is an overflow."""
RESEND_MS = 60
"""USB answers within a few milliseconds; a lost frame keeps no hand waiting longer than this."""
SNAPSHOT_MS = 1000
"""Whatever went wrong is put right after a second; more often would crowd out the events."""
HOST_SILENT_MS = 5000
"""After this silence of the host the board goes dark and sends nothing until greeted again."""
ANNOUNCED, ANNOUNCE_MS = 3, 100
"""How often a board that starts says so, and how long after each other."""
_REPLIES = 32
"""Answers that wait; a host asks a handful at once, and a Pico has little memory."""
_CLOCK_MASK = codec.CLOCK_WRAP - 1  # one more is no small number to a Pico, and takes memory
_CHUNK = codec.MAX_BODY - 5  # without the kind, the offset and the whole length, two bytes each


def elapsed(now: int, then: int) -> int:
    """Return the milliseconds from `then` to `now`, across the wrap of the board's clock."""
    return (now - then) & _CLOCK_MASK


class Identity:
    """What a board says of itself in its greeting.

    Attributes:
        name: the description's name.
        fingerprint: CRC-32 of the description's canonical text.
        tier: index into `codec.TIERS`.
        capabilities: bits `codec.HAS_...`.
        firmware: three numbers.
        id: eight bytes that tell this board from others of its kind.
        description: the canonical text as bytes, sent on request.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - a greeting has that many fields
        self,
        name: str,
        fingerprint: int,
        tier: int,
        cells: int,
        buttons: int,
        capabilities: int,
        firmware: tuple[int, int, int],
        id: bytes = bytes(8),  # noqa: A002 - as in the greeting
        description: bytes = b"",
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.tier = tier
        self.cells = cells
        self.buttons = buttons
        self.capabilities = capabilities
        self.firmware = firmware
        self.id = id
        self.description = description


class BoardSession:
    """Keeps readings, sends every change until it is confirmed, and obeys the host.

    Attributes:
        readings: cell number -> None (empty), True (occupied) or the UID's bytes. Read only; change
            it with `feel`.
        lights: one byte a cell: the signal's number in the low five bits, its place in a chase in
            the high three. Look at it when `lights_changed`, then clear that flag.
        commands: numbers of sounds and of the self-test to carry out; take them off the list.
        online: whether a host is listening.
    """

    def __init__(self, identity: Identity, boot: int, now: int = 0) -> None:
        self.identity = identity
        self.boot = boot
        self.readings: list[Reading] = [None] * identity.cells
        self.lights = bytearray(identity.cells)
        self.lights_changed = False
        self.commands: list[int] = []
        self.online = False
        self._reader = codec.FrameReader()
        self._replies: list[bytes] = []
        self._kept: list[bytes] = []  # bodies of events, the oldest first
        self._first = 0  # sequence number of the oldest kept event
        self._sent = 0  # how many of them were sent at least once
        self._sent_at = now
        self._overflow = False
        self._heard_at = now
        self._snapshot_at = now
        self._snapshot_due = False
        self._part_first = -1  # where the snapshot under way goes on; none is under way below 0
        self._part_next = 0  # the first event that it does not include
        self._nonce: int | None = None
        self._revision: int | None = None
        self._command: int | None = None
        self._announcements = ANNOUNCED
        self._announced_at = now - ANNOUNCE_MS

    def feel(self, cell: int, reading: "Reading", now: int) -> None:
        """Note what a cell reads now; a change becomes an event."""
        if self.readings[cell] != reading:
            self.readings[cell] = reading
            self._keep(codec.Cell(0, now, cell, reading))

    def press(self, button: int, now: int) -> None:
        """Note that a button was pressed."""
        self._keep(codec.Button(0, now, button))

    def notice(self, code: str, cells: tuple[int, ...], now: int) -> None:
        """Report something about the board itself: a code of `codec.NOTICES`."""
        self._keep(codec.Notice(0, now, codec.NOTICES.index(code), cells[:48]))

    def receive(self, data: bytes, now: int) -> None:
        """Take bytes from the host; answers leave with the next `transmit`."""
        for body in self._reader.feed(data):
            message = codec.decode(body)
            if message is not None:
                self._obey(message, now)

    def transmit(self, now: int, most: int = 0) -> bytes:
        """Return the bytes to send now, of `most` frames (0: all); call it at least every 10 ms."""
        if self.online and elapsed(now, self._heard_at) > HOST_SILENT_MS:
            self._hang_up()
        frames, count = b"", 0  # no list: where nothing is due this takes no memory
        while not most or count < most:
            body = self._next_body(now)
            if not body:
                break
            frames += codec.frame(body)
            count += 1
        return frames

    @property
    def unfinished(self) -> bytes:
        """What has come since the last frame's end."""
        return self._reader.begun

    @property
    def _next(self) -> int:
        return (self._first + len(self._kept)) % 65536

    def _keep(self, event: "codec.Event") -> None:
        if len(self._kept) >= KEPT:
            self._overflow = True  # until the host confirms some of them
        else:
            self._kept.append(codec.encode(type(event)(self._next, *event[1:])))

    def _next_body(self, now: int) -> bytes:
        """Return what is due first: answers, then events, then a snapshot; empty for nothing."""
        if self._replies:
            return self._replies.pop(0)
        if not self.online:
            return self._announcement(now)
        return self._event(now) or self._part(now)

    def _announcement(self, now: int) -> bytes:
        """Say that the board has started: a host that was there before shall greet it anew."""
        if not self._announcements or elapsed(now, self._announced_at) < ANNOUNCE_MS:
            return b""
        self._announcements -= 1
        self._announced_at = now
        return codec.encode(codec.NoSession(self.boot))

    def _event(self, now: int) -> bytes:
        if self._sent and elapsed(now, self._sent_at) >= RESEND_MS:
            self._sent = 0
        if self._sent >= min(WINDOW, len(self._kept)):
            return b""
        if not self._sent:
            self._sent_at = now
        self._sent += 1
        return self._kept[self._sent - 1]

    def _part(self, now: int) -> bytes:
        """Return the next part of the snapshot under way, or of one that is due."""
        if self._part_first < 0:
            if not self._snapshot_due and elapsed(now, self._snapshot_at) < SNAPSHOT_MS:
                return b""
            self._snapshot_at = now
            self._part_first = 0
        if self._overflow:  # events are missing before it: wait for the notice that says so
            self._part_first = -1
            return b""
        self._snapshot_due = False
        if self._part_first and self._part_next != self._next:
            self._part_first = 0  # something has changed since its beginning
        self._part_next = self._next
        part = codec.snapshot_part(self._next, now, self._part_first, self.readings)
        self._part_first += len(part.readings)
        if self._part_first >= len(self.readings):
            self._part_first = -1
        return codec.encode(part)

    def _reply(self, message: "Message") -> None:
        if len(self._replies) < _REPLIES:
            self._replies.append(codec.encode(message))

    def _obey(self, message: "Message", now: int) -> None:
        if isinstance(message, codec.AskHello):
            self._greet(message, now)
        if not self.online:
            self._reply(codec.NoSession(self.boot))
            return
        self._heard_at = now
        if isinstance(message, codec.Ack):
            self._confirm(message.next, now)
        elif isinstance(message, codec.SetLights):
            self._light(message)
        elif isinstance(message, codec.Command):
            self._command_once(message)
        elif isinstance(message, codec.Ping):
            self._reply(codec.Pong(message.nonce, now))
        elif isinstance(message, codec.AskSnapshot):
            self._snapshot_due = True
        elif isinstance(message, codec.AskDescription):
            self._describe(message.offset)

    def _greet(self, ask: codec.AskHello, now: int) -> None:
        if ask.version == codec.VERSION and ask.nonce != self._nonce:
            self._begin(ask, now)
        me = self.identity
        self._reply(
            codec.Hello(
                codec.VERSION,
                ask.nonce,
                self.boot,
                me.fingerprint,
                me.tier,
                me.cells,
                me.buttons,
                me.capabilities,
                me.firmware,
                now,
                self._first,
                me.id,
                me.name,
            )
        )

    def _begin(self, ask: codec.AskHello, now: int) -> None:
        """Start a session; go on where the last one broke off if host and board remember it."""
        behind = (ask.next - self._first) % 65536
        if ask.resume and ask.boot == self.boot and behind <= len(self._kept):
            self._confirm(ask.next, now)
        else:
            self._first = self._next
            self._kept = []
            self._overflow = False
        self._nonce = ask.nonce
        self._announcements = 0
        self._sent = 0
        self._revision = None
        self._command = None
        self._snapshot_due = True
        self._part_first = -1
        self._heard_at = now
        self.online = True

    def _confirm(self, following: int, now: int) -> None:
        count = (following - self._first) % 65536
        if not 0 < count <= len(self._kept):
            return  # nothing new, or a late repetition
        self._kept = self._kept[count:]
        self._first = following
        self._sent = max(0, self._sent - count)
        self._sent_at = now
        if self._overflow:
            self._overflow = False
            self._snapshot_due = True
            self._keep(codec.Notice(0, now, codec.NOTICES.index("overflow"), ()))

    def _light(self, message: codec.SetLights) -> None:
        if self._revision is not None and (message.revision - self._revision) % 256 > 127:
            return  # older than what is shown
        if message.first + len(message.signals) > len(self.lights):
            return
        self._revision = message.revision
        for offset, signal in enumerate(message.signals):
            self.lights[message.first + offset] = signal
        self.lights_changed = True
        self._reply(codec.LightsAck(message.revision, message.first))

    def _command_once(self, message: codec.Command) -> None:
        if message.number != self._command:
            self._command = message.number
            self.commands.append(message.what)
        self._reply(codec.CommandAck(message.number))

    def _describe(self, offset: int) -> None:
        text = self.identity.description
        if offset < len(text):
            self._reply(codec.Description(offset, len(text), text[offset : offset + _CHUNK]))

    def _hang_up(self) -> None:
        self.online = False
        self._nonce = None
        self.lights = bytearray(len(self.lights))
        self.lights_changed = True
