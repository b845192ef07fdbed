"""The only door to players: what each of them may know, and everything made from it."""

from firmware_bridge.views.private import player, referee
from firmware_bridge.views.public import public
from firmware_bridge.views.told import Attempted, Told, told
from firmware_bridge.views.types import (
    Announcement,
    Choice,
    ClockFace,
    Course,
    Entry,
    Hint,
    Judged,
    Move,
    Phase,
    PlayerView,
    PublicView,
    RefereeView,
    Revealed,
)

__all__ = [
    "Announcement",
    "Attempted",
    "Choice",
    "ClockFace",
    "Course",
    "Entry",
    "Hint",
    "Judged",
    "Move",
    "Phase",
    "PlayerView",
    "PublicView",
    "RefereeView",
    "Revealed",
    "Told",
    "player",
    "public",
    "referee",
    "told",
]
