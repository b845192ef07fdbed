"""The line to one friend: what is not confirmed is sent until it is."""

import asyncio

from firmware_bridge.distance.letters import Heard, Letter, Receipt, signed
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


def test_who_has_forgotten_a_game_follows_the_most_that_the_friend_has_heard(tmp_path):
    """A letter that comes after a receipt was written before it: its word is older."""

    async def told():
        carrier, (grace, ada) = WildCarrier(), friends()
        line = FriendLine(grace, carrier, LetterBook(tmp_path), lambda: None)
        there = Bond(ada.own, ada.theirs)
        heard = [Heard(number, f"{number:064x}") for number in (1, 2, 3)]
        older = Letter(GAME, 5, "5" * 64, heard[0], "turn", {}, 0)

        async with running(line.run()):
            for content in (Receipt(GAME, heard[2]), signed(older, there.sign)):
                carrier.send(there.outbox, there.seal(content))
            await asyncio.sleep(1)
            await line.attend()
            farewell = line.games[GAME].farewell
            assert (farewell.letter.number, farewell.letter.before) == (4, heard[2].hash)

    instantly(told())
