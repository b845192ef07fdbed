// A MicroPython with folders of the disk copied into its own file system.
import fs from "node:fs";
import path from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const HEAP = 180 * 1024; // about what MicroPython leaves on a Pico

function copyInto(mp, from, to) {
  mp.FS.mkdir(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), `${to}/${entry.name}`];
    if (entry.isDirectory()) copyInto(mp, source, target);
    else mp.FS.writeFile(target, fs.readFileSync(source));
  }
}

// folders: where in MicroPython -> folder of the disk.
export async function load(folders, stdout) {
  const mp = await loadMicroPython({ heapsize: HEAP, stdout });
  for (const [to, from] of Object.entries(folders)) copyInto(mp, from, to);
  return mp;
}

// Runs a Python file that lies beside this one; a traceback is MicroPython's, not Node's.
export function run(mp, name) {
  try {
    mp.runPython(fs.readFileSync(path.join(import.meta.dirname, name), "utf8"));
  } catch (error) {
    fs.writeSync(2, `${error.message}\n`);
    process.exit(1);
  }
}
