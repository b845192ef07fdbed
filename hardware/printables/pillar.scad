// Stands on the bottom under the middle of every tile of the light grid, which carries the top plate.
// Print one a tile, foot down. All sizes in millimetres.
use <fits.scad>
depth = 45;     // inner height of the case
grid = 16;      // height of the light grid
air = 0.8;      // between grid and plate: a strip of felt, 1 mm, fills it
slot = 4;       // so deep the grid's walls stand in it
wall = 1.6;     // of the grid
free = 0.6;     // around it
foot = 30;
stem = 18;
$fn = 72;

module pillar(depth = depth, grid = grid) {
  height = depth - grid - air + slot;
  difference() {
    union() {
      cylinder(h = 3, d = foot);
      cylinder(h = height, d = stem);
    }
    for (turn = [0, 90]) rotate(turn)
      translate([-foot / 2, -(wall + free) / 2, height - slot]) cube([foot, wall + free, slot + 1]);
    for (side = [-1, 1]) translate([side * (foot + stem) / 4, 0, -1]) cylinder(h = 5, d = 3.4);
  }
}

fit("the grid's walls in a pillar", wall + free, "printed", wall, "printed", 1);
fit("pillar and grid under the plate", depth, "sawn", depth - air, "printed twice", 1.8);
pillar();
