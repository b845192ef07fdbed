"""A line between a browser and a server that can stand still, or break, and come back."""

import contextlib
import socket
import threading
import time


class HeldLine:
    """A port of this machine that leads to another one, as long as it is not held or cut."""

    def __init__(self, target):
        self.target, self.held, self.cut = target, False, False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.ends = [self.listener]
        threading.Thread(target=self._answer, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._close(self.ends)

    def stand_still(self):
        """Keep what is sent, both ways, until it goes on: nobody is told."""
        self.held = True

    def break_off(self):
        """End what is open, and let nothing new begin until it goes on."""
        self.cut = True
        self._close(self.ends[1:])

    def go_on(self):
        self.held = self.cut = False

    def _answer(self):
        with contextlib.suppress(OSError):  # until the end
            while True:
                caller, _ = self.listener.accept()
                if self.cut:
                    caller.close()
                    continue
                server = socket.create_connection(("127.0.0.1", self.target))
                self.ends += [caller, server]
                for source, target in ((caller, server), (server, caller)):
                    threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source, target):
        with contextlib.suppress(OSError):
            while sent := source.recv(1 << 16):
                while self.held:
                    time.sleep(0.02)
                target.sendall(sent)
        self._close([source, target])

    @staticmethod
    def _close(ends):
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
