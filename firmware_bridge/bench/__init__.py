"""Measures what the bridge promises, on seeded games played by the hand model."""
