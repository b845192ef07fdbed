// The display (`/`): the public scene, for everyone in the room.

import { Attract } from "./attract.js";
import { page, part, setList, setText, showAnswers, showDeclarations, showTable } from "./table.js";

const attract = page.dataset.home ? new Attract(part("attract")) : null;

// Beside the board the question is answered at the screen; elsewhere it can only be read.
const ask = (scene) => {
  if (page.dataset.actions) {
    showAnswers(scene.question);
    showDeclarations(scene.declarations);
    return;
  }
  setList(part("question"), scene.question.map((choice) => choice.label));
  part("where").hidden = scene.question.length === 0;
};

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
