import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.invitation import WORDS, Invitation
from firmware_bridge.distance.meeting import Meeting
from firmware_bridge.distance.pairing import NAME, Inviter, Joiner, Spent, message_of
from firmware_bridge.distance.sealing import Bond
from tests.evenings.instant import InstantLoop
from tests.firmware_bridge.distance.wild import WildCarrier

WORDS_SHOWN = Invitation(("acorn", "zebra", "tulip", "oboe"))
OTHER_WORDS = Invitation(("acorn", "zebra", "tulip", "oven"))


def instantly(coroutine):
    """Run it in a loop in which no time passes."""
    with asyncio.Runner(loop_factory=InstantLoop) as runner:
        return runner.run(coroutine)


async def both_meet(carrier, entered=WORDS_SHOWN, patience=500):
    """Return what comes of an invitation at both ends: a friend, or why there is none."""
    inviting = Meeting.shown(carrier, WORDS_SHOWN, "Ada")
    joining = Meeting.entered(carrier, entered, "Grace")

    async def met(meeting):
        try:
            return await meeting.friend(patience)
        except Spent as spent:
            return spent
        finally:
            await meeting.linger()

    return await asyncio.gather(met(inviting), met(joining))


def agree(one, other):
    """Whether two ends can write to each other."""
    ours, theirs = Bond(one.own, one.theirs), Bond(other.own, other.theirs)
    return (ours.inbox, ours.outbox) == (theirs.outbox, theirs.inbox)


@pytest.mark.parametrize("seed", range(12))
def test_two_become_friends_however_badly_they_are_carried(seed):
    hers, his = instantly(both_meet(WildCarrier(seed, loses=0.5 if seed else 0)))
    assert (hers.name, his.name) == ("Grace", "Ada")
    assert agree(hers, his)


def test_who_reads_along_learns_neither_words_nor_keys():
    carrier = WildCarrier()
    hers, _ = instantly(both_meet(carrier))
    seen = b"".join(address.encode() + data for address, data in carrier.carried)
    secrets = [WORDS_SHOWN.password, b"Grace", b"Ada"]
    for keys in (hers.theirs, hers.own.public, hers.own):
        secrets += [keys.signing, keys.agreement]
    for secret in secrets:
        assert secret not in seen
        assert secret.hex().encode() not in seen


@given(st.binary(max_size=80))
def test_noise_is_let_lie(data):
    for side in (Inviter(WORDS_SHOWN, "Ada"), Inviter(OTHER_WORDS, "Ada")):
        with pytest.raises(Refused):
            side.hear(data)
        assert not side.telling


def test_a_name_is_shown_without_what_could_mislead_a_screen():
    inviter, joiner = Inviter(WORDS_SHOWN, "Ada"), Joiner(WORDS_SHOWN, "E\x1b[2Jv\ne" + "x" * 90)
    inviter.hear(joiner.telling)
    joiner.hear(inviter.telling)
    inviter.hear(joiner.telling)
    assert inviter.friend.name.startswith("E[2Jvex")
    assert len(inviter.friend.name) <= NAME


def test_words_are_entered_as_people_write_them():
    assert Invitation.entered(" Acorn-zebra  TULIP oboe").words == WORDS_SHOWN.words
    assert len(set(WORDS)) == 256
    made = Invitation.made()
    assert Invitation.entered(made.text) == made


def test_the_room_tells_the_first_words_alone():
    assert WORDS_SHOWN.room == OTHER_WORDS.room
    assert WORDS_SHOWN.password != OTHER_WORDS.password


def test_messages_are_as_the_page_writes_them():
    assert json.loads(message_of("done")) == {"step": "done", "v": 1}
