"""The own board as a CPP device: the dialogues of the protocol, and a real central at the port."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.commercial.cpp import cpp_board
from drivers.description import load_description
from drivers.port import CellEvent, Snapshot
from firmware_bridge.emulation.cpp_pose import CppPose
from tests.firmware_bridge.emulation.own_board import TIERS, Bench, OwnBoard, posing, sensing
from tests.patience import soon
from tests.running import running

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
FULL = f"{START} w KQkq - 0 1"


class Lines(Bench):
    """The same, in lines of text."""

    @staticmethod
    def read(told):
        return told.decode().splitlines()

    def say(self, *lines):
        self.t += 0.01
        return self.read(self.pose.hear("".join(f"{line}\n" for line in lines).encode(), self.t))


@pytest.fixture(params=TIERS)
def bench(request):
    return Lines(CppPose, request.param)


@pytest.mark.parametrize("fen", [FULL, f"{START} w", START])
def test_a_round_begins_in_step(bench, fen):
    assert bench.say(f"begin {fen}") == [f"sync {START}"]


def test_moves_of_both_sides(bench):
    bench.say(f"begin {FULL}", "feature moved")
    assert bench.carry("e2", "e4") == ["move e2e4"]
    assert bench.say("ok") == []
    assert bench.say("move e7e5") == []
    bench.wait(2.0)
    assert bench.follower.way_back == {"e7": "must-go-back", "e5": "must-go-here"}
    assert bench.carry("e7", "e5") == ["moved"]
    assert bench.follower.way_back == {}
    assert bench.carry("g1", "f3") == ["move g1f3"]


def test_a_move_that_is_refused_must_be_taken_back(bench):
    bench.say(f"begin {FULL}")
    bench.carry("a2", "a3")
    (told,) = bench.say("nok")
    assert told.startswith("unsync rnbqkbnr/pppppppp/8/8/8/")
    assert bench.wait(5.0) == []  # however long it takes, it is not made again
    assert bench.follower.way_back == {"a3": "must-go-back", "a2": "must-go-here"}
    back = bench.carry("a3", "a2")
    assert back[-1] == f"sync {START}"
    assert bench.carry("e2", "e4")[-1] == "move e2e4"


def test_what_no_move_explains_is_out_of_step_until_it_is_right(bench):
    bench.say(f"begin {FULL}")
    told = bench.carry("a1", "e5", wait=8.0)
    assert told[0].startswith("unsync ")
    assert bench.follower.way_back
    assert bench.carry("e5", "a1", wait=2.0)[-1] == f"sync {START}"


def test_a_position_that_does_not_stand_there_is_set_up_first(bench):
    (told,) = bench.say("begin rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert told.startswith("unsync ")
    told = bench.carry("e7", "e5", wait=2.0)
    assert told[-1].startswith("sync ")


def test_states_are_streamed_to_who_asked_for_them(bench):
    assert bench.say("feature state_stream", "feature get_state") == ["ok", "ok"]
    assert bench.say("get_state") == [f"state {START}"]
    bench.say(f"begin {FULL}")
    told = bench.carry("e2", "e4")
    assert told[0] == "state rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"
    assert told[-2:] == ["state rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "move e2e4"]


def test_features_and_variants_that_are_not_there_are_denied(bench):
    asked = ["feature option", "feature time", "variant chess_960", "variant standard"]
    assert bench.say(*asked) == ["nok", "nok", "nok", "ok"]


def test_castling_is_the_kings_move(bench):
    fen = "r3k2r/8/8/3pP3/8/8/8/4K2R w K d6 0 1"
    bench.say(f"begin {fen}", "feature moved")
    came_from = {"a8": "a8", "e8": "e8", "h8": "h8", "d5": "d7", "e5": "e2", "e1": "e1", "h1": "h1"}
    bench.stands = {cell: bench.stands[source] for cell, source in came_from.items()}
    bench.t += 0.1
    bench.pose.felt(bench.follower.feel(Snapshot(bench.t, bench.stands)))
    bench.wait(2.0)
    bench.carry("h1", "f1", wait=0.1)
    assert "move e1g1" in bench.carry("e1", "g1", wait=3.0) + bench.wait(3.0)


@pytest.mark.parametrize("line", ["begin nonsense", "move e2e5", "move", "dance", "undo e2e4"])
def test_what_makes_no_sense_is_an_error_and_no_harm(bench, line):
    bench.say("end abort")
    (told,) = bench.say(line)
    assert told.startswith("err ")
    assert bench.say(f"begin {FULL}") == [f"sync {START}"]


def test_the_centrals_illegal_move_is_an_error(bench):
    bench.say(f"begin {FULL}")
    assert bench.say("move e2e5")[0].startswith("err ")


def test_a_promotion_that_the_central_decides():
    bench = Lines(CppPose, "occupancy")
    bench.say("begin 4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    bench.stands = {"e8": True, "a7": True, "e1": True}
    bench.t += 0.1
    bench.pose.felt(bench.follower.feel(Snapshot(bench.t, bench.stands)))
    bench.wait(2.0)
    assert bench.carry("a7", "a8")[-1] == "move a7a8q"
    assert bench.say("promote a7a8n") == []
    assert bench.follower.position.placement["a8"] == "wN"


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_no_bytes_break_it(chunks):
    bench = Lines(CppPose, "occupancy")
    for chunk in chunks:
        bench.pose.hear(chunk, bench.t)
    assert bench.say("", f"begin {FULL}")[-1] == f"sync {START}"


@pytest.mark.parametrize("tier", TIERS)
async def test_a_central_at_the_port_sees_what_hands_do(tmp_path, tier):
    board = OwnBoard(tier)
    async with posing(board, sensing(tier), "cpp", tmp_path / "port"):
        client = cpp_board(load_description("cpp"), str(tmp_path / "port"))
        seen = {}

        async def listen():
            async for event in client.events():
                if isinstance(event, Snapshot):
                    seen.update(event.readings)
                elif isinstance(event, CellEvent):
                    seen[event.cell] = event.reading

        async with client, running(listen()):
            await soon(lambda: seen.get("e1") == "piece:wK")
            board.carry("e2", "e4")
            await soon(lambda: seen.get("e4") == "piece:wP" and not seen.get("e2"))
