"""The line to one friend: what is not confirmed is sent until it is."""

import asyncio

from firmware_bridge.distance.letters import Heard, Receipt
from firmware_bridge.distance.sealing import Bond
from firmware_bridge.journal.letter_book import LetterBook
from firmware_bridge.service.friend_line import FriendLine
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.distance.test_pairing import instantly
from tests.firmware_bridge.distance.wild import WildCarrier
from tests.running import running

GAME = "0" * 32


def test_what_an_old_receipt_takes_back_is_sent_again(tmp_path):
    """It may be no old one: the friend's host was put back to what it had before."""

    async def told():
        carrier, (grace, ada) = WildCarrier(), friends()
        line = FriendLine(grace, carrier, LetterBook(tmp_path), lambda: None)
        there = Bond(ada.own, ada.theirs)

        async def receive(heard):
            carrier.send(there.outbox, there.seal(Receipt(GAME, heard)))
            await asyncio.sleep(10)
            return len(carrier.carried)

        async with running(line.run()):
            await line.write(GAME, "answer", {"accepts": True})
            first = line.games[GAME].sent[0]
            known = await receive(Heard(1, first.hash))
            assert await receive(Heard(1, first.hash)) == known + 1  # nothing but that receipt
            assert await receive(Heard()) > known + 8

    instantly(told())
