// Small boards that stand still: games' pictures, puzzles.

import { Board } from "./board.js";
import { page } from "./table.js";

for (const svg of document.querySelectorAll("[data-scene]")) {
  const scene = JSON.parse(svg.dataset.scene);
  new Board(svg, page.dataset.drawings, { named: scene.described !== "" }).draw(scene);
}
