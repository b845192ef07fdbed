"""The board's firmware: scanning, tags, lights and sound, in Python that MicroPython runs too."""
