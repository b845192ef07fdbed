// Holds one reed switch flat under its cell, the glass pointing at the middle of the cell: the arrow
// points there. Print one a cell, trough up, as it comes; it is mounted trough up against the plate, on
// the outline that the drilling template shows. All sizes in millimetres, from the middle of the cell.
use <fits.scad>
cell = 50;
reed = 14;      // length of the glass
offset = 9;     // from the middle of the cell to the middle of the glass
glass = 2.4;    // its diameter and a little more
floor = 1.6;
wall = 1.6;     // beside the glass
arrow = 4;
ear = 6.6;
ears = 6.3;     // from the glass to the middle of an ear's hole
top = 3;        // thickness of the top plate
$fn = 48;

width = glass + 2 * wall;
length = reed + 6;
height = floor + glass; // the glass ends where the holder ends: neither bears on the other

module outline() {
  translate([-length / 2, -width / 2]) square([length, width]);
  polygon([[-length / 2, width], [-length / 2 - arrow, 0], [-length / 2, -width]]);
  hull() for (side = [-1, 1]) translate([0, side * ears]) circle(d = ear);
}

module holder() {
  difference() {
    linear_extrude(height) outline();
    // The trough: open at the top, so that no lead has to be bent close to the glass.
    translate([-length, 0, floor + glass / 2]) rotate([0, 90, 0]) cylinder(h = 2 * length, d = glass);
    translate([-length, -glass / 2, floor + glass / 2]) cube([2 * length, glass, glass]);
    for (side = [-1, 1]) translate([0, side * ears, -1]) cylinder(h = height + 2, d = 2.6);
  }
}

assert(offset + length / 2 < (cell - 1.6) / 2, "the holder does not fit under its cell");
assert(top <= 8, "no magnet reaches through that top");
translate([offset, 0, 0]) holder();
fit("a glass of 2.2 mm in its trough", glass, "printed", 2.2, "blown", 0.5);
