// The set-up page: what is agreed before a game.

import { page, part, post, setText } from "./table.js";

const form = part("setup");
const sets = [...form.querySelectorAll("[data-for]")];

// Only the options of the chosen game are shown and sent.
const choose = () => {
  const chosen = form.elements.game.value;
  for (const set of sets) {
    const other = set.dataset.for !== chosen;
    set.hidden = other;
    set.disabled = other;
  }
};

const optionsOf = (game) => {
  const set = sets.find((candidate) => candidate.dataset.for === game);
  const options = {};
  for (const field of set?.querySelectorAll("[name]") ?? []) {
    if (field.type === "checkbox") options[field.name] = field.checked;
    else options[field.name] = field.dataset.kind === "int" ? Number(field.value) : field.value;
  }
  return options;
};

const settings = () => {
  const agreed = {};
  for (const name of ["time", "penalty"]) {
    const value = form.elements[name].value.trim();
    if (value) agreed[name] = value;
  }
  for (const name of ["touch_move", "take_backs", "quiet"]) {
    agreed[name] = form.elements[name].checked;
  }
  return agreed;
};

form.addEventListener("change", choose);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const game = form.elements.game.value;
  const answer = await post(page.dataset.begin, {
    game,
    options: optionsOf(game),
    settings: settings(),
    players: { white: form.elements.white.value, black: form.elements.black.value },
  });
  if (answer.status === 202) location.assign("/");
  else setText(part("refused"), answer.message ?? answer.error ?? "⚠");
});
choose();
