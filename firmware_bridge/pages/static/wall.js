// The wall (`wall` command): one card a board; only what is in sight is drawn.

import { Board } from "./board.js";
import { clockText } from "./clocks.js";
import { Live } from "./live.js";

const page = document.documentElement;
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const words = JSON.parse(document.getElementById("words").textContent);
const SIDES = { w: "white", b: "black", "-": null };
const cards = new Map();
const names = new Intl.Collator(undefined, { numeric: true });

const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };

class Card {
  constructor(id) {
    this.id = id;
    this.node = document.getElementById("card").content.firstElementChild.cloneNode(true);
    this.node.dataset.board = id;
    this.board = new Board(this.node.querySelector(".board"), page.dataset.drawings);
    this.seen = false;
    sight.observe(this.node);
    const list = part("cards");
    const after = [...list.children].find((other) => names.compare(other.dataset.board, id) > 0);
    list.insertBefore(this.node, after ?? null);
  }

  take(told) {
    this.told = told;
    this.since = performance.now() - told.age_ms;
    this.stale = true;
    const { state, presence } = told;
    const trouble = this.trouble();
    this.node.classList.toggle("attention", presence === "online" && (trouble !== "" || state?.urgent));
    this.node.classList.toggle("away", presence !== "online");
    this.node.classList.toggle("over", Boolean(state?.result));
    this.node.style.order = this.rank();
    this.node.dataset.find = this.findable();
    setText(this.node.querySelector("h3"), state?.board ?? this.id);
    setText(this.node.querySelector(".game"), state ? [state.title, state.options].filter(Boolean).join(" · ") : "");
    setText(this.node.querySelector(".says"), state ? [state.result, state.headline].filter(Boolean).join(" ") : "");
    const troubled = this.node.querySelector(".trouble");
    setText(troubled, trouble);
    troubled.hidden = !trouble;
    this.draw();
  }

  trouble() {
    const { state, presence } = this.told;
    if (presence !== "online") return words[`wall-${presence}`];
    if (state?.link) return state.link;
    return state?.faults.length ? `${words["wall-faults"]} ${state.faults.join(" ")}` : "";
  }

  // Who needs somebody comes first, then games that are played, then the rest.
  rank() {
    if (this.node.classList.contains("attention")) return 0;
    if (this.told.presence !== "online") return 3;
    return ["playing", "decision", "restoring", "paused"].includes(this.told.state?.phase) ? 1 : 2;
  }

  findable() {
    const { state } = this.told;
    return [this.id, state?.board, state?.title, ...Object.values(state?.players ?? {})]
      .join(" ").toLowerCase();
  }

  draw() {
    if (!this.seen || !this.stale || !this.told.state) return;
    this.stale = false;
    const { state } = this.told;
    const pieces = Object.fromEntries(Object.entries(state.pieces).map(([square, text]) => {
      const [piece, ...marks] = text.split(":");
      return [square, { kind: piece[1], side: SIDES[piece[0]], marks }];
    }));
    this.board.draw({
      squares: state.squares.split(" "), pieces, lights: state.lights, restore: [], revealed: [],
      discs: state.discs,
      described: `${words["wall-board-of"]} ${state.players.white}, ${state.players.black}. ${state.headline}`,
    });
    for (const row of this.node.querySelectorAll(".player")) {
      setText(row.querySelector("b"), state.players[row.dataset.side]);
      row.classList.toggle("to-act", state.to_act === row.dataset.side);
    }
    this.count();
  }

  count() {
    const state = this.told?.state;
    if (!this.seen || !state) return;
    for (const row of this.node.querySelectorAll(".player")) {
      const face = state.clocks[row.dataset.side];
      const gone = face?.running ? performance.now() - this.since - face.delay_ms : 0;
      const time = row.querySelector(".time");
      const known = face && face.left_ms !== null;
      setText(time, known ? clockText(face.left_ms - Math.max(0, gone)) : "");
      time.classList.toggle("running", Boolean(face?.running));
      time.classList.toggle("fallen", Boolean(face?.fallen));
    }
  }
}

const sight = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const card = cards.get(entry.target.dataset.board);
    card.seen = entry.isIntersecting;
    card.draw();
  }
}, { rootMargin: "200px" });

const filter = () => {
  const wanted = part("find").value.trim().toLowerCase();
  for (const card of cards.values()) card.node.hidden = !card.node.dataset.find.includes(wanted);
};

const show = (scene) => {
  for (const told of scene.cards) {
    if (!cards.has(told.id)) cards.set(told.id, new Card(told.id));
    cards.get(told.id).take(told);
  }
  if (scene.cards.length) filter();
  part("none").hidden = cards.size > 0;
  part("no-broker").hidden = scene.connected;
  setText(part("totals"),
    `${scene.totals.boards} ${words["wall-boards"]}, ${scene.totals.online} ${words["wall-online"]}`);
  part("results").hidden = scene.results.length === 0;
  part("result-list").replaceChildren(...scene.results.map((result) => {
    const item = document.createElement("li");
    const mark = document.createElement("b");
    mark.textContent = result.result;
    item.append(`${result.board}: `, mark, ` ${result.players}`);
    return item;
  }));
};

part("find").addEventListener("input", filter);
setInterval(() => { for (const card of cards.values()) card.count(); }, 250);
new Live(page.dataset.events, {
  onScene: show,
  onLost: () => { part("lost").hidden = false; },
  onFound: () => { part("lost").hidden = true; },
});
