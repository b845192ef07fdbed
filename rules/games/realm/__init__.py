"""Realm Chess: whole neighbourhoods move in one turn.

The board is divided into realms of two by two squares. A turn is one ordinary move, or moves of any
number of pieces out of one realm, or into one, or a realm's pieces put down anew.
"""

from rules.games.realm.game import RealmChess

GAME = RealmChess

__all__ = ["GAME", "RealmChess"]
