// The display (`/`): the public scene, for everyone in the room.

import { Attract } from "./attract.js";
import { page, part, setList, setText, showTable } from "./table.js";

const attract = page.dataset.home ? new Attract(part("attract")) : null;

showTable((scene) => {
  attract?.show(scene.show);
  setText(part("title"), scene.title);
  setText(part("options"), scene.options);
  setList(part("question"), scene.question.map((choice) => choice.label));
  setList(part("news"), scene.news);
}, {
  turned: new URLSearchParams(location.search).has("turned"),
  field: document.querySelector(".field"),
});
