"""What stands where while hands are busy, as everyone in the room can see it.

It starts from what is shown of the agreed position and follows hands and turns that may be told.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.views.table_facts import Facts
from rules.interface import Shown, Square

SOMETHING = Shown("", None)
"""A piece of which the board does not tell which one it is."""


def standing(facts: Facts) -> tuple[Mapping[Square, Shown], tuple[Square, ...]]:
    """Return what stands where now, and the squares whose own piece is in the air or wanted."""
    board, stage = facts.view.board, facts.state.stage
    if stage == "set-up":
        return _set_up(facts)
    if stage == "over" and not facts.state.executing:
        return board, ()  # the last position stays
    handling = facts.handling
    came = {**handling.carried, **_misplaced(facts)}
    after = {} if handling.amending else _made(facts)
    lifted = handling.vacated - set(came.values()) - after.keys() | {
        step.target for step in facts.verdict.restore if step.target
    }
    now = {square: board[square] for square in board.keys() - handling.vacated}
    was = facts.state.undone[-1].shown if facts.state.undone else {}
    for square, home in came.items():
        now[square] = board.get(home, SOMETHING) if home else was.get(square, SOMETHING)
    for square, shown in after.items():
        now.pop(square, None)
        if shown is not None:
            now[square] = shown
    off = lifted & board.keys() - now.keys()
    return {square: now[square] for square in sorted(now)}, tuple(sorted(off))


def _made(facts: Facts) -> Mapping[Square, Shown | None]:
    """Return how squares look after the turn that stands on the board, `None` where empty.

    While a question is open only the hand movements are shown that all its turns begin with. What
    was set down unread is not shown: that would tell what it must be, whatever it is. Nor is the
    other face of a token, which the board names when the turn stands.
    """
    position, turns = facts.judged_in, facts.verdict.turns
    if not turns:
        return {}
    deeds = [position.deed(turn) for turn in turns]
    moves = set(deeds[0].moves).intersection(*(deed.moves for deed in deeds))
    taken = set(deeds[0].taken).intersection(*(deed.taken for deed in deeds))
    after: dict[Square, Shown | None] = dict.fromkeys(taken)
    after.update((source, None) for source, _ in moves)
    after.update((target, position.shown[source]) for source, target in moves)
    if facts.verdict.kind != "choice":
        new = [square for square, _ in (*deeds[0].placed, *deeds[0].flips, *deeds[0].becomes)]
        shown = position.play(turns[0]).shown if new else {}
        tokens = {side[0] for side in position.game.tokens}
        untold = facts.unread | {s for s, label in deeds[0].flips if label[0] in tokens}
        after.update((s, SOMETHING if s in untold else shown.get(s)) for s in new)
    return after


def _misplaced(facts: Facts) -> Mapping[Square, Square]:
    """Return where pieces stand that the way back brings home."""
    steps = facts.verdict.restore
    return {
        step.source: step.target
        for step in steps
        if step.source and step.target and step.source in facts.view.squares
    }


def _set_up(facts: Facts) -> tuple[Mapping[Square, Shown], tuple[Square, ...]]:
    """Show what the start still needs: its pieces, or only where they go if players choose."""
    start = facts.view.board
    if facts.start_is_chosen:
        start = dict.fromkeys(start, SOMETHING)
    missing, surplus = set(facts.set_up.missing), facts.set_up.surplus
    placed = {square: shown for square, shown in start.items() if square not in missing}
    lacking = tuple(square for square in sorted(missing) if square in start)
    return {**placed, **dict.fromkeys(surplus, SOMETHING)}, lacking
