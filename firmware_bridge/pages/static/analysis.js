// What a computer thinks of the position that is shown: a bar, lines, arrows, and turns tried from there.

import { onSubmit } from "./forms.js";
import { draw, frames, onShow, show } from "./replay.js";
import { page, part, post, setList, setText } from "./table.js";

const { address } = part("analysis").dataset;
const LOOK_MS = 500;
const button = part("analyse");
let [on, number, branch, picked, asked] = [false, 0, [], "", 0];

const fill = (state) => {
  setText(part("thinking"), state.message);
  part("analysed").hidden = !state.lines;
  if (state.frame) draw({ ...frames[number], ...state.frame, restore: [], lights: {} });
  if (!state.lines) return;
  part("bar").value = state.chance;
  setText(part("chance"), state.told);
  part("lines").replaceChildren(...state.lines.map(({ score, text, turns }) => {
    const line = document.createElement("li");
    const follow = document.createElement("button");
    follow.textContent = `${score} ${text}`;
    follow.disabled = turns.length === 0;
    follow.addEventListener("click", () => attempt(turns.slice(0, 1)));
    line.append(follow);
    return line;
  }));
  setList(part("unknown"), state.known);
};

// `mine` tells an answer to an older question from one to this.
const watch = async (mine) => {
  const answer = await fetch(`${address}/state?language=${page.lang}`).catch(() => null);
  if (!on || mine !== asked) return;
  const state = answer?.ok ? await answer.json() : { goes_on: true };
  if (answer?.ok && mine === asked) {
    const same = state.number === number && state.branch?.join() === branch.join();
    if (same || !state.goes_on) fill(state);
  }
  if (state.goes_on) setTimeout(() => watch(mine), LOOK_MS);
};

const look = async (tried) => {
  asked += 1;
  const mine = asked;
  const answer = await post(`${address}?language=${page.lang}`, { number, branch: tried });
  if (mine !== asked) return;
  if (answer.status !== 202) {
    setText(part("thinking"), answer.message ?? answer.error ?? "⚠");
    return;
  }
  branch = tried;
  part("undo").disabled = branch.length === 0;
  const told = part("branch").dataset.told;
  setText(part("branch"), branch.length ? told.replace("{turns}", branch.join(" ")) : "");
  watch(mine);
};

const attempt = (turns) => look([...branch, ...turns]);

button.addEventListener("click", () => {
  on = !on;
  button.setAttribute("aria-pressed", String(on));
  part("try").hidden = !on;
  asked += 1;
  if (on) look(branch);
  else {
    part("analysed").hidden = true;
    show(number);
  }
});

onShow((shown) => {
  [number, branch, picked] = [shown, [], ""];
  if (on) look([]);
});

onSubmit(part("try"), (event) => {
  attempt([event.target.elements.turn.value.trim()]);
  event.target.reset();
});
part("undo").addEventListener("click", () => look(branch.slice(0, -1)));

// A piece is tapped, and then where it goes.
document.querySelector(".board").addEventListener("click", ({ target }) => {
  const square = target.closest("[data-square]")?.dataset.square;
  if (!on || !square) return;
  if (picked && picked !== square) {
    attempt([picked + square]);
    picked = "";
  } else {
    picked = picked ? "" : square;
  }
});
