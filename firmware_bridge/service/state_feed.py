"""The announcements that pages still show, each with its number.

The latest comes first; what was announced together stays in its order. What was said first is
the first to go, since what was said last of a turn is why it is ruled so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from firmware_bridge.messages import Ended, PublicOutput, PublicTurn, PublicVerdict, Said
from firmware_bridge.messages.verdict import ALARMS, WHOLE
from firmware_bridge.referee.remarks import BEGINNING_ANEW, OF_THE_MOMENT, PASSING, UNTIL_RIGHT
from firmware_bridge.service.view_feed import News
from firmware_bridge.views import Announcement

MOST = 5
"""Announcements that pages go on showing, at most; a warning comes on top."""


class StateFeed:
    """Keeps what was announced since the last turn, what is broken, and a warning."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._changed = changed
        self._faults: dict[str, News] = {}
        self._line: tuple[News, ...] = ()
        self._news: tuple[News, ...] = ()
        self._warning: tuple[News, ...] = ()
        self._announced = 0
        self._alarmed = self._ruled = False

    @property
    def shown(self) -> tuple[News, ...]:
        """What pages show."""
        return (*self._warning, *self._faults.values(), *self._line, *self._news)

    def post(self, news: Announcement) -> None:
        """Add an announcement that is not of the game."""
        self._add(self._numbered(news))
        self._changed()

    def break_down(self, code: str, news: Announcement) -> None:
        """Show what is broken until it is mended; the same again takes the place of the first."""
        self._faults[code] = self._numbered(news)
        self._changed()

    def mend(self) -> None:
        """Stop showing what was broken."""
        self._faults.clear()
        self._changed()

    def line_broke(self, news: Announcement | None) -> None:
        """Show what is wrong with the line to somebody far away, if anything is."""
        before = self._line[0] if self._line else None
        if (before and (before.key, before.words)) != (news and (news.key, news.words)):
            self._line = (self._numbered(news),) if news else ()
            self._changed()

    def warn(self, news: Announcement) -> None:
        """Show a warning that nobody is there, until it is withdrawn."""
        self._warning = (self._numbered(news),)
        self._changed()

    def withdraw_warning(self) -> None:
        """Show no warning any more."""
        if self._warning:
            self._warning = ()
            self._changed()

    def begin_anew(self) -> None:
        """Forget what was announced of another game."""
        self._news = ()

    def note(self, outputs: Iterable[PublicOutput], *, open_to_all: bool) -> None:
        """Keep what was announced since the last turn, or with the end.

        If it is `open_to_all`, pieces are shown from both sides; what they showed is kept only as
        long as they are.
        """
        given = tuple(outputs)
        alarm, after_ruling = self._alarm_begins(given), self._stands_after_ruling(given)
        if alarm or after_ruling:
            self._news = tuple(replace(item, stale=True) for item in self._news)
        turns = [at for at, output in enumerate(given) if isinstance(output, PublicTurn)]
        of_last = given[turns[-1] :] if len(turns) > 1 else given
        said = [self._numbered(output) for output in of_last if isinstance(output, Said)]
        ended = any(isinstance(output, Ended) for output in given)
        anew = ended or any(item.key in BEGINNING_ANEW for item in said)
        verdicts = [out.kind for out in given if isinstance(out, PublicVerdict)]
        lasts = {
            **dict.fromkeys(PASSING, open_to_all and not any(item.key in PASSING for item in said)),
            **dict.fromkeys(UNTIL_RIGHT, not (anew or "settled" in verdicts)),
            **dict.fromkeys(OF_THE_MOMENT, not (anew or turns or verdicts)),
        }
        self._news = tuple(item for item in self._news if lasts.get(item.key, not (anew or turns)))
        self._add(*said)

    def _add(self, *said: News) -> None:
        news = (*said, *self._news)
        latest = sorted(item.number for item in news)[-MOST:]
        self._news = tuple(item for item in news if item.number in latest)

    def _alarm_begins(self, outputs: Iterable[PublicOutput]) -> bool:
        verdicts = [out.kind for out in outputs if isinstance(out, PublicVerdict)]
        before = self._alarmed
        # An alarm must stand out: what was said before says nothing about it.
        self._alarmed = verdicts[-1] in ALARMS if verdicts else before
        return self._alarmed and not before

    def _stands_after_ruling(self, outputs: Iterable[PublicOutput]) -> bool:
        """Return whether a turn stands, or is asked about, that the last ruling was not of."""
        kinds = [out.kind for out in outputs if isinstance(out, PublicVerdict)]
        self._ruled |= "illegal" in kinds
        stands = self._ruled and any(kind in (*WHOLE, "choice") for kind in kinds[-1:])
        self._ruled &= not stands
        return stands

    def _numbered(self, said: Announcement | Said) -> News:
        self._announced += 1
        return News(said.key, said.words, self._announced)
