"""What is told of each game besides its rules: one data file a game."""

USUAL = "indistinguishable"
"""The game that is played where nobody has chosen one."""
