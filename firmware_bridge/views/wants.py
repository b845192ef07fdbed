"""What the board wants of the players now, in words, from the public view alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import rules
from firmware_bridge.messages.verdict import ALARMS, WHOLE
from firmware_bridge.puzzles import find
from firmware_bridge.views.types import Announcement, Choice, Move, Phase, PublicView
from rules.values import SIDES

OF_THE_MOVER = (
    "want-choice",
    "want-conversion",
    "want-done",
    "want-must",
    "want-press",
    "want-promotion",
    "want-tried",
)
"""How wishes begin that speak to whoever is to move, and name no side."""
LACKING = ("want-choice", "want-conversion", "want-must-flip", "want-promotion")
"""What a turn may still lack: said again where a press has not ended it."""
PRESSES = ("due-roll", "want-begin", "want-press", "want-resume", "want-start")
"""How wishes begin that ask for a press of the clock."""
NAMED, NAMED_BACK = 2, 4
"""How many pieces are named of a start that is being built, and of a board that is put right: of
these as many as one turn moves."""


def of(
    view: PublicView, awaited: str | None, due: str | None, *, asks: bool
) -> tuple[Announcement, ...]:
    """Return the wishes of the board, most urgent first.

    Args:
        view: the public view, its own `wants` not yet filled in.
        awaited: the kind of decision awaited, if any.
        due: the kind of turn that the rules want, where that is worth a reminder.
        asks: whether turns and answers are taken now.
    """
    phase: Phase = view.phase
    if phase == "executing" and view.judged.kind == "settled":  # hands have done what they had to
        phase = "over" if view.ending else "playing"
    simple = {
        "storage-failed": "want-help",
        "waiting": "want-pieces",
        "over": "want-new-game",
    }.get(phase)
    if simple:
        return (Announcement(simple),)
    if phase in ("set-up", "ready") and view.unbound and not view.missing:
        mine = view.unbound - {view.away}
        return (Announcement("want-bound" if mine else "want-bound-there"),)
    if phase == "set-up":
        goal = (Announcement(find(view.puzzle).goal),) if view.puzzle else ()
        return (*_set_up(view), *_first_steps(view), *goal)
    made = {"executing": _carry_out, "restoring": _restore, "ready": _begin}.get(phase)
    if made:
        return made(view)
    if phase == "paused":
        odd = view.judged.kind in ALARMS
        restore = _restore(view) if odd else ()
        wished = (*restore, _resume(view, asks=asks), *(_open(view, awaited) if asks else ()))
    else:
        wished = _playing(view, awaited, due)
    # What has been said comes after what is to be done.
    return (*wished, *(_for_side("want-declared", view, what=what) for what in view.declared))


def asks(question: Iterable[Choice]) -> str:
    """Return how one of these answers is asked for, as a key of the word catalogue."""
    kinds = {choice.label.key for choice in question}
    return "want-promotion" if kinds == {"choice-promote"} else "want-choice"


def asks_for_press(wants: Iterable[Announcement]) -> bool:
    """Return whether hands are to press the clock now: a piece may have to go first."""
    first = next((want.key for want in wants if want.key.startswith(("want-", "due-"))), "")
    return first == "want-bound" or first.startswith(PRESSES)


def _set_up(view: PublicView) -> tuple[Announcement, ...]:
    """Say what is to be laid down; of a friend's discs once it is known which faces they show."""
    said = []
    game = rules.load(view.game, **view.options) if view.away else None
    if game and game.with_tokens(SIDES).tokens:
        if view.unbound - {view.away}:
            said.append(Announcement("want-set-up-own"))
        if not (game.free_start and view.unbound):
            said.append(_for_side("want-set-up-faces", view, view.away))
    return tuple(said) or (Announcement("want-set-up"),)


def _begin(view: PublicView) -> tuple[Announcement, ...]:
    """Say how the game begins, or goes on from a first turn that stands on the board already."""
    if view.judged.kind in WHOLE and view.buttons:
        return (_for_side("want-begin", view),)
    if view.judged.kind == "extendable":
        return (Announcement("want-done"),)
    free = rules.load(view.game, **view.options).free_start
    if view.buttons and (free or view.time_control != "untimed"):
        return (_for_side("want-start", view, "black" if view.to_act == "white" else "white"),)
    return (_for_side("want-away" if view.to_act == view.away else "want-first-turn", view),)


def _resume(view: PublicView, *, asks: bool) -> Announcement:
    """Say how play goes on; a press before the pause that ended no turn must be made again."""
    whole = view.judged.kind == "complete" and view.to_act not in view.elsewhere
    if whole and asks and view.buttons:
        return _for_side("want-resume-made", view)
    return Announcement("want-resume")


def _first_steps(view: PublicView) -> tuple[Announcement, ...]:
    """Name what is to be done first: more than a few lines nobody reads."""
    steps = [Move(square, None) for square in view.surplus]
    steps += [Move(None, square) for square in view.missing if square in view.board]
    return tuple(_put_back(view, step) for step in steps[:NAMED])


def _restore(view: PublicView) -> tuple[Announcement, ...]:
    if view.new_start:
        return (Announcement("want-new-start"),)
    moves = tuple(_put_back(view, move) for move in view.judged.restore[:NAMED_BACK])
    return moves or (Announcement("want-board-right"),)


def _carry_out(view: PublicView) -> tuple[Announcement, ...]:
    """Name the hand movements that come next, with their number where there are several to come."""
    moves = tuple(_put_back(view, move, carried="carry") for move in view.judged.restore)
    next_, of_all = view.progress or (1, 1)
    if of_all <= max(1, len(moves)):
        return moves or (Announcement("want-board-right"),)
    return (*moves, Announcement("want-step", {"step": str(next_), "steps": str(of_all)}))


def _playing(view: PublicView, awaited: str | None, due: str | None) -> tuple[Announcement, ...]:
    ends = view.judged.kind in WHOLE and view.buttons
    if view.to_act in view.computers:
        return (_for_side("want-computer", view),)
    if view.to_act == view.away:
        return (_for_side("want-away", view), *_open(view, None))
    wishes = [Announcement("want-adjusted")] if view.adjusting else []
    wishes += _open(view, None if ends else awaited)
    if view.doubt:
        wishes.append(view.doubt)
    if ends:
        wishes.append(Announcement(f"want-press-{view.judged.kind}"))
    elif view.judged.kind in ("choice", "extendable"):
        pass
    elif awaited:
        wishes += _reminder(view, due)
    elif view.judged.kind == "in-progress" and view.judged.reason:
        wishes.append(Announcement(f"want-{view.judged.reason}"))
        if view.judged.reason == "must-flip":
            game = rules.load(view.game, **view.options).with_tokens(view.computers)
            wishes += [Announcement("want-flip-token")] if game.tokens else []
    elif view.obligation:
        wishes.append(Announcement("want-capture", {"square": view.obligation}))
    else:
        puzzle = find(view.puzzle) if view.puzzle else None
        lesson = puzzle is not None and puzzle.lesson
        wishes.append(Announcement("lesson-task") if lesson else _for_side("to-move", view))
        wishes += [*_reminder(view, due), *([Announcement(puzzle.goal)] if puzzle else [])]
    return tuple(wishes)


def _open(view: PublicView, awaited: str | None) -> Iterator[Announcement]:
    """Name what waits for somebody's word: an offer, a question, a decision."""
    if view.offer:
        yield Announcement(f"offer-{view.offer[0]}", {"side": f"side-{view.offer[1]}"})
    if view.judged.tried:
        yield Announcement("want-tried", {"square": view.judged.tried})
    elif view.judged.kind == "choice":
        declined = any(choice.label.key == "choice-plain" for choice in view.question)
        if view.judged.convertible and declined:
            squares = {"squares": " / ".join(view.judged.touched)}
            yield Announcement("want-conversion" if view.buttons else "want-convert", squares)
        else:
            yield Announcement(asks(view.question))
    elif view.judged.kind == "extendable" and not view.buttons:
        yield Announcement("want-done")
    elif awaited:
        yield _for_side(f"awaited-{awaited}", view)


def _reminder(view: PublicView, due: str | None) -> tuple[Announcement, ...]:
    return (Announcement(f"due-{due}"),) if due and not view.quiet else ()


def _put_back(view: PublicView, move: Move, carried: str = "back") -> Announcement:
    """Name one hand movement; the piece by what everyone may see of it."""
    words = {name: cell for name, cell in (("from", move.source), ("to", move.target)) if cell}
    if move.target is None:
        return Announcement("want-off", words)
    piece = view.board.get(move.target)
    if piece is None:
        return Announcement("want-there", words)
    words["piece"] = f"the-{piece.side}-{piece.kind}" if piece.side else f"the-{piece.kind}"
    kind = "bring" if move.source is None else "turn" if move.source == move.target else carried
    return Announcement(f"want-{kind}", words)


def _for_side(key: str, view: PublicView, side: str | None = None, **words: str) -> Announcement:
    return Announcement(key, {"side": f"side-{side or view.to_act}", **words})
