"""Handling that belongs to one game: many pieces, conversions, flips."""

from tests.firmware_bridge.replay.handlings.seat import CAPTURE, Came

# 14. Many pieces, conversions, flips


def four_pieces(*order):
    moves = [("b1", "c3"), ("c2", "c4"), ("d1", "d3"), ("d2", "d4")]

    def disperse(s):
        b = s.set_out("4k3/4p3/8/8/8/8/2PP4/1N1QK3 w - - 0 1")
        for index in order:
            b.carry(*moves[index])
        return s.finish("C-cd34:b1c3,c2c4,d1d3,d2d4")

    return disperse


def four_in_the_air(s):
    b = s.set_out("4k3/4p3/8/8/8/8/2PP4/1N1QK3 w - - 0 1")
    for cell in ("d2", "b1", "d1", "c2"):
        b.off(cell, 0.1)
    for target, home in (("c3", "b1"), ("d4", "d2"), ("c4", "c2"), ("d3", "d1")):
        b.put(target, home, 0.2)
    return s.finish("C-cd34:b1c3,c2c4,d1d3,d2d4")


CONVERT = "4k3/4p3/8/8/R1n1b3/3P4/8/4K3 w - - 0 1"


def converted(how):
    def convert(s):
        b = s.set_out(CONVERT).off("e4").carry("d3", "e4")
        if how == "swapped":
            b.off("c4").put("c4", "S-wN")
        elif how == "anchor touched":
            b.adjust("a4")
        elif how == "turned over":
            b.header["tags"]["X-c4"] = "wN"
            b.off("c4").put("c4", "X-c4")
        elif not s.clock:
            b.answer("d3e4").end()
            return Came(("d3e4",))
        return s.finish("d3e4" if how == "declined" else "d3e4~a4")

    return convert


def flipped(how):
    """Black's answer to White's first move, which must flip a piece."""

    def flip(s):
        b = s.set_out().carry(*s.move)
        first = s.quiet().turns
        s.side = "black"
        turn = "c7c6/c6" if "moved" in how else "c7c6/e7"
        if how == "before":
            b.flip("e7").carry("c7", "c6")
        elif how == "after":
            b.carry("c7", "c6").flip("e7")
        elif how == "the moved one in place":
            b.carry("c7", "c6").flip("c6")
        else:
            b.off("c7").put("c6", "U" + b.hand.pop("c7")[1:])
        return Came((*first, *s.finish(turn).turns), goes_on=False)

    return flip


def checked(when):
    """A capture with a Reality Check, declared before, after, or by answering the question."""

    def check(s):
        source, target = s.capture
        b = s.set_out(CAPTURE)
        if when == "before":
            b.declare()
        b.off(target).carry(source, target)
        if when == "after":
            b.declare()
        if when == "answered" or not s.clock:
            b.answer(f"{source}x{target}!").end()
        else:
            b.press("white").end()
        return Came((f"{source}x{target}!",))

    return check
