"""Cells, tags, cables and events that fail."""

from tests.firmware_bridge.replay.handlings.seat import Came

# 12. Cells and tags that fail


def flickers(s):
    """A cell opens and closes by itself: told of once, and the turn goes there all the same."""
    target = s.move[1]
    b = s.set_out()
    for _ in range(12):
        b.read(target, True, 0.1).read(target, None, 0.1)
    b.end(2).off(s.move[0])
    turn = "".join(s.move)
    if s.clock:
        b.press("white").end()
        return Came((turn,), said=target, goes_on=False)
    b.end(4).answer(turn).end()
    return Came((turn,), said=target, goes_on=False)


def dead(s):
    """A cell stops reading under its piece; somebody says so, and the game goes on around it."""
    cell = "f7" if s.discs else "e7"
    b = s.set_out().off(cell)
    b.tell(call="distrust", data={"cell": cell}).end()
    b.carry(*s.move)
    return s.quiet()


def stuck(s):
    """A cell reads a piece that is not there; somebody says so, and the game goes on around it."""
    b = s.set_out().read("g4", True, 0.5).end(3)
    b.tell(call="distrust", data={"cell": "g4"}).end()
    b.carry(*s.move)
    return Came(s.quiet().turns, quiet=False)


def tag_read_late(s):
    source, target = s.move
    s.set_out().off(source).read(target, True, 0.4).put(target, source, 0.15)
    return s.quiet()


def tag_never_read(s):
    source, target = s.move
    s.set_out().off(source).read(target, True, 0.4)
    return s.quiet()


def tag_lost_for_a_moment(s):
    """A piece that stands is read as something unknown for a while."""
    b = s.set_out()
    b.read("e7", True, 0.5).read("e7", "T-e7", 1.0).carry(*s.move)
    return s.quiet()


def tag_unknown(s):
    """A piece of another set is set down in place of the one lifted."""
    source, target = s.move
    s.set_out().off(source).put(target, "04FFFFFF")
    return Came(s.quiet().turns, said="not known")


def tag_in_two_places(s):
    source, target = s.move
    s.set_out().read(target, s.tag(source), 0.5)
    return s.quiet()


# 13. Events lost, repeated and late


def repeated(s):
    source, target = s.move
    b = s.set_out()
    tag = s.tag(source)
    b.read(source, None, 0.5).read(source, None).read(source, None, 0.2)
    b.read(target, tag, 0.2).read(target, tag).read(target, tag, 0.1)
    return s.quiet()


def late(s):
    """The lift arrives after the placing, with its own earlier time."""
    source, target = s.move
    b = s.set_out().wait(1.0).read(target, s.tag(source))
    b.t -= 0.5
    b.read(source, None).wait(0.5)
    return s.quiet()


def lost(s):
    """Only what stands now is heard of."""
    source, target = s.move
    b = s.set_out()
    now = {cell: s.tag(cell) for cell in b.on if cell != source}
    b.wait(1.0).tell(snapshot={**now, target: s.tag(source)})
    return s.quiet()


def cable_pulled(s):
    """Nothing is heard between the lift and the placing; then everything is read anew."""
    source, target = s.move
    b = s.set_out().off(source)
    now = {cell: s.tag(cell) for cell in b.on}
    b.wait(30).tell(snapshot=now).wait(1)
    b.tell(snapshot={**now, target: s.tag(source)})
    return s.quiet()


def power_lost(s):
    """Meanwhile a piece was put where it may not stand: nobody's offence, and put right as told."""
    source = s.move[0]
    b = s.set_out().off(source)
    tag = b.hand.pop(source)
    b.on["g5"] = tag
    b.wait(300).tell(
        snapshot={cell: s.tag(cell) for cell in b.on if cell != "g5"} | {"g5": s.tag(source)}
    )
    b.end(3)
    return Came((), "disturbed", quiet=False)
