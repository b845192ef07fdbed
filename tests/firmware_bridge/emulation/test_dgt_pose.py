"""The own board as a DGT board: bytes as published, and a real client at the other end."""

import asyncio
import contextlib

import pytest
import serial

from drivers.commercial.dgt import dgt_board
from drivers.description import load_description
from drivers.port import CellEvent, DriverError, Snapshot
from firmware_bridge.emulation.dgt_pose import DgtPose
from firmware_bridge.emulation.posing import Posing
from tests.commands import running
from tests.firmware_bridge.emulation.own_board import TIERS, Bench, OwnBoard, posing, sensing, start
from tests.patience import PATIENCE, until

START_DUMP = bytes.fromhex(
    "86004308090A0C0B0A0908" + "07" * 8 + "00" * 32 + "01" * 8 + "0203040605040302"
)


@pytest.fixture(params=TIERS)
def bench(request):
    return Bench(DgtPose, request.param)


def test_the_starting_position_is_dumped_as_published(bench):
    assert bench.hear(0x42) == START_DUMP


def test_changes_are_told_only_when_asked_for(bench):
    assert bench.carry("e2", "e4") == b""
    assert bench.hear(0x44) == b""
    assert bench.carry("e7", "e5") == bytes.fromhex("8E00050C008E00051C07")
    bench.hear(0x40)
    assert bench.carry("g1", "f3") == b""


def test_a_capture_and_castling_end_in_the_right_position(bench):
    bench.hear(0x4B)
    for text in ("e2e4", "d7d5"):
        bench.carry(text[:2], text[2:])
    bench.t += 0.1
    taken = bench.stands.pop("d5")
    bench.pose.felt(bench.follower.feel(CellEvent(bench.t, "d5", None)))
    assert taken
    bench.carry("e4", "d5")
    for text in ("g8f6", "g1f3", "b8c6", "f1e2", "c6b8"):
        bench.carry(text[:2], text[2:])
    bench.carry("e1", "g1")
    bench.carry("h1", "f1")
    dump = bench.hear(0x42)[3:]
    squares = {name: dump[(8 - int(name[1])) * 8 + "abcdefgh".index(name[0])] for name in
               ("d5", "e4", "g1", "f1", "h1", "e1")}  # fmt: skip
    assert squares == {"d5": 1, "e4": 0, "g1": 5, "f1": 2, "h1": 0, "e1": 0}


def test_a_promoted_pawn_is_a_queen_where_nobody_can_feel_what_it_is():
    bench = Bench(DgtPose, "occupancy")
    position = bench.follower.position.game.parse("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    bench.stands = {"e8": True, "a7": True, "e1": True}
    bench.follower.begin(position, bench.t)
    bench.follower.feel(Snapshot(bench.t, bench.stands))
    bench.carry("a7", "a8")
    assert bench.hear(0x42)[3] == 6


def test_setting_up_again_begins_another_game(bench):
    bench.carry("e2", "e4")
    bench.carry("d7", "d5")
    bench.carry("g1", "f3")
    bench.t += 1
    fresh = start("identity" if isinstance(bench.stands["a1"], str) else "occupancy")
    bench.pose.felt(bench.follower.feel(Snapshot(bench.t, fresh)))
    bench.wait(5.0)
    assert bench.hear(0x42) == START_DUMP


def test_what_every_program_asks_first_is_answered(bench):
    assert bench.hear(0x4D) == bytes.fromhex("9300050107")
    assert bench.hear(0x45) == bytes.fromhex("910008") + b"00001"
    assert bench.hear(0x46) == bytes.fromhex("9000050001")
    assert bench.hear(0x55) == bytes.fromhex("A2000D") + b"0000000001"
    kind, *_ = trademark = bench.hear(0x47)
    assert kind == 0x92
    assert trademark[1] << 7 | trademark[2] == len(trademark)
    assert b"Digital Game Technology" in trademark
    assert all(byte < 0x80 for byte in trademark[1:])


def test_who_asks_for_a_clock_hears_that_there_is_none(bench):
    clock = bench.hear(0x41)
    assert len(clock) == 10
    assert clock[0] == 0x8D
    assert clock[9] & 0x20


def test_messages_for_a_clock_and_dangerous_commands_are_taken_in_silence(bench):
    beep = bytes.fromhex("2B04030B0100")
    assert bench.pose.hear(beep[:3], 0.0) + bench.pose.hear(beep[3:], 0.0) == b""
    assert bench.hear(0x60, 0x04, 0x00, 0x40, 0x42, 0x00) == b""
    assert bench.hear(0x4E, *range(0x50, 0x55)) == b""
    assert bench.hear(0x42) == START_DUMP


@pytest.mark.parametrize("tier", TIERS)
async def test_a_program_at_the_port_sees_what_hands_do(tmp_path, tier):
    board = OwnBoard(tier)
    async with posing(board, sensing(tier), "dgt", tmp_path / "port"):
        client = dgt_board(load_description("dgt"), str(tmp_path / "port"))
        async with client, asyncio.timeout(PATIENCE):
            seen = {}
            async for event in client.events():
                if isinstance(event, Snapshot):
                    seen = dict(event.readings)
                    assert seen["e1"] == "piece:wK"
                    assert len(seen) == 32
                    board.carry("e2", "e4")
                elif isinstance(event, CellEvent):
                    seen[event.cell] = event.reading
                if seen.get("e4") == "piece:wP" and seen.get("e2") is None:
                    break


def test_a_board_without_a_chess_board_is_refused(tmp_path):
    (tmp_path / "small.toml").write_text(
        'name = "small"\ntier = "occupancy"\n[grid]\nfiles = 7\nranks = 7\n'
    )
    board = OwnBoard("occupancy")
    board.description = load_description(str(tmp_path / "small.toml"))
    with pytest.raises(DriverError, match="no chess board"):
        Posing(board, sensing("occupancy"), "dgt", tmp_path / "port")


def test_the_real_command_on_the_simulated_board(tmp_path):
    own, port = tmp_path / "own", tmp_path / "port"
    simulate = ("simulate", "--game", "indistinguishable", "--link", str(own))
    changes = [f"board.settings.port={own}", "board.driver=serial", "board.description=simulated"]
    pose = ("pose", "dgt", "--link", str(port), *(f"--set={change}" for change in changes))
    with contextlib.ExitStack() as stack:
        for command, link in ((simulate, own), (pose, port)):
            stack.enter_context(running(*command, output=tmp_path / f"{command[0]}.log"))
            until(link.exists)
        line = stack.enter_context(serial.Serial(str(port), 9600, timeout=0.5))
        heard = bytearray()

        def asked():
            line.write(b"\x42")
            heard.extend(line.read(67))
            return START_DUMP in heard

        until(asked)
