"""What stands for the chip's USB port, under the firmware's own reading and writing."""

from types import SimpleNamespace


class Polled:
    """MicroPython's `select.poll` for one stream."""

    def register(self, stream, _mask):
        self._ready = stream.ready

    def ipoll(self, timeout):
        assert timeout == 0
        return iter([None] if self._ready() else [])


class Usb:
    """A USB port that has so many bytes and so much room; whoever asks for more is stuck."""

    def __init__(self, monkeypatch):
        self.inward, self.outward, self.room = b"", b"", 0
        monkeypatch.setattr(
            "boardware.usb.select", SimpleNamespace(poll=Polled, POLLIN=1, POLLOUT=4)
        )
        stdin = SimpleNamespace(ready=lambda: self.inward, buffer=SimpleNamespace(read=self._read))
        stdout = SimpleNamespace(ready=lambda: self.room, buffer=SimpleNamespace(write=self._write))
        monkeypatch.setattr("boardware.usb.sys", SimpleNamespace(stdin=stdin, stdout=stdout))

    def _read(self, count):
        assert count <= len(self.inward), "it waits for the host"
        data, self.inward = self.inward[:count], self.inward[count:]
        return data

    def _write(self, data):
        assert len(data) <= self.room, "it waits for the host, and then loses the rest"
        self.room -= len(data)
        self.outward += bytes(data)
