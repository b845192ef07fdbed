"""What is worth saying about a turn, from what everyone may see of it alone.

No game is named here: a game's data file says which marks of a piece are announced and by which
words (`firmware_bridge/games/<id>.toml`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware_bridge.games import metadata
from firmware_bridge.games.data_file import named
from firmware_bridge.messages import Said
from firmware_bridge.referee.game_state import Played, Terms
from firmware_bridge.referee.transition import say
from rules.interface import Label, Position, Shown, Side, Square, Turn
from rules.values import SIDES, faces_up, owner

PASSING = frozenset({"shown", "shown-true", "both-true"})
"""Announcements that are repeated nowhere once what they tell of lies hidden again."""

UNSEEN = "plays-unseen"
"""What a computer plays where no record may be seen: it is said while hands carry it out."""
UNTIL_RIGHT = frozenset({UNSEEN, "press-first"})
"""Announcements of why something is to be carried: they hold until the board is right."""

OF_THE_MOMENT = frozenset({"nothing-moved", "not-finished", "set-down-again", "waits-for-hands"})
"""Announcements of how the board stands: they hold until it stands otherwise."""

_CASTLING = {"O-O": "0-0", "O-O-O": "0-0-0", "0-0": "0-0", "0-0-0": "0-0-0"}

BEGINNING_ANEW = frozenset({"taken-back", "position-corrected"})
"""Announcements after which what was announced before is past."""


def of_turn(
    terms: Terms,
    before: Position,
    turn: Turn,
    after: Position,
    t_ms: int,
    *,
    by_computer: bool = False,
) -> tuple[Said, ...]:
    """Return what to say about a turn that was taken.

    What a computer plays is named in any case: no hand has shown it.
    """
    came_from = {target: source for source, target in before.deed(turn).moves}
    return (
        *(_played(terms, before, turn, t_ms) if by_computer else ()),
        *_named(terms, before, turn, t_ms, described=not by_computer),
        *_revealed(before, turn, t_ms),
        *_marks(terms, before.shown, after.shown, came_from, t_ms),
        *_counts(before, turn, after, t_ms),
    )


def of_undone(terms: Terms, last: Played, undone: Position, t_ms: int) -> tuple[Said, ...]:
    """Return where coins go when a turn is undone, whose marks no lights take back."""
    went = dict(last.before.deed(last.turn).moves)
    marks = _marks(terms, undone.shown, last.before.shown, went, t_ms)
    return tuple(marks) if terms.unlit else ()


def of_set_up(terms: Terms, was: Position | None, now: Position, t_ms: int) -> tuple[Said, ...]:
    """Return where coins go when a position is set up, in place of another one."""
    marks = _marks(terms, was.shown if was else {}, now.shown, {}, t_ms)
    return tuple(marks) if terms.unlit else ()


def of_position(terms: Terms, position: Position, t_ms: int) -> tuple[Said, ...]:
    """Return what to say about the position reached: check, a decision awaited."""
    said = []
    if position.in_check and not terms.game.traits.owners_secret:
        said.append(say(t_ms, "check"))
    if position.awaited:
        said.append(say(t_ms, f"awaited-{position.awaited}", side=f"side-{position.side}"))
    return tuple(said)


def _played(terms: Terms, before: Position, turn: Turn, t_ms: int) -> Iterator[Said]:
    """Say what a computer plays; where players must remember, eyes see it on the board alone."""
    side = f"side-{before.side}"
    if deed := told_deed(before, turn):
        if terms.secret:
            yield say(t_ms, UNSEEN, side=side, deed=deed)
        else:
            yield say(t_ms, "plays", side=side, turn=before.written(turn), deed=deed)


def _named(
    terms: Terms, before: Position, turn: Turn, t_ms: int, *, described: bool
) -> Iterator[Said]:
    for remark in metadata.of(terms.game.id).remarks:
        found = remark.turn.fullmatch(turn.public)
        if found and (described or not remark.described):
            words = named(found)
            if remark.described and not terms.secret:
                words |= {"turn": before.written(turn), "deed": told_deed(before, turn)}
            yield say(t_ms, remark.key, **words)


def told_deed(before: Position, turn: Turn, *, each: bool = False) -> str:
    """Return what everyone can see hands do for a turn, in signs that `words.spoken` reads aloud.

    Parts stand between spaces: `Nb1xd2`, `Rd1-d4`, `/e3` for a piece turned over, `N@c2` for one
    from beside the board, `*d4` for one that leaves it, `0-0` and `0-0-0`; `C@cd34#3` for several
    pieces of one region, after the kind of the turn. A piece whose kind nobody may know has no
    letter. Empty where hands do nothing. With `each` several pieces are told one by one, and what
    else makes it that turn: `=Q` what the pawn before it becomes, `~d8` up to where is converted.
    """
    deed, game = before.deed(turn), before.game
    if not each and deed.region and (kind := turn.public[:1]) and turn.public[1:2] == "-":
        files, ranks = ("".join(sorted(set(line))) for line in zip(*deed.region, strict=True))
        return f"{kind}@{files}{ranks}#{len(deed.moves)}"
    if castling := _CASTLING.get(before.written(turn).rstrip("+#")):
        return castling

    def kind_of(shown: Label) -> str:
        return "" if game.traits.kinds_secret else shown

    def takes(target: Square) -> bool:
        return target in deed.taken or (bool(deed.taken) and len(deed.moves) == 1)

    becomes = dict(deed.becomes) if each else {}
    parts = []
    for source, target in deed.moves:
        kind, how = kind_of(before.shown[source].kind), "x" if takes(target) else "-"
        parts.append(f"{kind}{source}{how}{target}")
        parts += [f"={kind_of(faces(becomes[target])[0])}"] if target in becomes else []
    parts += [f"{kind_of(faces(label)[0])}@{square}" for square, label in deed.placed]
    parts += [f"/{square}" for square, _ in deed.flips]
    if not deed.moves:
        parts += [f"*{square}" for square in deed.taken]
    parts += [f"~{deed.touch}"] if each and deed.touch else []
    return " ".join(parts)


def unplayed(position: Position, turn: Turn) -> str:
    """Return a turn that nobody has played yet as everyone may be told it.

    Where owners are secret it is what hands do: as people write it, a check, and which others of
    its kind could go there, would tell whose the pieces are.
    """
    secret = position.game.traits.owners_secret
    return told_deed(position, turn) if secret else position.written(turn)


def _revealed(before: Position, turn: Turn, t_ms: int) -> Iterator[Said]:
    for square, label in open_to_all(before, turn):
        first, second = faces(label)
        side = f"side-{owner(label)}"
        if first == second:
            yield say(t_ms, "shown-true", side=side, face=f"piece-{first}", square=square)
        else:
            words = {"first": f"piece-{first}", "second": f"piece-{second}"}
            yield say(t_ms, "shown", side=side, square=square, **words)


def _marks(
    terms: Terms,
    was: Mapping[Square, Shown],
    now: Mapping[Square, Shown],
    came_from: Mapping[Square, Square],
    t_ms: int,
) -> Iterator[Said]:
    for name, mark in metadata.of(terms.game.id).marks.items():
        on, off = mark.said(unlit=terms.unlit)
        for square, piece in sorted(now.items()):
            old = was.get(came_from.get(square, square))
            had, has = bool(old and name in old.marks), name in piece.marks
            key = on if has and not had else off if had and not has else None
            if key:
                yield say(t_ms, key, piece=f"piece-{piece.kind}", square=square)


def _counts(before: Position, turn: Turn, after: Position, t_ms: int) -> Iterator[Said]:
    """Say where pieces went that left the board, in games with hands."""
    if not before.hands and not after.hands:
        return
    shown = [faces(label) for _, label in open_to_all(before, turn)]
    both_true = len(shown) == 2 and all(first == second for first, second in shown)
    for side in SIDES:
        gained = len(after.hands.get(side, ())) - len(before.hands.get(side, ()))
        lost = _on_board(before, side) - _on_board(after, side)
        if gained > 0:
            yield say(t_ms, "to-hand", side=f"side-{side}")
        elif lost > 0 and after.awaited is None:
            yield say(t_ms, "both-true" if both_true else "out-of-play", side=f"side-{side}")


def _on_board(position: Position, side: Side) -> int:
    return sum(piece.side == side for piece in position.shown.values())


def open_to_all(before: Position, turn: Turn) -> list[tuple[str, Label]]:
    """Return the pieces a turn shows from both sides and then hides again, by square.

    Of a piece that lies flipped on the board everyone sees the new face anyway.
    """
    shown = before.revealed(turn)
    if not shown:
        return []
    lying = before.play(turn).placement
    flipped = {square for square, _ in before.deed(turn).flips if square in lying}
    return sorted((square, label) for square, label in shown.items() if square not in flipped)


def faces(label: Label) -> tuple[str, str]:
    """Return both faces of a disc's label, the one that is up first (`wPN:N` -> P, N)."""
    both = faces_up(label)
    return both[0], both[-1]
