"""Words for what this package brings, and the beginning of another language."""
