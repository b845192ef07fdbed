"""Game clocks: time controls and exact, immutable clocks that are told the time."""
