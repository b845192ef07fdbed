"""Whether a bus carries all that is asked of it; how fast it is says `drivers/bus_speed.py`."""

from __future__ import annotations

from drivers.bus_speed import buses
from drivers.description import BoardDescription

_SHARE = 0.75
"""Of a bus's time, what samples and lights may take."""
_READ_BITS, _FRAME_BITS = 9 * 11 + 4, 9 * 18 + 2
"""To read one MCP23017, registers and set-up; and to write one frame to an HT16K33."""
_FRAMES_HZ = 50
"""How often a second lights are painted (`boardware.lights`)."""


def too_slow(description: BoardDescription) -> str:
    """Say why the I2C bus cannot carry as many samples as are asked for; empty where it can."""
    reeds, leds = description.reeds, description.leds
    if reeds is None or reeds.kind != "mcp23017":
        return ""
    hz = buses(description)["mcp23017"].hz
    lights = _FRAMES_HZ * _FRAME_BITS * (leds is not None and leds.driver == "ht16k33")
    a_sample = max(1, len(reeds.addresses)) * _READ_BITS
    most = int((_SHARE * hz - lights) / a_sample)
    if reeds.scan_hz <= most:
        return ""
    return (
        f"reeds.scan_hz: a sample is {a_sample} bits on an I2C bus of {hz // 1000} kHz"
        f"{', which the lights share' if lights else ''}; {most} a second are the most."
    )
