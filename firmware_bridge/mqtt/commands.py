"""What the house may ask of a board: read strictly, and obeyed only with the key. Pure.

A command is a JSON object on `<base>/<id>/cmd/<name>` with `"key"`; `new-game` also takes
`"game"`, `"options"`, `"settings"` and `"players"`, as the set-up page sends them. A retained
command is never obeyed: the broker would give it again at every start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field, ValidationError

import rules
from drivers.description import BoardDescription
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import BadSetting
from firmware_bridge.messages import Call
from firmware_bridge.pages.keys import same
from firmware_bridge.pages.requests import Body, NewGame
from firmware_bridge.service.compatibility import obstacles

CALLS = ("pause", "resume")
NAMES = (*CALLS, "new-game")
LARGEST = 4096
"""Bytes of a command."""


class CommandRefused(ValueError):  # noqa: N818 - says what happened
    """A command that is not obeyed; the message says why, and never repeats the key."""


class _Body(Body):
    key: Annotated[str, Field(max_length=200)]


class _NewGame(_Body, NewGame):
    pass


class Commands:
    """Reads commands, each of which must carry the key."""

    def __init__(
        self,
        key: str,
        description: BoardDescription,
        language: str,
        clock: Callable[[], float],
    ) -> None:
        self._key = key
        self._description = description
        self._language = language
        self._clock = clock

    def read(self, name: str, payload: bytes, *, retained: bool) -> Call | Agreement:
        """Return what a command tells the controller; one that the broker had kept is not obeyed.

        Raises:
            CommandRefused: when the command is not to be obeyed.
        """
        if retained:
            raise CommandRefused("A retained command is not obeyed: send it without `retain`.")
        if len(payload) > LARGEST:
            raise CommandRefused(f"A command has {LARGEST} bytes at most.")
        if name not in NAMES:
            raise CommandRefused(f"There is no such command; there are {', '.join(NAMES)}.")
        body = self._body(name, payload)
        # Nobody guesses such a key: the right one opens however many wrong ones came before.
        if not same(body.key, self._key):
            raise CommandRefused("The key is wrong.")
        if isinstance(body, _NewGame):
            return self._agreement(body)
        return Call(self._clock(), name)

    def _body(self, name: str, payload: bytes) -> _Body:
        model = _NewGame if name == "new-game" else _Body
        try:
            return model.model_validate_json(payload)
        except ValidationError as error:
            detail = error.errors(include_input=False, include_url=False)[0]
            where = ".".join(str(part) for part in detail["loc"])
            raise CommandRefused(f"{where or 'payload'}: {detail['msg']}") from None

    def _agreement(self, wanted: _NewGame) -> Agreement:
        try:
            agreed = wanted.agreement(self._language)
        except (rules.UnknownGame, BadSetting) as error:
            raise CommandRefused(str(error)) from None
        game = agreed.terms().game
        if obstacles(self._description, game):
            raise CommandRefused(
                f"This board cannot carry {wanted.game}; its set-up page says why."
            )
        return agreed
