"""Announcements are heard: by espeak-ng, else by the page's own speech, else as tones."""

import os
import re
import stat

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import headline
from tests.nightly import at_night, one_of
from tests.patience import until

pytestmark = pytest.mark.browser

BROWSER_WITH_A_VOICE = """
  window.said = [];
  speechSynthesis.speak = (sentence) => {
    said.push(`${sentence.lang} ${sentence.volume} ${sentence.text}`);
    sentence.onend();
  };
"""
BROWSER_WITHOUT_SPEECH = "delete window.speechSynthesis;"
COUNTED_TONES = """
  window.tones = 0;
  const made = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { tones += 1; return made.call(this); };
"""


@pytest.fixture
def mute(monkeypatch, tmp_path):
    """Hide espeak-ng: the path leads to nothing."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))


def reopened(display, *scripts):
    for script in scripts:
        display.add_init_script(script)
    display.reload()
    display.click("h1", force=True)  # browsers stay silent until somebody touches the page
    return display


def begin(hand, display):
    hand.press("black")
    expect(display.locator('[data-part="news"]')).to_contain_text(re.compile("begins|beginnt"))


@pytest.mark.parametrize(
    ("language", "sentence"), one_of(("de", "Weiß beginnt."), ("en", "White begins."))
)
@pytest.mark.usefixtures("mute")
def test_where_the_service_cannot_a_page_speaks_or_without_a_voice_gives_a_tone(
    demo, table, window, language, sentence
):
    with demo(f"--set=language={language}", "--set=sound.volume=50") as running:
        hand, display = table(running)
        without = [reopened(window(running.display), BROWSER_WITHOUT_SPEECH, COUNTED_TONES)]
        if not display.evaluate("speechSynthesis.getVoices().length"):
            without.append(reopened(window(running.display), COUNTED_TONES))
        reopened(display, BROWSER_WITH_A_VOICE)
        begin(hand, display)
        until(lambda: display.evaluate("said.length"))
        assert display.evaluate("said") == [f"{language} 0.5 {sentence}"]
        for page in without:
            until(lambda page=page: page.evaluate("tones > 0"))
        display.click('[data-part="voice"]')
        hand.drag("e2", "e5")
        expect(headline(display)).to_have_class(re.compile("urgent"))
        assert display.evaluate("said.length") == 1


@at_night("by day a page is heard where the service cannot speak")
def test_with_espeak_the_pages_are_silent(demo, table, monkeypatch, tmp_path):
    program = tmp_path / "bin" / "espeak-ng"
    program.parent.mkdir()
    heard = tmp_path / "heard"
    heard.touch()
    program.write_text(f'#!/bin/sh\n{{ echo "$@"; cat; echo; }} >>{heard}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    with demo("--set=language=de", "--set=sound.volume=60") as running:
        hand, display = table(running)
        reopened(display, BROWSER_WITH_A_VOICE)
        begin(hand, display)
        until(lambda: "-v de -a 60 --stdin\nWeiß beginnt.\n" in heard.read_text())
        assert display.evaluate("said") == []
        expect(display.locator('[data-part="voice"]')).to_be_hidden()
