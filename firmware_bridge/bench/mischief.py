"""What hands should not do, and what should come of it."""

from __future__ import annotations


def illegal(*a):
    pass


def take_back(*a):
    pass


def upset(*a):
    pass
