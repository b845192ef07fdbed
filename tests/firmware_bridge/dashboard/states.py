"""States as boards publish them, made by the code that publishes them."""

import json
from datetime import UTC, datetime

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.mqtt.published_state import state
from firmware_bridge.pages.texts import texts
from firmware_bridge.reconciler import Sensing
from firmware_bridge.table import Table


def published(board, game="reversi", now=None, **changes):
    words = texts("en", game)
    agreement = Agreement(
        game,
        settings=GameSettings.of({"time": "45m"}),
        players={"white": "Ada", "black": "Ben"},
        position=str(rules.load(game).start()),
    )
    view = Table(agreement, Sensing(), now=0.0, begin=True).view(0.0)
    as_of = (now or datetime.now(UTC)).isoformat(timespec="milliseconds")
    told = state(
        view,
        lambda key, **gaps: words.text(key, gaps),
        "",
        {"board": board, "boot": "b", "as_of": as_of},
    )
    return {**told, **changes}


def payload(*arguments, **more):
    return json.dumps(published(*arguments, **more)).encode()
