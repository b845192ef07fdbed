"""Boards, LEDs, clocks and mocks: the only code that touches devices."""
