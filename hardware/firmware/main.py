"""Started by MicroPython at power-on."""

import os

from boardware.pico import STAY, main

if STAY in os.listdir():
    os.remove(STAY)  # this once the prompt stays open, for loading another program
else:
    main()
