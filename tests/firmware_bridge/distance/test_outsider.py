"""A host of somebody else, written from docs/distance.md alone, against ours."""

import random

import rules
from firmware_bridge.distance.invitation import Invitation
from firmware_bridge.distance.letters import Receipt
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import Inviter, Joiner
from firmware_bridge.distance.sealing import Bond
from tests.firmware_bridge.distance.outsider import Outsider

WORDS = Invitation(("acorn", "zebra", "tulip", "oboe"))
GAME = "5a" * 16


def invited_by_us():
    outsider, inviter = Outsider(), Inviter(WORDS, "Ada")
    assert outsider.room(WORDS.text) == WORDS.room
    inviter.hear(outsider.knock(WORDS.text))
    inviter.hear(outsider.greet(inviter.telling))
    return outsider, inviter


def inviting_us():
    outsider, joiner = Outsider(), Joiner(WORDS, "Ada")
    joiner.hear(outsider.answer(WORDS.text, joiner.telling))
    joiner.hear(outsider.welcome(joiner.telling))
    return outsider, joiner


def test_an_outsider_pairs_from_either_side():
    for outsider, side in (invited_by_us(), inviting_us()):
        bond = Bond(side.friend.own, side.friend.theirs)
        assert side.done
        assert (side.friend.name, side.friend.release) == ("Olga", "outsider 7")
        assert outsider.friends_name == "Ada"
        assert (bond.inbox, bond.outbox) == (outsider.outbox, outsider.inbox)


def test_an_outsider_and_we_tell_each_other_a_whole_game_of_reversi_chess():
    """Letters are lost and come twice on the way; both chains tell one game."""
    outsider, side = invited_by_us()
    bond, line, chance = Bond(side.friend.own, side.friend.theirs), Line(GAME), random.Random(4)
    position = rules.load("reversi").start()
    for number in range(60):
        turns = list(position.turns())
        if not turns:
            break
        turn = chance.choice(turns)
        body = {"turn": str(turn)}
        if number % 2 == 0:
            line = line.write("turn", body, number, bond.sign)
            for _ in range(chance.choice((1, 2))):
                outsider.hear(bond.seal(line.outstanding[-1]))
            if chance.random() < 0.5:  # else the next letter tells as much
                line = line.confirm(bond.open(outsider.receipt(GAME)))
        else:
            sealed = outsider.letter(GAME, "turn", body)
            if chance.random() < 0.3:
                sealed = outsider.again(len(outsider.sent))
            for _ in range(chance.choice((1, 2))):
                line = line.take(bond.open(sealed))
            told = outsider.hear(bond.seal(line.receipt))
            assert told["heard"] == [len(outsider.sent), outsider.digest(outsider.sent)]
        position = position.play(turn)
    assert line.fault is None
    assert [each.data for each in line.sent] == outsider.taken
    assert [each.data for each in line.taken] == outsider.sent
    assert len(outsider.sent) + len(outsider.taken) > 30
    assert replayed(line) == position


def replayed(line):
    """The position to which both chains together lead, in the order in which they heard."""
    letters = sorted(
        (*line.sent, *line.taken), key=lambda each: each.letter.number + each.letter.heard.number
    )
    position = rules.load("reversi").start()
    for each in letters:
        position = position.play(position.parse_turn(each.letter.body["turn"]))
    return position


def test_a_receipt_of_an_outsider_confirms():
    outsider, side = invited_by_us()
    bond = Bond(side.friend.own, side.friend.theirs)
    line = Line(GAME).write("turn", {"turn": "e2e4"}, 0, bond.sign)
    outsider.hear(bond.seal(line.outstanding[0]))
    receipt = bond.open(outsider.receipt(GAME))
    assert isinstance(receipt, Receipt)
    assert line.confirm(receipt).outstanding == ()
