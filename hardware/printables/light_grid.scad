// Walls around the cells, under the top plate: every LED lights its own cell and no other.
// Tiles of a few cells that slide into each other at half-walls. All sizes in millimetres.
cell = 50;
columns = 2;
rows = 2;
depth = 16;     // room for LED, reed and reader below the top plate
wall = 1.2;
notch = 6;      // where wires pass from cell to cell
$fn = 24;

module tile() {
  difference() {
    cube([columns * cell, rows * cell, depth]);
    for (column = [0 : columns - 1], row = [0 : rows - 1])
      translate([column * cell + wall / 2, row * cell + wall / 2, -1])
        cube([cell - wall, cell - wall, depth + 2]);
    for (column = [0 : columns - 1])
      translate([(column + 0.5) * cell - notch / 2, -1, -1])
        cube([notch, rows * cell + 2, notch + 1]);
    for (row = [0 : rows - 1])
      translate([-1, (row + 0.5) * cell - notch / 2, -1])
        cube([columns * cell + 2, notch, notch + 1]);
  }
}

assert(notch < depth, "nothing would be left of the walls");
tile();
