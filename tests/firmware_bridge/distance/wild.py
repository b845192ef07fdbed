"""A carrier that loses, doubles and holds back what it is given, from one seed."""

import asyncio
import random


class WildCarrier:
    """Carries between all who share it, as badly as it is told to.

    Args:
        seed: of its moods.
        loses: how likely it loses a message; it doubles as many, and holds back all for a while.
    """

    def __init__(self, seed=0, loses=0.0):
        self.moods = random.Random(seed)
        self.loses = loses
        self.ears = {}
        self.carried = []

    def listen(self, address, hear):
        self.ears[address] = hear

    def send(self, address, data):
        self.carried.append((address, data))
        copies = self.moods.choices((0, 1, 2), (self.loses, 1, self.loses))[0]
        for _ in range(copies):
            delay = self.moods.uniform(0, 3 if self.loses else 0.01)
            asyncio.get_running_loop().call_later(delay, self._deliver, address, data)

    def _deliver(self, address, data):
        if address in self.ears:
            self.ears[address](data)
