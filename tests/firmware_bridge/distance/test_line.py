"""Lines of letters over a carrier that does what it likes; signatures are left out here."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.distance.letters import Heard, Receipt, signed
from firmware_bridge.distance.line import WINDOW, Line
from tests.nightly import few

GAME = "ab" * 16


def sign(data):
    return b"s" * 64


def wrote(line, *texts):
    for text in texts:
        line = line.write("turn", {"turn": text}, 0, sign)
    return line


def told(letters):
    return [each.letter.body["turn"] for each in letters]


def settle(ours, theirs):
    """Carry all that is still missing, without any mishap."""
    while ours.outstanding or theirs.outstanding:
        for letter in ours.outstanding:
            theirs = theirs.take(letter)
        for letter in theirs.outstanding:
            ours = ours.take(letter)
        ours, theirs = ours.confirm(theirs.receipt), theirs.confirm(ours.receipt)
    return ours, theirs


@settings(max_examples=few(200))
@given(st.data())
def test_whatever_the_carrier_does_both_have_all_letters_once_and_in_order(data):
    lines = [Line(GAME), Line(GAME)]
    on_the_way = [[], []]
    written = [0, 0]
    for _ in range(data.draw(st.integers(0, 60))):
        side = data.draw(st.integers(0, 1))
        line, way = lines[side], on_the_way[1 - side]
        match data.draw(st.sampled_from(("write", "send", "receipt", "come", "twice", "lose"))):
            case "write":
                written[side] += 1
                lines[side] = wrote(line, written[side])
            case "send":
                way.extend(line.outstanding)
            case "receipt":
                way.append(line.receipt)
            case mishap if on_the_way[side]:
                index = data.draw(st.integers(0, len(on_the_way[side]) - 1))
                came = on_the_way[side][index]
                if mishap != "twice":
                    del on_the_way[side][index]
                if mishap != "lose":
                    take = line.confirm if isinstance(came, Receipt) else line.take
                    lines[side] = take(came)
    assert [line.fault for line in lines] == [None, None]
    ours, theirs = settle(*lines)
    for line, number, other in ((ours, written[1], theirs), (theirs, written[0], ours)):
        assert told(line.taken) == [*range(1, number + 1)]
        assert line.taken == other.sent
        assert line.held == {}
        assert line.fault is None


@settings(max_examples=few(200))
@given(st.data())
def test_who_is_put_back_to_what_he_had_before_is_no_liar(data):  # noqa: C901 - what may happen
    """He says that he has forgotten, or has again what he has lost; what was on its way is gone."""
    lines, on_the_way = [*settle(wrote(Line(GAME), "a"), wrote(Line(GAME), "b"))], [[], []]
    back = data.draw(st.integers(0, 1))
    kept = lines[back]
    for number in range(data.draw(st.integers(0, 80))):
        side = data.draw(st.integers(0, 1))
        line, way = lines[side], on_the_way[1 - side]
        match data.draw(st.sampled_from(("write", "send", "receipt", "come", "keep", "put back"))):
            case "write" if line.sure and not line.ended:
                lines[side] = wrote(line, number)
            case "send":
                way.extend(line.outstanding)
            case "receipt":
                way.append(line.receipt)
            case "come" if on_the_way[side]:
                lines[side] = came_to(line, on_the_way[side].pop(0))
            case "keep" if side == back:
                kept = line
            case "put back" if side == back:
                sent = (*kept.sent, kept.farewell) if kept.farewell else kept.sent
                lines[side] = Line.of(GAME, sent, kept.taken)
                on_the_way = [[], []]
    for _ in range(6):
        for side in (0, 1):
            for came in (*lines[1 - side].outstanding, lines[1 - side].receipt):
                lines[side] = came_to(lines[side], came)
    assert [line.fault for line in lines] == [None, None]
    one, other = lines
    assert one.ended == other.ended
    if not one.ended:
        assert (one.sent, one.taken) == (other.taken, other.sent)


def came_to(line, came):
    """Return a line once this has come: its host says when it has forgotten."""
    line = line.confirm(came) if isinstance(came, Receipt) else line.take(came)
    forgot = line.forgot is not None and line.farewell is None
    return line.say_farewell(0, sign) if forgot else line


def test_letters_that_come_too_early_are_held_for_those_that_are_missing():
    theirs = wrote(Line(GAME), *range(5))
    ours = Line(GAME)
    for letter in reversed(theirs.sent):
        assert ours.taken == ()
        assert ours.receipt == Receipt(GAME, Heard())
        ours = ours.take(letter)
    assert told(ours.taken) == [0, 1, 2, 3, 4]


def test_no_more_is_held_than_may_be_on_the_way():
    theirs = wrote(Line(GAME), *range(WINDOW + 3))
    ours = Line(GAME)
    for letter in theirs.sent[1:]:
        ours = ours.take(letter)
    assert len(ours.held) == WINDOW - 1
    ours, theirs = settle(ours, theirs)
    assert len(ours.taken) == WINDOW + 3


def test_who_forgot_and_hears_an_old_receipt_first_is_no_liar():
    letters = wrote(Line(GAME), "1", "2", "3").sent
    ours = Line(GAME)
    for letter in letters[:2]:
        ours = ours.take(letter)
    old = ours.receipt
    ours = ours.take(letters[2])
    theirs = replace(Line(GAME), forgot=old.heard).say_farewell(0, sign)
    ours = ours.take(theirs.farewell)
    assert ours.ended
    assert ours.fault is None
    assert theirs.confirm(ours.receipt).sure


def test_a_letter_of_another_game_is_let_lie():
    stranger = wrote(Line("cd" * 16), 1)
    assert Line(GAME).take(stranger.sent[0]) == Line(GAME)
    assert Line(GAME).confirm(stranger.receipt) == Line(GAME)


def forked(ours, theirs):
    other = wrote(replace(theirs, sent=theirs.sent[:-1]), "other")
    return ours.take(theirs.sent[-1]).take(other.sent[-1]), (theirs.sent[-1], other.sent[-1])


def forked_while_held(ours, theirs):
    later, other = wrote(theirs, "a", "b"), wrote(theirs, "a", "c")
    end = later.sent[-1], other.sent[-1]
    return ours.take(end[0]).take(end[1]), end


def gap(ours, theirs):
    ours = ours.take(theirs.sent[-1])
    wrong = replace(wrote(theirs, "x").sent[-1].letter, before="ef" * 32)
    came = signed(wrong, sign)
    return ours.take(came), (theirs.sent[-1], came)


def other_history(ours, theirs, written=1):
    ours = ours.take(theirs.sent[-1])
    letter = replace(wrote(theirs, "x").sent[-1].letter, heard=Heard(written, "ef" * 32))
    came = signed(letter, sign)
    return ours.take(came), (came,)


def heard_what_was_never_written(ours, theirs):
    return other_history(ours, theirs, written=9)


def taken_back(ours, theirs):
    ours = ours.take(theirs.sent[-1])
    letter = replace(wrote(theirs, "x").sent[-1].letter, heard=Heard())
    came = signed(letter, sign)
    return ours.take(came), (theirs.sent[-1], came)


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (forked, "forked"),
        (forked_while_held, "forked"),
        (gap, "gap"),
        (other_history, "other-history"),
        (heard_what_was_never_written, "other-history"),
        (taken_back, "taken-back"),
    ],
)
def test_a_false_history_is_named_and_stops_the_line_with_all_that_was_taken(lie, why):
    ours, theirs = settle(wrote(Line(GAME), "a"), Line(GAME))
    theirs = wrote(theirs, "b")
    stopped, proof = lie(ours, theirs)
    assert (stopped.fault.why, stopped.fault.proof) == (why, proof)
    assert stopped.sent == ours.sent
    assert set(stopped.taken) >= set(ours.taken)
    assert stopped.take(wrote(theirs, "c").sent[-1]) == stopped
    assert stopped.confirm(theirs.receipt) == stopped
    told = wrote(stopped, "what was found")
    assert told.outstanding == told.sent[-1:]
    assert theirs.take(told.outstanding[0]).taken[-1] == told.sent[-1]
    heard = Receipt(GAME, Heard(len(told.sent), told.sent[-1].hash))
    assert told.confirm(heard).outstanding == ()


def test_a_receipt_of_what_was_never_written_confirms_nothing_and_accuses_nobody():
    """It is not signed: whoever was put back, and wrote on, has signed another letter himself."""
    ours = wrote(Line(GAME), "a")
    assert ours.confirm(Receipt(GAME, Heard(1, "ef" * 32))) == ours


def test_who_was_put_back_and_hears_an_old_receipt_first_has_forgotten_and_accuses_nobody():
    before = wrote(Line(GAME), "a")
    after = wrote(before, "b")
    put_back = before.confirm(Receipt(GAME, Heard(1, after.sent[0].hash)))
    assert put_back.sure
    told = put_back.confirm(Receipt(GAME, Heard(2, after.sent[1].hash)))
    assert told.fault is None
    assert told.forgot == Heard(2, after.sent[1].hash)
