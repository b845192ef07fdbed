"""The running service: board, table, journal, indicators and pages in one event loop."""
