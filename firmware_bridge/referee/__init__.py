"""The referee: clocks, rulings, decisions, claims and phases, as a pure state machine."""
