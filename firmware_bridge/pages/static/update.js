// Follows an update: the page is loaded anew when something else is told, unless somebody types.

import { part } from "./table.js";

const LOOK_MS = 3000; // an update takes minutes; a service that starts again is found within seconds

const told = (html) => html.querySelector("[data-part=stands]")?.textContent;
const here = told(document);

const look = async () => {
  try {
    const answer = await fetch(location.href);
    const there = told(new DOMParser().parseFromString(await answer.text(), "text/html"));
    const typing = part("entry")?.elements.key.value;
    if (answer.ok && there && there !== here && !typing) return location.reload();
  } catch {
    // The service starts anew: ask again.
  }
  setTimeout(look, LOOK_MS);
};
setTimeout(look, LOOK_MS);
