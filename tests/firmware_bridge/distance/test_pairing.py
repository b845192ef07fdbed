import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.distance.canonical import Refused, written
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
            return str(spent)
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


def test_whoever_has_another_word_is_turned_away_and_both_are_told():
    shown, entered = instantly(both_meet(WildCarrier(), OTHER_WORDS))
    assert "wrong words" in shown
    assert "not the words" in entered


def test_whom_nobody_meets_is_told():
    async def alone():
        return await Meeting.entered(WildCarrier(), WORDS_SHOWN, "Grace").friend(60)

    with pytest.raises(Spent, match="Nobody was met"):
        instantly(alone())


def test_words_are_good_for_one_who_tries_them():
    inviter = Inviter(WORDS_SHOWN, "Ada")
    first, second = Joiner(WORDS_SHOWN, "Grace"), Joiner(WORDS_SHOWN, "Eve")
    inviter.hear(first.telling)
    inviter.hear(first.telling)
    with pytest.raises(Spent, match="Two tried"):
        inviter.hear(second.telling)


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


def test_another_version_is_told_in_a_sentence():
    message = written({"v": 2, "step": "knock", "spake": "00"})
    with pytest.raises(Spent, match="version 2 of the letters and ours 1"):
        Inviter(WORDS_SHOWN, "Ada").hear(message)


@given(st.binary(max_size=80))
def test_noise_is_let_lie(data):
    for side in (Inviter(WORDS_SHOWN, "Ada"), Inviter(OTHER_WORDS, "Ada")):
        with pytest.raises(Refused):
            side.hear(data)
        assert not side.telling


@pytest.mark.parametrize("spake", ["", "41", "42" * 33, "42" + "00" * 32, "42" + "ff" * 32])
def test_what_is_no_key_exchange_ends_the_words(spake):
    with pytest.raises(Spent, match="no key exchange"):
        Inviter(WORDS_SHOWN, "Ada").hear(message_of("knock", spake=spake))


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


@pytest.mark.parametrize(
    ("text", "words"),
    [("acorn zebra tulip obo", "'oboe'"), ("acorn zebra", "are 2"), ("acorn zebra tulip qqq", "q")],
)
def test_what_is_wrong_with_words_is_named(text, words):
    with pytest.raises(Refused, match=words):
        Invitation.entered(text)


def test_the_room_tells_the_first_words_alone():
    assert WORDS_SHOWN.room == OTHER_WORDS.room
    assert WORDS_SHOWN.password != OTHER_WORDS.password


def test_messages_are_as_the_page_writes_them():
    assert json.loads(message_of("done")) == {"step": "done", "v": 1}
