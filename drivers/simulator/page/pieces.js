// How pieces look. Their drawings stand in pieces.svg, the same that every display of the game uses.

import { say } from "./words.js";

const NS = "http://www.w3.org/2000/svg";
const COLOURS = { w: "white", b: "black", n: "plain" };
const DRAWN = "KQRBNP";

export function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function spoken(look) {
  return say(`piece-${look[0]}`, { kind: say(`kind-${look[1]}`, { otherwise: look[1] }) });
}

// Draws into `group`, in a box of 100 by 100 around its origin.
export function draw(group, look, shape) {
  const kind = look[1];
  const size = shape === "disc" ? 70 : 96;
  const figure = DRAWN.includes(kind)
    ? make("use", { class: "body", href: `/page/pieces.svg#${kind}`, x: -size / 2, y: -size / 2 - 2, width: size, height: size })
    : make("text", { class: "letter", x: 0, y: 24 }, kind);
  const below = shape === "disc"
    ? [make("circle", { class: "rim", r: 43, cy: 3 }), make("circle", { class: "face", r: 43 })]
    : [make("ellipse", { class: "shade", cx: 0, cy: 38, rx: 31, ry: 6 })];
  group.replaceChildren(...below, figure);
  group.setAttribute("class", `piece ${COLOURS[look[0]]} ${shape}`);
}
