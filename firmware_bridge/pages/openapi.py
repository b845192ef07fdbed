"""The HTTP interface, described for programs (OpenAPI 3.1)."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from firmware_bridge.pages.requests import Action, Entry, HandOver, NewGame, Nothing, TableAction

if TYPE_CHECKING:
    from pydantic import BaseModel

_SIDE = {
    "name": "side",
    "in": "path",
    "required": True,
    "schema": {"enum": ["white", "black"]},
}
_GAME = {"name": "game_id", "in": "path", "required": True, "schema": {"type": "string"}}
_FORMS = {
    "json": "application/json",
    "pgn": "application/x-chess-pgn",
    "jsonl": "application/jsonl",
}
_KIND = {"name": "kind", "in": "path", "required": True, "schema": {"enum": [*_FORMS]}}
_LANGUAGE = {"name": "language", "in": "query", "schema": {"type": "string"}}
_SEARCH = [
    {"name": name, "in": "query", "schema": {"type": "string"}}
    for name in ("player", "game", "date")
]
_AFTER = {
    "name": "after",
    "in": "query",
    "schema": {"type": "string"},
    "description": "The id of the last event heard.",
}
_REFUSED = {
    "400": "Something in the body is wrong; `error` or `message` says what.",
    "403": "Not for this reader, or from another site's page.",
    "404": "There is nothing at this address.",
    "408": "The body did not come to its end in time.",
    "409": "It cannot be done now: `message` says why; or the game may not be told yet.",
    "413": "The body is larger than 16 kB.",
    "415": "The body is not JSON.",
    "421": "That is no name of this service.",
    "429": "Too many changes or tries; `Retry-After` says how long to wait.",
    "500": "The games that were kept cannot be read.",
    "503": "Too many pages are open.",
}
_DONE = {"200": "It could.", "202": "It has taken effect."}
_ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "message": {"type": "string"}},
    "required": ["error"],
}


def describe() -> dict[str, Any]:
    """Return the description as JSON values."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "firmware-bridge",
            "version": version("firmware-bridge"),
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
            "description": "A refereed game on a physical board. See docs/pages.md.",
        },
        "paths": _public() | _seat() | _referee(),
        "components": {
            "securitySchemes": {
                "seat-white": _cookie("seat-white"),
                "seat-black": _cookie("seat-black"),
                "referee": _cookie("referee"),
            }
        },
    }


def _public() -> dict[str, Any]:
    return {
        "/api/v1/state": {"get": _read("The public scene", [_LANGUAGE])},
        "/api/v1/events": {"get": _stream("The public scene at every change, and beats")},
        "/api/v1/kiosk": {"get": _read("Whether this is a kiosk, and whether it was left", [])},
        "/api/v1/kiosk/wake": {"post": _change("End a kiosk's show", Nothing)},
        "/api/v1/kiosk/leave": {"post": _change("Leave kiosk mode with the PIN", Entry)},
        "/api/v1/table/actions": {
            "post": _change("Answer what is asked of all", TableAction, security=["referee"])
        },
        "/api/v1/games": {"get": _read("The games that are over, the newest first", _SEARCH)},
        "/api/v1/games/{game_id}.{kind}": {
            "parameters": [_GAME, _KIND],
            "get": _read("A game that is over", [], None, *_FORMS.values()),
        },
        "/api/v1/games/{game_id}/delete": {
            "parameters": [_GAME],
            "post": _change("Forget a game that is over, with the PIN", Entry),
        },
        "/api/v1/games/{game_id}/take-up": {
            "parameters": [_GAME],
            "post": _change("Go on with an adjourned game", Nothing, security=["referee"]),
        },
        "/api/v1/game": {"post": _change("Begin a game", NewGame, security=["referee"])},
        "/api/v1/game/rematch": {
            "post": _change("The same again, colours exchanged", Nothing, security=["referee"])
        },
        "/api/v1/game/check": {
            "post": _change("Whether a game could begin so", NewGame, "200", security=["referee"])
        },
    }


def _seat() -> dict[str, Any]:
    keys = ["seat-white", "seat-black"]
    place = "/api/v1/seat/{side}"
    return {
        place: {"parameters": [_SIDE], "post": _change("Sit down with a seat's code", Entry)},
        f"{place}/hand-over": {
            "parameters": [_SIDE],
            "post": _change("Agree that who asks gets the seat", HandOver, security=keys),
        },
        f"{place}/leave": {
            "parameters": [_SIDE],
            "post": _change("Leave the seat", Nothing, security=[*keys, "referee"]),
        },
        f"{place}/state": {
            "parameters": [_SIDE],
            "get": _read("The scene as this player may see it", [_LANGUAGE], keys),
        },
        f"{place}/events": {
            "parameters": [_SIDE],
            "get": _stream("The same at every change, and beats", keys),
        },
        f"{place}/actions": {
            "parameters": [_SIDE],
            "post": _change("Press, answer, declare, offer, resign", Action, security=keys),
        },
        f"{place}/rematch": {
            "parameters": [_SIDE],
            "post": _change("The same again, colours exchanged", Nothing, security=keys),
        },
    }


def _referee() -> dict[str, Any]:
    place, keys = "/api/v1/referee", ["referee"]
    return {
        place: {"post": _change("Enter with the PIN", Entry)},
        f"{place}/leave": {"post": _change("Leave the referee's page", Nothing, security=keys)},
        f"{place}/state": {"get": _read("Everything", [_LANGUAGE], keys)},
        f"{place}/events": {"get": _stream("Everything at every change, and beats", keys)},
        f"{place}/actions": {"post": _change("Rule", Action, security=keys)},
        f"{place}/export.{{kind}}": {
            "parameters": [_KIND],
            "get": _read("The game on the table", [], keys, *_FORMS.values()),
        },
    }


def _read(
    summary: str,
    parameters: list[dict[str, Any]],
    security: list[str] | None = None,
    *kinds: str,
) -> dict[str, Any]:
    content: dict[str, Any] = {kind: {} for kind in kinds or ("application/json",)}
    return {
        "summary": summary,
        "parameters": parameters,
        "security": _any_of(security),
        "responses": {"200": {"description": summary, "content": content}, **_refusals()},
    }


def _stream(summary: str, security: list[str] | None = None) -> dict[str, Any]:
    return _read(summary, [_LANGUAGE, _AFTER], security, "text/event-stream")


def _change(
    summary: str, body: type[BaseModel], done: str = "202", *, security: list[str] | None = None
) -> dict[str, Any]:
    content = {"application/json": {"schema": body.model_json_schema()}}
    return {
        "summary": summary,
        "security": _any_of(security),
        "requestBody": {"required": True, "content": content},
        "responses": {done: {"description": _DONE[done]}, **_refusals()},
    }


def _refusals() -> dict[str, Any]:
    content = {"application/json": {"schema": _ERROR}}
    return {code: {"description": text, "content": content} for code, text in _REFUSED.items()}


def _any_of(keys: list[str] | None) -> list[dict[str, list[str]]]:
    return [{key: []} for key in keys or ()]


def _cookie(name: str) -> dict[str, str]:
    return {"type": "apiKey", "in": "cookie", "name": name}
