// Sets a journal aside that cannot be opened, and waits until the game is there.

import { onSubmit } from "./forms.js";

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const form = part("set-aside");
const AGAIN = 500; // ms

onSubmit(form, async () => {
  const answer = await fetch("/api/v1/journal/set-aside", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ pin: form.pin.value }),
  });
  const { problem } = await answer.json();
  const told = part("problem");
  told.textContent = part(problem ?? (answer.ok ? "begins" : "wait")).textContent;
  told.hidden = false;
  if (answer.ok) wait();
});

const wait = async () => {
  const there = await fetch("/").then(({ ok }) => ok, () => false);
  if (there) location.replace("/");
  else setTimeout(wait, AGAIN);
};
