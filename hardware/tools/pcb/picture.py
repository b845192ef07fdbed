"""A circuit seen from above, copper of both sides, as SVG."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.tools.pcb.copper import HOLE, VIA, VIA_DRILL, Circuit, Layer, Pad, Placed, Point
from hardware.tools.pcb.marks import BARE, FIDUCIAL, fiducials, names

_COLOURS: dict[Layer, str] = {"F": "#c8553d", "B": "#3d6fc8"}
_BOARD, _PAD, _BARE = "#eaf1e4", "#b8872b", "#ffffff"
_PRINT, _PRINT_BELOW = "#333333", "#1d3f80"
_MARGIN = 2.0
_PIXELS = 4


def picture(circuit: Circuit) -> str:
    """Return the drawing, to scale: red above, blue below, where ground is everywhere else."""
    wide, high = circuit.width + 2 * _MARGIN, circuit.height + 2 * _MARGIN
    size = f'width="{wide * _PIXELS:g}" height="{high * _PIXELS:g}"'
    view = f'viewBox="{-_MARGIN:g} {-_MARGIN:g} {wide:g} {high:g}"'
    letters = 'font-family="sans-serif" text-anchor="middle"'
    edge = f'width="{circuit.width:g}" height="{circuit.height:g}" rx="0.5"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} {letters}>',
        f'<rect {edge} fill="{_BOARD}" stroke="{_PRINT}" stroke-width="0.2"/>',
    ]
    lines += _tracks(circuit, "B")
    lines += _tracks(circuit, "F")
    lines += [_round(via.at, VIA, _PAD, VIA_DRILL) for via in circuit.vias]
    for part in circuit.parts:
        lines += _part(part)
    lines += [_round(at, HOLE + 0.4, _PRINT, HOLE) for at in circuit.holes]
    lines += [_round(at, BARE, _BARE, FIDUCIAL) for at in fiducials(circuit)]
    for label in (*circuit.labels, *names(circuit)):
        place = f"translate({label.at.x:g} {label.at.y:g}) rotate({-label.turned})"
        lines.append(
            f'<text transform="{place}" dy="0.35em" font-size="{label.size * 1.3:g}" '
            f'fill="{_PRINT_BELOW if label.below else _PRINT}">{label.text}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _tracks(circuit: Circuit, layer: Layer) -> Iterator[str]:
    for track in circuit.tracks:
        if track.layer == layer:
            yield _line(track.start, track.end, track.width, _COLOURS[layer])


def _line(start: Point, end: Point, width: float, colour: str) -> str:
    return (
        f'<line x1="{start.x:g}" y1="{start.y:g}" x2="{end.x:g}" y2="{end.y:g}" '
        f'stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'
    )


def _round(at: Point, size: float, colour: str, hole: float) -> str:
    return (
        f'<circle cx="{at.x:g}" cy="{at.y:g}" r="{size / 2:g}" fill="{colour}"/>'
        f'<circle cx="{at.x:g}" cy="{at.y:g}" r="{hole / 2:g}" fill="{_BARE}"/>'
    )


def _part(part: Placed) -> Iterator[str]:
    for pad in part.component.footprint.pads:
        yield _pad(pad, part)
    printed = _PRINT_BELOW if part.component.footprint.below else _PRINT
    for start, end in part.component.footprint.print:
        yield _line(part.place(*start), part.place(*end), 0.15, printed)
    room = part.component.footprint.room
    inside = part.place((room.left + room.right) / 2, (room.top + room.bottom) / 2)
    yield (
        f'<text x="{inside.x:g}" y="{inside.y:g}" dy="0.35em" font-size="1.2" '
        f'fill="{_PRINT}">{part.reference}</text>'
    )


def _pad(pad: Pad, part: Placed) -> str:
    at = part.place(pad.x, pad.y)
    wide, high = (pad.width, pad.height) if part.turned % 180 == 0 else (pad.height, pad.width)
    shape = (
        f'<rect x="{at.x - wide / 2:g}" y="{at.y - high / 2:g}" width="{wide:g}" '
        f'height="{high:g}" fill="{_PAD}"/>'
    )
    return shape + (_round(at, pad.drill, _BARE, pad.drill) if pad.drill else "")
