// Holds one reed switch flat under its cell, off the centre, where the reader's antenna is not.
// Print one a cell. All sizes in millimetres.
cell = 50;
reed = 14;      // length of the glass
glass = 2.4;    // its diameter and a little more
wall = 1.6;
top = 3;        // thickness of the top plate: the holder stands as far below it as it must
$fn = 48;

width = glass + 2 * wall;
length = reed + 6;

module holder() {
  difference() {
    union() {
      translate([-length / 2, -width / 2, 0]) cube([length, width, wall + glass * 0.75]);
      // Ears with screw holes, or for a drop of glue.
      for (side = [-1, 1]) translate([side * (length / 2 + 3), 0, 0]) ear();
    }
    // The trough: open at the top, so that no lead has to be bent close to the glass.
    translate([-length, 0, wall + glass / 2]) rotate([0, 90, 0]) cylinder(h = 2 * length, d = glass);
  }
}

module ear() {
  difference() {
    cylinder(h = wall, d = 8);
    translate([0, 0, -1]) cylinder(h = wall + 2, d = 2.6);
  }
}

assert(length + 14 < cell, "the holder does not fit under its cell");
assert(top <= 8, "no magnet reaches through that top");
holder();
