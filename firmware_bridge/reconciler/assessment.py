"""What a board can show: the answers of `judge`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from rules.interface import Square, Turn

Showing = Literal["position", "lifted", "beginning", "turns", "hovering", "odd", "upset"]
"""What a board can show.

`position`: what was agreed. `lifted`: pieces in the air, nothing set down wrongly. `beginning`: the
beginning of a legal turn. `turns`: one or several whole legal turns. `hovering`: a piece in the air
that may also stand on its victim's square, which this board cannot feel. `odd`: something that no
legal turn explains. `upset`: more than hands do in one turn.
"""


class Assessment(NamedTuple):
    """What a scene shows.

    Attributes:
        showing: which kind of thing.
        turns: the turns that explain it, for `turns` and `hovering`; for `beginning` those between
            which hands stopped half-way, if they did.
        longer: whether the player may be in the middle of a longer turn.
        cells: the squares that are odd.
        answered: whether the opponent's hands are on the board, ahead of his time.
        reason: why it is odd, where the scene alone would not tell.
        asked: whether even a single turn must be asked about.
        shaky: whether what seems to be a capture may be a nudge, unless more speaks for it.
        tried: the capture, as (from, to), that is not legal and may have been made all the same.
        likely: whether the first of the turns was felt as a whole, while a capture that nobody
            felt is part of the others.
    """

    showing: Showing
    turns: tuple[Turn, ...] = ()
    longer: bool = False
    cells: tuple[Square, ...] = ()
    answered: bool = False
    reason: str | None = None
    asked: bool = False
    shaky: bool = False
    likely: bool = False
    tried: tuple[Square, Square] | None = None


POSITION = Assessment("position")
LIFTED = Assessment("lifted")
BEGINNING = Assessment("beginning")
