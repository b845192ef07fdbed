// The referee (`/referee`): everything there is to see, and the rulings.

import { onSubmit } from "./forms.js";
import { act, enter, listen, part, post, setList, setText, showAnswers, showTable } from "./table.js";

const line = ({ time, kind, text }) => {
  const item = Object.assign(document.createElement("li"), { className: kind });
  item.append(Object.assign(document.createElement("time"), { textContent: time }), ` ${text}`);
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
  const lines = scene.history.map(line).reverse();
  const old = part("history");
  if (old.textContent !== lines.map((each) => each.textContent).join("")) old.replaceChildren(...lines);
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
