// Fetches everything as one file, for whoever knows the PIN, and hands it to the browser.

import { onSubmit } from "./forms.js";
import { part, setText } from "./table.js";

const form = part("save");

onSubmit(form, async () => {
  const { key, keys } = form.elements;
  const response = await fetch("/api/v1/save", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key: key.value.trim(), keys: keys.checked }),
  }).catch(() => null);
  setText(part("refused"), response?.ok ? "" : await why(response));
  setText(part("saved"), "");
  if (!response?.ok) return;
  const name = response.headers.get("content-disposition").match(/filename="([^"]+)"/)[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setText(part("saved"), part("saved").dataset.text.replace("{name}", name));
});

const why = async (response) => {
  const answer = await response?.json().catch(() => ({}));
  return answer?.message ?? answer?.error ?? "⚠";
};
