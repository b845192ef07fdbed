// The walk over a new board: shows what the command asks, and sends back what people answer.

const element = (id) => document.getElementById(id);

let texts = { ended: "" };
let returns = false; // whether the service has lent its address, and will be back

function post(address, body) {
  return fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

const enter = (text) => post("/words", { text });

function made(tag, text, className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  node.className = className;
  return node;
}

// What is shown already stays: it keeps the focus, and a reader of screens reads aloud what comes.
function drawTold(told) {
  const list = element("told");
  const lines = told.map((line) => line.split("  [")[0]);
  const had = [...list.children].map(({ textContent }) => textContent);
  let kept = had.length;
  while (had.slice(had.length - kept).join("\n") !== lines.slice(0, kept).join("\n")) kept -= 1;
  for (const line of [...list.children].slice(0, had.length - kept)) line.remove();
  list.append(...lines.slice(kept).map((line) => made("li", line)));
}

function drawWords(words) {
  const shown = JSON.stringify(words);
  if (element("words").dataset.shown === shown) return;
  element("words").dataset.shown = shown;
  const buttons = Object.entries(words).map(([word, meaning]) => {
    const button = made("button", meaning);
    button.type = "button";
    button.dataset.word = word;
    button.addEventListener("click", () => enter(word));
    return button;
  });
  element("words").replaceChildren(...buttons);
}

function drawBoard(board, shines) {
  element("board").hidden = !board.files;
  if (!board.files) return;
  const cells = [];
  for (let rank = board.ranks; rank >= 1; rank--) {
    for (let file = 0; file < board.files; file++) cells.push("abcdefgh"[file] + rank);
  }
  const known = new Set([...board.squares, ...board.reserves]);
  const lit = new Set(shines);
  const nodes = [...cells, ...board.reserves].map((cell) => {
    const state = lit.has(cell) ? " shines" : "";
    const node = made("div", cell, "cell" + (known.has(cell) ? state : " absent"));
    node.dataset.cell = cell;
    return node;
  });
  const place = element("board");
  place.style.gridTemplateColumns = `repeat(${board.files}, 1fr)`;
  place.replaceChildren(...nodes);
  place.setAttribute("aria-label", shines.length ? texts.shining.replace("{cells}", shines.join(", ")) : texts.dark);
}

// What stands around the request, in the language that the command speaks.
function label() {
  Object.assign(document.documentElement, { lang: texts.lang, dir: texts.dir });
  document.title = texts.title;
  element("label").textContent = texts.other;
  element("enter").textContent = texts.enter;
  element("words").setAttribute("aria-label", texts.answers);
  element("board").setAttribute("aria-label", texts.board);
  element("told").setAttribute("aria-label", texts.told);
  element("watching").textContent = texts.watching;
  element("open").textContent = texts.open;
}

function show(state) {
  texts = state.texts;
  label();
  if (state.over) events.close();
  if (state.over && state.returns) goBack();
  const end = state.returns ? texts.back : texts.done;
  const idle = state.over ? end : texts.waiting;
  returns = state.returns;
  const asks = state.asks ? state.asks.split("  [")[0] : idle;
  if (element("asks").textContent !== asks) element("asks").textContent = asks;
  drawWords(state.may ? state.words : {});
  element("other").hidden = !state.may || !state.board.files;
  element("door").hidden = state.may;
  drawBoard(state.board, state.shines);
  drawTold(state.told);
}

element("other").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(element("text").value);
  element("text").value = "";
});

element("door").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { status } = await post("/enter", { key: element("pin").value.trim() });
  element("refused").textContent = { 403: texts["wrong-pin"], 429: texts.wait }[status] ?? "";
  if (status === 200) location.reload();
});

// Nothing can be filled in before its script is there.
for (const form of document.forms) form.inert = false;

// The service is back as soon as it is ready to say so.
async function goBack() {
  const back = await fetch("/readyz").then(({ status }) => status !== 404, () => false);
  if (back) location.replace("/");
  else setTimeout(goBack, 500);
}

const events = new EventSource("/events");
events.addEventListener("state", (event) => show(JSON.parse(event.data)));
events.addEventListener("error", () => {
  element("asks").textContent = returns ? texts.back : texts.ended;
  drawWords({});
  if (returns) {
    events.close();
    goBack();
  }
});
