"""Dice that nobody can choose, where a computer's pieces hide something.

The computer's side has promised a nonce before the first turn, and whoever plays against it gives
the time of a press, which nobody knew then. What the dice show follows from both, and from how many
turns stand:

    printf %s 'dice 3 48210 2f...' | sha256sum

The first eight of these hexadecimal digits are a number; what is left of it when it is divided by
how many rolls there are is the place of the roll among them, in the order of their texts. So who
presses cannot know what comes, and who knows the nonce cannot choose the time.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.referee import pledges, proofs
from firmware_bridge.referee.game_state import Played, State
from rules.interface import Position, Turn

ROLL = "roll"
"""The only answer where such dice are to be rolled: nobody types them in."""


def are_promised(state: State) -> bool:
    """Return whether dice decide now which follow from what was promised."""
    return state.position.awaits_dice and bool(state.commitments or state.pledges)


def rolled(state: State, t_ms: int) -> Turn:
    """Return what dice that are promised show when they are rolled at this time.

    Between two hosts they are rolled by the one whose player is to act, with its next link.
    """
    if state.pledges:
        own = pledges.link(state.seed, proofs.rolls(state) + 1)
        return proofs.drawn(state, {**state.links, state.position.side: own})
    return _rolled(state, state.played, state.position, t_ms)


def were_kept(state: State) -> bool:
    """Return whether all dice that were promised showed what they had to."""
    return not state.commitments or all(
        str(_rolled(state, state.played[:number], made.before, made.t_ms)) == str(made.turn)
        for number, made in enumerate(state.played)
        if made.before.awaits_dice
    )


def _nonces(state: State) -> list[str]:
    return [made.nonce for _, made in sorted(state.commitments.items())]


def _rolled(state: State, before: Sequence[Played], position: Position, t_ms: int) -> Turn:
    """Return what the dice show after these turns: by the press, or what a person did last."""
    pressed = t_ms
    if position.side in state.commitments:
        times = (made.t_ms for made in reversed(before) if made.side not in state.commitments)
        pressed = next(times, 0)
    line = f"dice {len(before)} {pressed} {' '.join(_nonces(state))}"
    return proofs.drawn_by(line, position)
