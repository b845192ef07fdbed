// Joins two sides of the case from inside, and holds the bottom. The sides' thickness does not matter.
// Print four, as they stand. All sizes in millimetres.
use <fits.scad>
depth = 45;     // inner height of the case
grid = 16;      // height of the light grid, which passes above
leg = 36;       // how far it reaches along each side
wall = 5;
screw = 3.4;    // hole for wood screws of 3 x 16 mm
pilot = 2.6;    // hole that a screw of 3 mm cuts its thread into
$fn = 36;

module corner(depth = depth, grid = grid) {
  height = depth - grid - 1;
  difference() {
    union() {
      cube([leg, wall, height]);
      cube([wall, leg, height]);
      cube([14, 14, height]);
    }
    // Screws into the sides.
    for (z = [height / 4, 3 * height / 4]) {
      translate([leg * 0.7, -1, z]) rotate([-90, 0, 0]) drop(wall + 2);
      translate([-1, leg * 0.7, z]) rotate([-90, 0, -90]) drop(wall + 2);
    }
    // A screw through the bottom.
    translate([9.5, 9.5, -1]) cylinder(h = height + 2, d = pilot);
  }
}

// A lying hole that needs no support: its upper half comes to a point.
module drop(length) {
  cylinder(h = length, d = screw);
  rotate([0, 0, 45]) mirror([1, 1, 0]) cube([screw / 2, screw / 2, length]);
}

assert(leg * 0.7 - screw > 14, "the screws would not pass the block");
fit("a screw of 3 mm in the corner", screw, "printed", 3, "bought", 0.8);
corner();
