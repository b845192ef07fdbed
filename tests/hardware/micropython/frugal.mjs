// Tells how much memory a firmware image takes, as one line of JSON.
//
//   node frugal.mjs IMAGE_FOLDER FAKES_FOLDER
//
// Memory is freed between two runs only, so that each step is a run of its own.
import { load, run } from "./load.mjs";

const folders = { "/board": process.argv[2], "/fakes": process.argv[3] };
const mp = await load(folders, (line) => console.log(line));
for (const step of ["bench", "code", "board", "pass"]) {
  mp.globals.set("step", step);
  run(mp, "frugal.py");
}
