// Small boards that stand still: games' pictures, puzzles.

import { Board } from "./board.js";
import { page, painted } from "./table.js";

await painted();
for (const svg of document.querySelectorAll("[data-scene]")) {
  const scene = JSON.parse(svg.dataset.scene);
  new Board(svg, page.dataset.drawings, { named: scene.described !== "" }).draw(scene);
}
