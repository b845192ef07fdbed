// The display (`/`): the public scene, for everyone in the room.

import { Attract } from "./attract.js";
import { listen, page, part, setList, setText, showAnswers, showTable } from "./table.js";

const attract = page.dataset.home ? new Attract(part("attract")) : null;

// Beside the board the question is answered at the screen; elsewhere it can only be read.
const ask = (scene) => {
  if (page.dataset.actions) {
    showAnswers(scene.question);
    document.querySelector(".declare").hidden = scene.game !== "reality-check" || scene.phase !== "playing";
    return;
  }
  setList(part("question"), scene.question.map((choice) => choice.label));
  part("where").hidden = scene.question.length === 0;
};

if (page.dataset.actions) listen();
showTable((scene) => {
  attract?.show(scene.show);
  setText(part("title"), scene.title);
  setText(part("options"), scene.options);
  ask(scene);
  setList(part("news"), scene.news);
}, {
  turned: new URLSearchParams(location.search).has("turned"),
  field: document.querySelector(".field"),
});
