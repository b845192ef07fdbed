"""One of each that firmware-bridge lets other packages add."""
