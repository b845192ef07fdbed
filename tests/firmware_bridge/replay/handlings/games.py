"""Handling that concerns the whole game: its order, turns undone, new starts, boards upset."""

from tests.firmware_bridge.replay.handlings.seat import CAPTURE, START, Came

# 8. Out of turn, twice, too early


def out_of_turn(s):
    source, target = ("c7", "c6") if s.discs else ("e7", "e6")
    b = s.set_out().carry(source, target)
    if s.clock:
        b.press("black")
    b.end(3)
    return Came((), "illegal", "not-your-piece", (target,), quiet=False)


def twice(s):
    """A second piece of the same player, after his turn was taken."""
    s.set_out().carry(*s.move)
    s.quiet()
    s.b.carry(*(("f3", "f4") if s.discs else ("a1", "a5"))).end(3)
    if s.clock or s.game != "realm":
        return Came(("".join(s.move),), "illegal", "not-your-piece", quiet=False)
    return Came(("".join(s.move),), "illegal", quiet=False)


def too_early(s):
    """The opponent moves before the mover has pressed: both turns stand."""
    s.set_out().carry(*s.move)
    return Came(("".join(s.move), *s.answered_by_black()), goes_on=False)


# 9. Turns undone


def undone(s):
    source, target = s.capture
    b = s.set_out(CAPTURE, take_backs=True).off(target).carry(source, target)
    s.captured()
    b.off(target).put(source, b.hand.pop(target)).put(target, f"T-{target}").end(3)
    b.carry("e1", "e2")
    return Came(("e4d5", *s.finish("e1e2").turns), said="taken back")


# 10. A new start, the kings


def set_up_again(s):
    """Two turns are played, and the pieces are set up as at the start."""
    b = s.set_out(START)
    b.carry(*s.move)
    first = s.quiet().turns
    second = s.answered_by_black()
    source, target = s.move
    black = ("c7", "c6") if s.discs else ("e7", "e5")
    if s.discs:
        b.flip("e7", 0.1)
    for home, now in ((black[0], black[1]), (source, target)):
        b.off(now, 0.1).put(home, b.hand.pop(now), 0.1)
    b.end(3)
    end = "disturbed" if s.clock else "settled"  # with a clock somebody has to say so
    return Came((*first, *second), end, quiet=False, goes_on=False)


def kings_in_the_centre(s):
    s.set_out(START).carry("e1", "e4").carry("e8", "d5").end(4)
    return Came((), "disturbed", quiet=False, goes_on=False, winners=("white",))


# 11. Boards upset


def several_lifted(s):
    """Two pieces are in the air at once and come down where they stood."""
    one, other = ("d1", "d9") if s.discs else ("e1", "e7")
    s.set_out().off(one).off(other).put(one, one).put(other, other).end()
    return Came()


def knocked_over(s):
    """Some pieces are missing for a long time, then stand again."""
    b = s.set_out()
    cells = ("e1", "a1", "e7", "e8") if not s.discs else ("d1", "b3", "e7", "d9")
    for cell in cells:
        b.off(cell, 0.02)
    b.end(11)
    for cell in cells:
        b.put(cell, cell, 0.4)
    b.end()
    return Came(quiet=False)


def cleared(s):
    """The whole board is cleared and built up again."""
    b = s.set_out(START)
    cells = sorted(b.on)
    for cell in cells:
        b.off(cell, 0.02)
    b.end(2)
    for cell in reversed(cells):
        b.put(cell, cell, 0.1)
    b.end()
    return Came(quiet=False)


def thrown_about(s):
    """Half the pieces stand elsewhere; they are put right as told."""
    b = s.set_out(START)
    cells = sorted(b.on)[::2]
    for cell in cells:
        b.off(cell, 0.02)
    free = ["b4", "c4", "e4", "f4", "g4", "a5", "b5", "c5"] if not s.discs else ["b4", "c4", "f4"]
    for cell, target in zip(cells, free, strict=False):
        b.put(target, b.hand.pop(cell), 0.02)
    b.end(3)
    return Came((), "disturbed", quiet=False)
