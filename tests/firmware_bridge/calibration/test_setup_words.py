"""What is said at a new board, in every language."""

import re
from pathlib import Path

import pytest

import rules
from drivers.description import load_description
from drivers.piece_set import PieceSet
from drivers.port import Snapshot
from firmware_bridge.calibration.enrolment import enrolment_for
from firmware_bridge.calibration.page import WalkPage
from firmware_bridge.calibration.procedure import Procedure
from firmware_bridge.calibration.prompts import words_of
from firmware_bridge.words import LANGUAGES, PSEUDO

CODE = Path(__file__).parents[3] / "firmware_bridge"
SOURCES = [*sorted((CODE / "calibration").glob("*.py")), CODE / "service" / "workshop.py"]
KEY = re.compile(r'"(setup-[\w{}.\[\]-]+)"')


def own(language):
    texts = words_of(language).texts
    return {key: text for key, text in texts.items() if key.startswith("setup-")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything_with_the_same_gaps(language):
    here, there = words_of(language), words_of("en")
    assert own(language).keys() == own("en").keys()
    assert {key: here.gaps(key) for key in own(language)} == {
        key: there.gaps(key) for key in own("en")
    }


def test_nothing_is_said_without_words_and_no_words_are_left_over():
    used = {key for path in SOURCES for key in KEY.findall(path.read_text(encoding="utf-8"))}
    patterns = [re.compile(re.sub(r"\{[^}]*\}", "[a-zA-Z]+", key)) for key in used]
    for pattern in patterns:
        assert any(pattern.fullmatch(key) for key in own("en")), pattern
    for key in own("en"):
        assert any(pattern.fullmatch(key) for pattern in patterns), key


def test_the_walk_speaks_german():
    walk = Procedure(load_description("full"), parts=("cells", "sound"), language="de")
    walk.hear(Snapshot(0, {}))
    assert walk.asks == (
        "2/94  Die Figur auf a1 stellen.  [s: das Feld antwortet nicht; k: die Figur steht dort, "
        "obwohl ein anderes Feld antwortet; w: ohne ihren Tag weitermachen]"
    )
    assert walk.words["u"] == "die letzte Antwort zurücknehmen"
    assert walk.order("z") == "„z“ ist hier keine Antwort. Bekannt: s, k, w, u, q."


def test_pieces_are_asked_for_in_german():
    board = load_description("full")
    enrolment = enrolment_for(rules.load("indistinguishable"), board, PieceSet(), language="de")
    asked = enrolment.asks
    assert re.fullmatch(r"Bitte auf [a-h][1-9]: weißer? \w+\.  \(noch 32\)", asked), asked


def test_the_page_stands_in_its_language_and_runs_the_right_way():
    german, leftward = WalkPage("de").state()["texts"], WalkPage(PSEUDO).state()["texts"]
    assert (german["lang"], german["dir"], german["enter"]) == ("de", "ltr", "Eingeben")
    assert (leftward["dir"], leftward["shining"][-7:]) == ("rtl", "{cells}")
