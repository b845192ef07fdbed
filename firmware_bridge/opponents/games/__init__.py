"""Games that have an engine of their own: a module or package each, as in `rules.games`."""
