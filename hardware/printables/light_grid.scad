// Walls around the cells, under the top plate: they carry it, and every LED lights its own cell alone.
// Tiles of a few cells, laid side by side on their pillars. All sizes in millimetres.
use <fits.scad>
cell = 50;
columns = 2;
rows = 2;
depth = 16;     // room for LED, reed and reader below the top plate
wall = 1.6;     // between two cells; half of it on either side of a tile's edge
gap = 0.3;      // between two tiles
notch = 6;      // where wires pass from cell to cell
$fn = 24;

module tile(columns = columns, rows = rows, cell = cell, depth = depth) {
  difference() {
    translate([gap / 2, gap / 2, 0]) cube([columns * cell - gap, rows * cell - gap, depth]);
    for (column = [0 : columns - 1], row = [0 : rows - 1])
      translate([edge(column, 0), edge(row, 0), -1])
        cube([
          edge(column, columns - 1, 1) - edge(column, 0),
          edge(row, rows - 1, 1) - edge(row, 0),
          depth + 2
        ]);
    for (column = [0 : columns - 1])
      translate([(column + 0.5) * cell, -1, 0]) gate(rows * cell + 2);
    for (row = [0 : rows - 1])
      translate([-1, (row + 0.5) * cell, 0]) rotate(-90) mirror([1, 0, 0]) gate(columns * cell + 2);
  }
}

// Where the room of a cell begins, or (side = 1) ends: a tile's edge has half a wall, whole.
function edge(number, last, side = 0) =
  (number + side) * cell + (1 - 2 * side) * (wall / 2 + (number == last ? gap / 2 : 0));

// Comes to a point, so that nothing has to be printed into the air.
module gate(length) {
  translate([0, 0, -0.01]) rotate([-90, 0, 0]) linear_extrude(length)
    polygon([
      [-notch / 2, 0], [notch / 2, 0], [notch / 2, -notch / 2], [0, -notch], [-notch / 2, -notch / 2]
    ]);
}

assert(notch < depth - 4, "nothing would be left of the walls");
fit("a tile among tiles", columns * cell, "given", columns * cell - gap, "printed", 0.6);
tile();
