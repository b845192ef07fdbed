"""A circuit as KiCad's files: the board, and the project that holds its design rules."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator

from hardware.tools.pcb.copper import (
    CLEARANCE,
    EDGE,
    HOLE,
    THINNEST,
    VIA,
    VIA_DRILL,
    Circuit,
    Footprint,
    Label,
    Layer,
    Pad,
    Placed,
)
from hardware.tools.pcb.marks import BARE, FIDUCIAL, fiducials, names

_LAYERS = (
    '(0 "F.Cu" signal) (31 "B.Cu" signal) (34 "B.Paste" user) (35 "F.Paste" user) '
    '(36 "B.SilkS" user) (37 "F.SilkS" user) (38 "B.Mask" user) (39 "F.Mask" user) '
    '(44 "Edge.Cuts" user) (46 "B.CrtYd" user) (47 "F.CrtYd" user) (48 "B.Fab" user) '
    '(49 "F.Fab" user)'
)
_NAMES: dict[Layer, str] = {"F": "F.Cu", "B": "B.Cu"}
_ON_SURFACE, _THROUGH = '"F.Cu" "F.Paste" "F.Mask"', '"*.Cu" "*.Mask"'
_BARE, _NAMESPACE = 0.25, uuid.UUID("5d1f9a52-2a0b-4a6e-9d0e-7a1f3a4f3c11")


def board_file(circuit: Circuit) -> str:
    """Return the `.kicad_pcb` of a circuit; its plane is filled when KiCad opens it to check."""
    pads = ((part, pad) for part in circuit.parts for pad in part.component.footprint.pads)
    nets = sorted({_net(part, pad) for part, pad in pads})
    numbers = {net: number for number, net in enumerate(nets, 1)}
    lines = ["(kicad_pcb (version 20211014) (generator firmware_bridge)"]
    lines += ["(general (thickness 1.6))", '(paper "A3")', f"(layers {_LAYERS})"]
    lines += ["(setup (pad_to_mask_clearance 0.05))", '(net 0 "")']
    lines += [f'(net {number} "{net}")' for net, number in numbers.items()]
    for part in circuit.parts:
        lines += _part(part, numbers)
    for number, at in enumerate(circuit.holes, 1):
        lines += _hole(number, at.x, at.y)
    for number, at in enumerate(fiducials(circuit), 1):
        lines += _fiducial(number, at.x, at.y)
    lines += _outline(circuit)
    for track in circuit.tracks:
        ends = f"(start {track.start.x:g} {track.start.y:g}) (end {track.end.x:g} {track.end.y:g})"
        place = f'(layer "{_NAMES[track.layer]}") (net {numbers[track.net]})'
        lines.append(f"(segment {ends} (width {track.width:g}) {place})")
    for via in circuit.vias:
        size = f"(size {VIA:g}) (drill {VIA_DRILL:g})"
        net = numbers[via.net]
        lines.append(
            f'(via (at {via.at.x:g} {via.at.y:g}) {size} (layers "F.Cu" "B.Cu") (net {net}))'
        )
    lines += _plane(circuit, numbers[circuit.plane])
    lines += [_label(label) for label in (*circuit.labels, *names(circuit))]
    return "\n".join([*lines, ")", ""])


def _part(part: Placed, numbers: dict[str, int]) -> Iterator[str]:
    component = part.component
    footprint = component.footprint
    kind = "smd" if component.assembled else "through_hole"
    stamp = uuid.uuid5(_NAMESPACE, part.reference)
    yield f'(footprint "{library_name(footprint)}" (layer "F.Cu") (tstamp {stamp})'
    yield f"(at {part.at.x:g} {part.at.y:g} {part.turned}) (attr {kind})"
    room, side = footprint.room, "B" if footprint.below else "F"
    yield _text("reference", part.reference, 0, room.top - 0.2, "F.Fab")
    yield _text("value", component.value, 0, room.bottom + 0.2, "F.Fab")
    yield (
        f"(fp_rect (start {room.left:g} {room.top:g}) (end {room.right:g} {room.bottom:g}) "
        f'(layer "{side}.CrtYd") (width 0.05) (fill none))'
    )
    for start, end in footprint.print:
        yield (
            f"(fp_line (start {start.x:g} {start.y:g}) (end {end.x:g} {end.y:g}) "
            f'(layer "{side}.SilkS") (width 0.15))'
        )
    for pad in footprint.pads:
        yield _pad(pad, part, numbers)
    yield ")"


def _text(kind: str, text: str, x: float, y: float, layer: str) -> str:
    font = "(effects (font (size 0.8 0.8) (thickness 0.12)))"
    return f'(fp_text {kind} "{text}" (at {x:g} {y:g}) (layer "{layer}") {font})'


def _pad(pad: Pad, part: Placed, numbers: dict[str, int]) -> str:
    net = _net(part, pad)
    joined = f' (net {numbers[net]} "{net}")'
    place = f"(at {pad.x:g} {pad.y:g} {part.turned}) (size {pad.width:g} {pad.height:g})"
    if not pad.drill:
        return f'(pad "{pad.number}" smd rect {place} (layers {_ON_SURFACE}){joined})'
    shape = "rect" if pad.number == "1" else "oval"
    drill = f"(drill {pad.drill:g})"
    return f'(pad "{pad.number}" thru_hole {shape} {place} {drill} (layers {_THROUGH}){joined})'


def _net(part: Placed, pad: Pad) -> str:
    """Return a pad's net; one that has to stay free is on one of its own, called as KiCad does."""
    name, _ = part.component.pins[pad.number]
    called = name.replace("/", "{slash}")
    return part.nets.get(name) or f"unconnected-({part.reference}-{called}-Pad{pad.number})"


def library_name(footprint: Footprint) -> str:
    """Return what board and diagram call a footprint, as one of a library."""
    return f"fb:{footprint.name}"


def _label(label: Label) -> str:
    side, mirrored = ("B", " (justify mirror)") if label.below else ("F", "")
    font = f"(font (size {label.size:g} {label.size:g}) (thickness 0.15))"
    place = f'(at {label.at.x:g} {label.at.y:g} {label.turned}) (layer "{side}.SilkS")'
    return f'(gr_text "{label.text}" {place} (effects {font}{mirrored}))'


def _hole(number: int, x: float, y: float) -> Iterator[str]:
    stamp = uuid.uuid5(_NAMESPACE, f"H{number}")
    yield f'(footprint "Hole_M3" (layer "F.Cu") (tstamp {stamp}) (at {x:g} {y:g})'
    yield "(attr board_only exclude_from_pos_files exclude_from_bom)"
    yield _text("reference", f"H{number}", 0, -2.5, "F.Fab")
    yield _text("value", "M3", 0, 2.5, "F.Fab")
    size = f"(size {HOLE:g} {HOLE:g}) (drill {HOLE:g})"
    yield f'(pad "" np_thru_hole circle (at 0 0) {size} (layers {_THROUGH}))'
    yield '(fp_circle (center 0 0) (end 3.2 0) (layer "F.CrtYd") (width 0.05) (fill none)))'


def _fiducial(number: int, x: float, y: float) -> Iterator[str]:
    stamp = uuid.uuid5(_NAMESPACE, f"FID{number}")
    yield f'(footprint "Fiducial_1mm" (layer "F.Cu") (tstamp {stamp}) (at {x:g} {y:g})'
    yield "(attr smd board_only exclude_from_pos_files exclude_from_bom)"
    yield _text("reference", f"FID{number}", 0, -2, "F.Fab")
    yield _text("value", "fiducial", 0, 2, "F.Fab")
    around = f"(solder_mask_margin {(BARE - FIDUCIAL) / 2:g}) (clearance {(BARE - FIDUCIAL) / 2:g})"
    size = f"(size {FIDUCIAL:g} {FIDUCIAL:g})"
    yield f'(pad "" smd circle (at 0 0) {size} (layers "F.Cu" "F.Mask") {around}))'


def _outline(circuit: Circuit) -> Iterator[str]:
    corners = [(0.0, 0.0), (circuit.width, 0.0), (circuit.width, circuit.height)]
    corners.append((0.0, circuit.height))
    for (x, y), (to_x, to_y) in zip(corners, [*corners[1:], corners[0]], strict=True):
        ends = f"(start {x:g} {y:g}) (end {to_x:g} {to_y:g})"
        yield f'(gr_line {ends} (layer "Edge.Cuts") (width 0.1))'


def _plane(circuit: Circuit, net: int) -> Iterator[str]:
    inset = EDGE + 0.1
    right, low = circuit.width - inset, circuit.height - inset
    corners = ((inset, inset), (right, inset), (right, low), (inset, low))
    yield f'(zone (net {net}) (net_name "{circuit.plane}") (layer "B.Cu") (hatch edge 0.5)'
    yield f"(connect_pads (clearance {_BARE:g})) (min_thickness 0.25)"
    yield "(fill yes (thermal_gap 0.4) (thermal_bridge_width 0.5))"
    yield f"(polygon (pts {' '.join(f'(xy {x:g} {y:g})' for x, y in corners)})))"


def project_file(circuit: Circuit) -> str:
    """Return the `.kicad_pro` of a circuit: the rules that its check holds it to."""
    rules = {
        "min_clearance": CLEARANCE,
        "min_copper_edge_clearance": EDGE,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.5,
        "min_through_hole_diameter": VIA_DRILL,
        "min_track_width": THINNEST,
        "min_via_annular_width": 0.13,
        "min_via_diameter": VIA,
        "min_silk_clearance": 0.0,
        "solder_mask_clearance": 0.05,
    }
    default = {
        "name": "Default",
        "clearance": CLEARANCE,
        "track_width": THINNEST,
        "via_diameter": VIA,
        "via_drill": VIA_DRILL,
    }
    # Symbols and footprints are drawn by the code that would be their library.
    no_library = {"lib_symbol_issues": "ignore", "footprint_link_issues": "ignore"}
    project = {
        "board": {
            "design_settings": {
                "meta": {"version": 2},
                "rules": rules,
                "rule_severities": {"lib_footprint_issues": "ignore"},
            }
        },
        "erc": {"meta": {"version": 0}, "rule_severities": no_library},
        "meta": {"filename": f"{circuit.name}.kicad_pro", "version": 1},
        "net_settings": {"classes": [default], "meta": {"version": 2}},
    }
    return json.dumps(project, indent=2) + "\n"
