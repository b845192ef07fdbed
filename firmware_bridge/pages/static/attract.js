// What a kiosk shows while nobody plays. The service leads the show, so that the lights of the board
// and all displays show the same; a touch of board or screen ends it.

import { Board } from "./board.js";
import { page, part, post } from "./table.js";

export class Attract {
  constructor(section) {
    this.section = section;
    this.board = new Board(section.querySelector(".board"), page.dataset.drawings);
    for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => this.wake());
  }

  wake() {
    if (this.section.hidden) return;
    this.section.hidden = true;
    post("/api/v1/kiosk/wake", {});
  }

  // `frame` is the scene's `show`: a board with `name`, `title`, `line` and `text`, or null.
  show(frame) {
    if (frame && !page.dataset.home.endsWith(`=${page.lang}`)) {
      location.replace(page.dataset.home); // the next visitor chooses his own language
      return;
    }
    this.section.hidden = !frame;
    if (!frame) return;
    for (const name of ["name", "title", "line", "text"]) part(`attract-${name}`).textContent = frame[name];
    this.section.dataset.game = frame.game; // its colours, whatever is on the table
    const emblem = this.section.querySelector(".emblem use");
    emblem.setAttribute("href", emblem.getAttribute("href").replace(/#.*/, `#${frame.game}`));
    this.board.draw(frame);
  }
}
