"""A client that knows what its broker refuses: such a topic is named once, and all else goes on."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

import aiomqtt
from paho.mqtt.enums import MQTTProtocolVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

_LOG = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds that a broker may take to answer."""
REFUSED = 128
"""Reason codes from here on are refusals."""
IN_A_ROW = 2
"""So often a message must stay unanswered before its topic counts as refused: a connection may
also be lost by accident."""
LEFT_OUT = 600.0
"""Seconds for which a refused topic is left out. Many brokers close the connection over each such
message, Mosquitto 2.0 with `max_queued_messages 0` among them."""

_Answer = TypeVar("_Answer")


async def answered(call: Awaitable[_Answer], patience: float = PATIENCE) -> _Answer:
    """Wait for what only the broker can answer.

    The client's own limits are not used (`timeout=math.inf`): until Python 3.12 they lose an order
    to end that comes together with the answer, and a task that has lost it never ends.

    `call` is what a client that has no limits of its own returned; `patience` is in seconds.

    Raises:
        aiomqtt.MqttError: no answer in time, or the connection is lost.
    """
    try:
        async with asyncio.timeout(patience):
            return await call
    except TimeoutError:
        raise aiomqtt.MqttError(f"no answer within {patience:g} seconds") from None


class Refusals:
    """What a broker refuses, over all connections to it.

    A broker of MQTT 5 answers each message with a reason; others may only close the connection.
    """

    def __init__(self, broker: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._broker = broker
        self._clock = clock
        self._named: set[str] = set()
        self._unanswered: Counter[str] = Counter()
        self._left_out: dict[str, float] = {}

    def leaves_out(self, topic: str) -> bool:
        """Return whether nothing is published there for now."""
        return self._clock() < self._left_out.get(topic, 0.0)

    def answer(self, topic: str, reason: int, text: str) -> None:
        """Take in what the broker answered to a message or a wish to read."""
        self._unanswered[topic] = 0
        if reason >= REFUSED:
            self._refuse(topic, f"{text} ({reason})")
        else:
            self._named.discard(topic)

    def no_answer(self, topic: str) -> None:
        """Take in that the connection ended before the broker had answered a message."""
        self._unanswered[topic] += 1
        if self._unanswered[topic] >= IN_A_ROW:
            self._refuse(topic, "it closes the connection, or does not answer")

    def _refuse(self, topic: str, why: str) -> None:
        self._left_out[topic] = self._clock() + LEFT_OUT
        if topic not in self._named:
            self._named.add(topic)
            _LOG.warning(
                "broker: %s refuses the topic %s: %s. Everything else goes on. "
                "Does its access list give our user this right?",
                self._broker,
                topic,
                why,
            )


class Client(aiomqtt.Client):
    """One connection, with options as for `aiomqtt.Client`.

    Its limits are ours (`answered`), not the library's.
    """

    def __init__(self, refusals: Refusals, host: str, port: int, **options: Any) -> None:  # noqa: ANN401
        super().__init__(host, port, **options)
        self._refusals = refusals
        # One message at a time: so it is known which one an answer, or the end, is about.
        self._turn = asyncio.Lock()
        self._unanswered: str | None = None
        self._reason: tuple[int, str] = (0, "")

    async def tell(self, topic: str, text: str | bytes, *, retain: bool = False) -> bool:
        """Publish; return whether the broker has taken it. What it refuses is left out for a while.

        Raises:
            aiomqtt.MqttError: no answer in time, or the connection is lost.
        """
        async with self._turn:
            if self._refusals.leaves_out(topic):
                return False
            self._unanswered = topic
            await answered(self.publish(topic, text, qos=1, retain=retain))
            self._unanswered = None
            self._refusals.answer(topic, *self._reason)
            return self._reason[0] < REFUSED

    def lost(self) -> None:
        """Take in that the connection was lost: not what we ended ourselves is held against it.

        One that has not come yet never will: a broker that answers late finds nobody there.
        """
        self._client.on_disconnect = self._client.on_socket_open = None
        self._client.disconnect()
        if self._unanswered is not None:
            self._refusals.no_answer(self._unanswered)

    async def follow(self, *topics: str, qos: int = 1, as_retained: bool = False) -> None:
        """Ask for what is published there.

        Args:
            topics: with wildcards, or without.
            qos: how surely it is to come.
            as_retained: whether a message says that it was sent to be kept, also one that comes
                while we listen; a broker of MQTT 3.1.1 says so of those alone that it had kept.

        Raises:
            aiomqtt.MqttError: no answer in time, or the connection is lost.
        """
        if self._client.protocol == MQTTProtocolVersion.MQTTv5:
            how = SubscribeOptions(qos=qos, retainAsPublished=as_retained)
            wanted = self.subscribe([(topic, how) for topic in topics])
        else:
            wanted = self.subscribe([(topic, qos) for topic in topics])
        codes: Iterable[Any] = await answered(wanted)
        for topic, code in zip(topics, codes, strict=True):
            self._refusals.answer(topic, code.value, str(code))

    def _on_publish(self, *told: Any) -> None:  # noqa: ANN401 - as the library calls it
        """Keep the broker's reason, which the library does not hand on."""
        reason = told[3]
        self._reason = reason.value, str(reason)
        super()._on_publish(*told)
