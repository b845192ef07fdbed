// A page of a kiosk that nobody reads any more leads back to the display.

import { page } from "./table.js";

const IDLE_MS = 90_000;
let timer;

const rest = () => {
  clearTimeout(timer);
  timer = setTimeout(() => location.replace(page.dataset.home), IDLE_MS);
};

for (const touch of ["pointerdown", "keydown", "wheel"]) addEventListener(touch, rest);
rest();
