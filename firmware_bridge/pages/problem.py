"""Refusals in words: what is wrong, and what to do about it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from firmware_bridge.words import MissingWords

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.responses import Response

    from firmware_bridge.pages.texts import Say


def problem(error: HTTPException, say: Say) -> Response:
    """Answer a refusal as JSON: a code with a message, or a sentence about what was sent."""
    body = {"error": error.detail}
    with contextlib.suppress(MissingWords):  # of a sentence, which says it all
        body["message"] = say(f"refusal-{error.detail}")
    return JSONResponse(body, status_code=error.status_code, headers=error.headers)
