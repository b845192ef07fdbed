"""One step of measuring memory; run by frugal.mjs, which says which."""

import gc

step = globals()["step"]
if step == "bench":
    import json
    import os
    import sys

    sys.path[:0] = ["/fakes", "/board"]
    os.chdir("/board")
    import bench
    import machine

    with open("config.json") as file:
        config = json.load(file)
    bench.build(config)
    results = {}
elif step == "code":
    results["bench"] = gc.mem_alloc()
    from boardware import pico
    from boardware.board import Board

    from drivers.link.board_session import BoardSession, Identity
elif step == "board":
    results["code"] = gc.mem_alloc() - results["bench"]

    class Wire:
        def read(self):
            return b""

        def write(self, data):
            return len(data)

    class Watchdog:
        def feed(self):
            pass

    class StillChain:
        """Contacts that are all open, and that need no memory to say so."""

        size = (config["cells"] + 7) // 8

        def read_into(self, buffer):
            for index in range(self.size):
                buffer[index] = 0xFF
            return True

    parts = pico.Parts(config, machine, pico.PioLine)
    parts.scanner = StillChain()
    identity = Identity(config["name"], 0, config["tier"], config["cells"], 4, 31, (0, 1, 0))
    session = BoardSession(identity, 1, 0)
    board = Board(parts, session, Wire(), Watchdog())
    for _ in range(1000):
        board.step()
else:
    results["board"] = gc.mem_alloc() - results["bench"] - results["code"]
    # What comes by the clock (a snapshot, a background check) must not fall on a busy machine's
    # fewer passes, nor a collection count as saving: the usual idle pass is the one that counts.
    batches = []
    for _ in range(10):
        before = gc.mem_alloc()
        for _ in range(200):
            board.step()
        batches.append((gc.mem_alloc() - before) / 200)
    results["pass"] = sorted(batches)[len(batches) // 2]
    print(json.dumps(results))
