// Runs a firmware image under the real MicroPython, with emulated chips at its pins.
//
//   node board.mjs IMAGE_FOLDER FAKES_FOLDER WIRE_FD
//
// WIRE_FD is the board's end of a pseudo-terminal. Every line on standard input is a Python
// expression about `bench` (the workbench); its value comes back as one line of JSON.
import fs from "node:fs";
import { load, run } from "./load.mjs";

const [image, fakes, wireFd] = [process.argv[2], process.argv[3], Number(process.argv[4])];

// Reads what is there, without waiting; null when there is nothing.
function readNow(fd, buffer) {
  try {
    const count = fs.readSync(fd, buffer, 0, buffer.length, null);
    if (count === 0) process.exit(0); // the other end is gone
    return buffer.subarray(0, count);
  } catch (error) {
    if (error.code === "EAGAIN") return null;
    if (error.code === "EIO") return null; // nobody has the far end open
    throw error;
  }
}

const idle = new Int32Array(new SharedArrayBuffer(4));
const wireBuffer = new Uint8Array(64);
const controlBuffer = new Uint8Array(4096);
let control = "";

const outside = {
  read() {
    const data = readNow(wireFd, wireBuffer);
    if (data === null) Atomics.wait(idle, 0, 0, 2); // leave the processor to the host's side
    return data === null ? new Uint8Array(0) : data.slice();
  },
  write(data) {
    try {
      return fs.writeSync(wireFd, Uint8Array.from(data));
    } catch (error) {
      if (error.code === "EAGAIN" || error.code === "EIO") return 0;
      throw error;
    }
  },
  question() {
    const data = readNow(0, controlBuffer);
    if (data !== null) control += Buffer.from(data).toString();
    const end = control.indexOf("\n");
    if (end < 0) return "";
    const line = control.slice(0, end);
    control = control.slice(end + 1);
    return line;
  },
  answer(text) {
    fs.writeSync(1, `${text}\n`);
  },
};

const mp = await load({ "/board": image, "/fakes": fakes }, (line) => fs.writeSync(2, `${line}\n`));
mp.registerJsModule("outside", outside);
run(mp, "start.py");
