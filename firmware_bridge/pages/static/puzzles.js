// A game's puzzles: their positions, and the one that is to be set up.

import "./pictures.js";
import { leave, sure } from "./setup_ends.js";
import { page, post } from "./table.js";

for (const button of document.querySelectorAll("[data-puzzle]")) {
  button.addEventListener("click", async () => {
    if (await sure(button)) leave(await post(page.dataset.begin, { puzzle: button.dataset.puzzle }));
  });
}
