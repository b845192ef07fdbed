"""Everything a maker needs; see `hardware/README.md`."""
