"""Keeps an indicator of another package supplied, whatever it does: the game never waits for it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from firmware_bridge.indicators import Moment
from firmware_bridge.views import PublicView
from firmware_bridge.views.lights import lights
from firmware_bridge.words import catalogue, spoken

if TYPE_CHECKING:
    from firmware_bridge.indicators import Indicator
    from firmware_bridge.service.controller import Controller
    from firmware_bridge.service.view_feed import Sight

_LOG = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before an indicator that failed is tried again; twice as long each time."""


class PluggedIn:
    """One indicator and what it has been told.

    Args:
        name: what it is called in the configuration.
        indicator: the indicator, not yet opened.
        controller: where the game goes on.
    """

    def __init__(self, name: str, indicator: Indicator, controller: Controller) -> None:
        self._name = name
        self._indicator = indicator
        self._controller = controller
        self._told = 0
        self._pause = FIRST_PAUSE

    async def run(self) -> None:
        """Show until cancelled, or until the service ends."""
        while not self._controller.hub.closed:
            try:
                async with self._indicator:
                    await self._show()
            except Exception as error:  # noqa: BLE001 - nothing of another package stops a game
                cause = f"{type(error).__name__}: {error}"
                _LOG.warning("indicator %s failed (%s), goes on later", self._name, cause)
                await asyncio.sleep(self._pause)
                self._pause = min(2 * self._pause, LONGEST_PAUSE)

    async def _show(self) -> None:
        number: int | None = None
        while not self._controller.hub.closed:
            try:
                async with asyncio.timeout(self._indicator.refresh):
                    seen = await self._controller.hub.wait("public", number)
            except TimeoutError:
                seen = self._controller.hub.latest("public")
            number = seen.number
            await self._indicator.show(self._moment(seen.sight))
            self._pause = FIRST_PAUSE

    def _moment(self, sight: Sight) -> Moment:
        view = sight.view
        if not isinstance(view, PublicView):
            raise TypeError("the public reader has been given another view")
        view = replace(view, clocks=self._controller.clocks())
        return Moment(view, lights(view), self._said(sight), sight.link)

    def _said(self, sight: Sight) -> tuple[str, ...]:
        settings = self._controller.agreement.settings
        words = catalogue(settings.language, self._controller.agreement.game)
        fresh = [news for news in sight.news if news.number > self._told]
        self._told = max((news.number for news in fresh), default=self._told)
        sentences = sorted(fresh, key=lambda news: news.number)
        return tuple(spoken(words, news.key, news.words) for news in sentences)
