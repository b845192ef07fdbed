"""How long the link takes for one event. Run with `pytest --benchmark-only tests/benchmarks`."""

import asyncio
import itertools

from drivers.description import load_description
from drivers.link import codec
from drivers.link.board_session import BoardSession
from drivers.link.host_session import HostSession
from drivers.piece_set import Face, Piece, PieceSet
from drivers.port import CellEvent, Lights
from drivers.serial_board import SerialBoard
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from tests.drivers.bad_cable import identity

FULL = load_description("full")
UID = bytes.fromhex("04A1B2C3D4E5F6")


def test_one_frame_is_coded_and_decoded(benchmark):
    event = codec.Cell(5, 1400, 28, UID)

    def there_and_back():
        reader = codec.FrameReader()
        return codec.decode(reader.feed(codec.frame(codec.encode(event)))[0])

    assert benchmark(there_and_back) == event


def test_one_event_from_board_to_host_and_its_acknowledgement_back(benchmark):
    host, board = HostSession(FULL), BoardSession(identity(FULL), boot=1)
    host.connect(0.0)
    time = itertools.count(1)
    board.receive(host.poll(0.001), 1)
    host.receive(board.transmit(1), 0.001)
    readings = itertools.cycle([UID, None])

    def one_event():
        now = next(time)
        board.feel(28, next(readings), now)
        values = host.receive(board.transmit(now), now / 1000)
        board.receive(host.poll(now / 1000), now)
        return values

    assert isinstance(benchmark(one_event)[-1], CellEvent)


def test_a_whole_snapshot_of_thirty_two_tags(benchmark):
    readings = [UID if cell < 32 else None for cell in range(92)]

    def there_and_back():
        reader = codec.FrameReader()
        wire = b"".join(codec.frame(codec.encode(p)) for p in codec.pack_snapshot(1, 1, readings))
        return [codec.decode(body) for body in reader.feed(wire)]

    assert sum(len(part.readings) for part in benchmark(there_and_back)) == 92


def test_from_a_contact_over_a_pty_to_the_light_it_causes(benchmark, tmp_path):
    """The whole way: sensor, bytes, pty, driver, event, lights, bytes, LED; no game between."""
    loop = asyncio.new_event_loop()
    face = Face(tag=UID.hex().upper(), label="wP", look="wP")
    pieces = PieceSet(pieces=(Piece(name="pawn", faces=(face,)),))
    station = Station(FULL, pieces, tmp_path / "board")
    board = SerialBoard(FULL, str(tmp_path / "board"))
    number = FULL.numbers["e4"]
    places = itertools.cycle(["e4", "hand"])
    signals = itertools.cycle(["check", "setup"])

    async def answer():
        async for event in board.events():
            if isinstance(event, CellEvent):
                await board.show(Lights({"e4": next(signals)}))

    async def begin():
        await station.__aenter__()
        await board.__aenter__()
        await station.until_online()
        await asyncio.sleep(0.3)
        return asyncio.create_task(answer())

    async def round_trip():
        lights = station.board.session.lights
        before = lights[number]
        await station.play([Step(piece="pawn", to=next(places))])
        while lights[number] == before:  # noqa: ASYNC110 - waiting would be measured too
            await asyncio.sleep(0)

    answering = loop.run_until_complete(begin())
    benchmark.pedantic(lambda: loop.run_until_complete(round_trip()), rounds=300, warmup_rounds=10)
    answering.cancel()
    loop.run_until_complete(asyncio.gather(answering, return_exceptions=True))
    loop.run_until_complete(board.__aexit__(None, None, None))
    loop.run_until_complete(station.__aexit__(None, None, None))
    loop.close()
