// The codes of the seats, on the set-up page: each leaves it as soon as somebody has scanned it.

import { Live } from "./live.js";
import { part } from "./table.js";

let shown;

const renew = async () => {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const seats = fresh.querySelector('[data-part="seats"]');
  seats.open = part("seats").open;
  part("seats").replaceWith(seats);
};

new Live("/api/v1/events", {
  onScene: ({ game, phase, sides }) => {
    const before = shown;
    shown = JSON.stringify([game, phase, sides.white.seated, sides.black.seated]);
    if (before && before !== shown) renew();
  },
});
