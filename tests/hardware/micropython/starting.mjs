// Starts main.py under the real MicroPython again and again, each time with a host that greets at
// another moment of the start, and says for each which byte strings the board has answered.
//
//   node starting.mjs IMAGE_FOLDER FAKES_FOLDER < [[MOMENT, GREETING], ...]
//
// A moment is the number of times that MicroPython has looked for a file. As on a Pico, a byte
// that is the interrupt character stops the program, and is data otherwise. One line of JSON a
// start: [moments that passed, hexadecimal answer or what became of the program].
import fs from "node:fs";
import { load, run } from "./load.mjs";

const PASSES = 400; // of the main loop, after which the board has said what it says
const USB = `
import outside
class UsbWire:
    def read(self):
        return bytes(outside.read())
    def write(self, data):
        return outside.write(data)
`;

async function start(image, fakes, moment, greeting) {
  let [moments, passes, answer] = [0, 0, ""];
  const inbox = [];
  const mp = await load({ "/board": image, "/fakes": fakes }, () => {});
  mp.registerJsModule("outside", {
    read() {
      passes += 1;
      if (passes === PASSES) mp._module.ccall("mp_sched_keyboard_interrupt", "null", [], []);
      return Uint8Array.from(inbox.splice(0, 16));
    },
    write(data) {
      const bytes = Buffer.from(Uint8Array.from(data));
      answer += bytes.toString("hex");
      return bytes.length;
    },
  });
  mp.FS.writeFile("/board/boardware/usb.py", USB);
  run(mp, "bench.py");
  const look = mp.FS.lookupPath;
  mp.FS.lookupPath = (...args) => {
    moments += 1;
    if (moments === moment) arrive();
    return look(...args);
  };
  function arrive() {
    const interrupt = mp._module.ccall("mp_hal_get_interrupt_char", "number", [], []);
    for (const byte of greeting) {
      if (byte === interrupt) mp._module.ccall("mp_sched_keyboard_interrupt", "null", [], []);
      else inbox.push(byte);
    }
  }
  // As a Pico runs a file: only when it is compiled can it be interrupted.
  let end = "";
  try {
    mp.runPython("import micropython\nmain = compile(open('main.py').read(), 'main.py', 'exec')");
    moments = 0;
    mp.runPython("micropython.kbd_intr(3)\nexec(main)");
  } catch (error) {
    end = error.message;
  }
  return [moments, passes === PASSES ? answer : end];
}

const [image, fakes] = process.argv.slice(2);
for (const [moment, greeting] of JSON.parse(fs.readFileSync(0))) {
  const told = await start(image, fakes, moment, Buffer.from(greeting, "hex"));
  console.log(JSON.stringify(told));
}
