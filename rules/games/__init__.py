"""The games: every module or package here that exposes `GAME` is one, and needs no other entry."""
