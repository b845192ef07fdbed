"""The ways in which hands and sensors differ from a quiet hand on a perfect board."""

from __future__ import annotations

from typing import Literal, get_args

Style = Literal[
    "slide",
    "slow-slide",
    "victim-first",
    "mover-first",
    "both-hands",
    "knocked",
    "parked",
    "adjust-own",
    "adjust-other",
    "nudge",
    "hesitate",
    "misplace",
    "left-standing",
    "piece-first",
    "flip-first",
    "bounce",
    "late-tag",
    "missing-tag",
]
"""What may happen while a turn is made:

`slide`, `slow-slide`: the piece is drawn over the cells on its way. `victim-first`, `mover-first`,
`both-hands`: which piece of a capture is lifted first. `knocked`: the victim is pushed aside so
that its cell never opens. `parked`: the victim is put down for a moment. `adjust-own`,
`adjust-other`: a piece is lifted and put back before. `nudge`: another piece's contact opens for a
moment. `hesitate`: the piece stands on another square for a while. `misplace`: it stands for a
moment where it may not. `left-standing`: what is promoted or converted stays as it is.
`piece-first`: the new piece of a promotion is set down before the pawn is taken off. `flip-first`:
the flip comes before the move. `bounce`: contacts chatter. `late-tag`, `missing-tag`: a tag is read
after a while, or not at all.
"""
STYLES: tuple[Style, ...] = get_args(Style)
