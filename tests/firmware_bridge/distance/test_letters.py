import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.distance.canonical import LARGEST, Refused, read, written
from firmware_bridge.distance.letters import (
    LENGTHS,
    LONGEST,
    NOTHING,
    Heard,
    Letter,
    Receipt,
    packed,
    signed,
    unpacked,
)
from firmware_bridge.distance.sealing import Bond, Keys

GAME = "0123456789abcdef" * 2
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
).filter(lambda value: json.dumps(value).count("[") + json.dumps(value).count("{") < 6)
BODIES = st.dictionaries(TEXTS, VALUES, max_size=4)


def letter(body=None, **changed):
    facts = {"game": GAME, "number": 1, "before": NOTHING, "heard": Heard(), "kind": "turn"}
    return Letter(**{**facts, "body": body or {}, "t": 7, **changed})


def bonds():
    one, other = Keys.made(), Keys.made()
    return Bond(one, other.public), Bond(other, one.public)


@given(BODIES)
def test_a_letter_comes_out_as_it_was_written(body):
    sent = signed(letter(body), lambda data: b"s" * 64)
    came = unpacked(packed(sent), lambda *_: True)
    assert came == sent
    assert came.letter == sent.letter
    assert came.hash == sent.hash


@pytest.mark.parametrize("size", [0, 300, 1500, 7000])
def test_packets_have_few_lengths(size):
    packet = packed(signed(letter({"text": "x" * size}), lambda data: b"s" * 64))
    assert len(packet) in LENGTHS


def test_a_receipt_is_as_long_as_a_short_letter():
    receipt = Receipt(GAME, Heard(9, "ab" * 32))
    assert len(packed(receipt)) == len(packed(signed(letter(), lambda data: b"s" * 64)))
    assert unpacked(packed(receipt), lambda *_: False) == receipt


def test_the_longest_letter_fits_and_a_longer_one_is_refused():
    room = LONGEST - len(letter({"text": ""}).bytes())
    assert len(packed(signed(letter({"text": "x" * room}), lambda data: b"s" * 64))) == LENGTHS[-1]
    with pytest.raises(Refused, match="longer"):
        letter({"text": "x" * (room + 1)}).bytes()


@pytest.mark.parametrize(
    "body",
    [
        {"half": 0.5},
        {"large": LARGEST + 1},
        {"surrogate": "\ud800"},
        {1: "no text"},
        {"deep": [[[[[[[[]]]]]]]]},
    ],
)
def test_what_another_language_would_write_otherwise_is_refused(body):
    with pytest.raises(Refused):
        letter(body).bytes()


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '{"a":1}\n',
        '{"a":1,"a":1}',
        '{"b":1,"a":1}',
        '{"a":1.0}',
        '{"a":1e0}',
        '{"a":NaN}',
        '{"a":"é"}',
        '{"a":"\\u0041"}',
        '{"a":"\\ud800"}',
        '{"a":9007199254740992}',
        '{"a":' + "[" * 5000 + "]" * 5000 + "}",
        "[1]",
        "1",
        "",
        '{"a":',
    ],
)
def test_bytes_that_we_would_not_write_are_refused(text):
    with pytest.raises(Refused):
        read(text.encode(), json.loads(text).keys() if text == '{"b":1,"a":1}' else ("a",))


GOOD = json.loads(letter().bytes())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"v": 2}, "version"),
        ({"v": True}, "version"),
        ({"n": 0}, "number"),
        ({"n": "1"}, "number"),
        ({"game": "g" * 32}, "hexadecimal"),
        ({"before": "00"}, "hexadecimal"),
        ({"heard": [1, NOTHING]}, "heard"),
        ({"heard": [0, "ab" * 32]}, "heard"),
        ({"heard": [1]}, "heard"),
        ({"heard": 0}, "heard"),
        ({"kind": "A telegram!"}, "kind"),
        ({"kind": 1}, "kind"),
        ({"body": []}, "body"),
        ({"more": 1}, "fields"),
    ],
)
def test_what_is_wrong_with_a_letter_is_named(change, words):
    inside = b"L" + b"s" * 64 + written({**GOOD, **change})
    packet = (len(inside).to_bytes(4, "big") + inside).ljust(512, b"\0")
    with pytest.raises(Refused, match=words):
        unpacked(packet, lambda *_: True)


def test_a_letter_of_a_kind_that_only_its_writer_knows_has_its_place_among_his():
    inside = b"L" + b"s" * 64 + written({**GOOD, "kind": "telegram"})
    packet = (len(inside).to_bytes(4, "big") + inside).ljust(512, b"\0")
    assert unpacked(packet, lambda *_: True).letter.kind == "telegram"


@given(st.binary(max_size=600))
def test_no_bytes_do_any_harm(data):
    for packet in (data, data.ljust(512, b"\0")[:512]):
        with pytest.raises(Refused):
            unpacked(packet, lambda *_: False)


def test_720_forged_letters_are_not_taken_up():
    """By the carrier's owner, who has every sealed byte and keys of his own."""
    chance = random.Random(1)
    own, theirs = bonds()
    strange, _ = bonds()
    real = [own.seal(signed(letter({"n": n}), own.sign)) for n in range(3)]
    assert all(theirs.open(each).letter for each in real)
    taken = 0
    for number in range(720):
        forged = bytearray(chance.choice(real))
        match number % 6:
            case 0:
                forged[chance.randrange(len(forged))] ^= 1 << chance.randrange(8)
            case 1:
                del forged[chance.randrange(len(forged)) :]
            case 2:
                forged += chance.randbytes(chance.randrange(1, 20))
            case 3:
                forged = strange.seal(signed(letter({"n": number}), strange.sign))
            case 4:  # its head before the tail of another one
                cut = chance.randrange(2, len(forged) - 1)
                forged = forged[:cut] + chance.choice([e for e in real if e != forged])[cut:]
            case 5:  # back to whom it comes from
                with pytest.raises(Refused):
                    own.open(bytes(forged))
                forged = chance.randbytes(len(forged))
        try:
            theirs.open(bytes(forged))
            taken += bytes(forged) not in real  # a head may be the other one's as well
        except Refused:
            pass
    assert taken == 0


def test_a_letter_that_the_friend_did_not_sign_is_refused():
    own, theirs = bonds()
    strange, _ = bonds()
    with pytest.raises(Refused, match="not signed"):
        theirs.open(own.seal(signed(letter(), strange.sign)))


def test_addresses_belong_to_one_way_of_one_friendship():
    (own, theirs), (strange, _) = bonds(), bonds()
    assert (own.inbox, own.outbox) == (theirs.outbox, theirs.inbox)
    assert len({own.inbox, own.outbox, strange.inbox, strange.outbox}) == 4
