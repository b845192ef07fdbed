"""What goes wrong between two boards is said in a sentence each, and loses nothing.

Each way returns what is said, in order, in English and in German.
"""

import asyncio
import re
from inspect import isasyncgenfunction
from types import SimpleNamespace

import httpx
import pytest

from firmware_bridge.config import Config
from firmware_bridge.distance import greeting
from firmware_bridge.distance.canonical import written
from firmware_bridge.distance.friends import friends_in
from firmware_bridge.distance.invitation import Invitation, NotWords
from firmware_bridge.distance.meeting import Meeting
from firmware_bridge.distance.pairing import Inviter, Joiner, Spent, message_of
from firmware_bridge.journal import StorageFailed
from firmware_bridge.pages.app import create_app
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.keys import Keys
from firmware_bridge.pages.texts import speaking
from firmware_bridge.service import distant_games, friends_desk
from firmware_bridge.service.friends_desk import FriendsDesk
from firmware_bridge.words.language_files import said
from tests.firmware_bridge.distance.test_friends_desk import configured, no_games
from tests.firmware_bridge.distance.test_pairing import (
    OTHER_WORDS,
    WORDS_SHOWN,
    both_meet,
    instantly,
)
from tests.firmware_bridge.distance.wild import WildCarrier
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.firmware_bridge.service.test_distant_games import (
    LINE_OF_PLAY,
    UNTIMED,
    QuickCarrier,
    begun,
    play,
    two_hosts,
)
from tests.patience import soon

LANGUAGES = ("en", "de")
GAME = {"game": "reversi", "friend": "Grace", "side": "white"}


def browser_of(host, friends):
    context = AppContext(host.controller, Keys(b"k" * 32, "", lambda: 0.0), Config(), None, friends)
    transport = httpx.ASGITransport(app=create_app(context), client=("127.0.0.1", 4000))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")


def desk_of(host):
    return SimpleNamespace(games=host.games, missing="", words="", pairing="", told="", spent=None)


async def refused(host, what, body, friends=None):
    """Return what the page says to this, by language; it must refuse it."""
    async with browser_of(host, friends or desk_of(host)) as browser:
        answers = {
            each: await browser.post(f"/api/v1/distance/{what}?language={each}", json=body)
            for each in LANGUAGES
        }
    assert all(answer.status_code in {409, 503} for answer in answers.values())
    return {each: answer.json()["message"] for each, answer in answers.items()}


def in_both(sentence):
    return {each: speaking(each, "reversi")(sentence.key, **sentence.words) for each in LANGUAGES}


def spent(side, message):
    with pytest.raises(Spent) as why:
        side.hear(message)
    return in_both(why.value)


def no_words():
    for text in ("acorn zebra tulip obo", "acorn zebra tulip 7", "acorn zebra"):
        with pytest.raises(NotWords) as why:
            Invitation.entered(text)
        yield in_both(why.value)


def wrong_words():
    return map(in_both, instantly(both_meet(WildCarrier(), OTHER_WORDS)))


def used_words():
    inviter = Inviter(WORDS_SHOWN, "Ada")
    for name in ("Grace", "Eve"):
        message = Joiner(WORDS_SHOWN, name).telling
        if name == "Grace":
            inviter.hear(message)
            inviter.hear(message)  # as a bad line doubles it
    yield spent(inviter, message)


def old_words():
    async def alone():
        await Meeting.entered(WildCarrier(), WORDS_SHOWN, "Grace").friend(60)

    with pytest.raises(Spent) as why:
        instantly(alone())
    yield in_both(why.value)


def other_letters():
    message = written({"v": 2, "step": "knock", "spake": "00"})
    yield spent(Inviter(WORDS_SHOWN, "Ada"), message)


def no_exchange():
    for spake in ("", "41", "42" * 33, "42" + "00" * 32, "42" + "ff" * 32):
        yield spent(Inviter(WORDS_SHOWN, "Ada"), message_of("knock", spake=spake))


async def told_of_broker(folder, extra):
    with Mosquitto(folder, extra) as broker:
        desk = FriendsDesk(configured(folder, broker.port), no_games())
        desk.invite()
        return in_both(await soon(lambda: desk.spent))


async def broker_refuses(walk):
    yield await told_of_broker(walk.folder, "allow_anonymous false")


async def broker_forbids(walk):
    (walk.folder / "acl").write_text("topic read elsewhere/#\n")
    yield await told_of_broker(walk.folder, f"allow_anonymous true\nacl_file {walk.folder}/acl")


async def no_broker(walk):
    async with browser_of(walk.one, None) as browser:
        body = {"line": "0" * 32, "accepts": True}
        paths = {each: f"/api/v1/distance/answer?language={each}" for each in LANGUAGES}
        answers = {each: await browser.post(path, json=body) for each, path in paths.items()}
        yield {each: answer.json()["message"] for each, answer in answers.items()}


async def no_extra(walk):
    desk = SimpleNamespace(missing="cryptography")
    yield await refused(walk.one, "invite", {}, desk)


async def other_release(walk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distant_games, "release", lambda: "firmware-bridge 0.0.1")
        await walk.other.games.propose("Ada", "white", UNTIMED)
    (proposal,) = await soon(lambda: walk.one.proposed)
    yield await refused(walk.one, "answer", {"line": proposal.line, "accepts": True})


async def same_colour(walk):
    await walk.other.games.propose("Ada", "white", UNTIMED)
    await soon(lambda: walk.one.proposed)
    yield await refused(walk.one, "propose", GAME)


async def too_long(walk):
    time = "40/90m+30s, " * 800 + "30m"
    yield await refused(walk.one, "propose", {**GAME, "settings": {"time": time}})


async def hourglass(walk):
    time = {"time": "5m hourglass"}
    yield await refused(walk.one, "propose", {**GAME, "settings": time})


async def stranger(walk):
    yield await refused(walk.one, "propose", {**GAME, "friend": "Eve"})


async def gone(walk):
    yield await refused(walk.one, "answer", {"line": "0" * 32, "accepts": True})


async def full_disk(walk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk.one.line, "write", _full)
        yield await refused(walk.one, "propose", GAME)


async def _full(*_):
    raise StorageFailed("full")


async def friend_removed(walk):
    """He plays on and proposes another game: his board hears nothing, and here nothing is taken."""
    await begun(walk.one, walk.other)
    await play(walk.one, walk.other, LINE_OF_PLAY[:1])
    facts, walk.one.games.lines = walk.one.facts, {}
    walk.carrier.ears.clear()
    walk.other.line.heard_at -= 2 * distant_games.SILENT
    await walk.other.turn(LINE_OF_PLAY[1])
    await walk.other.games.propose("Ada", "white", UNTIMED)
    for host, key in ((walk.one, "distance-parted"), (walk.other, "distance-out")):
        host.games.stir()
        found = await soon(
            lambda host=host, key=key: [n for n in host.hands.news() if n.key == key]
        )
        yield in_both(found[0])
    async with browser_of(walk.other, desk_of(walk.other)) as browser:
        states = {
            each: await browser.get(f"/api/v1/distance?language={each}") for each in LANGUAGES
        }
    yield {each: state.json()["proposals"][0]["text"] for each, state in states.items()}
    assert walk.one.facts == facts


WAYS = {
    no_words: ("pairing-no-word-but", "pairing-no-word", "pairing-count"),
    wrong_words: ("pairing-wrong-there", "pairing-wrong-here"),
    used_words: ("pairing-two",),
    old_words: ("pairing-nobody",),
    other_letters: ("pairing-version",),
    no_exchange: ("pairing-no-exchange",),
    broker_refuses: ("pairing-no-broker",),
    broker_forbids: ("pairing-not-carried",),
    no_broker: ("refusal-no-distance",),
    no_extra: ("refusal-no-distance-extra",),
    other_release: ("distance-release",),
    same_colour: ("distance-crossed",),
    too_long: ("refusal-distance-letter",),
    hourglass: ("distance-time",),
    stranger: ("distance-no-friend",),
    gone: ("distance-no-proposal",),
    full_disk: ("refusal-storage-failed",),
    friend_removed: ("distance-parted", "distance-out", "page-distance-waits"),
}
"""What goes wrong between two boards, and the keys of what is said then."""


async def walked(way, folder):
    """Walk between two hosts; what there was of games and friends must be there afterwards."""
    carrier = QuickCarrier()
    async with two_hosts(folder, carrier) as (one, other):
        before = one.facts, friends_in(folder / "a"), one.controller.game_id
        found = [each async for each in way(SimpleNamespace(**locals()))]
        if way is not friend_removed:
            assert before == (one.facts, friends_in(folder / "a"), one.controller.game_id)
        return found


def is_said(text, key, language):
    """Whether a text has the sentence of this key in it, its gaps filled somehow."""
    parts = re.split(r"\{\w+\}", said("pages.", language)[key])
    return re.search(".+".join(map(re.escape, parts)), text)


@pytest.mark.broker
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_sentence_each_and_nothing_is_lost(tmp_path, monkeypatch, way):
    monkeypatch.setattr(greeting, "AGAIN", 0.05)
    monkeypatch.setattr(friends_desk, "CARRIES", 0.3)
    monkeypatch.setattr(friends_desk, "CONNECTS", 1.0)
    found = asyncio.run(walked(way, tmp_path)) if isasyncgenfunction(way) else list(way())
    keys = WAYS[way] * len(found) if len(WAYS[way]) == 1 else WAYS[way]
    for texts, key in zip(found, keys, strict=True):
        for language in LANGUAGES:
            assert is_said(texts[language], key, language), texts
