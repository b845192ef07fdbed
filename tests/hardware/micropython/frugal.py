"""One step of measuring memory; run by frugal.mjs, which says which."""

import gc

step = globals()["step"]
if step == "bench":
    import io
    import json
    import os
    import select
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
    from boardware import board as board_module
    from boardware import pico
    from boardware.board import Board
    from boardware.usb import UsbWire

    from drivers.link.board_session import BoardSession, Identity
elif step == "board":
    results["code"] = gc.mem_alloc() - results["bench"]

    class Silent(io.IOBase):
        """A stream on which nothing comes."""

        def ioctl(self, request, argument):
            return 0

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

    wire = UsbWire()
    silent = select.poll()
    silent.register(Silent())
    wire._came = wire._room = silent.ipoll
    parts = pico.Parts(config, machine, pico.PioLine)
    parts.scanner = StillChain()
    identity = Identity(config["name"], 0, config["tier"], config["cells"], 4, 31, (0, 1, 0))
    session = BoardSession(identity, 1, 0)
    # A busy machine's passes are slow: let each do all that a Pico does in several.
    board_module.SPEAK_MS = 0
    board = Board(parts, session, wire, Watchdog())
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
