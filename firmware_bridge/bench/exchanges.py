"""In which order two people make their turns, press, and answer what is asked: not always in turn.

Each exchange lays turns on a timeline, those of both players. What it leaves to be pressed and
answered is done when hands are through, as the board asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from drivers.port import ButtonEvent, CellEvent
from firmware_bridge.bench.clumsiness import TRIED
from firmware_bridge.bench.disturbances import put_back
from firmware_bridge.bench.fitting_turns import (
    apart,
    arrivals,
    in_question,
    moved_apart,
    onto_vacated,
    plain_turns,
    squares_of,
    taken_apart,
    takes_alone,
    takes_what_moved,
)
from firmware_bridge.bench.games import choose, styles
from firmware_bridge.bench.gestures import is_near, there_and_back
from firmware_bridge.bench.scene import BETWEEN, Handling, Hands, Scene
from firmware_bridge.messages import Answer
from firmware_bridge.simulation import Style
from firmware_bridge.simulation.script import Script
from rules.interface import Deed, Square, Turn
from rules.values import SIDES

Exchange = Callable[["Scene"], "Handling | None"]

SHOWN = (0.6, 2.5)
"""Seconds for which a move that is shown once more is taken back at most: where turns may be undone
on the board, and where not."""
TRIES = 40
"""How often turns are drawn until some fit together."""
_AS_IT_IS: frozenset[Style] = frozenset({"left-standing"})
_TIDY: frozenset[Style] = frozenset()


def turn(scene: Scene) -> Handling:
    """Make one turn."""
    hands = Hands(scene)
    how = styles(scene.dice) if scene.dice.random() < 0.3 else frozenset()
    hands.make(choose(scene.position, scene.dice), how, at=0.0)
    return hands.done()


def premove(hands: Hands, first: Turn, reply: Turn) -> None:
    """Let the other player reply while the first one's hand is still on his way."""
    hands.make(first, at=0.0)
    hands.make(reply, at=hands.scene.dice.uniform(0.05, hands.line.end + 0.3))


def unpressed(hands: Hands, first: Turn, reply: Turn) -> None:
    """Let the other player reply, and press, though the first one has not pressed."""
    hands.make(first, at=0.0)
    hands.make(reply)
    if hands.scene.dice.random() < 0.5:
        hands.press()


def eager(hands: Hands, first: Turn, reply: Turn) -> None:
    """Let the other player take what has just moved, and lift it before the first one presses."""
    dice = hands.scene.dice
    hands.make(first, at=0.0)
    line, done = hands.line, hands.line.end
    hands.make(reply, at=done + dice.uniform(0.1, 1.0))
    if hands.scene.clock and first.plain:
        lifted = next((c.t for c in line.changes if c.t > done and c.reading is None), line.end)
        line.add(ButtonEvent(lifted + dice.uniform(0.0, 0.3), hands.scene.position.side))


def reach(hands: Hands, first: Turn, reply: Turn) -> None:
    """Let the other player take his piece up while the first one moves, and reply with it later."""
    hands.make(first, at=0.0)
    if hands.scene.dice.random() < 0.7:
        hands.press()
    line, done = hands.line, hands.line.end
    own = {source for source, _ in hands.position.deed(reply).moves}
    hands.make(reply)
    lifts = (c for c in line.changes if c.t > done and c.reading is None and c.cell in own)
    if (lift := next(lifts, None)) is not None:
        line.acts.remove(lift)
        line.add(replace(lift, t=hands.scene.dice.uniform(0.01, done + 0.3)))


def beside(hands: Hands, first: Turn, reply: Turn) -> None:
    """Put what was taken on the next square, and take it off just before the other one replies.

    The first one may press between, when nothing lies there any more that might be his own piece.
    """
    dice = hands.scene.dice
    (victim, *_), standing = hands.position.deed(first).taken, hands.scene.pieces.standing()
    hands.make(first, at=0.0)
    line, done = hands.line, hands.line.end
    off, lies = done + dice.uniform(0.05, 1.5), CellEvent(0.0, victim, standing[victim])
    lifted = [c.t for c in line.changes if c.cell == victim and c.reading is None]
    lying = [s for s in line.free(0.0, line.end) if is_near(s, victim, 1)]
    if lifted and lying:
        cell, since = dice.choice(lying), min(lifted[0] + dice.uniform(0.02, 0.3), off - 0.03)
        line.add(replace(lies, t=since, cell=cell), CellEvent(off, cell, None))
    if first.plain and dice.random() < 0.5:
        hands.press()
    hands.make(reply, at=line.end + dice.choice((0.01, 0.2)) * dice.random())


def litter(hands: Hands, first: Turn, reply: Turn) -> None:
    """Lay what was taken on a free square, and take it off while the other player replies."""
    dice, pieces = hands.scene.dice, hands.scene.pieces
    victim = pieces.on[hands.position.deed(first).taken[0]]
    hands.make(first, at=0.0)
    hands.press()
    since = hands.line.end + 0.05
    in_box = victim in pieces.box
    hands.make(reply)
    if in_box and (free := hands.line.free(0.0, hands.line.end)):
        cell, reads = dice.choice(free), pieces.reading(victim)
        until = dice.uniform(since + 0.1, hands.line.end)
        hands.line.add(CellEvent(since, cell, reads), CellEvent(until, cell, None))


def solo(hands: Hands, first: Turn, reply: Turn) -> None:
    """Play both sides with one hand, which takes the next piece up as it leaves the last one."""
    dice = hands.scene.dice
    hands.make(first, at=0.0)
    done = hands.line.end
    if hands.scene.clock and first.plain and dice.random() < 0.5:
        hands.line.add(ButtonEvent(done + 0.01, hands.scene.position.side))
    hands.make(reply, at=done + dice.uniform(0.02, 0.3))


def fuss(hands: Hands, first: Turn, reply: Turn) -> None:
    """Set the piece upright that one has just moved, once more, while the other one replies."""
    dice = hands.scene.dice
    (_, moved), *_ = hands.position.deed(first).moves
    hands.make(first, at=0.0)
    hands.press()
    since = hands.line.end + (0.05 if hands.scene.clock else 0.4)
    hands.make(reply, at=since + dice.uniform(0.1, 0.6))
    line, at = hands.line, dice.uniform(since, hands.line.end)
    until = at + dice.uniform(0.2, 1.5)
    if moved in line.still(at, until):
        line.touch(moved, at, until)


def again(hands: Hands, first: Turn, reply: Turn) -> None:
    """Show what was moved last once more: carry it back to where it came from, and there again."""
    scene, dice, line = hands.scene, hands.scene.dice, hands.line
    (source, moved), *others = hands.position.deed(first).moves
    hands.make(first, at=0.0)
    hands.press()
    since = line.end + (0.05 if scene.clock else 0.4)
    if not others and source not in line.standing(since):
        stands = SHOWN[0] if scene.take_backs else SHOWN[1]
        there_and_back(line, since + dice.uniform(0.0, 1.0), moved, source, (0.15, stands))
    hands.make(reply)


def draw_back(hands: Hands, first: Turn, reply: Turn) -> None:
    """Push what was moved to the next square as the hand draws back, and put it right at once."""
    dice, line = hands.scene.dice, hands.line
    (_, moved), *_ = hands.position.deed(first).moves
    hands.make(first, at=0.0)
    hands.press()
    at = line.end + dice.uniform(0.03, 0.6)
    near = [square for square in line.free(at, at) if is_near(square, moved, 1)]
    if near and (reading := line.standing(at).get(moved)) is not None:
        onto, back = dice.choice(near), at + dice.uniform(0.3, 2.5)
        line.add(CellEvent(at, moved, None), CellEvent(at + 0.03, onto, reading))
        line.add(CellEvent(back, onto, None), CellEvent(back + 0.2, moved, reading))
    hands.make(reply)


def topple(hands: Hands, first: Turn, reply: Turn) -> None:
    """Let a piece fall over beside a whole turn, and set it up when the other one has replied."""
    dice, line = hands.scene.dice, hands.line
    hands.make(first, at=0.0)
    since = line.end
    hands.press()
    hands.make(reply)
    until = line.end + dice.uniform(0.3, 3.0)
    if still := line.still(0.0, until):
        cell, at = dice.choice(still), dice.uniform(since, line.end)
        reading = line.standing(at)[cell]
        line.touch(cell, at, until)
        near = [square for square in line.free(0.0, until) if is_near(square, cell, 1)]
        for square in dice.sample(near, min(1, len(near))):
            touched = at + dice.uniform(0.02, 0.2)
            rolls_off = CellEvent(touched + dice.uniform(0.02, 0.4), square, None)
            line.add(CellEvent(touched, square, reading), rolls_off)


def stopover(hands: Hands, first: Turn, reply: Turn) -> None:
    """Set the piece down beside what it takes, take that off with the same hand, and go on."""
    dice, ((source, target),) = hands.scene.dice, hands.position.deed(first).moves
    script, at = Script(hands.scene.pieces, dice, _TIDY), source
    near = [square for square in hands.line.free(0.0, 0.0) if is_near(square, target, 1)]
    for at in dice.sample(near, min(1, len(near))):
        script.carry(source, at)
        script.wait(*TRIED)
    hands.take(first, script, at)
    hands.line.follow(script.felt(), at=0.0)
    hands.make(reply)


def rather(hands: Hands, first: Turn, reply: Turn) -> None:
    """Take another piece first, then rather this one with the same, and give that one back.

    To reeds it looks as if both were only set upright.
    """
    dice, deed = hands.scene.dice, hands.position.deed
    ((source, target),) = deed(first).moves
    takes = [t for t in plain_turns(hands.position) if takes_alone(deed(t), deed(t))]
    others = {to for turn in takes for home, to in deed(turn).moves if home == source} - {target}
    script, at, back = Script(hands.scene.pieces, dice, _TIDY), source, ""
    for at in dice.sample(sorted(others), min(1, len(others)) if hands.line.reads_tags else 0):
        back = script.lift(at)
        script.wait(*TRIED)
        script.carry(source, at)
        script.wait(*BETWEEN)
    hands.take(first, script, at)
    if back:
        script.wait(*TRIED)
        script.put(at, back)
    hands.line.follow(script.felt(), at=0.0)
    hands.make(reply)


def regret(scene: Scene) -> Handling | None:
    """Make a turn, put it back before anybody replies, another piece first, and make another."""
    long, dice = scene.position.game.traits.long_turns, scene.dice
    turns = [turn for turn in plain_turns(scene.position) if not scene.position.deed(turn).flips]
    if len(turns) < 2 or long or not (scene.clock or scene.take_backs):
        return None
    was, hands, shown = dict(scene.pieces.on), Hands(scene), Hands(scene)
    shown.line = hands.line
    shown.make(dice.choice(turns), at=0.0)
    hands.line.taken, script = (), Script(scene.pieces, dice, _TIDY)
    put_back(script, was)
    at = hands.line.end + dice.uniform(0.2, 2.0)
    if others := hands.line.still(at, at):
        hands.line.touch(dice.choice(others), at, at + dice.uniform(0.2, 0.8))
    hands.line.follow(script.felt(), at=hands.line.end + dice.uniform(0.2, 1.0))
    hands.make(dice.choice(turns), at=hands.line.end + dice.uniform(0.5, 2.0))
    return hands.done()


def blitz(scene: Scene) -> Handling | None:
    """Make four turns, each begun soon after the last one stands, by men that are not moved twice.

    The press may come when the other one is busy already, or never, but where owners are secret.
    """
    hands, dice, used, presses = Hands(scene), scene.dice, set[Square](), list[ButtonEvent]()
    traits = scene.position.game.traits
    late = dice.choice((0.02, 0.45) if traits.owners_secret else (0.0, 0.02, 0.45))
    thinks = dice.choice(((0.12, 0.5), (0.5, 2.0)))
    for _ in range(4 if not traits.long_turns else 0):
        deed, side = hands.position.deed, hands.position.side
        turns = [t for t in plain_turns(hands.position) if used.isdisjoint(squares_of(deed(t)))]
        if not turns:
            break
        turn = dice.choice(turns)
        used |= squares_of(deed(turn))
        hands.make(turn, at=hands.line.end + dice.uniform(*thinks))
        presses.append(ButtonEvent(hands.line.end + dice.uniform(0.005, late), side))
    hands.line.add(*presses if scene.clock and late else ())
    return hands.done() if hands.turns else None


def hoard(scene: Scene) -> Handling | None:
    """Make four turns without a press, and lay what they take on the board until all are made.

    Where owners are secret, what lies there may be a piece of the game.
    """
    hands, dice, lying = Hands(scene), scene.dice, set[Square]()
    traits, line = scene.position.game.traits, hands.line
    for _ in range(0 if traits.long_turns or traits.owners_secret else 4):
        deed, begun = hands.position.deed, line.end + scene.between()
        turns = [t for t in plain_turns(hands.position) if lying.isdisjoint(squares_of(deed(t)))]
        if not turns:
            break
        turn = dice.choice([t for t in turns if takes_alone(deed(t), deed(t))] or turns)
        stood = line.standing(begun)
        hands.make(turn, at=begun)
        for change in [c for c in line.changes if c.t >= begun and c.cell in deed(turn).taken][:1]:
            since = change.t + dice.uniform(0.05, 0.3)
            for cell in dice.sample(line.free(change.t, line.end), 1):
                lying.add(cell)
                line.add(CellEvent(since, cell, stood[change.cell]))
    for cell in sorted(lying):
        line.add(CellEvent(line.end + dice.uniform(0.2, 0.8), cell, None))
    return hands.done() if hands.turns else None


def ignored(scene: Scene) -> Handling | None:
    """Leave a question unanswered and play on, or answer at another time than when it is asked."""
    dice, pieces = scene.dice, scene.pieces
    first = in_question(scene.position, dice)
    replies = plain_turns(scene.position.play(first)) if first else []
    if first is None or not replies:
        return None
    deed = scene.position.deed(first)
    pawns = {target: pieces.on[source] for source, target in deed.moves}
    hands, when = Hands(scene), dice.choice(("before", "late", "by a piece", "never", "never"))
    if when == "before":
        hands.line.add(Answer(0.0, str(first)))
    hands.make(first, _AS_IT_IS, at=0.5)
    if dice.random() < 0.3:
        hands.press()
    hands.make(dice.choice(replies))
    if when == "late":
        hands.line.add(Answer(hands.line.end + scene.between(), str(first)))
    elif when == "by a piece":
        for square, label in deed.becomes:
            if pieces.on.get(square) == pawns.get(square) and pieces.has(label):
                hands.exchange(square, label)
    told = scene.clock or not scene.position.game.traits.long_turns  # that the reply is whole
    following = plain_turns(hands.position) if told else []
    if dice.random() < 0.6:
        hands.press()
        if following and dice.random() < 0.7:
            hands.make(dice.choice(following))
    return hands.done()


def analysis(scene: Scene) -> Handling | None:
    """Show some turns, put everything back, and make one.

    With a clock they are turns of the mover alone, one after the other: a reply to one would stand.
    """
    if not (scene.clock or scene.take_backs):
        return None  # there, what stands on the board is played
    was, hands = dict(scene.pieces.on), Hands(scene)
    for _ in range(scene.dice.randint(1, 3)):
        shown, left = Hands(scene), set[Square]()  # what comes back by a turn need not be put back
        shown.line = hands.line
        for _ in range(1 if scene.clock else scene.dice.randint(1, 4)):
            deed, turns = shown.position.deed, plain_turns(shown.position)
            if turns := [turn for turn in turns if left.isdisjoint(arrivals(deed(turn)))]:
                shown.make(scene.dice.choice(turns))
                left |= was.keys() - scene.pieces.on.keys()
        script = Script(scene.pieces, scene.dice, _TIDY)
        put_back(script, was)
        shown.line.follow(script.felt(), at=shown.line.end + scene.between())
    hands.make(choose(scene.position, scene.dice))
    return hands.done()


def kings(scene: Scene) -> Handling | None:
    """Tell the result by the kings, set on the centre squares, and clear the rest of the board."""
    position, dice, line = scene.position, scene.dice, Hands(scene).line
    homes = [square for square in map(position.king, SIDES) if square]
    squares = [cell for cell in ("d4", "e4", "d5", "e5") if cell in position.game.squares]
    if len(homes) != len(SIDES) or len(squares) < len(SIDES):
        return None
    was = dict(scene.pieces.on)
    script = Script(scene.pieces, dice, _TIDY)
    for home, square in zip(homes, dice.sample(squares, len(homes)), strict=True):
        king = script.lift(home)
        if square in scene.pieces.on:
            script.wait(0.1, 0.4)
            script.to_box(script.lift(square))
        script.wait(0.3, 1.0)
        script.put(square, king)
        script.wait(0.3, 3.0)
    for cell in sorted(scene.pieces.on):
        script.to_box(script.lift(cell))
        script.wait(0.02, 0.3)
    script.wait(0.5, 5.0)
    put_back(script, was)
    line.follow(script.felt(), at=0.0)
    return Handling(line, ())


def rethink(hands: Hands, first: Turn, reply: Turn) -> None:
    """Let the other player reply, put that back, and reply otherwise, perhaps before a press."""
    scene, line = hands.scene, hands.line
    hands.make(first, at=0.0)
    if scene.dice.random() < 0.5:
        hands.press()
    deed, shown, script = hands.position.deed, Hands(scene), Script(scene.pieces, scene.dice, _TIDY)
    others = [turn for turn in plain_turns(hands.position) if not deed(turn).flips]
    if others and (scene.clock or scene.take_backs):
        was, taken = dict(scene.pieces.on), line.taken
        shown.position, shown.line = hands.position, line
        shown.make(scene.dice.choice(others))
        put_back(script, was)
        line.taken = taken
        line.follow(script.felt(), at=line.end + scene.dice.uniform(0.2, 2.0))
    hands.make(reply)


def traded(scene: Scene) -> Handling | None:
    """Take up two like pieces to look at them, set each down on the other's square, and move."""
    dice, traits, alike = scene.dice, scene.position.game.traits, dict[str, list[Square]]()
    for square, label in sorted(scene.position.placement.items()):
        alike.setdefault(label, []).append(square)
    several = [squares for squares in alike.values() if len(squares) > 1]
    if not several or traits.long_turns or traits.owners_secret or traits.kinds_secret:
        return None
    hands, script = Hands(scene), Script(scene.pieces, dice, _TIDY)
    one, other = dice.sample(dice.choice(several), 2)
    tag = script.lift(one)
    script.wait(0.1, 0.6)
    in_turn = (other, tag), (one, script.lift(other))
    for square, lifted in in_turn:
        script.wait(0.2, 2.0)
        script.put(square, lifted)
    hands.line.follow(script.felt(), at=0.0)
    hands.make(choose(scene.position, dice))
    return hands.done()


def _with_reply(
    lay: Callable[[Hands, Turn, Turn], None],
    fits: Callable[[Deed, Deed], bool] = lambda _one, _other: True,
) -> Exchange:
    """Return an exchange of a turn and a reply that fit together; none if none are found."""

    def exchange(scene: Scene) -> Handling | None:
        position, dice = scene.position, scene.dice
        firsts = plain_turns(position)
        for first in dice.sample(firsts, min(len(firsts), TRIES)):
            after, deed = position.play(first), position.deed(first)
            replies = [turn for turn in plain_turns(after) if fits(deed, after.deed(turn))]
            if replies:
                hands, reply = Hands(scene), dice.choice(replies)
                lay(hands, first, reply)
                return hands.done()
        return None

    return exchange


EXCHANGES: Mapping[str, Exchange] = {
    "turn": turn,
    "premove": _with_reply(premove, apart),
    "unpressed": _with_reply(unpressed),
    "vacated": _with_reply(unpressed, onto_vacated),
    "eager": _with_reply(eager, takes_what_moved),
    "reach": _with_reply(reach, apart),
    "trade": _with_reply(reach, takes_what_moved),
    "beside": _with_reply(beside, taken_apart),
    "litter": _with_reply(litter, taken_apart),
    "solo": _with_reply(solo),
    "fuss": _with_reply(fuss, moved_apart),
    "again": _with_reply(again, moved_apart),
    "draw-back": _with_reply(draw_back, moved_apart),
    "topple": _with_reply(topple, apart),
    "stopover": _with_reply(stopover, takes_alone),
    "rather": _with_reply(rather, takes_alone),
    "rethink": _with_reply(rethink),
    "traded": traded,
    "regret": regret,
    "blitz": blitz,
    "hoard": hoard,
    "ignored": ignored,
    "analysis": analysis,
    "kings": kings,
}
"""Who does what when, by its name."""
