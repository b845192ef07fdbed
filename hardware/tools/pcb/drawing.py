"""What a circuit is drawn with: parts, tracks and vias, put down one after the other."""

from __future__ import annotations

from itertools import pairwise

from hardware.tools.pcb.copper import THINNEST, Component, Layer, Placed, Point, Track, Turn, Via


class Drawing:
    """A circuit being drawn: its lower layer is ground wherever nothing else is."""

    def __init__(self) -> None:
        self._parts: dict[str, Placed] = {}
        self._tracks: list[Track] = []
        self._vias: list[Via] = []

    def _put(
        self,
        reference: str,
        component: Component,
        at: tuple[float, float],
        nets: dict[str, str],
        turned: Turn = 0,
    ) -> Placed:
        part = Placed(reference, component, Point(*at), nets, turned)
        self._parts[reference] = part
        return part

    def _wire(
        self, net: str, layer: Layer, *points: tuple[float, float], width: float = THINNEST
    ) -> None:
        for start, end in pairwise(points):
            self._tracks.append(Track(net, layer, Point(*start), Point(*end), width))

    def _via(self, net: str, x: float, y: float) -> None:
        self._vias.append(Via(net, Point(x, y)))

    def _ground(self, *points: tuple[float, float]) -> None:
        """Lead a pad to the plane below."""
        self._wire("GND", "F", *points)
        self._via("GND", *points[-1])
