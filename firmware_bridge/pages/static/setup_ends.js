// How pages end a game under way and begin another one.

import { page, part, setText } from "./table.js";

// A game under way is not ended by one touch.
export const sure = async (button) => {
  if (button.dataset.asked) return true;
  const { begun } = await fetch("/api/v1/state").then((answer) => answer.json()).catch(() => ({}));
  if (!begun) return true;
  const name = button.textContent;
  button.textContent = button.dataset.sure;
  button.dataset.asked = "yes";
  setTimeout(() => { button.textContent = name; delete button.dataset.asked; }, 5000);
  return false;
};

export const leave = (answer) => {
  if (answer.status === 202) location.assign(page.dataset.after);
  else setText(part("refused"), answer.message ?? answer.error ?? "⚠");
};
