"""Every announcement in every language, and nothing that nobody says."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

import rules
from firmware_bridge.games import metadata
from firmware_bridge.messages import Said
from firmware_bridge.reconciler.findings import CellTrouble
from firmware_bridge.referee.penalties import Loss, NoPenalty, kinds
from firmware_bridge.words import LANGUAGES, MissingWords, catalogue
from rules.games.indistinguishable.referee import WORDS as RULING_WORDS
from rules.reasons import COMMON
from tests.firmware_bridge.table.driving import GAMES, Driven
from tests.nightly import in_turn

SOURCES = [
    path
    for folder in ("referee", "table", "views")
    for path in (Path(__file__).parents[3] / "firmware_bridge" / folder).glob("*.py")
]
KEY = re.compile(r"[a-z]+(-[a-z]+)*")
RULE_ENDS = (
    "checkmate", "stalemate", "bare-kings", "insufficient-material", "king-captured",
    "no-true-pieces", "cannot-drop", "no-turn",
)  # fmt: skip


def texts(language):
    """Return a language's texts with those of all games."""
    merged = dict(catalogue(language).texts)
    for game in GAMES:
        merged |= catalogue(language, game).texts
    return merged


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_says_something(language):
    for key, text in texts(language).items():
        assert text.strip() == text, key
        assert text, key


def test_one_thing_has_one_word():
    """Hands turn a piece over; a realm's kinds of turns are learnt by the names that are shown."""
    screens = metadata.of("reality-check").learn
    told = [*texts("en").values(), *(f"{one.title['en']} {one.text['en']}" for one in screens)]
    assert [text for text in told if re.search(r"\bflip", text, re.IGNORECASE)] == []
    kinds_of = catalogue("en", "realm")
    titles = {screen.title["en"] for screen in metadata.of("realm").learn}
    assert {kinds_of.text(kind) for kind in "DCR"} <= titles


def said_in_sources():
    """Yield the keys, or patterns of keys, with which the code announces something."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            place = {"say": 1, "Announcement": 0, "_for_side": 0}.get(name)
            if place is not None and len(node.args) > place:
                yield from patterns(node.args[place])


def patterns(node):
    if isinstance(node, ast.Constant):
        yield re.escape(str(node.value))
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
            for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from patterns(node.body)
        yield from patterns(node.orelse)


def test_every_key_in_the_code_is_in_the_catalogues():
    known = texts("en")
    found = list(said_in_sources())
    assert len(found) > 30
    for pattern in found:
        assert any(re.fullmatch(pattern, key) for key in known), pattern


def test_every_refusal_and_result_has_words():
    known = texts("en")
    calls = (Path(SOURCES[0]).parents[1] / "referee" / "call_rules.py").read_text(encoding="utf-8")
    for key in re.findall(r'"(refused-[a-z-]+)"', calls):
        assert key in known
    referee = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    ended = re.findall(r'end\(\w+(?:\.\w+)?, \w+(?:\.\w+)?, [^,]+, "([a-z-]+)"\)', referee)
    assert len(ended) >= 4
    for reason in (*RULE_ENDS, *ended, "agreed-draw", "repetition", "fifty-moves"):
        assert f"reason-{reason}" in known
    for trouble in get_args(CellTrouble):
        assert f"cell-{trouble}" in known
    for kind in kinds():
        assert kind in (NoPenalty, Loss) or f"penalty-{kind.kind}" in known


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_why_a_turn_is_not_legal_has_words(game, language):
    reasons = rules.load(game).reasons
    assert {f"why-{reason}" for reason in reasons} <= catalogue(language, game).texts.keys()
    assert {f"why-{reason}" for reason in COMMON} <= catalogue(language).texts.keys()


def test_the_rulings_of_indistinguishable_chess_are_worded_by_the_letter():
    words = catalogue("en", "indistinguishable")
    assert {call: words.text(call) for call in RULING_WORDS} == RULING_WORDS
    assert set(metadata.of("indistinguishable").rulings) == set(RULING_WORDS)


@pytest.mark.parametrize("game", GAMES)
def test_every_question_and_option_of_a_game_has_words(game):
    words = catalogue("de", game)
    loaded = rules.load(game)
    for asked in (key for keys in loaded.traits.asks_below.values() for key in keys):
        assert f"asks-{asked}" in words.texts
    for option in loaded.options:
        assert f"option-{option}" in words.texts
    told = metadata.of(game)
    for remark in (*told.remarks, *told.choices):
        named = set(re.compile(remark.turn).groupindex)
        named |= {"turn"} if remark.described else set()
        assert words.gaps(remark.key) <= named, remark
    for mark in told.marks.values():
        assert {mark.on, mark.off} - {None} <= words.texts.keys()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_explained_in_five_screens_in_every_language(game):
    screens = metadata.of(game).learn
    assert len(screens) == 5, f"{game} has {len(screens)} [[learn]] in its data file, not five"
    for number, screen in enumerate(screens, start=1):
        told = screen.title.keys() & screen.text.keys()
        assert told == {"en", "de"}, f"[[learn]] {number} of {game} speaks {sorted(told)} only"
        position = rules.load(game).parse(screen.position) if screen.position else None
        if screen.turn:
            (position or rules.load(game).start()).parse_turn(screen.turn)


@pytest.mark.parametrize(("game", "language"), in_turn(GAMES, LANGUAGES))
def test_all_that_is_said_in_a_game_can_be_said(game, language):
    words = catalogue(language, game)
    driven = Driven(game)
    driven.random_turns(seed=11, count=20)
    driven.say("resign", "white")
    spoken = driven.gave(Said)
    assert spoken
    for output in spoken:
        text = words.text(output.key, output.words)
        assert "{" not in text
        assert not any(KEY.fullmatch(word) and word in words.texts for word in text.split())
    for announcement in driven.view.wants:
        assert words.text(announcement.key, announcement.words)


def test_quiet_mode_keeps_what_players_must_know():
    words = catalogue("en", "indistinguishable")
    assert all(words.needed(key) for key in ("illegal", "over", "opponents-piece", "want-choice"))
    assert catalogue("de", "reality-check").needed("rolled")  # nobody could go on without it
    assert not any(words.needed(key) for key in ("check", "go", "ready", "adjusted"))


def test_an_unknown_key_language_or_open_gap_is_an_error():
    with pytest.raises(MissingWords, match="no words for"):
        catalogue("en").text("sing")
    with pytest.raises(MissingWords, match="no words in"):
        catalogue("tlh")
    with pytest.raises(MissingWords, match="nothing fills"):
        catalogue("en").text("to-move")


@pytest.mark.parametrize(("language", "deed"), [("en", "Make room"), ("de", "Platz schaffen")])
def test_who_reads_that_a_game_cannot_be_saved_reads_what_to_do(language, deed):
    assert deed in texts(language)["want-help"]
