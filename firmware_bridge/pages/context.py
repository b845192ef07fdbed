"""What every page needs: controller, keys, words, and scenes made once for all readers."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace

from starlette.requests import Request
from starlette.types import Scope

from firmware_bridge.config import Config
from firmware_bridge.diagnostics.logs import Refusals
from firmware_bridge.pages.clients import asks_from
from firmware_bridge.pages.keys import Keys
from firmware_bridge.pages.languages import language_of
from firmware_bridge.pages.seat_requests import Waiting
from firmware_bridge.pages.show import show_scene
from firmware_bridge.pages.texts import Say, speaking
from firmware_bridge.pages.view_model import (
    ViewModel,
    clock_faces,
    opponents,
    public_scene,
    referee_scene,
    seat_scene,
)
from firmware_bridge.service.challenge import exchangeable, may_join
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.friends_desk import FriendsDesk
from firmware_bridge.service.kiosk import KioskManager
from firmware_bridge.service.view_feed import Reader, Sight
from firmware_bridge.service.works import Wanted, Work
from firmware_bridge.views import PlayerView, PublicView
from rules.interface import Side


class AppContext:
    """Shared by all handlers of one server.

    Attributes:
        kiosk_manager: who looks after a kiosk; `None` where this never was one.
        friends: who exchanges letters with friends far away; `None` where no broker is named.
        boot: names this run of the service in event numbers.
        waiting: who asks for a seat that is taken.
        leave_for: ends the service for what somebody wants to do with the board.
        works: what can be done with the board besides games.
        refusals: what has been refused, to be logged once and then counted.
    """

    def __init__(
        self,
        controller: Controller,
        keys: Keys,
        config: Config,
        kiosk_manager: KioskManager | None = None,
        friends: FriendsDesk | None = None,
    ) -> None:
        self.controller = controller
        self.keys = keys
        self.config = config
        self.kiosk_manager = kiosk_manager
        self.friends = friends
        self.boot = secrets.token_hex(4)
        self.leave_for: Callable[[Wanted], None] | None = None
        self.works: tuple[Work, ...] = ()
        self.refusals = Refusals(controller.now)
        self.waiting = Waiting(controller)
        self._texts: dict[tuple[Reader, str], tuple[object, str]] = {}

    @property
    def kiosk(self) -> bool:
        """Whether strangers use this now, with nobody beside them."""
        return self.kiosk_manager is not None and self.kiosk_manager.on

    @property
    def kiosk_left(self) -> bool:
        """Whether strangers used this, until somebody left the kiosk."""
        return self.kiosk_manager is not None and not self.kiosk_manager.on

    def visitor(self, scope: Scope) -> str:
        """Return who asks, as far as limits go: a seat, the referee, this machine, or a network."""
        cookies = Request(scope).cookies
        if side := self.seat_of(cookies):
            self.waiting.shows(side)
            return f"seat-{side}"
        return "referee" if self.keys.is_referee(cookies) else asks_from(scope)

    def seat_of(self, cookies: Mapping[str, str]) -> Side | None:
        """Return the side whose seat is held with these cookies."""
        for side, seat in self.controller.seats.items():
            if self.keys.holds_seat(cookies, self.controller.game_id, side, seat):
                return side
        return None

    def language(self, request: Request) -> str:
        """Return the language that is asked for, else the one chosen before or configured."""
        return language_of(request, self.config)

    def say(self, language: str) -> Say:
        """Return what speaks this language, in the words of the game on the table."""
        return speaking(language, self.controller.agreement.game)

    def scene(self, reader: Reader, language: str) -> ViewModel:
        """Return what this reader may see now, in this language."""
        sight = self.controller.hub.latest(reader).sight
        view, public, speak = sight.view, sight.public, self.say(language)
        if isinstance(view, PlayerView) and (view.hint or view.hinting):
            public = replace(public, hint=view.hint, hinting=view.hinting)
        news = [item for item in sight.news if not item.stale]
        scene = public_scene(public, speak, news=news, link=sight.link)
        side = exchangeable(public, view.side if isinstance(view, PlayerView) else None)
        scene["opponents"] = opponents(public, side, speak) if side and not sight.link else []
        scene["alone"] = not sight.link and may_join(public, self.controller.description)
        if isinstance(view, PublicView):
            return scene | {
                "id": sight.game_id,
                "show": show_scene(sight.show, language) if sight.show else None,
                "aloud": {"wanted": sight.speaks, "said": self._aloud(sight, language)},
            }
        if isinstance(view, PlayerView):
            asking = self.waiting.for_seat(view.side)
            asked = asking is not None and asking.agreed is None
            return seat_scene(view, speak, scene) | {"asked": asked}
        return referee_scene(view, speak, scene)

    def _aloud(self, sight: Sight, language: str) -> list[ViewModel]:
        """Return what was announced, oldest first, as a voice says it."""
        say = self.say(language)
        return [
            {"number": item.number, "text": say.aloud(item)}
            for item in sorted(sight.news, key=lambda news: news.number)
        ]

    def clocks(self) -> str:
        """Return both clocks as of now, as JSON."""
        return json.dumps(clock_faces(self.controller.clocks()), separators=(",", ":"))

    def scene_text(self, reader: Reader, language: str) -> str:
        """Return scene and clocks as JSON; the scene is made once, however many read it."""
        newest = self.controller.hub.latest(reader)
        before, text = self._texts.get((reader, language), (None, ""))
        if before is not newest:
            text = json.dumps(self.scene(reader, language), separators=(",", ":"))
            self._texts[reader, language] = (newest, text)
        return f'{{"clocks":{self.clocks()},{text[1:]}'
