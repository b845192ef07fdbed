// The whole case as it is put together; printed parts from their own files, wood as it is sawn.
// show = "whole": the picture. show = "clash": where two parts would be in one place: nothing.
use <fits.scad>
use <case_corner.scad>
use <light_grid.scad>
use <pillar.scad>
show = "whole"; // or clash
cell = 50;
files = 8;      // columns of cells, reserve included
ranks = 8;
top = 3;        // thickness of the top plate
board = 12;     // thickness of the sides' plywood
bottom = 4;     // thickness of the bottom
depth = 45;     // inner height: height of the sides
grid = 16;      // height of the light grid
room = 2;       // free around all cells
air = 0.8;      // as in pillar.scad: filled with felt
slot = 4;
width = files * cell + room;
length = ranks * cell + room;

module sides() {
  for (side = [0, 1]) {
    translate([-board, side * (length + board) - board, 0]) cube([width + 2 * board, board, depth]);
    translate([side * (width + board) - board, 0, 0]) cube([board, length, depth]);
  }
}

// All are alike: one is enough to see whether it is in the way.
module corners() {
  for (x = show == "clash" ? [0] : [0, 1], y = show == "clash" ? [0] : [0, 1])
    translate([x * width, y * length, 0]) mirror([x, 0, 0]) mirror([0, y, 0]) corner(depth, grid);
}

module each_tile() {
  for (column = [0 : 2 : files - 1], row = [0 : 2 : ranks - 1]) {
    columns = min(2, files - column);
    rows = min(2, ranks - row);
    translate([room / 2 + column * cell, room / 2 + row * cell, 0]) {
      $columns = columns;
      $rows = rows;
      children();
    }
  }
}

module grids() {
  each_tile() translate([0, 0, depth - grid - air]) tile($columns, $rows, cell, grid);
}

module pillars() {
  each_tile() translate([$columns * cell / 2, $rows * cell / 2, 0]) pillar(depth, grid);
}

module plate() {
  translate([-board, -board, depth]) cube([width + 2 * board, length + 2 * board, top]);
}

module floor() {
  translate([-board, -board, -bottom])
    cube([width + 2 * board, length + 2 * board, bottom]);
}

fit("the grid in the case", width, "sawn", files * cell, "laid", 4);
if (show == "clash") {
  intersection() { sides(); union() { corners(); grids(); pillars(); plate(); floor(); } }
  intersection() { corners(); union() { grids(); pillars(); plate(); } }
  intersection() { grids(); union() { pillars(); plate(); } }
} else {
  floor();
  sides();
  corners();
  pillars();
  translate([0, 0, 40]) grids();
  translate([0, 0, 90]) plate();
}
