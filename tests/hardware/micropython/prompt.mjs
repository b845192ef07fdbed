// A bare MicroPython prompt on a pseudo-terminal, as a freshly flashed Pico offers it.
//
//   node prompt.mjs WIRE_FD FOLDER
//
// When told to reset, it writes its files to FOLDER and ends; started again it has them. What lies
// there already is not touched: somebody may look at it just then.
import fs from "node:fs";
import path from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const [wireFd, folder] = [Number(process.argv[2]), process.argv[3]];

function send(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(wireFd, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

const mp = await loadMicroPython({ heapsize: 256 * 1024, stdout: send, linebuffer: false });

function save(from, to) {
  fs.mkdirSync(to, { recursive: true });
  const names = mp.FS.readdir(from).filter((name) => name !== "." && name !== "..");
  for (const gone of fs.readdirSync(to).filter((name) => !names.includes(name))) {
    fs.rmSync(path.join(to, gone), { recursive: true });
  }
  for (const name of names) {
    const [source, target] = [`${from}/${name}`, path.join(to, name)];
    if (mp.FS.isDir(mp.FS.stat(source).mode)) {
      save(source, target);
      continue;
    }
    const contents = mp.FS.readFile(source);
    if (!fs.existsSync(target) || !fs.readFileSync(target).equals(contents)) {
      fs.writeFileSync(target, contents);
    }
  }
}

function restore(from, to) {
  mp.FS.mkdir(to);
  for (const entry of fs.existsSync(from) ? fs.readdirSync(from, { withFileTypes: true }) : []) {
    const [source, target] = [path.join(from, entry.name), `${to}/${entry.name}`];
    if (entry.isDirectory()) restore(source, target);
    else mp.FS.writeFile(target, fs.readFileSync(source));
  }
}

restore(folder, "/flash");
mp.registerJsModule("machine", {
  reset() {
    save("/flash", folder);
    process.exit(0);
  },
});
mp.runPython("import os\nos.chdir('/flash')\ndel os");
mp.replInit();

// The prompt's quick way to take a program waits for input inside MicroPython, which this build
// cannot: answer as a MicroPython without it does.
const QUICK_WAY = Buffer.from([0x05, 0x41, 0x01]);
const NOT_HERE = Buffer.from("R\x00");

const buffer = new Uint8Array(256);
for (;;) {
  let count = 0;
  try {
    count = fs.readSync(wireFd, buffer, 0, buffer.length, null);
  } catch (error) {
    if (error.code !== "EAGAIN" && error.code !== "EIO") throw error;
  }
  if (count === 0) await new Promise((done) => setTimeout(done, 2));
  const received = buffer.subarray(0, count);
  if (QUICK_WAY.equals(received)) {
    send(NOT_HERE);
    continue;
  }
  for (const byte of received) {
    if (mp.replProcessChar(byte)) {
      send(Buffer.from("MPY: soft reboot\r\n"));
      mp.replInit();
    }
  }
}
