// The display (`/`): the public scene, for everyone in the room.

import { Attract } from "./attract.js";
import { Course } from "./course.js";
import { page, part, setList, setText, showAnswers, showDeclarations, showExits, showTable } from "./table.js";
import { Voice } from "./voice.js";
import { Worst } from "./worst.js";

const attract = page.dataset.home ? new Attract(part("attract")) : null;
// Beside the board the display speaks unless it is told not to; elsewhere it asks first.
const voice = new Voice(part("voice"), {
  language: page.lang,
  volume: Math.min(1, Number(page.dataset.volume) / 100),
  tones: page.dataset.tones === "true",
  on: Boolean(page.dataset.actions),
});

const course = new Course(part("course"));
const worst = part("worst") ? new Worst(part("worst")) : null;

// Beside the board the question is answered at the screen; elsewhere it can only be read.
const ask = (scene) => {
  if (page.dataset.actions) {
    showAnswers(scene.question);
    showDeclarations(scene);
    showExits(scene.exits);
    return;
  }
  setList(part("question"), scene.question.map((choice) => choice.label));
  part("where").hidden = scene.question.length === 0;
};

// What a computer's pieces hide: its hash, to be kept; at the end the line that it is the hash of.
let promised = "[]";
const showPromised = (entries, folded) => {
  if (JSON.stringify(entries) === promised) return;
  promised = JSON.stringify(entries);
  part("promised").hidden = entries.length === 0;
  part("promised").open = !folded;
  part("promises").replaceChildren(...entries.map(({ told, hash, check, code }) => {
    const figure = document.createElement("figure");
    const words = document.createElement("figcaption");
    const image = Object.assign(document.createElement("img"), { src: code, alt: "" });
    words.append(told, ...[hash, check].filter(Boolean).map((text) => (
      Object.assign(document.createElement("code"), { textContent: text }))));
    figure.append(...(code ? [image] : []), words);
    return figure;
  }));
};

// A phone that photographs this has the game that is over.
const takeHome = ({ phase, puzzle, id }) => {
  const home = part("home");
  if (!home) return;
  home.hidden = phase !== "over" || puzzle !== "";
  const address = `/games/${id}/code.svg`;
  if (!home.hidden && home.firstChild.getAttribute("src") !== address) home.firstChild.src = address;
};

// Where there is not room for all at its full size, less is said before what is to be done becomes small; the lights'
// legend and the way out are kept for as long as small letters find room for them.
const middle = document.querySelector(".middle");
const SAID = [["", 0.9], ["tight", 0.7], ["tight tighter", 0.5], ["tight tighter tightest", 0.5]];
const fit = () => {
  for (const [less, least] of SAID) {
    middle.className = `middle ${less}`;
    for (let share = 1; share >= least; share -= 0.1) {
      middle.style.setProperty("--share", share);
      if (middle.scrollHeight <= middle.clientHeight) return;
    }
  }
};
addEventListener("resize", fit);
document.fonts.ready.then(fit);
new MutationObserver(fit).observe(middle, { childList: true, characterData: true, subtree: true, attributeFilter: ["hidden", "open"] });

showTable((scene, run) => {
  attract?.show(scene.show);
  for (const name of ["name", "title"]) setText(part(name), scene.title);
  document.title = document.title.replace(/^.*(?= · )/, scene.title);
  setText(part("options"), scene.options);
  ask(scene);
  setList(part("news"), scene.news);
  course.show(scene);
  worst?.show(scene);
  showPromised(scene.promised, scene.folded);
  takeHome(scene);
  voice.hear(scene.aloud, run);
}, {
  turned: new URLSearchParams(location.search).has("turned"),
  field: document.querySelector(".field"),
});
fit();
