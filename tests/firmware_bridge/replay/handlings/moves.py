"""Handling of a single move: contacts, slides, captures, castling, promotion, adjusting."""

from itertools import pairwise

from tests.firmware_bridge.replay.handlings.seat import CAPTURE, PASSING, PROMOTION, Came

# 1. Contacts


def bounce(s):
    source, target = s.move
    b = s.set_out().off(source)
    for _ in range(3):
        b.put(source, source, 0.003).off(source, 0.004)
    b.put(target, source)
    for _ in range(3):
        b.off(target, 0.003)
        b.hand[source] = b.hand.pop(target)
        b.put(target, source, 0.004)
    return s.quiet()


def closes_late(s):
    """The last contact closes a little after the press."""
    source, target = s.move
    b = s.set_out().off(source)
    if s.clock:
        b.press("white").put(target, source, 0.2).end()
        return Came(("".join(s.move),))
    b.put(target, source, 1.5)
    return s.quiet()


def opens_late(s):
    """The old cell opens a little after the new one has closed."""
    source, target = s.move
    s.set_out().read(target, s.tag(source), 0.5).read(source, None, 0.09)
    return s.quiet()


def neighbour_closes_early(s):
    """On its way the piece's magnet closes a neighbouring contact for a moment."""
    source, target = s.move
    beside = chr(ord(target[0]) + 1) + target[1]
    b = s.set_out().off(source)
    b.read(beside, s.tag(source), 0.3).read(beside, None, 0.03).put(target, source, 0.05)
    return s.quiet()


def crosses_borders(s):
    """Two cells are on at once whenever the piece crosses a border."""
    path = s.slide
    b = s.set_out()
    for here, there in pairwise(path):
        b.read(there, s.tag(path[0]), 0.15).read(here, None, 0.05)
    return s.finish(path[0] + path[-1])


# 2. Slides


def slid_fast(s):
    s.set_out().carry(*s.slide, after=0.04)
    return s.finish(s.slide[0] + s.slide[-1])


def slid_slowly(s):
    """So slowly that the piece seems to stay where it passes."""
    s.set_out().carry(*s.slide, after=0.45)
    return s.finish(s.slide[0] + s.slide[-1])


# 3. Captures


def victim_first(s):
    source, target = s.capture
    s.set_out(CAPTURE).off(target).off(source).put(target, source)
    return s.captured()


def mover_first(s):
    source, target = s.capture
    s.set_out(CAPTURE).off(source).off(target).put(target, source)
    return s.captured()


def both_together(s):
    source, target = s.capture
    s.set_out(CAPTURE).off(source).off(target, 0.01).put(target, source, 0.08)
    return s.captured()


def knocked_aside(s):
    """The victim's cell never opens; on reeds only the mover's word tells."""
    source, target = s.capture
    b = s.set_out(CAPTURE).off(source)
    turn = f"{source}{'x' if s.discs else ''}{target}"
    if s.tier != "occupancy":
        b.put(target, source)
    elif s.game == "indistinguishable":  # whose the piece is, nobody is told: once more
        b = b.press("white") if s.clock else b
        b.read(target, None, 0.6).read(target, True, 0.5)
    elif not s.clock:
        b.end(4).answer(turn).end()
        return Came((turn,))
    return s.finish(turn)


def parked(s):
    """The victim is put down on another cell for a moment."""
    source, target = s.capture
    b = s.set_out(CAPTURE).off(target).put("b5", target, 0.3)
    b.off("b5", 0.2).off(source, 0.2).put(target, source)
    return s.captured()


def parked_until_later(s):
    """The victim stands on another cell until the capture has been made."""
    source, target = s.capture
    b = s.set_out(CAPTURE).off(target).put("b5", target, 0.2)
    b.off(source, 0.2).put(target, source, 0.2).off("b5", 0.2)
    return s.captured()


# 4. Castling, en passant


def castled(*order):
    def castle(s):
        b = s.set_out()
        if order == ("both",):
            b.off("e1").off("h1", 0.05).put("g1", "e1").put("f1", "h1", 0.1)
        else:
            for piece in order:
                b.carry(*{"king": ("e1", "g1"), "rook": ("h1", "f1")}[piece])
        return s.finish("e1g1")

    return castle


def passed(order):
    def take(s):
        b = s.set_out(PASSING)
        if order == "before":
            b.off("d5").carry("e5", "d6")
        else:
            b.carry("e5", "d6").off("d5")
        return s.finish("e5d6")

    return take


# 5. Promotion


def pawn_left_standing(s):
    """The screen is asked; without an answer the press is refused and nothing is taken."""
    b = s.set_out(PROMOTION).carry("b7", "b8")
    if s.clock:
        b.press("white").end()
        assert b.replay().last["verdict"] == "choice"
    b.answer("b7b8r").end()
    return Came(("b7b8r",))


def exchanged(s):
    s.set_out(PROMOTION).carry("b7", "b8", after=0.2).off("b8", 0.2).put("b8", "S-wR")
    return _promoted(s)


def exchanged_in_the_hand(s):
    s.set_out(PROMOTION).off("b7").put("b8", "S-wR")
    return _promoted(s)


def piece_first(s):
    s.set_out(PROMOTION).put("b8", "S-wR").off("b7", 0.4)
    return _promoted(s)


def piece_elsewhere_first(s):
    """The new piece is set down beside the last rank, then where it belongs."""
    b = s.set_out(PROMOTION).off("b7").put("c8", "S-wR", 0.3).off("c8", 0.3)
    b.put("b8", b.hand.pop("c8"), 0.3)
    return _promoted(s)


def piece_from_reserve(s):
    """The new piece comes from a cell beside the board, and the pawn goes there."""
    b = s.set_out(PROMOTION)
    b.on["hw1"] = "S-wR"
    b.header.setdefault("on", {})["hw1"] = True if s.tier == "occupancy" else "S-wR"
    b.off("hw1").off("b7").put("b8", "hw1").put("hw1", "b7")
    return _promoted(s)


def _promoted(s):
    if s.tier == "occupancy":
        s.b.answer("b7b8r").end()
        return Came(("b7b8r",))
    return s.finish("b7b8r")


# 6. Adjusting


def adjusted(s):
    """Pieces of both sides, one after the other."""
    b = s.set_out()
    for cell in ("e7", "e8", "a1", "e1") if not s.discs else ("e7", "d9", "d1", "b3"):
        b.adjust(cell)
    b.carry(*s.move)
    return s.quiet()


def adjusted_in_mid_move(s):
    """A neighbour is nudged while the piece is in the air."""
    source, target = s.move
    s.set_out().off(source).adjust("e7", 0.06).put(target, source)
    return s.quiet()


def adjusted_by_the_other(s):
    """The player who is not to move adjusts a piece while the turn stands."""
    b = s.set_out().carry(*s.move)
    b.adjust("d9" if s.discs else "e8", 0.1)
    return s.quiet()


# 7. Second thoughts


def wrong_cell_corrected(s):
    source, target = s.move
    b = s.set_out().carry(source, "e5", after=0.3).off("e5", 0.3)
    b.put(target, b.hand.pop("e5"), 0.3)
    return s.quiet()


def another_cell_first(s):
    """Put where it may go too, and then elsewhere."""
    path = s.slide
    s.set_out().carry(path[0], path[1], path[-1], after=0.9)
    return s.finish(path[0] + path[-1])


def another_piece(s):
    """One piece is put back, another one moved."""
    s.set_out().adjust(s.slide[0]).carry(*s.move)
    return s.quiet()


def touch_move_broken(s):
    s.set_out(touch_move=True).adjust(s.slide[0]).carry(*s.move)
    if s.clock:
        s.b.press("white")
    s.b.end(3)
    # The piece touched must still move: see the tests of touch-move.
    return Came((), "illegal", "touched-piece", quiet=False, goes_on=False)


def touch_move_kept(s):
    source, target = s.move
    s.set_out(touch_move=True).adjust(source).carry(source, target)
    return s.quiet()
