// The display (`/`): the public scene, for everyone in the room.

import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { Live } from "./live.js";

const page = document.documentElement;
const board = new Board(document.querySelector(".board"), page.dataset.drawings, {
  turned: new URLSearchParams(location.search).has("turned"),
});
const clocks = new Clocks(document.querySelectorAll(".clock"));
const part = (name) => document.querySelector(`[data-part="${name}"]`);

const setText = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
};

const setList = (node, texts) => {
  node.replaceChildren(...texts.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
  node.hidden = texts.length === 0;
};

const show = (scene) => {
  board.draw(scene);
  document.querySelector(".field").style.setProperty(
    "--board-shape", board.svg.style.getPropertyValue("--board-shape"));
  clocks.set(scene.clocks, scene.age_ms);
  setText(part("title"), scene.title);
  setText(part("options"), scene.options);
  setText(part("headline"), scene.headline);
  part("headline").className = `headline ${scene.tone}`;
  setList(part("more"), scene.more);
  setList(part("question"), scene.question.map((choice) => choice.label));
  setList(part("news"), scene.news);
  setText(part("link"), scene.link);
  for (const card of document.querySelectorAll(".clock")) {
    const side = scene.sides[card.dataset.side];
    setText(card.querySelector("b"), side.name);
    setText(card.querySelector(".note"), side.note);
    card.querySelector(".note").hidden = false;
    card.classList.toggle("to-act", side.to_act);
  }
  page.dataset.phase = scene.phase;
};

show(JSON.parse(document.getElementById("scene").textContent));

new Live(page.dataset.events, {
  onScene: show,
  onBeat: (beat) => clocks.set(beat.clocks),
  onLost: () => { clocks.lose(); part("lost").hidden = false; },
  onFound: () => { part("lost").hidden = true; },
});
