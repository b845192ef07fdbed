"""Started by MicroPython at power-on."""

import micropython

# Before all else, and without a jump until then: USB is up already, a host may be greeting, and
# until this line byte 03, which most greetings hold, stops the program.
micropython.kbd_intr(-1)

import os  # noqa: E402

from boardware.pico import STAY, main  # noqa: E402

if STAY in os.listdir():
    os.remove(STAY)  # this once the prompt stays open, for loading another program
else:
    main()
