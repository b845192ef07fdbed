"""An emulated machine with the installed service on its disk, and what may happen to it.

QEMU emulates the processor, so nothing of the host's kernel counts; the simulated board is a USB
serial adapter to the machine, or a Pico, and can be plugged in at any time.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.tools.emulated_console import Console
from hardware.tools.emulated_disk import Disk
from hardware.tools.usb_pico import UsbPico

PIN = "271828"
"""The referee's, as `hardware/install/make-disk` sets it."""
_MACHINES = {
    "amd64": ("qemu-system-x86_64", "-machine", "q35", "-cpu", "max"),
    "arm64": ("qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"),
}
_CONSOLES = {"amd64": "ttyS0", "arm64": "ttyAMA0"}
_KERNEL = (
    "systemd.show_status=0 systemd.default_device_timeout_sec=900"
    " systemd.default_timeout_start_sec=900 printk.devkmsg=on no_timer_check panic=-1"
)
"""What the kernel is told: a start that takes minutes must not cost a device or a service, nothing
that is said there may be left out, on a busy computer its timer must not be taken for broken, and a
panic must not be waited for."""


class TrialError(AssertionError):
    """Something did not happen that should have; the text says what."""


def within(seconds: float, what: str, found: Callable[[], Any]) -> Any:  # noqa: ANN401 - as found
    """Ask until there is an answer that is true, and return it.

    Raises:
        TrialError: there was none in time.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            answer = found()
        except (OSError, ValueError):
            answer = None
        if answer:
            return answer
        time.sleep(0.25)
    raise TrialError(f"{what}: not within {seconds:.0f} s.")


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def ask(url: str, body: object = None, cookie: str = "") -> tuple[Any, str]:
    """Get, or post a body as JSON; return the answer and the cookie that came with it.

    Raises:
        OSError: nobody answers.
        TrialError: the answer is a refusal.
        ValueError: the answer is not JSON.
    """
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    request = urllib.request.Request(url, data, headers)  # noqa: S310 - always http
    try:
        answer = urllib.request.urlopen(request, timeout=60)  # noqa: S310
    except urllib.error.HTTPError as refused:
        text = refused.read().decode(errors="replace")
        raise TrialError(f"{url} refuses {body}: {refused.code} {text}") from None
    with answer:
        given = str(answer.headers.get("Set-Cookie", "")).partition(";")[0]
        return json.loads(answer.read() or b"null"), given


class Running:
    """A machine that was switched on, and what its console has told since.

    Attributes:
        console: the file that it tells it to.
    """

    console: Path
    _process: subprocess.Popen[bytes]

    def said(self, prefix: str) -> list[str]:
        """Return what was said behind a prefix where its kernel speaks, so far.

        Raises:
            TrialError: the machine has gone down.
        """
        if self._process.poll() is not None:
            raise TrialError(f"The machine has ended; what it said last is in {self.console}.")
        *lines, _unfinished = self.console.read_text(errors="replace").split("\n")
        return [line.partition(prefix)[2].strip() for line in lines if prefix in line]

    @property
    def restarts(self) -> bool:
        """Whether it has gone down to start anew."""
        told = self.console.read_text(errors="replace")
        return self._process.poll() is not None or "reboot: Restarting system" in told

    def cut(self) -> None:
        """Take the power away."""
        self._process.kill()
        self._process.wait()


class Machine(Running):
    """A machine that QEMU emulates.

    Args:
        disk: what it starts from.
        stick: a second drive, which is only read.
    """

    def __init__(self, disk: Disk, stick: Path | None = None) -> None:
        self.disk, self._stick = disk, stick
        self.url = f"http://127.0.0.1:{free_port()}/"
        self._control, self._shell = disk.folder / "control", disk.folder / "shell"
        for path in (self._control, self._shell):
            path.unlink(missing_ok=True)
        self._pico: UsbPico | None = None
        self._plugs = 0
        self._console: Console | None = None
        disk.log.write_bytes(b"")
        self.console = disk.folder / "console"
        self.console.write_bytes(b"")  # nothing is said until QEMU has opened it
        self._process = subprocess.Popen(self._command(), stdin=subprocess.DEVNULL)  # noqa: S603

    def _command(self) -> list[str]:
        folder, port = self.disk.folder, self.url.rstrip("/").rpartition(":")[2]
        written = f"driver=raw,file.driver=file,file.filename={self.disk.path}"
        logged = f"driver=file,filename={self.disk.log}"
        return [
            *_MACHINES[self.disk.architecture],
            *(
                "-accel",
                "tcg",
                "-m",
                "1024",
                "-smp",
                "1",
                "-display",
                "none",
                "-vga",
                "none",
            ),
            *("-kernel", str(folder / "vmlinuz"), "-initrd", str(folder / "initrd")),
            *("-append", f"console={_CONSOLES[self.disk.architecture]} {self.disk.root} {_KERNEL}"),
            *("-blockdev", f"{written},node-name=raw", "-blockdev", f"{logged},node-name=log"),
            *("-blockdev", "driver=blklogwrites,node-name=disk,file=raw,log=log"),
            *("-device", "virtio-blk-pci,drive=disk", *self._second(), "-device", "qemu-xhci"),
            # Nothing starts from the network, so the program for that need not be installed.
            *("-global", "virtio-net-pci.romfile="),
            *("-nic", f"user,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:{port}-:8321"),
            *("-serial", f"file:{self.console}", "-qmp", f"unix:{self._control},server,nowait"),
            *("-chardev", f"socket,id=shell,path={self._shell},server=on,wait=off"),
            *("-device", "virtio-serial", "-device", "virtconsole,chardev=shell"),
        ]

    def _second(self) -> tuple[str, ...]:
        if self._stick is None:
            return ()
        read = f"driver=raw,file.driver=file,file.filename={self._stick},read-only=on"
        return ("-blockdev", f"{read},node-name=stick", "-device", "virtio-blk-pci,drive=stick")

    def state(self) -> dict[str, Any]:
        """Return what the display shows."""
        if self._process.poll() is not None:
            raise TrialError("QEMU has ended; what it said stands above.")
        answer: dict[str, Any] = ask(f"{self.url}api/v1/state?language=en")[0]
        return answer

    def referee(self) -> str:
        """Return the cookie of the referee."""
        return ask(f"{self.url}api/v1/referee", {"key": PIN})[1]

    def ready(self) -> bool:
        """Tell whether the service says that board and storage are well."""
        try:
            with urllib.request.urlopen(f"{self.url}readyz", timeout=5) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except urllib.error.HTTPError:
            return False

    def shell(self, patience: float) -> Console:
        """Return the root shell in the machine, which must be there within so many seconds."""
        if self._console is None:
            self._console = Console(self._shell, patience)
        return self._console

    def plug(self, port: Path, *, pico: bool) -> None:
        """Plug in a USB serial adapter, or a Pico, that leads to a port of this machine's."""
        within(10, "QEMU's control", self._control.exists)
        self._plugs += 1
        name = f"board{self._plugs}"
        if pico:
            path = self.disk.folder / "pico"
            self._pico = UsbPico(path, port)
            address = {"type": "unix", "data": {"path": str(path)}}
            backend = {"type": "socket", "data": {"addr": address, "server": False}}
        else:
            backend = {"type": "serial", "data": {"device": str(port.resolve())}}
        self._order("chardev-add", id=name, backend=backend)
        driver = "usb-redir" if pico else "usb-serial"
        self._order("device_add", driver=driver, chardev=name, id=name)

    def unplug(self) -> None:
        """Pull the cable of what was plugged in last."""
        self._order("device_del", id=f"board{self._plugs}")
        self._take_pico_away()

    def _take_pico_away(self) -> None:
        if self._pico:
            self._pico.unplug()
            self._pico = None

    def cut(self) -> None:
        """Take the power away, and what was plugged in."""
        super().cut()
        self._take_pico_away()
        if self._console:
            self._console.close()

    def _order(self, command: str, **arguments: object) -> None:
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(self._control))
            answers = link.makefile("r")
            answers.readline()
            for order in ({"execute": "qmp_capabilities"}, _order(command, arguments)):
                link.sendall(json.dumps(order).encode() + b"\n")
                while "event" in (answer := json.loads(answers.readline())):
                    pass
                if "error" in answer:
                    raise TrialError(f"QEMU refuses {command}: {answer['error']['desc']}")


def _order(command: str, arguments: dict[str, object]) -> dict[str, object]:
    return {"execute": command, "arguments": arguments}
