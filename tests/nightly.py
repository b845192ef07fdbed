"""Whether tests take their full size: by day few seeds and short games, at night all of them."""

import os

NIGHTLY = bool(os.environ.get("FIRMWARE_BRIDGE_NIGHTLY"))
