"""Protocol v1, between a board and its host: pure code, described in `hardware/protocol.md`."""
