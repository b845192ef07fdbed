"""The review of a game that is over: asked for, on its way, and told in words with its arrows."""

from __future__ import annotations

from collections import Counter

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.opponents.protocol import Known
from firmware_bridge.pages.actions import context_of, done, say_to
from firmware_bridge.pages.past_games import frame, recorded_of
from firmware_bridge.pages.requests import Nothing
from firmware_bridge.pages.texts import Say
from firmware_bridge.pages.view_model import ViewModel, movements
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.referee.remarks import faces
from firmware_bridge.service.review import Review, TurningPoint
from firmware_bridge.service.reviewer import Busy, Progress
from firmware_bridge.views.advised import moves_of


async def ask(request: Request, _: Nothing) -> Response:
    """Have a game reviewed."""
    game_id = request.path_params["game_id"]
    await recorded_of(request, game_id)
    try:
        context_of(request).controller.reviewer.ask(game_id)
    except Busy as busy:
        raise HTTPException(503, str(busy), headers={"Retry-After": "60"}) from None
    return done()


async def state(request: Request) -> Response:
    """Tell how far the review of a game has come, and what came of it."""
    context, game_id = context_of(request), request.path_params["game_id"]
    recorded = await recorded_of(request, game_id)
    say = say_to(request, recorded.agreement.game)
    return JSONResponse(told(context.controller.reviewer.progress(game_id), recorded, say))


def told(progress: Progress | None, recorded: RecordedGame, say: Say) -> ViewModel:
    """Return how far a review, if one was asked for, has come, and what came of it, in words."""
    if progress is None:
        return {"goes_on": False, "message": ""}
    review = progress.review
    if review is None:
        return {"goes_on": not progress.over, "message": _message(progress, say)}
    return {
        "goes_on": False,
        "message": "",
        "chances": [round(100 * chance) for chance in review.chances],
        "turning_points": [_point(point, recorded, say) for point in review.turning_points],
        "worst": _worst(review, recorded, say),
    }


def _message(progress: Progress, say: Say) -> str:
    if progress.failed:
        return say("page-review-failed")
    if not progress.of:
        return say("page-review-waits")
    return say("page-review-progress", done=str(progress.done), of=str(progress.of))


def _worst(review: Review, recorded: RecordedGame, say: Say) -> ViewModel | None:
    """Return the turn that gave most away, with the position in which it was made."""
    worst = max(review.turning_points, key=lambda point: point.before - point.after, default=None)
    if worst is None:
        return None
    position, told = recorded.state.played[worst.number].before, _point(worst, recorded, say)
    title = say("page-worst-turn", side=f"side-{worst.side}", turn=told["turn"])
    made = movements(moves_of(position, worst.turn))
    lights = {square: "last-turn" for move in made for square in move.values() if square}
    shown = frame(position, lights, "", None, say)
    return {"frame": {**shown, "advised": told["advised"]}, "title": title, "text": told["text"]}


def _point(point: TurningPoint, recorded: RecordedGame, say: Say) -> ViewModel:
    position = recorded.state.played[point.number].before
    return {
        "number": point.number,
        "side": point.side,
        "turn": say.lettered(position.written(point.turn)),
        "text": say(
            "page-review-point",
            before=f"{100 * point.before:.0f}",
            after=f"{100 * point.after:.0f}",
            better=say.lettered(position.written(point.better)),
        ),
        "advised": movements(moves_of(position, point.better)),
        "known": known_in_words(point.known, say) if point.known else [],
    }


def known_in_words(known: Known, say: Say) -> list[str]:
    """Return what could not be known for certain: how many positions, and what may lie beneath."""
    lines = [say("page-review-worlds", number=str(known.worlds))]
    for square, chances in known.chances.items():
        beneath: Counter[str] = Counter()
        for label, chance in chances.items():
            beneath[faces(label)[1]] += chance  # type: ignore[assignment] # chances add up too
        likely = ", ".join(
            say("page-review-beneath", piece=f"piece-{kind}", chance=f"{100 * chance:.0f}")
            for kind, chance in beneath.most_common()
        )
        lines.append(say("page-piece-on", square=square, piece=likely))
    return lines
