"""A board whose wires lead straight to the Raspberry Pi's header: no Pico between.

The Pi runs the very firmware that a Pico would run, in a thread of its own, on pins and buses of
the header; the driver speaks protocol v1 with it as with any other board. So contacts are judged,
signals lit and sounds played in the same way on both.
"""
