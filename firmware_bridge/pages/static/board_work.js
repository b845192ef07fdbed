// Asks for the board, and goes to the walk as soon as that is there.

import { onSubmit } from "./forms.js";
import { part, setText } from "./table.js";

const form = part("work");
const AGAIN_MS = 500;

onSubmit(form, async () => {
  const { key, work } = form.elements;
  const response = await fetch("/api/v1/board/work", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key: key.value.trim(), work: work.value }),
  }).catch(() => null);
  const answer = await response?.json().catch(() => ({}));
  setText(part("refused"), response?.ok ? "" : answer?.message ?? answer?.error ?? "⚠");
  setText(part("begins"), response?.ok ? part("begins").dataset.text : "");
  if (response?.ok) wait();
});

// The walk has words to be sent to; the games have none.
const wait = async () => {
  const there = await fetch("/walk").then(({ ok }) => ok, () => false);
  if (there) location.replace("/");
  else setTimeout(wait, AGAIN_MS);
};
