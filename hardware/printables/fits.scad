// What has to go into what: said by every part, checked with the tolerances of how each is made
// (hardware/tools/fits.py). Sizes in millimetres; `loose` is the most that may be free.
module fit(name, hole, hole_made, part, part_made, loose) {
  echo(str("fit: ", name, ";", hole, ";", hole_made, ";", part, ";", part_made, ";", loose));
}
