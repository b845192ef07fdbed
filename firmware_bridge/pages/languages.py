"""Which language a page is in, and which others it can be had in."""

from __future__ import annotations

from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from drivers.simulator.wording import liked
from firmware_bridge.config import Config
from firmware_bridge.pages.texts import texts
from firmware_bridge.words import LANGUAGES, PSEUDO, catalogue
from firmware_bridge.words import offered as offered_languages

R = TypeVar("R", bound="Response")


def language_of(request: Request, config: Config) -> str:
    """Return the language that is asked for, else the one chosen before or configured.

    Where none is configured it is the one that the browser likes best; at a kiosk nobody's own
    browser asks.
    """
    for asked in (request.query_params.get("language"), request.cookies.get("language")):
        if asked in (*LANGUAGES, PSEUDO):
            return str(asked)
    if config.pages.kiosk or "language" in config.model_fields_set:
        return config.language
    return liked(request.headers.get("accept-language", ""), offered_languages()) or config.language


def offered(request: Request) -> list[dict[str, str]]:
    """Return every language that says most of it, with this page's address in it."""
    return [_offer(request, language) for language in offered_languages()]


def keep(request: Request, response: R, language: str) -> R:
    """Let a language that was just chosen hold for the pages to come; return the response."""
    if request.query_params.get("language") in LANGUAGES:
        response.set_cookie("language", language, samesite="strict", httponly=True)
    return response


def _offer(request: Request, language: str) -> dict[str, str]:
    address = request.url.include_query_params(language=language)
    return {
        "code": language,
        "name": catalogue(language).text("language"),
        "address": f"{address.path}?{address.query}",
        "invitation": texts(language, None).text("page-attract"),
    }
