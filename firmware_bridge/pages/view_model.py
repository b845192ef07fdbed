"""From a view to what a page draws and says: plain JSON with every text in the reader's language.

A scene is made from a view and from nothing else, so it can hold no more than its reader may know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

import segno

import rules
from drivers.signals import SIGNALS
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.games import metadata
from firmware_bridge.messages.verdict import ALARMS
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.pages.agreed import agreed
from firmware_bridge.pages.history import since, told
from firmware_bridge.pages.offered import (
    answered_at_board,
    answers,
    declarations,
    exits,
    help_at_board,
    to_an_offer,
)
from firmware_bridge.pages.requests import TAKE_BACK
from firmware_bridge.pages.texts import Say, announced
from firmware_bridge.puzzles import find, following
from firmware_bridge.referee.remarks import faces
from firmware_bridge.views import (
    Announcement,
    ClockFace,
    Hint,
    Judged,
    Move,
    PlayerView,
    PublicView,
    RefereeView,
)
from firmware_bridge.views.lights import lights
from firmware_bridge.views.placement import SOMETHING
from firmware_bridge.views.wants import OF_THE_MOVER, asks_for_press
from rules.interface import Game, Outcome, Position, Shown, Side, Square
from rules.values import SIDES, opponent, owner

ViewModel = dict[str, Any]
BEFORE = {"waiting", "set-up", "ready"}
"""Phases in which a stranger wants to know what is odd about this game."""
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
BESIDE = ("page-", "referee-opened", "seat-")
"""How announcements begin that are not of the game: they never stand before why a turn is illegal,
nor in its place."""
LIFTED = "lifted"
"""The mark of a piece that belongs on its square and is off the board now."""


def public_scene(
    view: PublicView,
    say: Say,
    *,
    news: Sequence[Announcement] = (),
    link: Sequence[Announcement] = (),
) -> ViewModel:
    """Return what everyone may see.

    The latest news come first; what came together, in its order.
    """
    wants = [] if link else _wants(view, say)  # without its board nothing else is wanted
    urgent = view.judged.kind in ALARMS and view.phase in ("restoring", "paused")
    game = rules.load(view.game, **view.options)
    lit = {} if link else lights(view)
    restore = view.judged.restore if urgent or view.phase == "executing" else ()
    tone = _tone(view)
    beside = [n for n in news if tone == "urgent" and n.key.startswith(BESIDE)]
    read = [n for n in news if n not in beside and not (view.puzzle and n.key == "over")]
    told = announced(read, wants, say)
    return {
        "game": view.game,
        "phase": view.phase,
        "begun": view.begun,
        "title": say("name"),
        "parts": say("name-parts"),
        "options": agreed(view, game, say),
        "line": say("tagline") if view.phase in BEFORE and not view.puzzle else "",
        "variant": dict(view.options),
        "described": _described(view, say),
        **show_pieces(game, _seen(view)),
        "outlined": _outlined(game, view.judged) if urgent else [],
        "lights": dict(lit),
        "legend": _legend(lit, say),
        "marked": _marked(view, lit, say),
        "restore": movements(restore if not link else ()),
        "advised": movements(view.hint.moves if view.hint else ()),
        "revealed": list(map(asdict, view.revealed)),
        "turns": [
            {"number": entry.number, "side": entry.side, "text": say.lettered(entry.text)}
            for entry in view.course.turns
        ],
        "captured": {side: _captured(view, side, say) for side in view.course.captured},
        "sides": {side: _side(view, side, say, asked=not link) for side in SIDES},
        "tone": tone,
        "fallen": opponent(view.ending.winner) if view.ending and view.ending.winner else None,
        "headline": wants[0] if wants else "",
        "sentences": _SENTENCE_END.split(wants[0]) if wants else [],
        "more": wants[1:],
        "why": _way_on(view, say, read, told=bool(told)),
        "question": [
            *(to_an_offer(view, say) if answered_at_board(view) else ()),
            *answers(view.question, say),
        ],
        "declarations": [*declarations(view, say), *help_at_board(view, say)],
        "exits": exits(view, say),
        "promised": _promised(view, game, say),
        "folded": _is_kept(view),
        "news": [*told, *announced(beside, wants, say)],
        "loud": bool(told) and tone == "urgent",
        "link": say("page-link-down") if link else "",
        "puzzle": view.puzzle,
        "following": _following(view, say),
    }


def _following(view: PublicView, say: Say) -> ViewModel | None:
    """Return the puzzle or lesson that comes after one that is solved."""
    after = following(find(view.puzzle)) if view.puzzle and view.ending else None
    return {"puzzle": after.id, "label": say("page-learn-next")} if after else None


def _tone(view: PublicView) -> str:
    """Return how the headline is told: in the colour of alarm after an offence alone."""
    if view.judged.kind == "illegal" and view.phase in ("restoring", "paused"):
        return "urgent"
    return "done" if view.ending else ""


def _way_on(
    view: PublicView, say: Say, news: Iterable[Announcement], *, told: bool
) -> ViewModel | None:
    """Return where it is shown why a turn is illegal, or where what a friend proposes is answered.

    What nobody was `told` has no reason that could be shown: it may have been the other one's hand.
    """
    if _tone(view) == "urgent" and view.judged.reason and told:
        number = metadata.lesson(view.game, view.judged.reason)
        return {"label": say("page-why"), "address": f"learn/{view.game}/{number}"}
    if any(one.key == "distance-proposed" for one in news):
        return {"label": say("page-distance-answer"), "address": "distance"}
    return None


def show_pieces(game: Game, board: Mapping[Square, Shown]) -> ViewModel:
    """Return squares and pieces, in an order that tells nothing of their owners, and no marks."""
    return {
        "lights": {},
        "restore": [],
        "revealed": [],
        "ground": metadata.of(game.id).look.board,
        "squares": sorted(game.squares),
        "regions": [" ".join(region) for region in game.regions],
        "discs": game.traits.least_tier == "face",
        "pieces": {
            square: {"kind": shown.kind, "side": shown.side, "marks": sorted(shown.marks)}
            for square, shown in sorted(board.items())
        },
    }


def _promised(view: PublicView, game: Game, say: Say) -> list[ViewModel]:
    """Return the hashes of what computers' pieces hide, and at the end what was hashed."""
    tokens = game.with_tokens(view.computers).tokens
    return [
        *unpromised(tokens - view.commitments.keys(), say),
        *[
            {
                "told": say("page-opened" if made.opened else "page-promised", side=f"side-{side}"),
                "hash": made.digest,
                "check": made.opened,
                "code": code(made.digest) if not _is_kept(view) else "",
            }
            for side, made in view.commitments.items()
        ],
    ]


def _is_kept(view: PublicView) -> bool:
    """Return whether a person has had the time to keep the hashes.

    From then on they are folded away, and at the end with the lines that they are the hashes of.
    """
    return view.phase == "over" or all(made.kept for made in view.commitments.values())


def unpromised(sides: Iterable[Side], say: Say) -> list[ViewModel]:
    """Return that what these sides' pieces hide was not drawn, since people entered it."""
    return [{"told": say("page-promised-none", side=f"side-{side}")} for side in sorted(sides)]


@lru_cache(maxsize=8)
def code(text: str, scale: int = 3, light: str | None = None) -> str:
    """Return a picture to photograph, as the source of an image."""
    return code_of(text).svg_data_uri(scale=scale, border=2, light=light)


def code_of(text: str) -> segno.QRCode:
    """Return a code to photograph, with the first mask: to try all takes 5 ms more."""
    return segno.make(text, error="m", mask=0)


def _captured(view: PublicView, side: Side, say: Say) -> ViewModel:
    """Return what a side has lost, to be drawn and in words."""
    kinds = view.course.captured[side]
    names = ", ".join(say(f"piece-{kind}") for kind in kinds)
    return {"kinds": list(kinds), "told": say("page-captured", pieces=names) if kinds else ""}


def _outlined(game: Game, judged: Judged) -> list[str]:
    """Return the regions that an illegal attempt has to do with."""
    if judged.kind != "illegal":
        return []
    concerned = {
        *judged.cells,
        *(end for move in judged.restore for end in (move.source, move.target)),
    }
    return [" ".join(region) for region in game.regions if concerned & set(region)]


def open_pieces(position: Position) -> ViewModel:
    """Return squares and pieces of a game that is over, owners and undersides included."""
    scene = show_pieces(position.game, position.shown)
    return scene | {"pieces": _opened(scene, position.placement)}


def _opened(scene: ViewModel, placement: Mapping[Square, str]) -> ViewModel:
    """Return the pieces of a scene, with owners and undersides of those that are placed so."""
    pieces = dict(scene["pieces"])
    for square in pieces.keys() & placement.keys():
        under = {"under": faces(placement[square])[1]} if scene["discs"] else {}
        pieces[square] = pieces[square] | {"side": owner(placement[square])} | under
    return pieces


def opponents(view: PublicView, side: Side, say: Say) -> list[ViewModel]:
    """Return who may play this side instead: a person, or a computer of each level."""
    sure = {"sure": say("page-sure")} if view.begun else {}  # it costs the game on the table
    names = [say("page-person-here"), *(say("page-computer", level=str(n)) for n in LEVELS)]
    now = view.computers.get(side, 0)
    return [
        {"level": level, "label": name, "chosen": level == now, **sure}
        for level, name in enumerate(names)
    ]


def clock_faces(clocks: Mapping[Side, ClockFace]) -> ViewModel:
    """Return the clocks, which no scene holds: they are told as of the moment of telling."""
    return {side: asdict(face) for side, face in clocks.items()}


def seat_scene(view: PlayerView, say: Say, scene: ViewModel) -> ViewModel:
    """Return the public scene with what this player alone may know."""
    offered = scene["declarations"]
    offer, by = view.public.offer or ("", None)
    told = [scene["headline"], *scene["more"]]
    if view.public.to_act != view.side:
        offered = [one for one in offered if one.get("call") == TAKE_BACK]
    if view.public.to_act not in (None, view.side):
        to_move = say("to-move", side=f"side-{view.public.to_act}")
        asked = [want for want in view.public.wants if want.key.startswith(OF_THE_MOVER)]
        asked_in_words = {say(want.key, **want.words) for want in asked}
        told = list(dict.fromkeys(to_move if one in asked_in_words else one for one in told))
    return scene | {
        "headline": told[0],
        "sentences": _SENTENCE_END.split(told[0]) if told[0] else [],
        "more": told[1:],
        "side": view.side,
        "presses": _presses(view.public, view.side),
        "why": scene["why"] if _tone(view.public) == "urgent" else None,  # it answers no friend
        "declarations": offered,
        "offers": offer if by == view.side else "",
        "hand": list(view.hand),
        "hand_told": [_disc(faces, say) for faces in view.hand],
        "to_place": [_disc(faces, say) for faces in view.to_place],
        "decision": [
            *(to_an_offer(view.public, say) if view.public.offered == view.side else ()),
            *answers(view.decision, say),
        ],
        "text_board": text_board(view.public, say),
    }


def _presses(view: PublicView, side: Side) -> bool:
    """Return whether the clock leads on this player's phone: he may press it, and has to."""
    ends = view.buttons or asks_for_press(view.wants)
    return view.phase == "paused" or (ends and _acts(view) == side)


def referee_scene(view: RefereeView, say: Say, scene: ViewModel) -> ViewModel:
    """Return the public scene with everything that the referee sees."""
    # What has to leave its square is drawn as everyone sees it: something else belongs there.
    astray = {move.source for move in view.public.judged.restore}
    placed = {s: label for s, label in view.placement.items() if s not in astray}
    return scene | {
        "pieces": _opened(scene, placed),
        "position": view.position,
        "placement": dict(view.placement),
        "hands": {side: list(pieces) for side, pieces in view.hands.items()},
        "history": [
            {"time": since(line.t_ms), "kind": line.kind, "text": told(line, say)}
            for line in view.history
        ],
        "decision": answers(view.decision, say),
    }


def named_players(agreement: Agreement, say: Say) -> dict[Side, str]:
    """Return the players' names by side; the side itself where none was entered."""
    return {side: _player(agreement.players, agreement.computers, side, say) for side in SIDES}


def _player(
    players: Mapping[Side, str], by_computer: Mapping[Side, int], side: Side, say: Say
) -> str:
    if side in by_computer:
        return say("page-computer", level=str(by_computer[side]))
    return players.get(side) or say(f"side-{side}")


def text_board(view: PublicView, say: Say) -> list[str]:
    """Return the board in words, one line a piece, for those who listen to it."""
    return [
        say("page-piece-on", piece=piece_name(shown, say), square=square)
        for square, shown in sorted(view.board.items(), key=lambda item: (item[0][1], item[0][0]))
    ]


def piece_name(shown: Shown, say: Say) -> str:
    """Return a piece in words, with its owner where that is no secret, and its marks."""
    side = shown.side or "nobody"
    name = say(f"page-piece-{side}", kind=f"piece-{shown.kind}")
    marks = [say(f"page-mark-{mark}") for mark in sorted(shown.marks)]
    return ", ".join([name, *marks])


def _disc(faces: str, say: Say) -> str:
    """Return both faces of a disc in words."""
    return say("page-disc", first=f"piece-{faces[0]}", second=f"piece-{faces[1]}")


def _seen(view: PublicView) -> Mapping[Square, Shown]:
    """Return what is drawn: what stands on the board, and as `lifted` what is off it now."""
    off = {square: view.board.get(square, SOMETHING) for square in view.lifted}
    return {**{s: replace(p, marks=p.marks | {LIFTED}) for s, p in off.items()}, **view.standing}


def _legend(lit: Mapping[str, str], say: Say) -> list[ViewModel]:
    """Return what the lights mean that are lit now, each once."""
    lit_now = set(lit.values())
    return [
        {"signal": signal, "label": say(f"light-{signal}")}
        for signal in SIGNALS
        if signal in lit_now
    ]


def _marked(view: PublicView, lights: Mapping[str, str], say: Say) -> list[ViewModel]:
    """Return what the marks mean that are drawn on pieces and not lit now, each once."""
    shines = set(lights.values())
    lit = {name for name, mark in metadata.of(view.game).marks.items() if mark.light in shines}
    drawn = {mark for shown in view.standing.values() for mark in shown.marks}
    return [
        {"signal": f"mark-{mark}", "label": say(f"page-mark-{mark}")}
        for mark in sorted(drawn - lit)
    ]


def movements(moves: Iterable[Move]) -> list[ViewModel]:
    """Return hand movements to be drawn as arrows."""
    return [{"source": move.source, "target": move.target} for move in moves]


def _described(view: PublicView, say: Say) -> str:
    side = view.to_act
    state = say(f"page-{side}-to-act") if side else say(f"page-phase-{view.phase}")
    return say("page-board", game=say("name"), state=state)


def _wants(view: PublicView, say: Say) -> list[str]:
    """Return what the board wants now, most urgent first; a result comes before everything."""
    wants = [say(want.key, **want.words) for want in view.wants]
    if view.puzzle and view.ending:
        return [say("lesson-done" if find(view.puzzle).lesson else "puzzle-solved")]
    if view.hint and view.hint.label:
        wants.append(_hint(view.hint, view.hint.label, say))
    elif view.hinting:
        wants.append(say("page-hinting"))
    if not view.ending:
        return wants
    return [result_told(view.ending, say), *_scored(view, say), *_level(view, say), *wants]


def _hint(hint: Hint, label: Announcement, say: Say) -> str:
    """Tell a hint by what hands do, or else by how its turn is called."""
    if hint.deed:
        return say.aloud(Announcement("hint", {"deed": hint.deed}))
    return say("hint", turn=say(label.key, **label.words))


def _scored(view: PublicView, say: Say) -> Iterator[str]:
    """Tell how a row of games stands: not after its first, which has just been told."""
    if sum(view.score.values()) <= 1:
        return
    sides = sorted(SIDES, key=lambda side: -view.score[side])
    names = [_player(view.players, view.computers, side, say) for side in sides]
    points = [_points(view.score[side]) for side in sides]
    yield say("page-score", first=names[0], ahead=points[0], second=names[1], behind=points[1])


def _points(points: float) -> str:
    """Return points as players write them: 2½."""
    whole = int(points)
    return f"{whole or ''}½" if points > whole else f"{whole}"


def _level(view: PublicView, say: Say) -> Iterator[str]:
    """Tell a person how strong the computer will be next time, as `level_after` has it."""
    if len(view.computers) != 1 or view.ending is None:
        return
    ((side, level),) = view.computers.items()
    if view.ending.winner == opponent(side):
        key = "page-level-top" if level == LEVELS[-1] else "page-level-up"
        yield say(key, level=str(level + 1))
    elif view.ending.winner == side and level > LEVELS[0]:
        yield say("page-level-gentler")


def result_told(ending: Outcome | None, say: Say) -> str:
    """Return who won, and why, as a sentence; `None`: nobody did, it was broken off."""
    if ending is None:
        return say("page-broken-off")
    result = f"result-{ending.winner}-wins" if ending.winner else "result-draw"
    return say("over", result=result, reason=f"reason-{ending.reason}")


def _acts(view: PublicView) -> Side | None:
    """Return who is to do something: before the first turn whoever lets it begin by a press."""
    if view.unbound:
        return view.leaver if view.leaver in view.unbound else view.away
    if view.to_act and any(want.key == "want-start" for want in view.wants):
        return opponent(view.to_act)
    return view.to_act


def _side(view: PublicView, side: Side, say: Say, *, asked: bool) -> ViewModel:
    notes = []
    if view.clocks and view.clocks[side].fallen:
        notes.append(say("page-flag"))
    if side in view.hands:
        notes.append(say("page-in-hand", number=str(view.hands[side])))
    if side in view.hints:
        notes.append(say("page-hints", number=str(view.hints[side])))
    if view.offer and view.offer[1] == side:
        notes.append(say(f"page-offers-{view.offer[0]}"))
    return {
        "name": _player(view.players, view.computers, side, say),
        "note": " · ".join(notes),
        "to_act": _acts(view) == side,
        "asked": asked and _acts(view) == side and asks_for_press(view.wants),
        "seated": side in view.seated,
    }
