"""Ways to light LEDs. Each takes a whole frame at once, so that a lost one heals with the next.

A lamp driver has `ORDER`, the colours (0 red, 1 green, 2 blue) in the order in which they lie in a
frame, three bytes a LED; a driver of single-colour LEDs lights every LED that is not black. It
offers `show(frame)`, which sends a little and returns whether the whole frame is out; until then
it is called again with the same frame, between two scans. It raises OSError when the LEDs do not
answer, where that can be noticed at all.
"""
