import itertools
import re
from typing import get_args

import pytest

from drivers.board_reasons import Reason
from firmware_bridge.messages.records import UNTOLD, Record, RecordKind
from firmware_bridge.pages.history import told
from firmware_bridge.pages.texts import speaking
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.service.alerts import why
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.pages.app_help import PIN

DATA = {
    "committed": {"side": "black", "sha256": "ab" * 32},
    "pledged": {"at": "black"},
    "put": {"turn": "d1d4"},
    "audited": {"why": ""},
    "set-up": {"position": "8/8"},
    "taken": {"side": "white", "turn": "e2e4", "public": "e2e4"},
    "amended": {"turn": "e2e4", "public": "e2e4"},
    "attempt": {"side": "white", "reason": "path-blocked", "move": None, "cells": ["a1"]},
    "ruled": {
        "side": "white",
        "reason": "path-blocked",
        "penalty": 120.0,
        "said": [["penalty-give-minutes", {"side": "side-white", "minutes": "2"}]],
    },
    "opened": {"address": "192.168.1.20"},
    "seated": {"side": "white", "taken": True},
    "weakened": {"side": "black"},
    "call": {"what": "resign", "by": "black", "data": {}},
    "kings": {"winner": "draw"},
    "ended": {"winner": None, "reason": "agreed-draw"},
}


def sentence(kind, data, language="en"):
    return told(Record(1000, kind, data), speaking(language, "realm"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_record_can_be_read(language):
    for kind in sorted(set(get_args(RecordKind)) - set(UNTOLD)):
        text = sentence(kind, DATA.get(kind, {}), language)
        assert text
        assert not re.search("why-|reason-|{", text), (kind, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_call_can_be_read(language):
    for what, by in itertools.product(CALLS, (None, "white")):
        data = {n: {"side": "white", "winner": "draw"}.get(n, "12") for n in CALLS[what].data}
        text = sentence("call", {"what": what, "by": by, "data": data}, language)
        assert "page-" not in text, (what, by)
        assert "12" in text or not set(data) - {"side", "winner"}, (what, by)


async def test_the_referee_reads_what_happened(hands, browser):
    await browser.post("/api/v1/referee", json={"key": PIN})
    await hands.begin("g1f3", "g8f6", "e2e5")
    ruling = {"side": "black", "seconds": "60", "reason": "The clock was late."}
    await browser.post("/api/v1/referee/actions", json={"call": "add-time", "data": ruling})
    scene = (await browser.get("/api/v1/referee/state")).json()
    lines = [line["text"] for line in scene["history"]]
    assert lines[0] == "Agreed: Reversi Chess."
    assert lines[3:5] == ["White: Nf3", "Black: Nf6"]
    assert "White, illegal: e2 to e5. That piece does not move like this." in lines
    german = (await browser.get("/api/v1/referee/state?language=de")).json()["history"]
    told_in_german = [line["text"] for line in german]
    assert "Weiß: Sf3" in told_in_german
    assert "Weiß, regelwidrig: e2 nach e5. So zieht diese Figur nicht." in told_in_german


async def test_what_is_wrong_with_a_board_is_told_to_whoever_looks_after_it(hands, browser):
    gone = Reason("port-vanished", {"port": "/dev/ttyACM0"})
    hands.controller.link_changed(why(Reason("on-wire", {"wire": "Board"}, (gone,))))
    english = (await browser.get("/api/v1/state")).json()["link"]
    german = (await browser.get("/api/v1/state?language=de")).json()["link"]
    assert english.startswith("The board is not there. See that it is switched on")
    assert german.startswith("Das Brett ist nicht da. Ist es eingeschaltet")
    assert "ttyACM0" not in english + german
    english, german = [(await browser.get(f"/board?language={one}")).text for one in ("en", "de")]
    assert "Board: The port /dev/ttyACM0 has disappeared. Is the cable still in?" in english
    assert "Board: Der Anschluss /dev/ttyACM0 ist verschwunden. Steckt das Kabel" in german
    assert "ttyACM0" in (await browser.get("/readyz")).text
