import asyncio

import pytest

from drivers.beside import begin
from firmware_bridge.distance.greeting import MOST, Greeting
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import Friend, release
from firmware_bridge.distance.sealing import Bond, Keys
from tests.firmware_bridge.distance.outsider import Outsider
from tests.firmware_bridge.distance.test_pairing import instantly
from tests.firmware_bridge.distance.wild import WildCarrier


def friends():
    one, other = Keys.made(), Keys.made()
    return Friend("Grace", one, other.public, "x"), Friend("Ada", other, one.public, "x")


async def both_greet(carrier, late=0.0):
    ada, grace = (Greeting(friend, carrier) for friend in friends())

    async def later():
        await asyncio.sleep(late)
        return await grace.greeted(60)

    return await asyncio.gather(ada.greeted(60), later())


@pytest.mark.parametrize("seed", range(8))
def test_letters_come_back_however_badly_they_are_carried(seed):
    came = instantly(both_greet(WildCarrier(seed, loses=0.5 if seed else 0), late=seed))
    assert [each.release for each in came] == [release(), release()]
    assert all(abs(each.ahead) < 30 for each in came)


def test_who_does_not_answer_is_told_apart():
    async def alone():
        return await Greeting(friends()[0], WildCarrier()).greeted(60)

    assert instantly(alone()) is None


def test_all_that_goes_over_the_line_is_of_one_length():
    carrier = WildCarrier()
    instantly(both_greet(carrier))
    assert len(carrier.carried) >= 6
    assert {len(data) for _, data in carrier.carried} == {512 + 29}


def test_what_somebody_else_sends_is_let_lie_and_told():
    async def spoken_into():
        carrier = WildCarrier()
        greeting = Greeting(friends()[0], carrier)
        (inbox,) = carrier.ears
        carrier.send(inbox, b"\x01 not sealed by anybody")
        return await greeting.greeted(5), greeting.refused

    came, refused = instantly(spoken_into())
    assert came is None
    assert "not sealed by the other end" in refused


def test_an_outsider_answers_a_test_letter():
    async def greeted():
        carrier, outsider, own = WildCarrier(), Outsider(), Keys.made()
        outsider.befriend(own.public.signing, own.public.agreement)
        theirs = type(own.public)(
            outsider.signing.public_key().public_bytes_raw(),
            outsider.agreement.public_key().public_bytes_raw(),
        )
        greeting = Greeting(Friend("Olga", own, theirs, "x"), carrier)
        answered = []

        def hear(sealed):
            told = outsider.hear(sealed)
            if told.get("kind") == "test" and not answered:
                answered.append(told)
                back = outsider.letter(told["game"], "back", {"release": "outsider 7"})
                carrier.send(outsider.outbox, back)

        carrier.listen(outsider.inbox, hear)
        return await greeting.greeted(10)

    assert instantly(greeted()).release == "outsider 7"


def test_a_letter_of_a_game_is_not_confirmed_where_nobody_keeps_it():
    async def told():
        carrier, (hers, his) = WildCarrier(), friends()
        greeting, bond = Greeting(hers, carrier), Bond(his.own, his.theirs)
        line = Line("5a" * 16).write("turn", {"turn": "e2e4"}, 0, bond.sign)
        carrier.send(bond.outbox, bond.seal(line.sent[0]))
        await greeting.greeted(3)
        return [bond.open(data) for address, data in carrier.carried if address == bond.inbox]

    assert {each.letter.kind for each in instantly(told())} == {"test"}


def test_a_friend_who_begins_many_correspondences_is_answered_in_few():
    async def flooded():
        carrier, (hers, his) = WildCarrier(), friends()
        greeting = Greeting(hers, carrier)
        for _ in range(50):
            begin(Greeting(his, carrier).greeted(3), "one of many")
        await greeting.greeted(2)
        return len(greeting._lines), greeting._game in greeting._lines

    assert instantly(flooded()) == (MOST, True)
