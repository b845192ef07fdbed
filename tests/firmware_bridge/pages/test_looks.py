"""The look of the games: every hue can be read, and a board looks as its game's data says."""

import math
import re

import pytest

import rules
from drivers.simulator.control_page import PAGE
from firmware_bridge.games.metadata import Look
from firmware_bridge.pages.looks import emblems, looks_css, picture

READ_ON = (  # what is written, and on what
    ("ink", "ground"), ("ink", "panel"), ("quiet", "ground"), ("quiet", "panel"), ("ink", "wash"),
    ("accent", "ground"), ("accent", "panel"), ("accent-ink", "accent"), ("accent", "wash"),
)  # fmt: skip
LEAST = 4.5
"""Contrast that WCAG asks of text."""


def luminance(light, chroma, hue):
    """Return the relative luminance of a colour of OKLCH, as CSS Color 4 converts it."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long, middle, short = (
        (light + x * a + y * b) ** 3
        for x, y in ((0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728),
                     (-0.0894841775, -1.2914855480))
    )  # fmt: skip
    red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    return sum(
        w * min(1, max(0, c))
        for w, c in zip((0.2126, 0.7152, 0.0722), (red, green, blue), strict=True)
    )


@pytest.mark.parametrize("scheme", [0, 1])
def test_what_can_be_read_in_one_game_can_be_read_in_each(scheme):
    sheets = (PAGE / "tokens.css").read_text(encoding="utf-8").split("@media")
    colours = {
        name: (float(light), float(chroma))
        for name, light, chroma in re.findall(
            r"--([a-z-]+): oklch\(([\d.]+) ([\d.]+) var\(--hue\)\)", sheets[scheme]
        )
    }
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
    assert len(drawn) == len(games) + 1
    pictures = {game: picture(game) for game in games}
    assert all(scene["pieces"].keys() <= set(scene["squares"]) for scene in pictures.values())
    assert pictures["indistinguishable"]["ground"] == "uniform"
    assert {side["side"] for side in pictures["indistinguishable"]["pieces"].values()} == {None}


def test_a_look_of_a_board_that_nobody_knows_is_named():
    with pytest.raises(ValueError, match="'chequered' or 'uniform'"):
        Look(board="striped")
