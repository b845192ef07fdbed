// The referee (`/referee`): everything there is to see, and the rulings.

import { clockText } from "./clocks.js";
import { onSubmit } from "./forms.js";
import { act, enter, listen, part, post, setList, setText, showAnswers, showTable } from "./table.js";

const line = ({ t_ms, kind, text }) => {
  const item = document.createElement("li");
  item.className = kind;
  const time = document.createElement("time");
  time.textContent = clockText(Math.max(t_ms, 20_000) === t_ms ? t_ms : t_ms + 0.1);
  item.append(time, ` ${text}`);
  return item;
};

const show = (scene) => {
  showAnswers(scene.decision);
  const { position } = document.querySelector('[data-ruling="set-position"]').elements;
  if (position.value === "" || position.value === position.dataset.last) position.value = scene.position;
  position.dataset.last = scene.position;
  for (const button of document.querySelectorAll("[data-leave]")) {
    button.hidden = !scene.sides[button.dataset.leave].seated;
  }
  setList(part("news"), scene.news);
  setText(part("position"), scene.position);
  setList(part("hands"), Object.entries(scene.hands)
    .filter(([, pieces]) => pieces.length)
    .map(([side, pieces]) => `${scene.sides[side].name}: ${pieces.join(" ")}`), "span");
  part("history").replaceChildren(...scene.history.map(line).reverse());
};

const rulings = () => {
  for (const form of document.querySelectorAll("[data-ruling]")) {
    onSubmit(form, async () => {
      const data = Object.fromEntries(new FormData(form));
      if (!await act({ call: form.dataset.ruling, data }, form.querySelector(".alert"))) return;
      form.reset();
      form.closest("details").open = false;
    });
  }
};

const form = part("entry");
if (form) {
  enter(form);
} else {
  showTable(show);
  listen();
  rulings();
  part("leave").addEventListener("click", async () => {
    await post("/api/v1/referee/leave", {});
    location.reload();
  });
}
