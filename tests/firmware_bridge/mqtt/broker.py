"""A real Mosquitto on loopback, started by the test, and a client that remembers what it heard."""

import asyncio
import contextlib
import json
import shutil
import socket
import subprocess
import sys
from functools import partial

import aiomqtt

from tests.conftest import PATH
from tests.patience import PATIENCE, free_port, until

PROGRAM = shutil.which("mosquitto", path=PATH)


class Mosquitto:
    """Starts, stops and dies on demand; always at the same port."""

    def __init__(self, folder, extra="allow_anonymous true"):
        self.port = free_port()
        self.folder = folder
        self.config = folder / "mosquitto.conf"
        # Started by root, Mosquitto would otherwise become a user who cannot read the test's files.
        self.config.write_text(f"user root\nlistener {self.port} 127.0.0.1\n{extra}\n")
        self.process = None

    def start(self):
        log = (self.folder / "mosquitto.log").open("a")
        self.process = subprocess.Popen([PROGRAM, "-c", str(self.config)], stdout=log, stderr=log)
        log.close()
        until(self._answers, "Mosquitto does not answer", 0.02)

    def _answers(self):
        assert self.process.poll() is None, (self.folder / "mosquitto.log").read_text()
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), PATIENCE).close()
            return True
        return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.kill()


class Ear:
    """Hears everything below a topic; `kept` tells whether the broker had kept a message."""

    def __init__(self, port, topic="#", **login):
        self._client = aiomqtt.Client("127.0.0.1", port, timeout=PATIENCE, **login)
        self._topic = topic
        self.heard = []
        self.latest = {}
        self._moved = asyncio.Condition()

    async def __aenter__(self):
        await self._client.__aenter__()
        await self._client.subscribe(self._topic, qos=1)
        self._task = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *exc):
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self._client.__aexit__(None, None, None)

    async def _listen(self):
        with contextlib.suppress(aiomqtt.MqttError):
            async for message in self._client.messages:
                async with self._moved:
                    item = (
                        message.topic.value,
                        message.payload.decode(errors="replace"),
                        message.retain,
                    )
                    self.heard.append(item)
                    self.latest[item[0]] = item[1]
                    self._moved.notify_all()

    async def say(self, topic, payload, retain=False):
        text = payload if isinstance(payload, (str, bytes)) else json.dumps(payload)
        await self._client.publish(topic, text, qos=1, retain=retain)

    async def until(self, condition):
        async with asyncio.timeout(PATIENCE), self._moved:
            await self._moved.wait_for(lambda: condition(self))
        return self

    def json(self, topic):
        return json.loads(self.latest.get(topic, "{}"))

    def events(self):
        return [json.loads(text) for topic, text, _ in self.heard if topic.endswith("/event")]


def users(folder, line):
    """Write the broker's file of users and passwords."""
    (folder / "users").write_text(f"{line}\n")
    subprocess.run(["mosquitto_passwd", "-U", folder / "users"], check=True)


def certificates(folder):
    """Make an authority and a certificate for the broker at 127.0.0.1."""
    openssl = partial(subprocess.run, check=True, capture_output=True, cwd=folder)
    new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl([*new, "-x509", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=authority"])
    openssl([*new, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=127.0.0.1"])
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"]
    openssl(["openssl", "x509", "-req", "-in", "request.pem", "-out", "cert.pem", *signed])


def house_process(folder, port):
    """Start a board's house in a process of its own, to be killed."""
    program = f"""
import asyncio
from pathlib import Path
from tests.firmware_bridge.mqtt.conftest import house_at

async def main():
    async with house_at(Path({str(folder)!r}), {port}):
        await asyncio.Event().wait()

asyncio.run(main())
"""
    return subprocess.Popen([sys.executable, "-c", program])
