"""The bytes of the boards that people own: published vectors, noise, and what each is told."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.commercial import certabo, chesslink, chessnut, cpp, dgt
from drivers.commercial.commercial_session import START, built_place, rows_of_bits
from drivers.description import load_description
from drivers.driver_registry import create
from drivers.port import BoardNotice, CellEvent, DriverError, Lights, LinkChanged, Snapshot

DGT_START = bytes.fromhex(
    "860043"
    "08090A0C0B0A0908" + "07" * 8 + "00" * 32 + "01" * 8 + "0203040605040302"
)  # fmt: skip
CHESSNUT_START = bytes.fromhex("5823318544444444" + "00" * 16 + "77777777A6C99B6A")
MILLENNIUM_START = chesslink.framed("s" + "rnbqkbnr" + "p" * 8 + "." * 32 + "P" * 8 + "RNBQKBNR")
BOARDS = {
    "dgt": (dgt.DgtSession, DGT_START),
    "chessnut": (chessnut.ChessnutSession, b"\x01\x24" + CHESSNUT_START + bytes(4)),
    "sentio": (certabo.SentioSession, b":255 255 0 0 0 0 255 255 \r\n" * 3),
    "chesslink": (chesslink.ChessLinkSession, MILLENNIUM_START),
    "cpp": (cpp.CppSession, b"state rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n"),
}
"""What speaks with a board, and what the board says of men set up."""


def session(kind, board):
    made = kind(load_description(board))
    made.connect(0.0)
    return made


def connected(board):
    """What speaks with a board that has said nothing yet."""
    return session(BOARDS[board][0], board)


def set_up(board, now=0.0):
    """What speaks with a board that has told of men set up."""
    made = connected(board)
    made.receive(BOARDS[board][1], now)
    return made


def said(made, seconds, until=None):
    """Every write within so many seconds."""
    writes, now = [], 0.0
    while now < seconds:
        if data := made.poll(now):
            writes.append(data)
        now += 0.01
        if until and until(writes):
            break
    return writes


def standing(events):
    (snapshot,) = [event for event in events if isinstance(event, Snapshot)]
    return dict(snapshot.readings)


class TestVectors:
    def test_millennium_check(self):
        assert MILLENNIUM_START[-2:] == bytes([0x37, 0xB3])

    @pytest.mark.parametrize(
        ("command", "wire"),
        [("V", "D6B5B6"), ("S", "D3B5B3"), ("X", "58B538"), ("R02", "52B032B5B0")],
    )
    def test_millennium_frames(self, command, wire):
        assert chesslink.framed(command) == bytes.fromhex(wire)

    def test_lights_of_e2_and_e4(self):
        cells = frozenset({"e2", "e4"})
        board = load_description("certabo")
        plain = rows_of_bits(board, cells, a_file_highest=False)
        assert plain == bytes.fromhex("0000000010001000")
        made = connected("chessnut")
        assert made._frame(cells, {}) == bytes.fromhex("0A080000000008000800")

    def test_millennium_lights_of_e2(self):
        board = load_description("chesslink")
        assert chesslink.corners(*built_place(board, "e2")) == (43, 44, 52, 53)
        there = built_place(board.oriented(180), "e2")
        assert chesslink.corners(*there) == (29, 30, 38, 39)

    def test_coloured_certabo_lights_of_e2(self):
        made = session(certabo.CertaboSession, "certabo")
        frame = made._coloured_frame(frozenset({"e2"}))
        assert len(frame) == 247
        assert [i for i in range(81) if frame[2 + 3 * i]] == [12, 13, 21, 22]


PARSERS = [
    dgt.Parser,
    chessnut.Parser,
    chesslink.Parser,
    cpp.Parser,
    lambda: certabo.Parser(320),
    lambda: certabo.Parser(8),
]


@pytest.mark.parametrize("board", BOARDS)
class TestEveryBoard:
    def start(self, board):
        """What men set up are to a board: some, or each of its kind."""
        return dict.fromkeys(START, True) if board == "sentio" else START

    def test_bytes_may_come_one_by_one(self, board):
        made = connected(board)
        events = [event for byte in BOARDS[board][1] for event in made.receive(bytes([byte]), 1.0)]
        assert standing(events) == self.start(board)

    def test_noise_before_a_message_is_passed_over(self, board):
        for seed in range(20):
            noise = random.Random(seed).randbytes(300)
            events = connected(board).receive(noise + b"\n" + BOARDS[board][1] * 5, 1.0)
            assert standing(events) == self.start(board)

    def test_memory_is_bounded(self, board):
        made = connected(board)
        for seed in range(50):
            made.receive(random.Random(seed).randbytes(2000), 1.0)
        kept = [
            value
            for value in vars(made._parser).values()
            if isinstance(value, str | bytes | bytearray)
        ]
        assert sum(map(len, kept)) < 8192

    @pytest.mark.parametrize(
        ("heard", "told"), [(b"", "Nothing answers"), (b"Login: ", "Something answers")]
    )
    def test_a_board_that_does_not_answer_is_given_up_and_told_from_another_device(
        self, board, heard, told
    ):
        made = connected(board)
        made.receive(heard, 1.0)
        said(made, 6.5)
        assert f"{told} here" in str(made.problem)

    def test_the_driver_wants_its_own_description(self, board):
        with pytest.raises(DriverError, match=f'"{board}" in the configuration'):
            create(board, load_description("full"), {"port": "/dev/null"})


@pytest.mark.parametrize("make", PARSERS)
@given(chunks=st.lists(st.binary(max_size=80), max_size=30))
def test_any_bytes_are_read_without_error_and_however_they_are_cut(make, chunks):
    by_chunks, whole = make(), make()
    pieces = [message for chunk in chunks for message in by_chunks.feed(chunk)]
    assert pieces == whole.feed(b"".join(chunks))


class TestOrientation:
    @staticmethod
    def turned_round(message):
        return message[:3] + message[:2:-1]

    def test_a_board_that_lies_the_other_way_round_is_known_by_the_start(self):
        made = connected("dgt")
        events = made.receive(self.turned_round(DGT_START), 1.0)
        assert standing(events) == START
        assert [e.code for e in events if isinstance(e, BoardNotice)] == ["turned"]
        lifted = made.receive(bytes([0x8E, 0, 5, 0, 0]), 1.1)
        assert lifted == [CellEvent(1.1, "h1", None)]

    def test_and_back_again(self):
        made = connected("dgt")
        made.receive(self.turned_round(DGT_START), 1.0)
        assert standing(made.receive(DGT_START, 2.0)) == START

    def test_lights_turn_with_the_board(self):
        made = connected("chessnut")
        made.receive(b"\x01\x24" + CHESSNUT_START[::-1].translate(_SWAP) + bytes(4), 1.0)
        assert made._frame(frozenset({"a1"}), {}) == bytes.fromhex("0A080100000000000000")

    def test_other_positions_do_not_turn_it(self):
        made = connected("dgt")
        moved = bytearray(self.turned_round(DGT_START))
        moved[3 + 12], moved[3 + 20] = 0, moved[3 + 12]
        assert not any(isinstance(e, BoardNotice) for e in made.receive(bytes(moved), 1.0))


_SWAP = bytes((byte << 4 | byte >> 4) & 0xFF for byte in range(256))
"""Exchanges the halves of a byte."""


class TestDgt:
    def test_the_whole_board_is_asked_for_again_after_a_change(self):
        made = set_up("dgt", 0.9)
        said(made, 1.0)
        made.receive(bytes([0x8E, 0, 5, 52, 0]), 1.0)
        assert made.poll(1.2) == b""
        assert made.poll(1.4) == dgt.ASK_DUMP

    def test_a_removal_that_was_never_told_comes_with_the_next_dump(self):
        made = set_up("dgt", 1.0)
        dump = bytearray(DGT_START)
        dump[3] = 0
        assert made.receive(bytes(dump), 2.0) == [CellEvent(2.0, "a8", None)]

    def test_special_pieces_are_no_pieces(self):
        made = set_up("dgt", 1.0)
        assert made.receive(bytes([0x8E, 0, 5, 27, 0x0E]), 1.1) == []

    def test_dangerous_commands_are_never_sent(self):
        made = set_up("dgt", 0.5)
        made.show(Lights({"e4": "check"}))
        sent = b"".join(said(made, 5))
        assert set(sent) <= {0x42, 0x44}


class TestCertabo:
    @staticmethod
    def scan(tags):
        numbers = [0] * 320
        for index, tag in tags.items():
            numbers[5 * index : 5 * index + 5] = tag
        return (":" + "".join(f"{n} " for n in numbers) + "\r\n").encode()

    def test_a_tag_seen_once_is_noise(self):
        made = session(certabo.CertaboSession, "certabo")
        quiet, tag = self.scan({0: [3, 0, 84, 1, 9]}), [3, 0, 84, 2, 7]
        events = made.receive(quiet * 3, 1.0)
        assert standing(events) == {"a8": "0300540109"}
        assert made.receive(self.scan({0: [3, 0, 84, 1, 9], 9: tag}) + quiet * 3, 2.0) == []
        assert made.receive(self.scan({}) + quiet * 3, 3.0) == []

    def test_ids_of_mostly_zeros_are_noise(self):
        made = session(certabo.CertaboSession, "certabo")
        assert standing(made.receive(self.scan({5: [0, 0, 84, 0, 0]}) * 3, 1.0)) == {}

    def test_lines_broken_inside_numbers_are_read(self):
        made = session(certabo.CertaboSession, "certabo")
        line = self.scan({0: [30, 0, 84, 123, 9]}).replace(b"123", b"1\n23")
        assert standing(made.receive(line * 3, 1.0)) == {"a8": "1E00547B09"}

    def test_both_kinds_of_lights_are_tried_until_the_board_tells_its_kind(self):
        made = connected("sentio")
        made.receive(b":0 0 0 0 0 0 0 0 \r\n" * 3, 0.0)
        made.show(Lights({"e4": "must-go-here"}))
        assert sorted(map(len, said(made, 2.0))) == [8, 247]
        made.connect(0.0)
        made.receive(b"D\r\n" + b":0 0 0 0 0 0 0 0 \r\n" * 3, 0.0)
        assert list(map(len, said(made, 2.0))) == [247]

    def test_frames_keep_their_distance_and_only_the_newest_is_sent(self):
        made = connected("sentio")
        made.receive(b"L\r\n" + b":0 0 0 0 0 0 0 0 \r\n" * 3, 0.0)
        assert made.poll(0.0) == bytes(8)
        for cell in ("a1", "b1", "c1"):
            made.show(Lights({cell: "must-go-here"}))
            assert made.poll(0.3) == b""
        assert made.poll(0.6) == bytes([0, 0, 0, 0, 0, 0, 0, 4])
        assert made.poll(5.0) == b""


class TestChessLink:
    def test_a_damaged_frame_is_passed_over(self):
        made = connected("chesslink")
        good = MILLENNIUM_START
        bad = bytearray(good)
        bad[20] ^= 1
        assert made.receive(bytes(bad), 1.0) == []
        assert standing(made.receive(good, 1.1)) == START

    def test_a_board_that_tells_nothing_by_itself_is_asked(self):
        made = set_up("chesslink")
        assert said(made, 1.0).count(chesslink.framed("S")) >= 4

    def test_patterns_are_played_by_the_board(self):
        made = set_up("chesslink")
        made.show(Lights({"a1": "must-go-back"}))
        writes = [bytes(b & 0x7F for b in data) for data in said(made, 3.0)]
        lights = [data for data in writes if data.startswith(b"L")]
        assert len(lights) == 1
        assert lights[0].count(b"AA") == 4

    def test_the_boards_memory_is_left_alone(self):
        made = set_up("chesslink")
        assert not any(data[0] & 0x7F in b"WT" for data in said(made, 5.0))


class TestChessnut:
    def test_blinking_is_played_by_us_step_by_step(self):
        made = set_up("chessnut")
        made.show(Lights({"a1": "must-go-back", "h1": "must-go-here"}))
        rows = [data[9] for data in said(made, 2.0) if data.startswith(b"\x0a\x08")]
        assert rows[:4] == [0x81, 0x01, 0x81, 0x01]

    def test_writes_keep_their_distance(self):
        made = set_up("chessnut")
        made.sound("illegal", 0.0)
        made.show(Lights({"a1": "must-go-back"}))
        assert 8 <= len(said(made, 2.0)) <= 10

    def test_a_beep(self):
        made = set_up("chessnut")
        made.sound("illegal", 0.0)
        made.sound("unheard-of", 0.0)
        assert b"\x0b\x04\x01\x2c\x01\x90" in said(made, 2.0)

    def test_a_position_with_an_unknown_code_is_passed_over(self):
        made = connected("chessnut")
        assert made.receive(b"\x01\x24" + b"\xff" * 36, 0.0) == []


class TestCpp:
    def test_a_round_is_begun_with_what_stands_there(self):
        made = connected("cpp")
        made.receive(b"ok\nok\nstate 8/8/8/8/8/8/4P3/4K3 w\n", 0.0)
        lines = b"".join(said(made, 1.0)).decode().splitlines()
        assert lines[:3] == ["feature get_state", "feature state_stream", "get_state"]
        assert lines[3:] == ["begin 8/8/8/8/8/8/4P3/4K3 w"]

    def test_moves_are_acknowledged_so_that_the_board_goes_on(self):
        made = connected("cpp")
        made.receive(b"state 8/8/8/8/8/8/4P3/4K3\n", 0.0)
        said(made, 1.0)
        made.receive(b"move e2e4\n", 1.0)
        assert made.poll(1.1) == b"ok\n"

    def test_pieces_of_unknown_kind_are_something(self):
        assert cpp.readings("?b6/8/8/8/8/8/8/7u")[:2] == [True, "piece:bB"]
        assert cpp.readings("bb6/8/8/8/8/8/8/ww6")[:2] == [True, True]
        assert cpp.readings("9/8/8/8/8/8/8/8") is None
        assert cpp.readings("x7/8/8/8/8/8/8/8") is None

    def test_an_error_ends_nothing_and_is_passed_on_if_the_board_never_tells_its_state(self):
        made = connected("cpp")
        made.receive(b"err Unsupported command\n", 0.0)
        made.poll(1.0)
        assert made.problem is None
        made.poll(10.0)
        assert "Unsupported command" in str(made.problem)

    def test_the_state_is_asked_for_again_and_again_and_after_each_move(self):
        made = connected("cpp")
        made.receive(b"sync 8/8/8/8/8/8/4P3/4K3\n", 0.0)
        for second in (2, 4):
            said(made, 1.0)
            made.receive(b"state 8/8/8/8/8/8/4P3/4K3\n", second - 0.5)
            assert made.poll(second - 0.1) == b""
            assert made.poll(second + 0.1) == b"get_state\n"
        made.receive(b"move e2e4\n", 4.2)
        assert [made.poll(4.3), made.poll(4.4)] == [b"ok\n", b"get_state\n"]
        made.poll(4.2 + cpp.CppSession.silence + 0.1)
        assert "silent" in str(made.problem)
        assert cpp.CppSession.silence == 5.0

    def test_a_round_is_begun_until_the_board_has_heard_it(self):
        made = connected("cpp")
        said(made, 1.0)
        for _ in range(2):
            made.receive(b"state 8/8/8/8/8/8/4P3/4K3\n", 1.0)
            assert made.poll(1.1) == b"begin 8/8/8/8/8/8/4P3/4K3\n"
        made.receive(b"sync 8/8/8/8/8/8/4P3/4K3\nstate 8/8/8/8/8/8/4P3/4K3\n", 1.2)
        assert made.poll(1.3) == b""

    @pytest.mark.parametrize(
        "damaged",
        [b"stete 8/8/8/8/4P3/8/8/4K3\n", b"state 8/8/8/8/4P3/8/8/4K3state 8/8/8/8/4P3/8/8/4K3\n",
         b"\xff" * 600, b"state 8/8/8/8/4p3/8/8/4K3\n"],
    )  # fmt: skip
    def test_a_damaged_line_costs_nothing(self, damaged):
        made = connected("cpp")
        made.receive(b"sync 8/8/8/8/4P3/8/8/4K3\n", 0.0)
        said(made, 1.0)
        assert made.receive(damaged, 1.0) == []
        made.receive(b"\n", 1.0)
        assert made.receive(b"state 8/8/8/8/8/8/8/4K3\n", 2.2) == [CellEvent(2.2, "e4", None)]

    def test_a_piece_that_becomes_another_one_is_taken_when_it_is_said_twice(self):
        made = connected("cpp")
        made.receive(b"sync 8/8/8/4p3/4P3/8/8/4K3\n", 0.0)
        said(made, 1.0)
        taken = b"state 8/8/8/4P3/8/8/8/4K3\n"
        assert made.receive(taken, 1.0) == []
        assert made.poll(1.1) == b"get_state\n"
        assert {event.cell: event.reading for event in made.receive(taken, 1.2)} == {
            "e4": None, "e5": "piece:wP"
        }  # fmt: skip

    def test_over_bluetooth_a_notification_is_a_message_and_nothing_ends_a_line(self):
        made = session(cpp.CppRadioSession, "cpp")
        assert said(made, 1.0) == [b"feature get_state", b"feature state_stream", b"get_state"]
        made.receive(b"ok", 1.0)
        assert standing(made.receive(b"state 8/8/8/8/8/8/4P3/4K3 w", 1.0)) == {
            "e2": "piece:wP", "e1": "piece:wK"
        }  # fmt: skip
        assert made.poll(1.1) == b"begin 8/8/8/8/8/8/4P3/4K3 w"


def test_a_board_that_falls_silent_is_given_up():
    made = connected("dgt")
    events = made.receive(DGT_START, 0.5)
    assert isinstance(events[0], LinkChanged)
    said(made, 6.0)
    assert "gone silent" in str(made.problem)
