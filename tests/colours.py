"""The colours of the pages, as a screen shows them."""

import math
import re

from drivers.simulator.wording import PAGE


def tokens(scheme):
    """Return lightness and strength of each colour that has a game's hue; 0 is light, 1 dark."""
    sheet = (PAGE / "tokens.css").read_text(encoding="utf-8").split("@media")[scheme]
    found = re.findall(r"--([a-z-]+): oklch\(([\d.]+) ([\d.]+) var\(--hue\)\)", sheet)
    return {name: (float(light), float(strength)) for name, light, strength in found}


def linear(light, strength, hue):
    """Return red, green and blue, 0 to 1, of a colour of OKLCH, as CSS Color 4 converts it."""
    a, b = strength * math.cos(math.radians(hue)), strength * math.sin(math.radians(hue))
    long, middle, short = (
        (light + x * a + y * b) ** 3
        for x, y in ((0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728),
                     (-0.0894841775, -1.2914855480))
    )  # fmt: skip
    mixed = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return [min(1, max(0, part)) for part in mixed]


def luminance(light, strength, hue):
    """Return the relative luminance of a colour of OKLCH."""
    weights = (0.2126, 0.7152, 0.0722)
    return sum(w * c for w, c in zip(weights, linear(light, strength, hue), strict=True))


def pixel(light, strength, hue):
    """Return a colour of OKLCH as three bytes of a screen."""
    return bytes(
        round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055))
        for c in linear(light, strength, hue)
    )
