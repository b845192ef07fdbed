// A learn screen: touch a piece, then a square, and see what the rules say.

import { Board } from "./board.js";
import { onSubmit } from "./forms.js";
import { page, part, post } from "./table.js";

const start = JSON.parse(document.getElementById("scene").textContent);
const svg = document.querySelector(".board");
const board = new Board(svg, page.dataset.drawings);
let chosen = null;
let made = []; // of a turn of several pieces, what has been carried so far
let scene = start;
let answered = Promise.resolve();

const choose = (square) => {
  svg.querySelector(".chosen")?.classList.remove("chosen");
  chosen = square;
  if (square) svg.querySelector(`rect[data-square="${square}"]`).classList.add("chosen");
};

const show = (next, text = "", tone = "") => {
  choose(null);
  scene = next;
  board.draw({ ...scene, described: svg.getAttribute("aria-label") });
  const result = part("result");
  result.textContent = text;
  result.className = `result ${tone}`;
};

// What is done is celebrated, and only now the next screen is the one thing to do.
const lead = () => {
  part("next").classList.add("main");
  part("next").focus();
};

const attempt = async (body) => {
  const answer = await post(page.dataset.try, body);
  if (!answer.scene) return;
  // What is done stays; after anything else the screen begins anew with the next movement.
  const goesOn = answer.legal && !answer.done && answer.scene.advised.length > 0;
  made = goesOn && body.move ? [...made, body.move] : [];
  show(answer.scene, answer.text, answer.legal || answer.done ? "legal" : "illegal");
  if (answer.done) lead();
};
const tryMove = (move) => {
  if (made.length === 0) show(start);
  return attempt({ move, made });
};

const touch = (square) => {
  // What is turned over, touched or brought from the hand is done with one touch.
  const pointed = scene.advised.some(({ source, target }) => target === square && source === target);
  if (pointed && !chosen) return tryMove(square);
  if (chosen && chosen !== square) return tryMove(chosen + square);
  return choose(chosen ? null : square);
};

// One after the other: quick hands touch what the last answer has made, however late that comes.
const then = (deed) => { answered = answered.then(deed); };

const squareAt = (event) => event.target.closest("[data-square]")?.dataset.square;
svg.addEventListener("click", (event) => {
  const square = squareAt(event);
  if (square) then(() => touch(square));
});
// Who has a mouse may drag; no click on a square comes of that.
let gripped;
svg.addEventListener("pointerdown", (event) => { gripped = squareAt(event); });
svg.addEventListener("pointerup", (event) => {
  const [from, to] = [gripped, squareAt(event)];
  if (from && to && from !== to) then(() => tryMove(from + to));
});
if (part("typed")) {
  onSubmit(part("typed"), (event) => {
    const move = new FormData(event.target).get("move").trim().toLowerCase();
    if (move) then(() => tryMove(move));
  });
}
part("show")?.addEventListener("click", () => then(() => attempt({})));
part("again").addEventListener("click", () => then(() => { made = []; show(start); }));
show(start);
