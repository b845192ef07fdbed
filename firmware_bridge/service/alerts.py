"""What a board says of itself, as an announcement that pages can show in every language."""

from __future__ import annotations

from drivers.board_reasons import NOTICE_TEXTS, Reason
from drivers.port import BoardNotice
from firmware_bridge.views import Announcement

BLIND = frozenset({"contacts-broken", "tag-reader-fault", "sensor-stuck"})
"""Codes after which cells may stand otherwise, once they tell anything again, than they told."""
LASTING = frozenset({"contacts-broken", "tag-reader-fault", "light-fault"})
"""Codes of what goes on until the board says `MENDED`; it says again what still goes on then."""
MENDED = "mended"
NO_NEWS = frozenset({"self-test-passed"})
"""Codes of which nobody at the board has to be told."""
KNOWN = {*NOTICE_TEXTS, "turned"} - NO_NEWS
"""Codes of `BoardNotice` for which there are words, `page-notice-<code>`."""


def announcement(notice: BoardNotice) -> Announcement | None:
    """Return what to show of a notice: what is wrong, where, and what to do; `None` for nothing."""
    if notice.code in NO_NEWS:
        return None
    if notice.code not in KNOWN:
        return Announcement("page-notice-other", {"text": notice.text})
    where = ", ".join(notice.cells) or "page-notice-somewhere"
    return Announcement(f"page-notice-{notice.code}", {"cells": where})


def why(reason: Reason) -> tuple[Announcement, ...]:
    """Return what to show of why the board is not there, sentence after sentence."""
    return tuple(Announcement(f"board-{told.code}", told.values) for told in reason.sentences())
