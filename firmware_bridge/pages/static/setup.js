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
  const { time, penalty } = form.querySelector('[name="game"]:checked')?.dataset ?? {};
  form.elements.time.placeholder = time ?? "";
  form.elements.penalty.placeholder = penalty ?? "";
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
  for (const name of ["touch_move", "take_backs", "sealed", "quiet"]) {
    agreed[name] = form.elements[name].checked;
  }
  return agreed;
};

form.addEventListener("change", choose);
// A game under way is not ended by one touch.
const sure = async (button) => {
  if (button.dataset.asked) return true;
  const { phase } = await fetch("/api/v1/state").then((answer) => answer.json()).catch(() => ({}));
  if (!["playing", "decision", "restoring", "paused"].includes(phase)) return true;
  const name = button.textContent;
  button.textContent = button.dataset.sure;
  button.dataset.asked = "yes";
  setTimeout(() => { button.textContent = name; delete button.dataset.asked; }, 5000);
  return false;
};

const leave = (answer) => {
  if (answer.status === 202) location.assign(page.dataset.after);
  else setText(part("refused"), answer.message ?? answer.error ?? "⚠");
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(await sure(part("begin")))) return;
  const game = form.elements.game.value;
  const answer = await post(page.dataset.begin, {
    game,
    options: optionsOf(game),
    settings: settings(),
    players: { white: form.elements.white.value, black: form.elements.black.value },
  });
  leave(answer);
});
for (const button of document.querySelectorAll("[data-take-up]")) {
  button.addEventListener("click", async () => {
    if (await sure(button)) leave(await post(button.dataset.takeUp, {}));
  });
}
choose();
