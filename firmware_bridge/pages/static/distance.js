// The page of friends far away: what is there is asked for every second, and shown.

import { onSubmit } from "./forms.js";
import { drawLots, optionsOf } from "./options.js";
import { page, part, post, setText, touch } from "./table.js";

const address = (what) => {
  const [path, query] = page.dataset.state.split("?");
  return `${path}/${what}?${query}`;
};

const send = async (what, body) => {
  const answer = await post(address(what), body);
  setText(part("refused"), answer.message ?? "");
  await look();
  return answer.status === 202;
};

const button = (text, press) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
};

const proposals = part("proposals");
let shown = "";
const showProposals = (list) => {
  const now = JSON.stringify(list);
  if (now === shown) return;
  shown = now;
  const { yes, no, withdraw } = proposals.dataset;
  proposals.replaceChildren(...list.map((one) => {
    const row = document.createElement("div");
    row.className = "panel row";
    const text = document.createElement("p");
    text.className = "grow";
    text.textContent = one.text;
    const answer = (accepts) => () => send("answer", { line: one.line, accepts });
    row.append(text);
    if (one.ours) row.append(button(withdraw, answer(false)));
    else {
      const accept = button(yes, answer(true));
      accept.className = "main";
      row.append(accept, button(no, answer(false)));
    }
    return row;
  }));
};

drawLots(part("propose"));

const friend = part("propose").elements.friend;
const showFriends = (names) => {
  part("propose").hidden = names.length === 0;
  if ([...friend.options].map((option) => option.value).join("\n") === names.join("\n")) return;
  const chosen = friend.value;
  part("new").open = names.length === 0;
  friend.replaceChildren(...names.map((name) => new Option(name, name)));
  if (names.includes(chosen)) friend.value = chosen;
};

let line = null;
const look = async () => {
  const answer = await fetch(page.dataset.state);
  if (!answer.ok) return;
  const state = await answer.json();
  if (line !== null && state.line && state.line !== line) { location.assign("/"); return; } // it begins
  line = state.line;
  showFriends(state.friends);
  showProposals(state.proposals);
  part("words").textContent = state.words;
  part("code").hidden = !state.code;
  part("code").src = state.code;
  if (part("told").textContent === state.told) return;
  part("told").textContent = state.told;
  part("told").scrollIntoView({ block: "nearest" });
};

part("invite").addEventListener("click", () => send("invite", {}));
touch(part("forget"), () => send("forget", { friend: friend.value }));
onSubmit(part("join"), async () => {
  const { words } = part("join").elements;
  if (await send("join", { words: words.value })) words.value = "";
});
const { game: games } = part("propose").elements;
const showOptions = () => {
  for (const set of part("propose").querySelectorAll("[data-for]")) {
    set.hidden = set.disabled = set.dataset.for !== games.value;
  }
};
games.addEventListener("change", showOptions);
showOptions();
onSubmit(part("propose"), async () => {
  const { game, side, time } = part("propose").elements;
  const settings = time.value.trim() ? { time: time.value.trim() } : { time: "untimed" };
  await send("propose", { friend: friend.value, side: side.value, game: game.value, options: optionsOf(part("propose"), game.value), settings });
});
await look();
setInterval(look, 1000);
