"""A seat's process, as its owner has it: real processes, killed, stopped, talking nonsense."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

import rules
from firmware_bridge.opponents import protocol
from firmware_bridge.service import seat_process as owner
from firmware_bridge.service.liveness import Pulse
from firmware_bridge.service.seat_process import Attempt, Fault, Opponent
from tests.patience import PATIENCE, in_time, soon

GAME = rules.load("reversi")
SEATING = protocol.Seating("reversi", {}, level=2, seed="1")
START = GAME.start()
KNOWN = protocol.knows(START.knowledge("white"))


def script(code):
    """A process of our own making in the place of the seat's."""
    return (sys.executable, "-c", code)


ANSWERING = """
import sys
for line in sys.stdin:
    if line.startswith("isready"):
        print("readyok", flush=True)
    if line.startswith("go"):
        {}
"""
"""Answers as it should until it is to think."""


async def fault_of(opponent):
    async with asyncio.timeout(PATIENCE):
        return await opponent.fault


@pytest.fixture
async def started():
    """Start a process in a seat; whatever was started is closed in the end."""
    async with contextlib.AsyncExitStack() as all_of_them:

        async def start(command=None, told=(KNOWN,), seating=SEATING):
            opponent = await Opponent.start(seating, told, *([command] if command else []))
            all_of_them.push_async_callback(opponent.close)
            return opponent

        yield start


async def test_it_names_a_legal_turn_and_the_same_one_again(started):
    turns = []
    for _ in range(2):
        opponent = await started()
        turns.append(await opponent.think(START))
        assert not opponent.fault.done()
    assert turns[0] == turns[1]
    assert turns[0] in set(START.turns())


async def test_a_restarted_one_that_is_told_all_again_goes_on_alike(started):
    turn = START.parse_turn("e2e4")
    after = START.play(turn)
    reply = next(iter(after.turns()))
    told = (
        KNOWN,
        protocol.saw(START.seen(turn, "white")),
        protocol.saw(after.seen(reply, "white")),
    )
    position = after.play(reply)
    first = await started()
    for line in told[1:]:
        first.tell(line)
    again = await started(told=told)
    assert await first.think(position) == await again.think(position)


async def test_its_owner_is_told_when_it_is_killed(started):
    opponent = await started()
    opponent._process.send_signal(signal.SIGKILL)
    assert (await fault_of(opponent)).kind == "ended"
    with pytest.raises(Fault):
        await opponent.think(START)


async def test_its_owner_is_told_when_it_is_killed_while_it_thinks(started):
    opponent = await started(script(ANSWERING.format("pass")))
    thinking = asyncio.create_task(opponent.think(START))
    await asyncio.sleep(0)
    opponent._process.send_signal(signal.SIGKILL)
    with pytest.raises(Fault) as told:
        await thinking
    assert told.value.kind == "ended"


LEAVING = """
import os, time
left = os.fork()
if left:
    print("info string", left, flush=True)
else:
    os.setsid()
time.sleep(600)
"""
"""Starts what is in no session of its owner's, and holds its pipes."""


async def test_what_it_has_left_behind_holds_nobody_up(started):
    opponent = await started(script(LEAVING))
    await soon(lambda: opponent.note)
    try:
        os.kill(opponent.pid, signal.SIGKILL)
        assert (await fault_of(opponent)).kind == "ended"
        await in_time(opponent.close())
        assert opponent._pipes.is_closing()
    finally:
        os.kill(int(opponent.note), signal.SIGKILL)


async def test_its_owner_is_told_when_it_is_stopped(started):
    opponent = await started()
    opponent._process.send_signal(signal.SIGSTOP)
    assert (await fault_of(opponent)).kind == "stopped"
    assert await opponent._process.wait() == -signal.SIGKILL


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(3600)",
        "import sys\nfor line in sys.stdin: pass",
        ANSWERING.format("__import__('time').sleep(3600)"),
        ANSWERING.format("exec('while True: pass')"),
    ],
    ids=["never heard of", "mute", "asleep in thought", "lost in thought"],
)
async def test_its_owner_is_told_when_it_is_silent(started, code):
    opponent = await started(script(code))
    if "readyok" in code:
        await soon(lambda: opponent._pulse._ever)
    opponent.tell("go")
    assert (await fault_of(opponent)).kind == "silent"


@pytest.mark.parametrize(
    "garbage",
    [
        "print('hello')",
        "print('bestmove e2e4')",
        "print('bestmove e2e4 ponder')",
        "print('info string \\x1b[2J')",
        "__import__('os').write(1, bytes(range(256)))",
        "__import__('os').write(1, b'x' * 300000)",
        "print()",
    ],
)
async def test_its_owner_is_told_when_it_talks_garbage(started, garbage):
    opponent = await started(script(f"{garbage}\nimport sys; sys.stdout.flush(); input()"))
    assert (await fault_of(opponent)).kind == "garbage"


@pytest.mark.parametrize(
    "line",
    [
        "readyok",
        "info depth 1 score cp 0 nodes 1 pv e2e4",
        "info string " + 60_000 * "x",
        'info worlds 1 chances {"e2": {"wP": 1.0}}',
    ],
)
async def test_a_flood_of_its_words_is_a_fault_and_never_holds_its_owner(started, line):
    flood = "while True: print(line, flush=True)"
    opponent = await started(script(f"line = {line!r}\n{flood}"))
    assert (await fault_of(opponent)).kind == "flood"
    await in_time(opponent.close())


async def test_it_is_closed_in_the_midst_of_a_flood(started):
    flood = "import os\nos.fork()\nwhile True: print('info string ' + 60_000 * 'x')"
    opponent = await started(script(flood))
    for task in opponent._tasks:
        task.cancel()  # nobody reads, so that its pipe is full
    await in_time(opponent.close())


HUNGRY = """
import firmware_bridge.opponents.process as process
def eat(self, text):
    eaten = []
    while True:
        eaten.append([len(eaten)] * 1000)
process.Loop._go = eat
process.run()
"""


async def test_its_owner_is_told_when_its_memory_is_exhausted(started):
    opponent = await started(script(HUNGRY))
    opponent.tell("go")
    assert (await fault_of(opponent)).kind == "exhausted"


@pytest.mark.parametrize("turn", ["e2e5", "e7e5", "nonsense", "e2e4~e1", "0000"])
async def test_an_illegal_turn_is_never_passed_on(started, turn):
    opponent = await started(script(ANSWERING.format(f"print('bestmove {turn}', flush=True)")))
    with pytest.raises(Fault) as told:
        await opponent.think(START)
    assert told.value.kind == "illegal"
    assert (await fault_of(opponent)).kind == "illegal"


async def test_what_the_games_own_referee_rules_on_is_an_attempt_and_no_turn(started):
    game = rules.load("indistinguishable")
    for text, kind in (("e7e5", Attempt), ("e2e4", type(START.parse_turn("e2e4")).__base__)):
        opponent = await started(script(ANSWERING.format(f"print('bestmove {text}', flush=True)")))
        assert isinstance(await opponent.think(game.start()), kind)


async def test_who_never_comes_to_an_end_is_too_late(started, monkeypatch):
    monkeypatch.setattr(owner, "GRACE_S", 0.1)
    opponent = await started(script(ANSWERING.format("pass")))
    with pytest.raises(Fault) as told:
        await opponent.think(START, ceiling_s=0.1)
    assert told.value.kind == "late"


async def test_a_ceiling_makes_it_name_the_best_so_far(started):
    seating = protocol.Seating("mockery", {}, level=5, seed="1")
    start = rules.load("mockery").start()
    opponent = await started(told=(protocol.knows(start.knowledge("white")),), seating=seating)
    assert await opponent.think(start, ceiling_s=0.001) in set(start.turns())


async def test_one_that_cannot_be_started_is_a_fault(started):
    with pytest.raises(Fault):
        await started(("/nonexistent/mind",))


async def test_it_has_low_priority(started):
    opponent = await started()
    await opponent.think(START)
    assert os.getpriority(os.PRIO_PROCESS, opponent.pid) == min(19, os.nice(0) + 10)


async def test_a_word_about_another_game_ends_it(started):
    opponent = await started()
    await opponent.think(START)
    for line in (*protocol.Seating("mockery", {}, 2, "1").lines(), KNOWN):
        opponent.tell(line)
    assert (await fault_of(opponent)).kind == "ended"


def test_it_ends_with_its_owner():
    code = (
        "import subprocess, sys\n"
        "seat = subprocess.Popen([sys.executable, '-m', 'firmware_bridge.opponents'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "seat.stdin.write(b'isready\\n'); seat.stdin.flush(); seat.stdout.readline()\n"
        "print(seat.pid, flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen(script(code), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        pid = int(owner.stdout.readline())
        seat = os.pidfd_open(pid)
        owner.kill()
    import select

    assert select.select([seat], [], [], PATIENCE)[0]
    os.close(seat)


@pytest.mark.parametrize(
    ("does", "computes"), [("time.sleep(9)", False), ("while True: pass", True)]
)
def test_what_it_computes_or_sleeps_through_is_its_own_time(does, computes):
    """A process that only waits for its share of the processor uses up nothing of its grace."""
    code = f"import time; print(flush=True)\n{does}"
    with subprocess.Popen(script(code), stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        pulse = Pulse(process.pid)
        pulse.own_time()
        began, had = time.monotonic(), [pulse.own_time()]
        while sum(had) < 0.3 and time.monotonic() - began < PATIENCE:
            time.sleep(0.05)
            had.append(pulse.own_time())
        process.kill()
    passed = time.monotonic() - began
    assert 0.3 <= sum(had) <= passed + 0.1
    assert computes or sum(had) > passed - 0.2
