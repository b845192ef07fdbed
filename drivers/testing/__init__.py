"""What tests of drivers need, of yours too: the duties of a driver, and devices to try it on.

`ConformanceSuite` is for pytest with pytest-asyncio: the package's extra `testing` installs both.
`Device` plays a device at a pseudo-terminal, `DeviceBench` the hands at it. Nothing here is loaded
by the service.
"""

from drivers.testing.conformance import HANDS, START, Bench, ConformanceSuite, Hand
from drivers.testing.device import Device, DeviceBench
from drivers.testing.waiting import PATIENCE, in_time, soon

__all__ = [
    "HANDS",
    "PATIENCE",
    "START",
    "Bench",
    "ConformanceSuite",
    "Device",
    "DeviceBench",
    "Hand",
    "in_time",
    "soon",
]
