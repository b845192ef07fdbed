// The walk over a new board: shows what the command asks, and sends back what people answer.

const element = (id) => document.getElementById(id);

let texts = { ended: "" };

async function enter(text) {
  await fetch("/words", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text }),
  });
}

function made(tag, text, className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  node.className = className;
  return node;
}

function drawWords(words) {
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
}

function show(state) {
  texts = state.texts;
  label();
  if (state.over) events.close();
  const idle = state.over ? texts.done : texts.waiting;
  element("asks").textContent = state.asks ? state.asks.split("  [")[0] : idle;
  drawWords(state.words);
  drawBoard(state.board, state.shines);
  element("told").replaceChildren(...state.told.map((line) => made("li", line.split("  [")[0])));
}

element("other").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(element("text").value);
  element("text").value = "";
});

const events = new EventSource("/events");
events.addEventListener("state", (event) => show(JSON.parse(event.data)));
events.addEventListener("error", () => {
  element("asks").textContent = texts.ended;
  drawWords({});
});
