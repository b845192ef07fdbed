import pytest

from drivers.board_reasons import Reason
from drivers.description import load_description
from drivers.link import codec
from drivers.link.board_session import BoardSession
from drivers.link.host_session import RESTART, HostSession, reading_of
from drivers.port import BoardNotice, CellEvent, Lights, LinkChanged, Snapshot
from drivers.testing.conformance import ConformanceSuite
from tests.drivers.bad_cable import BOARD, Fault, Pair, identity
from tests.nightly import NIGHTLY

SEEDS = range(1000 if NIGHTLY else 3)
GOOD = Fault()
BAD_CABLES = {
    "byte at a time": Fault(bytewise=True),
    "a fifth lost": Fault(loss=0.2),
    "doubled": Fault(doubled=0.3),
    "reordered": Fault(jitter=0.02),
    "flipped bits": Fault(flipped=0.2),
    "noise between": Fault(noise=0.3),
    "everything": Fault(loss=0.1, doubled=0.2, jitter=0.01, flipped=0.1, noise=0.1),
    "bytes lost": Fault(bytewise=True, loss=0.01),
    "a third lost": Fault(loss=0.33),
    "all doubled": Fault(doubled=1.0),
    "half flipped": Fault(flipped=0.5),
    "much noise between": Fault(noise=0.4),
    "slow and unsteady": Fault(jitter=0.1),
    "late and lost": Fault(jitter=0.05, loss=0.1),
    "late and doubled": Fault(jitter=0.05, doubled=0.3),
    "lost and flipped": Fault(loss=0.2, flipped=0.2),
    "lost and noise": Fault(loss=0.2, noise=0.3),
    "bytes flipped": Fault(bytewise=True, flipped=0.01),
    "bytes doubled": Fault(bytewise=True, doubled=0.005),
    "bytes and noise": Fault(bytewise=True, noise=0.002),
}


def hands(pair, count):
    """Make `count` random changes and return what a perfect board reports of them."""
    expected, stands = [], dict(zip(BOARD.cells, pair.board.readings, strict=True))
    for number in range(count):
        cell = pair.random.choice(BOARD.cells)
        reading = pair.random.choice([None, True, b"\0\0\0\0", number.to_bytes(7, "big")])
        if reading == stands[cell]:
            continue
        stands[cell] = reading
        pair.feel(cell, reading)
        expected.append((cell, reading.hex().upper() if isinstance(reading, bytes) else reading))
        pair.run(pair.random.random() * 0.08)
        if number % 7 == 0:
            pair.board.press(number % 4, pair.board_clock)
            expected.append(BOARD.button_names[number % 4])
    return expected


felt = ConformanceSuite.felt


def notices(pair):
    return [value.code for value in pair.values if isinstance(value, BoardNotice)]


def any_cable(seed):
    return list(BAD_CABLES.values())[seed % len(BAD_CABLES)]


def started(seed, fault, description=BOARD):
    pair = Pair(seed, fault, description)
    pair.run_until(lambda: any(isinstance(value, Snapshot) for value in pair.values))
    return pair


def test_a_board_is_greeted_and_shows_its_whole_state():
    pair = Pair(1, GOOD)
    pair.feel("e2", b"\x04\xa1\xb2\xc3")
    pair.feel("hw1", True)
    pair.run(0.3)
    link, snapshot = pair.values
    assert link.up
    assert link.text == 'The board "full" is connected (firmware 1.0.0).'
    assert snapshot.readings == {"e2": "04A1B2C3", "hw1": True}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", BAD_CABLES)
def test_over_a_bad_cable_every_event_arrives_once_and_in_order(kind, seed):
    pair = started(seed, BAD_CABLES[kind])
    expected = hands(pair, 60)
    pair.run_until(lambda: len(felt(pair.values)) >= len(expected))
    pair.run(2)
    assert felt(pair.values) == expected
    assert pair.problems == []
    times = [value.t for value in pair.values]
    assert times == sorted(times)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_cable_pulled_in_mid_move_loses_nothing(seed):
    pair = started(seed, any_cable(seed))
    expected = hands(pair, 10)
    pair.unplug()
    expected += hands(pair, 12)
    pair.replug()
    expected += hands(pair, 10)
    pair.run_until(lambda: len(felt(pair.values)) >= len(expected))
    pair.run(2)
    assert felt(pair.values) == expected
    returned = [value.up for value in pair.values if isinstance(value, LinkChanged)]
    assert returned == [True, True]
    assert sum(isinstance(value, Snapshot) for value in pair.values) >= 2
    assert pair.values[-1].t <= pair.now


@pytest.mark.parametrize("seed", SEEDS)
def test_a_board_that_restarts_on_a_bad_cable_doubles_nothing_and_shows_what_stands_there(seed):
    pair = started(seed, any_cable(seed))
    before = hands(pair, 10)
    pair.restart_board()
    fresh = len(pair.values)
    pair.run_until(lambda: isinstance(pair.values[-1], Snapshot) and len(pair.values) > fresh)
    told = felt(pair.values)
    assert told == before[: len(told)], "a restart may lose the newest, and nothing else"
    stands = dict(zip(BOARD.cells, map(reading_of, pair.board.readings), strict=True))
    assert pair.values[-1].readings == {c: r for c, r in stands.items() if r is not None}
    assert notices(pair) == ["board-reset"]
    after = hands(pair, 10)
    pair.run_until(lambda: len(felt(pair.values)) >= len(told) + len(after))
    pair.run(2)
    assert felt(pair.values) == told + after


@pytest.mark.parametrize("seed", SEEDS)
def test_what_hands_do_after_a_restart_is_felt_within_half_a_second(seed):
    pair = started(seed, Fault(jitter=0.004))
    for number in range(10 if NIGHTLY else 2):
        pair.run(pair.random.random() * 3)
        pair.restart_board()
        pair.run(0.4)
        pair.feel("e4", number.to_bytes(4, "big"))
        pair.run(0.1)
        assert felt(pair.values)[-1] == ("e4", f"{number:08X}")
    assert pair.problems == []


def test_a_board_that_gave_its_host_up_goes_on_at_once_and_loses_nothing():
    pair = started(4, GOOD)
    before = len(pair.values)
    pair.plugged = False  # and nobody notices
    pair.run(2.9)
    pair.board.transmit(pair.board_clock + 3000)  # five seconds for the board
    assert not pair.board.online
    pair.feel("e2", True)
    pair.plugged = True
    pair.run(1.2)
    assert pair.problems == []
    assert felt(pair.values[before:]) == [("e2", True)]
    assert not any(isinstance(value, LinkChanged | BoardNotice) for value in pair.values[before:])


def test_a_late_word_of_no_session_costs_nothing():
    pair = started(4, GOOD)
    before = len(pair.values)
    for number in range(20):
        pair.feel("e2", number.to_bytes(4, "big"))
        late = codec.frame(codec.encode(codec.NoSession(1)))
        pair.values += pair.host.receive(late, pair.now)
        pair.run(0.03)
    pair.run(0.5)
    assert len(felt(pair.values)) == 20
    assert {type(value) for value in pair.values[before:]} == {CellEvent, Snapshot}


def test_a_board_that_never_says_what_stands_on_it_is_told():
    pair = Pair(5, GOOD)
    pair.board._part = lambda now: b""
    pair.run(3.5)
    assert pair.values == []
    assert pair.problems == [
        "The board greets, but never says what stands on it. Load its firmware again."
    ]


def test_a_greeting_of_another_version_ends_no_session():
    pair = started(6, GOOD)
    before = list(pair.values)
    for version in (0, 2):
        pair.values += pair.host.receive(codec.frame(bytes([0x81, version, 5, 5])), pair.now)
    pair.run(2)
    assert (pair.values, pair.problems) == (before, [])


def test_more_than_the_board_can_keep_is_flagged_and_a_snapshot_follows():
    pair = started(3, GOOD)
    pair.unplug()
    for number in range(200):
        pair.feel("e4", number.to_bytes(4, "big"))
    pair.replug()
    pair.run(1)
    assert notices(pair) == ["overflow"]
    notice = next(value for value in pair.values if isinstance(value, BoardNotice))
    after = pair.values[pair.values.index(notice) :]
    assert isinstance(after[-1], Snapshot)
    assert after[-1].readings["e4"] == "000000C7"
    kept = felt(pair.values)
    assert kept == [("e4", f"{number:08X}") for number in range(len(kept))]


class OlderBoard(BoardSession):
    """A board of protocol 1.0, which says nothing before it is greeted."""

    def transmit(self, now, most=0):
        frames = [body for body in super().transmit(now, most).split(b"\0") if body]
        known = [f + b"\0" for f in frames if codec.unframe(f)[0] != 0x88]
        return b"".join(known)


@pytest.mark.parametrize("board", [BoardSession, OlderBoard])
def test_a_board_that_restarts_is_noticed_and_its_state_read_anew(board):
    pair = started(4, GOOD)
    pair.feel("e2", True)
    pair.run(0.1)
    pair.restart_board(board)
    pair.run_until(lambda: notices(pair))
    pair.run(0.5)
    older = board is OlderBoard
    assert pair.problems == ["The board has gone silent. Is it still powered?"] * older
    links = [value for value in pair.values if isinstance(value, LinkChanged)]
    assert [link.up for link in links] == ([True, True] if older else [True, False, True])
    assert isinstance(pair.values[-1], Snapshot)
    assert pair.values[-1].readings == {"e2": True}
    assert notices(pair) == ["board-reset"]


@pytest.mark.parametrize("kind", BAD_CABLES)
def test_lights_arrive_and_the_newest_win(kind):
    pair = started(5, BAD_CABLES[kind])
    for signal in ("setup", "check", "must-go-here"):
        pair.host.show(Lights({"e4": signal, "hb10": "fault"}))
        pair.run(0.01)
    e4, hb10 = BOARD.numbers["e4"], BOARD.numbers["hb10"]
    pair.run_until(lambda: (pair.board.lights[e4], pair.board.lights[hb10]) == (6, 12))
    pair.run(1)
    assert sum(1 for light in pair.board.lights if light) == 2


def test_a_chase_runs_in_the_order_in_which_its_cells_are_named():
    pair = started(6, GOOD)
    pair.host.show(Lights({"c3": "convertible", "b2": "convertible", "a1": "convertible"}))
    pair.run(0.1)
    lights = [pair.board.lights[BOARD.numbers[cell]] for cell in ("c3", "b2", "a1")]
    assert [light & 31 for light in lights] == [9, 9, 9]
    assert [light >> 5 for light in lights] == [0, 1, 2]


def test_lights_are_shown_again_after_a_return():
    pair = started(7, GOOD)
    pair.host.show(Lights({"a1": "check"}))
    pair.run(0.1)
    pair.unplug()
    pair.run(6)
    assert not any(pair.board.lights), "a board without a host goes dark"
    pair.replug()
    pair.run(0.2)
    assert pair.board.lights[BOARD.numbers["a1"]] == 7


@pytest.mark.parametrize("kind", BAD_CABLES)
def test_sounds_are_played_once_each(kind):
    pair = started(8, BAD_CABLES[kind])
    for name in ("accepted", "illegal", "illegal"):
        pair.host.sound(name, pair.now)
        pair.run(0.6)
    assert pair.board.commands == [0, 1, 1]


def test_the_self_test_reports():
    pair = started(9, GOOD)
    pair.host.self_test(pair.now)
    pair.run(0.1)
    assert pair.board.commands == [codec.SELF_TEST]
    pair.board.notice("self-test-failed", (12,), pair.board_clock)
    pair.run(0.1)
    assert pair.values[-1].code == "self-test-failed"
    assert pair.values[-1].cells == (BOARD.cells[12],)


def test_board_stamps_become_host_times_within_a_few_milliseconds():
    pair = started(10, Fault(jitter=0.004))
    pair.run(40)
    happened = []
    for number in range(20):
        happened.append(pair.now)
        pair.feel("e4", number.to_bytes(4, "big"))
        pair.run(0.5)
    times = [value.t for value in pair.values if isinstance(value, CellEvent)]
    assert max(abs(a - b) for a, b in zip(happened, times, strict=True)) < 0.005


def test_the_board_clock_may_wrap_in_mid_game():
    pair = started(11, GOOD)  # it wraps fifty seconds after virtual time nought
    before = pair.board_clock
    pair.now += codec.CLOCK_WRAP / 1000 - before / 1000 - 1
    pair.host.connect(pair.now)
    pair.run(0.5)
    pair.run(3)
    assert pair.board_clock < before
    pair.feel("e2", True)
    when = pair.now
    pair.run(0.1)
    assert abs(pair.values[-1].t - when) < 0.005


@pytest.mark.parametrize("seed", range(1000 if NIGHTLY else 3))
def test_a_hundred_kilobytes_of_garbage_do_no_harm(seed):
    pair = started(seed, GOOD)
    count = len(pair.values)
    readers = (pair.host._reader, pair.board._reader)
    good = [reader.good for reader in readers]
    for _ in range(100):
        garbage = pair.random.randbytes(1024)
        pair.values += pair.host.receive(garbage, pair.now)
        pair.board.receive(garbage, pair.board_clock)
        assert all(len(reader.begun) < codec.MAX_WIRE for reader in readers)
    assert [reader.good for reader in readers] == good, "nothing in it passed for a frame"
    assert len(pair.values) == count
    pair.values += pair.host.receive(b"\0", pair.now)
    pair.board.receive(b"\0", pair.board_clock)
    expected = hands(pair, 10)
    pair.run(1)
    assert felt(pair.values) == expected


def test_a_snapshot_a_second_heals_quietly():
    pair = started(12, GOOD)
    pair.run(5)
    assert sum(isinstance(value, Snapshot) for value in pair.values) == 1
    pair.host.ask_snapshot()
    pair.run(0.2)
    assert sum(isinstance(value, Snapshot) for value in pair.values) == 2


def test_silence_and_garbage_are_told_apart():
    quiet = HostSession(BOARD)
    quiet.connect(0)
    quiet.poll(4)
    assert str(quiet.problem).startswith("Nothing answers here")
    babbling = HostSession(BOARD)
    babbling.connect(0)
    babbling.receive(b":0 0 0 255\r\n" * 20, 1)
    babbling.poll(4)
    assert "Something answers here, but not like a board (240 bytes" in str(babbling.problem)


def test_a_board_that_always_falls_back_to_its_prompt_needs_its_firmware_again():
    host, problems = HostSession(BOARD), []
    for _ in range(4):
        host.connect(0)
        host.poll(0)
        host.receive(b"paste mode; Ctrl-C to cancel, Ctrl-D to finish\r\n=== \r\n>>", 0.1)
        host.receive(b"> ", 0.2)
        assert host.poll(0.2) == RESTART
        problems.append(host.problem)
    assert problems == [Reason("prompt-left")] * 2 + [Reason("prompt-stays")] * 2


@pytest.mark.parametrize(("version", "older"), [(2, "program"), (0, "firmware")])
def test_another_protocol_version_is_named(version, older):
    host = HostSession(BOARD)
    host.connect(0)
    host.poll(0)
    host.receive(codec.frame(bytes([0x81, version, 5, 5])), 0.1)
    assert f"protocol version {version}, this program speaks 1: update the {older}" in str(
        host.problem
    )


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (
            load_description("starter"),
            [
                'board "starter"',
                "It has 64 cells, the file says 92",
                "It feels occupancy, the file says face",
                "Its lights are of another kind",
            ],
        ),
        (
            BOARD.model_validate(BOARD.model_dump() | {"wiring": {"order": "serpentine"}}),
            ["Its cells are wired in another order"],
        ),
    ],
    ids=["geometry", "wiring"],
)
def test_a_board_of_another_description_is_explained(other, told):
    pair = Pair(13, GOOD)
    pair.board = type(pair.board)(identity(other), boot=1)
    pair.run(1)
    assert pair.values == []
    assert [words for words in told if words not in pair.problems[0]] == []


def test_a_host_that_was_busy_does_not_blame_the_board():
    pair = started(17, GOOD)
    pair.now += 4  # nothing was read meanwhile, and nothing asked
    pair.feel("e2", True)
    pair.run(1)
    assert pair.problems == []
    assert pair.values[-1].reading is True


def test_numbers_that_the_board_does_not_have_are_ignored():
    pair = started(15, GOOD)
    count = len(pair.values)
    for message in (
        codec.Cell(0, 0, 200, True),
        codec.Button(0, 0, 99),
        codec.Notice(0, 0, 77, ()),
    ):
        pair.values += pair.host.receive(codec.frame(codec.encode(message)), pair.now)
    assert len(pair.values) == count
