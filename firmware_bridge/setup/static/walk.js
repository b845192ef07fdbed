// The walk over a new board: shows what the command asks, and sends back what people answer.

const element = (id) => document.getElementById(id);

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
  place.setAttribute("aria-label", shines.length ? `Shining: ${shines.join(", ")}` : "No cell shines");
}

function show(state) {
  element("asks").textContent = state.asks ? state.asks.split("  [")[0] : "Done. See the terminal for the files.";
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
  element("asks").textContent = "The command has ended, or cannot be reached.";
  drawWords({});
});
