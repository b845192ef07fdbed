"""The HTTP interface, described for programs (OpenAPI 3.1)."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from starlette.convertors import Convertor
from starlette.routing import compile_path

from firmware_bridge.pages.endpoints import ENDPOINTS, REFEREES, SEATS, Endpoint, OneOf

_TOLD = {"after": "The id of the last event heard."}
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
_DONE = {200: "It could.", 202: "It has taken effect."}
_ERROR = {
    "type": "object",
    "properties": {
        "error": {"type": "string"},
        "message": {"type": "string"},
        "fields": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["error"],
}


@cache
def describe() -> dict[str, Any]:
    """Return the description as JSON values, the same at each call: addresses never change."""
    keys = (*SEATS, *REFEREES)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "firmware-bridge",
            "version": version("firmware-bridge"),
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
            "description": "A refereed game on a physical board. See docs/pages.md.",
        },
        "paths": dict(map(_path, ENDPOINTS)),
        "components": {
            "securitySchemes": {
                key: {"type": "apiKey", "in": "cookie", "name": key} for key in keys
            }
        },
    }


def _path(endpoint: Endpoint) -> tuple[str, dict[str, Any]]:
    """Return an address and what can be done there."""
    _, path, gaps = compile_path(endpoint.route.path)
    parameters = [_parameter("path", name, gap) for name, gap in gaps.items()]
    parameters += [_parameter("query", name) for name in endpoint.query]
    summary = (endpoint.handler.__doc__ or "").partition("\n")[0].rstrip(".")
    operation: dict[str, Any] = {
        "summary": summary,
        "parameters": parameters,
        "security": [{key: []} for key in endpoint.who.keys],
        "responses": {
            code: {"description": text, "content": {"application/json": {"schema": _ERROR}}}
            for code, text in _REFUSED.items()
        },
    }
    if endpoint.body is None:
        content: dict[str, Any] = {kind: {} for kind in endpoint.kinds}
        operation["responses"]["200"] = {"description": summary, "content": content}
        return path, {"get": operation}
    content = {"application/json": {"schema": endpoint.body.model_json_schema()}}
    operation["requestBody"] = {"required": True, "content": content}
    operation["responses"][str(endpoint.done)] = {"description": _DONE[endpoint.done]}
    return path, {"post": operation}


def _parameter(place: str, name: str, gap: Convertor[Any] | None = None) -> dict[str, Any]:
    schema = {"enum": [*gap.values]} if isinstance(gap, OneOf) else {"type": "string"}
    told = {"description": _TOLD[name]} if name in _TOLD else {}
    return {"name": name, "in": place, "required": place == "path", "schema": schema, **told}
