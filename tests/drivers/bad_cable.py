"""A bad cable in virtual time: what goes in comes out later, damaged, doubled, or not at all."""

from dataclasses import dataclass, field
from random import Random

from drivers.description import load_description
from drivers.link import codec
from drivers.link.board_session import BoardSession, Identity
from drivers.link.host_session import HostSession

BOARD = load_description("full")


@dataclass
class Fault:
    """What one direction of a cable does to the chunks that pass."""

    loss: float = 0.0
    doubled: float = 0.0
    flipped: float = 0.0
    jitter: float = 0.0
    """Seconds of random delay: more than the gap between two chunks reorders them."""
    bytewise: bool = False
    noise: float = 0.0
    """Chance that random bytes come before a chunk."""


@dataclass
class Direction:
    """One direction of the cable."""

    random: Random
    fault: Fault
    _under_way: list[tuple[float, int, bytes]] = field(default_factory=list)
    _count: int = 0
    _sent: set[bytes] = field(default_factory=set)
    _judge: codec.FrameReader = field(default_factory=codec.FrameReader)

    def put(self, data: bytes, now: float) -> None:
        self._sent.update(codec.unframe(coded) for coded in data.split(b"\0")[:-1])
        for chunk in self._chunks(data):
            if self.random.random() < self.fault.loss:
                continue
            copies = 2 if self.random.random() < self.fault.doubled else 1
            for _ in range(copies):
                delay = 0.001 + self.random.random() * self.fault.jitter
                self._count += 1
                self._under_way.append((now + delay, self._count, self._spoil(chunk)))

    def get(self, now: float) -> list[bytes]:
        due = sorted(item for item in self._under_way if item[0] <= now)
        self._under_way = [item for item in self._under_way if item[0] > now]
        chunks = [chunk for _, _, chunk in due]
        for chunk in chunks:
            strange = set(self._judge.feed(chunk)) - self._sent
            assert not strange, f"damaged, and yet accepted: {strange}"
        return chunks

    def cut(self) -> bytes:
        """Lose what is under way, but for the beginning of one frame, which still arrives."""
        beginning = self._under_way[0][2] if self._under_way else b""
        self._under_way.clear()
        self._judge = codec.FrameReader()
        return beginning[: self.random.randrange(len(beginning) + 1)]

    def _chunks(self, data: bytes) -> list[bytes]:
        if self.fault.bytewise:
            return [bytes([byte]) for byte in data]
        return [part + b"\0" for part in data.split(b"\0")[:-1]]

    def _spoil(self, chunk: bytes) -> bytes:
        spoiled = bytearray(chunk)
        if self.random.random() < self.fault.flipped:
            at = self.random.randrange(len(spoiled) * 8)
            spoiled[at // 8] ^= 1 << at % 8
        if self.random.random() < self.fault.noise:
            spoiled[:0] = self.random.randbytes(self.random.randrange(1, 200))
        return bytes(spoiled)


class Pair:
    """A board and its host, joined by a cable, in virtual time."""

    def __init__(self, seed: int, fault: Fault, description=BOARD) -> None:
        self.random = Random(seed)
        self.description = description
        self.now = 100.0
        self.plugged = True
        self.up_wire = Direction(self.random, fault)
        self.down_wire = Direction(self.random, fault)
        self.host = HostSession(description, nonce=seed % 60000)
        self.board = BoardSession(identity(description), boot=1)
        self.values = []
        self.problems = []
        self.host.connect(self.now)

    @property
    def board_clock(self) -> int:
        return int(self.now * 1000 * 1.00003 + codec.CLOCK_WRAP - 50_000) % codec.CLOCK_WRAP

    def run(self, seconds: float, step: float = 0.002) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += step
            self._exchange()

    def run_until(self, condition, limit: float = 30.0) -> None:
        end = self.now + limit
        while not condition():
            assert self.now < end, "it never came to that"
            self.run(0.01)

    def feel(self, cell: str, reading) -> None:
        self.board.feel(self.description.numbers[cell], reading, self.board_clock)

    def unplug(self) -> None:
        """Pull the cable, in the middle of a frame where one is under way."""
        self.plugged = False
        self.values += self.host.receive(self.up_wire.cut(), self.now)
        self.board.receive(self.down_wire.cut(), self.board_clock)

    def replug(self) -> None:
        self.plugged = True
        self.host.connect(self.now)

    def restart_board(self, kind: type[BoardSession] = BoardSession) -> None:
        """Restart the board, in the middle of a frame where it is sending one."""
        self.values += self.host.receive(self.up_wire.cut(), self.now)
        self.down_wire.cut()
        readings = list(self.board.readings)
        self.board = kind(identity(self.description), self.board.boot + 1, self.board_clock)
        for cell, reading in enumerate(readings):
            self.board.feel(cell, reading, self.board_clock)

    def _exchange(self) -> None:
        down, up = self.host.poll(self.now), self.board.transmit(self.board_clock)
        if self.plugged:
            self.down_wire.put(down, self.now)
            self.up_wire.put(up, self.now)
        for chunk in self.down_wire.get(self.now):
            self.board.receive(chunk, self.board_clock)
        for chunk in self.up_wire.get(self.now):
            self.values += self.host.receive(chunk, self.now)
        if self.plugged and self.host.problem:
            self.problems.append(str(self.host.problem))
            self.host.connect(self.now)


def identity(description) -> Identity:
    """Return the greeting of a board that fits this description."""
    return Identity(
        description.name,
        description.fingerprint,
        codec.TIERS.index(description.tier),
        len(description.cells),
        len(description.buttons),
        codec.HAS_LIGHTS | codec.HAS_SOUND | codec.HAS_TAGS,
        (1, 0, 0),
        id=b"testtest",
        description=description.canonical.encode(),
    )
