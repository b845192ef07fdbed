"""What is told of each game besides its rules: one data file a game."""
