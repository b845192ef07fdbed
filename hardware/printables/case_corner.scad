// A corner of the case: joins two side boards, carries the top plate and stands on a foot.
// Print four. All sizes in millimetres.
cell = 50;
files = 8;
ranks = 9;
top = 3;        // thickness of the top plate
board = 12;     // thickness of the plywood sides
depth = 45;     // inner height under the top plate
wall = 3;
leg = 40;       // how far the corner reaches along each side
$fn = 36;

module corner() {
  difference() {
    cube([leg + board + wall, leg + board + wall, depth + top + wall]);
    // Slots for the two side boards.
    translate([board + wall, wall, wall]) cube([leg + 1, board, depth + top + 1]);
    translate([wall, board + wall, wall]) cube([board, leg + 1, depth + top + 1]);
    // The inside, with a shelf that the top plate lies on.
    translate([board + 2 * wall, board + 2 * wall, -1]) cube([leg, leg, depth + 1 - 4 + wall]);
    translate([board + 2 * wall, board + 2 * wall, depth + wall]) cube([leg, leg, top + 1]);
    // Screws into the sides.
    for (z = [depth / 3, 2 * depth / 3]) {
      translate([board + wall + leg * 0.6, -1, z + wall]) rotate([-90, 0, 0])
        cylinder(h = wall + 2, d = 3.4);
      translate([-1, board + wall + leg * 0.6, z + wall]) rotate([0, 90, 0])
        cylinder(h = wall + 2, d = 3.4);
    }
  }
}

echo(inner_width = files * cell, inner_length = ranks * cell, inner_depth = depth);
corner();
