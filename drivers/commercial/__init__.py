"""Boards that people already own: one module and one description (`drivers/boards`) for each.

All are written from published facts and have not yet been tried on a real board.
"""
