// The two-sided disc: tag, shield, magnet, shield, tag, the same from above and from below.
// Print two shells and one core; see hardware/pieces.md. All sizes in millimetres.
use <fits.scad>
part = "shell"; // or core
disc = 36;      // diameter
height = 9;     // of the whole disc
magnet = 8;     // diameter of the magnet
magnet_height = 2;

tag = 25.4;     // a 25 mm tag and room to lay it in
ferrite = 30.4; // the ferrite covers the tag's antenna with room to spare
foil = 31.4;    // the foil covers the ferrite
skin = 0.8;     // what lies between tag and board: thin, or the reader is too far away
stack = 0.7;    // tag 0.2, ferrite 0.3, foil 0.05, glue
rim = 1.6;
fit = 0.15;     // what a printer needs to make things slide into each other
$fn = 72;

core_height = height - 2 * (skin + stack);
shell_height = skin + stack + core_height / 2 - 0.1;

// A cup: face down, the tag is laid in first, then ferrite, then foil.
module shell() {
  difference() {
    cylinder(h = shell_height, d = disc);
    translate([0, 0, skin]) cylinder(h = height, d = foil);
    translate([0, 0, skin + stack]) cylinder(h = height, d = disc - 2 * rim);
  }
}

// What holds the magnet in the very middle of the height, so that both faces feel alike.
module core() {
  difference() {
    cylinder(h = core_height, d = disc - 2 * rim - 2 * fit);
    translate([0, 0, (core_height - magnet_height) / 2])
      cylinder(h = core_height, d = magnet + 2 * fit);
  }
}

assert(core_height > magnet_height, "the disc is too low for its magnet");
assert(foil < disc - 2 * rim, "the disc is too narrow for its foil");
if (part == "shell") shell();
if (part == "core") core();
fit("the core in two shells", disc - 2 * rim, "printed", disc - 2 * rim - 2 * fit, "printed", 0.7);
fit("the magnet in the core", magnet + 2 * fit, "printed", magnet, "bought", 0.6);
fit("a foil of 31 mm in its shell", foil, "printed", 31, "cut", 0.8);
fit("a tag of 25 mm under its ferrite", tag, "given", 25, "bought", 0.6);
