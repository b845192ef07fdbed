"""Two hosts that speak to each other: pairing by words, sealed letters, and what carries them.

`docs/distance.md` describes all that goes over the line, so that others can write the other end.
"""
