// What a kiosk shows while nobody plays: the games, explaining themselves.

import { Board } from "./board.js";
import { page, part } from "./table.js";

const QUIET_MS = 20_000; // so long nothing must happen before the show begins
const FRAME_MS = 9_000;
const TURN_MS = 3_000; // after so long a frame makes its move
const IDLE = ["waiting", "set-up", "ready"];

export class Attract {
  constructor(address, section) {
    this.address = address;
    this.section = section;
    this.board = new Board(section.querySelector(".board"), page.dataset.drawings);
    this.next = 0;
    addEventListener("pointerdown", () => this.rest(this.phase));
  }

  // Something happened: end the show, and begin it again after a while if the board is idle.
  rest(phase) {
    this.phase = phase;
    clearTimeout(this.timer);
    clearTimeout(this.turn);
    this.section.hidden = true;
    if (IDLE.includes(phase)) this.timer = setTimeout(() => this.begin(), QUIET_MS);
  }

  async begin() {
    this.frames ??= await fetch(this.address).then((answer) => answer.json()).catch(() => null);
    if (this.frames) this.show();
  }

  show() {
    const frame = this.frames[this.next % this.frames.length];
    this.next += 1;
    this.section.hidden = false;
    for (const name of ["name", "title", "text"]) part(`attract-${name}`).textContent = frame[name];
    this.board.draw(frame.before);
    this.turn = setTimeout(() => this.board.draw(frame.after), TURN_MS);
    this.timer = setTimeout(() => this.show(), FRAME_MS);
  }
}
