// A learn screen: touch a piece, then a square, and see what the rules say.

import { Board } from "./board.js";
import { page, part, post } from "./table.js";

const start = JSON.parse(document.getElementById("scene").textContent);
const svg = document.querySelector(".board");
const board = new Board(svg, page.dataset.drawings);
let chosen = null;

const choose = (square) => {
  svg.querySelector(".chosen")?.classList.remove("chosen");
  chosen = square;
  if (square) svg.querySelector(`rect[data-square="${square}"]`).classList.add("chosen");
};

const show = (scene, text = "", tone = "") => {
  choose(null);
  board.draw({ ...scene, described: svg.getAttribute("aria-label") });
  const result = part("result");
  result.textContent = text;
  result.className = `result ${tone}`;
};

const attempt = async (body) => {
  const answer = await post(page.dataset.try, body);
  if (answer.scene) show(answer.scene, answer.text, answer.legal ? "legal" : "illegal");
};

svg.addEventListener("click", (event) => {
  const square = event.target.closest("[data-square]")?.dataset.square;
  if (!square) return;
  if (chosen && chosen !== square) {
    const move = chosen + square;
    show(start);
    attempt({ move });
  } else {
    choose(chosen ? null : square);
  }
});
part("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = new FormData(event.target).get("move").trim().toLowerCase();
  if (move) attempt({ move });
});
part("show")?.addEventListener("click", () => attempt({}));
part("again").addEventListener("click", () => show(start));
show(start);
