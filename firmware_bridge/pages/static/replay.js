// A game that is over, turn by turn: by buttons, arrow keys, or by choosing a turn.
// A frame is a board with `turn`, `who`, `side`, `hands` and `notes`; the first has no turn.

import { Board } from "./board.js";
import { page, part, post, setText } from "./table.js";

export const frames = JSON.parse(document.getElementById("frames").textContent);
const svg = document.querySelector(".board");
const name = svg.getAttribute("aria-label");
const board = new Board(svg, page.dataset.drawings);
const STEPS = {
  first: () => 0,
  back: (now) => Math.max(0, now - 1),
  on: (now) => Math.min(frames.length - 1, now + 1),
  last: () => frames.length - 1,
};
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };
let now = 0;

export const told = ({ turn, who }) => (turn ? `${who}: ${turn}` : "");

const line = (frame, number) => {
  const item = document.createElement("li");
  if (frame.turn) {
    const button = document.createElement("button");
    button.textContent = `${number}. ${told(frame)}`;
    button.addEventListener("click", () => show(number));
    item.append(button);
  }
  for (const note of frame.notes) {
    const text = document.createElement("p");
    text.textContent = note;
    item.append(text);
  }
  return item;
};

// `onShow(number)` is called whenever another turn is shown.
const listeners = [];
export const onShow = (listener) => { listeners.push(listener); listener(now); };

// From now on a position is shown with what would have been better there.
export const advise = (number, moves) => {
  frames[number].advised = moves;
  if (number === now) show(now);
};

export const show = (number) => {
  now = number;
  const frame = frames[number];
  board.draw({ ...frame, described: `${name}. ${told(frame)}` });
  setText(part("turn"), told(frame));
  part("turn").hidden = false;
  setText(part("hands"), frame.hands.map((hand) => hand.join(". ")).join(" · "));
  for (const [index, item] of [...part("turns").children].entries()) {
    const button = item.querySelector("button");
    if (index === number) button?.setAttribute("aria-current", "true");
    else button?.removeAttribute("aria-current");
  }
  // The list alone scrolls, and not the page with it.
  const list = part("turns");
  const item = list.children[number];
  list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  for (const button of document.querySelectorAll("[data-step]")) {
    button.disabled = STEPS[button.dataset.step](now) === now;
  }
  for (const listener of listeners) listener(number);
};

part("turns").replaceChildren(...frames.map(line));
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => show(STEPS[button.dataset.step](now)));
}
part("delete").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { address, after } = event.target.dataset;
  const answer = await post(address, { key: event.target.elements.key.value.trim() });
  if (answer.status === 202) location.assign(after);
  else setText(part("refused"), answer.message ?? answer.error ?? "⚠");
});
addEventListener("keydown", (event) => {
  const step = KEYS[event.key];
  if (!step || event.target.matches("input") || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  show(STEPS[step](now));
});
show(0);
