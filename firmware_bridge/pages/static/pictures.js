// Small boards that stand still: games' pictures, puzzles.

import { Board } from "./board.js";
import { page, painted } from "./table.js";

await painted();
for (const svg of document.querySelectorAll("[data-scene]")) {
  const scene = JSON.parse(svg.dataset.scene);
  new Board(svg, page.dataset.drawings, { named: scene.described !== "" }).draw(scene);
}
await painted();
// Chromium now and then leaves a box empty that it began to draw while the page was coming: taken
// out and put back, all of it is there.
const empty = (box) => !box.firstElementChild.getClientRects().length;
for (const box of [...document.querySelectorAll(".box")].filter(empty)) {
  box.style.display = "none";
  void box.offsetWidth;
  box.style.display = "";
}
