"""The games: each module or package here is one, named as its id and exposing `GAME`."""
