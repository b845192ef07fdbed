"""The look of the games: every hue can be read, and a board looks as its game's data says."""

import re
from pathlib import Path

import pytest

import rules
from firmware_bridge import pages
from firmware_bridge.games.data_file import Look
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.pages.looks import emblems, looks_css, picture
from tests.colours import luminance, tokens

READ_ON = (  # what is written, and on what
    ("ink", "ground"), ("ink", "panel"), ("quiet", "ground"), ("quiet", "panel"), ("ink", "wash"),
    ("accent", "ground"), ("accent", "panel"), ("accent-ink", "accent"), ("accent", "wash"),
    ("box-ink", "box"),
)  # fmt: skip
LEAST = 4.5
"""Contrast that WCAG asks of text."""


@pytest.mark.parametrize("scheme", [0, 1])
def test_what_can_be_read_in_one_game_can_be_read_in_each(scheme):
    colours = tokens(scheme)
    for hue in range(0, 360, 10):
        for written, ground in READ_ON:
            bright, dark = sorted(
                (luminance(*colours[name], hue) for name in (written, ground)), reverse=True
            )
            assert (bright + 0.05) / (dark + 0.05) >= LEAST, (written, ground, hue)


def test_every_game_has_a_hue_an_emblem_and_a_picture_of_its_own():
    games = rules.games()
    assert len(set(looks_css().splitlines())) == len(games)
    drawn = re.findall(r' d="([^"]+)"', emblems())
    others = (0, *LEVELS, "mark", "far", "voice")
    assert len(set(drawn)) == len(drawn) == len(games) + len(others)
    pictures = {game: picture(game) for game in games}
    assert all(scene["pieces"].keys() <= set(scene["squares"]) for scene in pictures.values())
    assert pictures["indistinguishable"]["ground"] == "uniform"
    assert {side["side"] for side in pictures["indistinguishable"]["pieces"].values()} == {None}


def test_a_look_of_a_board_that_nobody_knows_is_named():
    with pytest.raises(ValueError, match="'chequered' or 'uniform'"):
        Look(board="striped")


def test_no_form_can_be_filled_in_before_the_script_is_there_that_sends_it():
    """Sent before, it would be lost, or its PIN would stand in the address."""
    package = Path(pages.__file__).parents[1]
    forms = [
        form
        for page in package.rglob("*.html")
        for form in re.findall("<form[^>]*>", page.read_text())
    ]
    assert len(forms) > 10
    assert [form for form in forms if not re.search('inert|method="(get|post)"', form)] == []
