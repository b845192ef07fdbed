"""Short tunes on a buzzer, played without waiting."""

from boardware import ticks

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from boardware.edge import Tone

HALF = 32768
"""A square wave: as loud as a piezo gets."""

TUNES = {
    "accepted": ((1760, 90),),
    "illegal": ((330, 180), (0, 60), (262, 260)),
    "attention": ((1175, 120), (0, 80), (1175, 120)),
}
"""Name -> (pitch in hertz, 0 for silence; milliseconds) one after the other."""


class Sounds:
    """Plays one tune at a time; a new one ends the old.

    Args:
        tone: the buzzer's output.
    """

    def __init__(self, tone: "Tone") -> None:
        self._tone = tone
        self._notes: list[tuple[int, int]] = []
        self._until = 0
        self._playing = False
        tone.duty_u16(0)

    def play(self, name: str, now_ms: int) -> None:
        """Begin a tune; an unknown name is silence."""
        self._notes = list(TUNES.get(name, ()))
        self._until = now_ms
        self._playing = True
        self.step(now_ms)

    def step(self, now_ms: int) -> None:
        """Go on to the next note when its time has come."""
        if not self._playing or ticks.diff(now_ms, self._until) < 0:
            return
        if not self._notes:
            self._playing = False
            self._tone.duty_u16(0)
            return
        pitch, length = self._notes.pop(0)
        self._until = ticks.add(now_ms, length)
        if pitch:
            self._tone.freq(pitch)
        self._tone.duty_u16(HALF if pitch else 0)
