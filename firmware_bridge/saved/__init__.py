"""Everything that makes a board this board, as one file: for a new card, or another machine."""
