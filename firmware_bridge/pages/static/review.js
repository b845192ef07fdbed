// The review of a game that is over: asked for, waited for, and shown as a curve, a table and turning
// points that lead to their positions.

import { advise, frames, numbers, onShow, show, told } from "./replay.js";
import { page, part, post, setText } from "./table.js";

const { address } = part("review").dataset;
const LOOK_MS = 1000;
const [WIDTH, HEIGHT, MARGIN] = [600, 150, 6];
const SVG = "http://www.w3.org/2000/svg";

const drawn = (name, attributes) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

const item = (name, ...children) => {
  const node = document.createElement(name);
  node.append(...children);
  return node;
};

const curve = (chances, points) => {
  const x = (number) => MARGIN + number * (WIDTH - 2 * MARGIN) / Math.max(1, chances.length - 1);
  const y = (chance) => MARGIN + (100 - chance) * (HEIGHT - 2 * MARGIN) / 100;
  const line = chances.map((chance, number) => `${x(number)},${y(chance)}`).join(" ");
  const end = x(chances.length - 1);
  const here = drawn("line", { class: "here", y1: 0, y2: HEIGHT });
  document.querySelector(".curve").replaceChildren(
    drawn("polygon", { class: "area", points: `${x(0)},${HEIGHT} ${line} ${end},${HEIGHT}` }),
    drawn("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    drawn("polyline", { class: "course", points: line }),
    here,
    // Lines of no length with round ends: the curve is stretched, and they stay round.
    ...points.flatMap(({ number, side }) => ["rim", side].map((name) => drawn("path", {
      class: `point ${name}`, d: `M${x(number + 1)} ${y(chances[number + 1])}h0.01`,
    }))),
  );
  const lead = ({ currentTarget, clientX }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    show(Math.round((chances.length - 1) * Math.min(1, Math.max(0, (clientX - left) / width))));
  };
  for (const pointed of ["click", "mousemove"]) document.querySelector(".curve").addEventListener(pointed, lead);
  onShow((number) => {
    here.setAttribute("x1", x(number));
    here.setAttribute("x2", x(number));
  });
};

const table = (chances) => {
  part("chances").replaceChildren(...chances.map((chance, number) => {
    const turn = item("th", number ? `${numbers[number]}. ${told(frames[number])}` : part("chances").dataset.start);
    turn.scope = "row";
    return item("tr", turn, item("td", `${chance} %`));
  }));
};

const pointLine = ({ number, turn, text, known, advised }) => {
  const button = item("button", `${numbers[number + 1]}. ${turn}`);
  button.addEventListener("click", () => {
    show(number);
    document.querySelector(".board").scrollIntoView({ block: "nearest" });
  });
  advise(number, advised);
  const line = item("li", button, item("p", text));
  if (known.length) line.append(item("ul", ...known.map((one) => item("li", one))));
  return line;
};

const fill = ({ chances, turning_points: points }) => {
  for (const side of ["white", "black"]) {
    const own = points.filter((point) => point.side === side);
    part(`points-${side}`).replaceChildren(...own.map(pointLine));
    document.querySelector(`[data-none="${side}"]`).hidden = own.length > 0;
  }
  table(chances);
  curve(chances, points);
  part("reviewed").hidden = false;
  part("why-wait").hidden = true;
  if (points.length) show(Math.min(...points.map(({ number }) => number)));
};

const look = async () => {
  const answer = await fetch(`${address}/state?language=${page.lang}`).catch(() => null);
  if (!answer?.ok) {
    setTimeout(look, LOOK_MS);
    return;
  }
  const state = await answer.json();
  setText(part("progress"), state.message);
  part("ask").hidden = state.goes_on || Boolean(state.chances);
  if (state.goes_on) setTimeout(look, LOOK_MS);
  if (state.chances) fill(state);
};

const ask = async () => {
  const answer = await post(address, {});
  if (answer.status === 202) look();
  else setText(part("progress"), answer.message ?? answer.error ?? "⚠");
};

part("ask").addEventListener("click", ask);
// Whoever asked at the end of a game what went wrong has asked for its review.
if (location.hash === "#ask") {
  part("review").scrollIntoView();
  ask();
} else look();
