"""The thin shell: what the controller shows goes to the broker, and back what the house asks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from collections import deque
from datetime import UTC, datetime, timedelta
from typing import Any

import aiomqtt

from firmware_bridge.config import Config
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.diagnostics.logs import Refusals
from firmware_bridge.messages import PublicOutput
from firmware_bridge.mqtt.client import IN_A_ROW, Client, answered
from firmware_bridge.mqtt.commands import CommandRefused, Commands
from firmware_bridge.mqtt.connection import Broker
from firmware_bridge.mqtt.discovery import BEAT, discovery, discovery_topic
from firmware_bridge.mqtt.events import Happening, happening
from firmware_bridge.mqtt.published_state import State, shared, state, still
from firmware_bridge.mqtt.topics import OFFLINE, ONLINE, Topics, machine, name_of
from firmware_bridge.pages.texts import speaking
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.view_feed import NumberedSight
from firmware_bridge.views import Announcement

_LOG = logging.getLogger(__name__)

GAP = 0.1
"""Least seconds between two states: what changes faster is told together."""
KEPT = 1000
"""Events kept while the broker is away; of more than these the oldest are dropped, and the gap
shows in their numbers."""
BIRTH = "status"
"""Below the discovery prefix: where Home Assistant says that it has started."""


class MqttBridge:
    """Tells the house how the board is.

    `address` is the display's in the house, empty if only this machine can open it.

    Raises:
        ConfigError: a certificate or the password's file cannot be read.
    """

    def __init__(self, controller: Controller, config: Config, address: str = "") -> None:
        self._controller = controller
        self._config = config.mqtt
        self._language = config.language
        self._address = address
        self._topics = Topics(config.mqtt.base, config.mqtt.id or machine())
        self._name = name_of(config)
        self._broker = Broker(config.mqtt, self._topics.name)
        self._commands = Commands(
            config.mqtt.command_key, controller.description, config.language, controller.now
        )
        self._refusals = Refusals(controller.now)
        self._boot = secrets.token_hex(4)
        self._events: deque[Happening] = deque(maxlen=KEPT)
        self._number = 0
        self._news = asyncio.Event()
        self._published, self._strange = False, 0

    @property
    def waiting(self) -> int:
        """How many events the broker has not taken yet."""
        return len(self._events)

    def hear(self, outputs: tuple[PublicOutput, ...]) -> None:
        """Take in what may be shown; returns at once."""
        for told in filter(None, map(happening, outputs)):
            self._tell(told)

    async def run(self) -> None:
        """Keep the broker informed until cancelled; then say goodbye."""
        will = aiomqtt.Will(self._topics.availability, OFFLINE, qos=1, retain=True)
        await self._broker.stay_connected(self._serve, will=will)

    async def _serve(self, client: Client) -> None:
        if self._config.discovery:
            await client.follow(f"{self._config.discovery}/{BIRTH}")
        if self._config.commands:
            await client.follow(self._topics.command(), as_retained=True)
        if self._published:
            await answered(client.subscribe(self._topics.state))  # where we may read it
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._listen(client))
                await self._announce(client)
                self._published = True
                group.create_task(self._publish_states(client))
                group.create_task(self._publish_events(client))
        except asyncio.CancelledError:
            with contextlib.suppress(aiomqtt.MqttError, TimeoutError):
                async with asyncio.timeout(1):
                    await client.tell(self._topics.availability, OFFLINE, retain=True)
            raise

    async def _announce(self, client: Client) -> None:
        """Say who is here and how it is: at every connection, and when Home Assistant starts."""
        await client.tell(self._topics.availability, ONLINE, retain=True)
        await client.tell(self._topics.state, _json(self._state_now()), retain=True)
        if self._config.discovery:
            told = discovery(self._topics, self._name, self._address)
            topic = discovery_topic(self._config.discovery, self._topics)
            await client.tell(topic, _json(told), retain=True)

    async def _publish_states(self, client: Client) -> None:
        told, number = None, None
        while True:
            try:
                async with asyncio.timeout(BEAT):
                    number = (await self._controller.hub.wait("public", number)).number
            except TimeoutError:
                told = None
            now = self._state_now()
            if told is None or still(now) != told:
                await client.tell(self._topics.state, _json(now), retain=True)
                told = still(now)
            await asyncio.sleep(GAP)

    async def _publish_events(self, client: Client) -> None:
        while True:
            while self._events:
                # Forgotten only once the broker has taken it.
                event = self._events[0]
                if not await client.tell(self._topics.event, _json(event)):
                    break
                if self._events and self._events[0] is event:
                    self._events.popleft()
            self._news.clear()
            await self._news.wait()

    async def _listen(self, client: Client) -> None:
        birth = f"{self._config.discovery}/{BIRTH}"
        async for message in client.messages:
            topic = message.topic.value
            payload = message.payload if isinstance(message.payload, bytes) else b""
            if topic == birth:
                if payload == ONLINE.encode() and not message.retain:
                    await self._announce(client)
            elif topic == self._topics.state:
                self._compare(payload)
                await answered(client.unsubscribe(topic))
            elif payload:  # nothing at all clears what was retained: no command
                await self._obey(topic.rpartition("/")[2], payload, retained=message.retain)

    async def _obey(self, name: str, payload: bytes, *, retained: bool) -> None:
        try:
            asked = self._commands.read(name, payload, retained=retained)
        except CommandRefused as error:
            self._refuse(str(error))
            return
        _LOG.warning("broker: command %s", name)
        if isinstance(asked, Agreement):
            await self._controller.begin(asked)
        else:
            await self._controller.submit(asked)
        if self._controller.view().phase == "storage-failed":
            self._refuse("the game can no longer be saved")
            return
        self._tell({"event_type": "command_done", "command": name})

    def _compare(self, kept: bytes) -> None:
        """Tell people where another board has published to our topics while we were away.

        Once the broker may have gone back to what it had kept long since.
        """
        ours = self._boot.encode() in kept
        self._strange = 0 if ours else self._strange + 1
        if self._strange >= IN_A_ROW and self._refusals.is_news("another board"):
            root = f"{self._topics.base}/{self._topics.board}"
            _LOG.warning("broker: another board publishes at %s, too; give it another id", root)
            words = {"topic": root}
            self._controller.notices.post(Announcement("page-same-id", words))

    def _refuse(self, why: str) -> None:
        """Tell log and house that a command is not obeyed: the same once, then it is counted."""
        self._controller.metrics.refused.labels("command").inc()
        if self._refusals.is_news(why):
            _LOG.warning("broker: command refused: %s", why)
            self._tell({"event_type": "command_refused", "why": why})

    def _tell(self, told: Happening) -> None:
        self._number += 1
        now = datetime.now(UTC)
        self._events.append({**told, "seq": self._number, "boot": self._boot, "at": _iso(now)})
        self._news.set()

    def _state_now(self) -> State:
        newest: NumberedSight = self._controller.hub.latest("public")
        agreed = self._controller.kept.agreement
        say = speaking(self._language, agreed.game)
        age = timedelta(seconds=self._controller.now() - newest.t)
        as_of = _iso(datetime.now(UTC) - age)
        stamp = {"board": self._name, "boot": self._boot, "as_of": as_of}
        stamp["shared"] = shared(agreed.line)
        return state(newest.sight.public, say, newest.sight.link, stamp)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
