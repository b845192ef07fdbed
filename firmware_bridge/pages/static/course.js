// How an open game has gone: its last turns and the captured pieces, shown to whoever asks for them.

import { page, part } from "./table.js";

const SVG = "http://www.w3.org/2000/svg";
const KEPT = "course";

const drawn = (kind, side) => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `piece ${side}`);
  svg.setAttribute("viewBox", "0 0 100 100");
  const use = document.createElementNS(SVG, "use");
  for (const [name, value] of Object.entries({ href: `${page.dataset.drawings}#${kind}`, width: 100, height: 100 })) {
    use.setAttribute(name, value);
  }
  svg.append(use);
  return svg;
};

export const turnLine = ({ number, side, text }, index) => {
  const item = document.createElement("li");
  item.textContent = side === "white" ? `${number}. ${text}` : index ? text : `${number}... ${text}`;
  return item;
};

export class Course {
  constructor(button) {
    this.button = button;
    this.on = localStorage.getItem(KEPT) === "on";
    button.addEventListener("click", () => {
      this.on = !this.on;
      localStorage.setItem(KEPT, this.on ? "on" : "off");
      this.show(this.scene);
    });
  }

  show(scene) {
    this.scene = scene;
    this.button.hidden = scene.turns.length === 0;
    this.button.setAttribute("aria-pressed", String(this.on));
    part("turns").hidden = !this.on || scene.tone === "urgent" || scene.turns.length === 0;
    part("turns").replaceChildren(...scene.turns.map(turnLine));
    for (const card of document.querySelectorAll(".clock")) {
      const lost = card.dataset.side === "white" ? "black" : "white"; // what this side has captured
      const { kinds, told } = scene.captured[lost] ?? { kinds: [], told: "" };
      const place = card.querySelector(".captured");
      place.hidden = !this.on || kinds.length === 0;
      place.setAttribute("aria-label", told);
      place.replaceChildren(...kinds.map((kind) => drawn(kind, lost)));
    }
  }
}
