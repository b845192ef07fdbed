// A game that is over, turn by turn: by buttons, arrow keys, or by choosing a turn.
// A frame is a board with `turn`, `who`, `side`, `hands` and `notes`; the first has no turn.

import { Board } from "./board.js";
import { onSubmit } from "./forms.js";
import { page, painted, part, post, setText } from "./table.js";

await painted();

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

// Turns as players number them: White's and Black's beside each other, what a side does in one go together.
export const numbers = [];
frames.reduce((before, { side }) => {
  const next = side === "white" && before.side !== "white" ? before.number + 1 : before.number;
  numbers.push(Math.max(1, next));
  return { number: next, side };
}, { number: 0, side: null });

const buttons = new Map();
const turnButton = (frame, index) => {
  const button = document.createElement("button");
  button.textContent = frame.turn;
  button.setAttribute("aria-label", `${numbers[index]}. ${told(frame)}`);
  button.addEventListener("click", () => show(index));
  buttons.set(index, button);
  return button;
};

const row = (number) => {
  const item = document.createElement("li");
  const [count, ...cells] = ["span", "div", "div"].map((tag) => document.createElement(tag));
  count.textContent = number ? `${number}.` : "";
  item.append(count, ...cells);
  return { item, number, cells: { white: cells[0], black: cells[1] } };
};

const lines = () => {
  const rows = [row(0)];
  for (const [index, frame] of frames.entries()) {
    if (frame.turn && rows.at(-1).number !== numbers[index]) rows.push(row(numbers[index]));
    if (frame.turn) rows.at(-1).cells[frame.side].append(turnButton(frame, index));
    for (const note of frame.notes) {
      rows.at(-1).item.append(Object.assign(document.createElement("p"), { textContent: note }));
    }
  }
  return rows.map(({ item }) => item).filter((item) => item.querySelector("button, p"));
};

// `onShow(number)` is called whenever another turn is shown.
const listeners = [];
export const onShow = (listener) => { listeners.push(listener); listener(now); };

// From now on a position is shown with what would have been better there.
export const advise = (number, moves) => {
  frames[number].advised = moves;
  if (number === now) show(now);
};

// A position that was not played is drawn in place of the one that is shown.
export const draw = (frame) => board.draw({ ...frame, described: name });

export const show = (number) => {
  now = number;
  const frame = frames[number];
  board.draw({ ...frame, described: `${name}. ${told(frame)}` });
  setText(part("turn"), told(frame));
  part("turn").hidden = false;
  setText(part("hands"), frame.hands.map((hand) => hand.join(". ")).join(" · "));
  for (const [index, button] of buttons) {
    if (index === number) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  // The list alone scrolls, and not the page with it.
  const list = part("turns");
  const item = buttons.get(number)?.closest("li");
  list.scrollTop = item ? item.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
  for (const button of document.querySelectorAll("[data-step]")) {
    button.disabled = STEPS[button.dataset.step](now) === now;
  }
  for (const listener of listeners) listener(number);
};

part("turns").replaceChildren(...lines());
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => show(STEPS[button.dataset.step](now)));
}
if (part("delete")) onSubmit(part("delete"), async (event) => {
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
