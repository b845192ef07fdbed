"""`python -m firmware_bridge` is the command `firmware-bridge`."""

from firmware_bridge.cli import main

main()
