"""Makes a signed bundle the release that runs, or goes back: for root, without a network."""
