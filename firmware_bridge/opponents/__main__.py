"""A seat's process: `python -m firmware_bridge.opponents`, spoken to in the words of `protocol`."""

from __future__ import annotations

import sys

from firmware_bridge.opponents.process import run

if __name__ == "__main__":
    sys.exit(run())
