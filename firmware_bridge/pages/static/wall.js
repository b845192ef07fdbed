// The wall (`wall` command): one card a board; only what is in sight is drawn.

import { Board } from "./board.js";
import { clockText } from "./clocks.js";
import { Live } from "./live.js";
import { fit, pages } from "./fit.js";

const TURN = 12_000; // ms that a page stays
const page = document.documentElement;
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const words = JSON.parse(document.getElementById("words").textContent);
const SIDES = { w: "white", b: "black", "-": null };
const PLAYED = ["playing", "executing", "decision", "restoring", "paused"];
const cards = new Map();
const names = new Intl.Collator(undefined, { numeric: true });

const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const say = (key, gaps = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => gaps[name]);
const plural = new Intl.PluralRules(page.lang);
const sayCount = (key, count) => {
  const form = `${key}-${plural.select(count)}`;
  return say(form in words ? form : `${key}-other`, { count });
};

class Card {
  constructor(id) {
    this.id = id;
    this.node = document.getElementById("card").content.firstElementChild.cloneNode(true);
    this.node.dataset.board = id;
    this.board = new Board(this.node.querySelector(".board"), page.dataset.drawings);
    this.seen = false;
    sight.observe(this.node);
    part("cards").append(this.node);
  }

  take(told) {
    this.told = told;
    this.since = performance.now() - told.age_ms;
    this.stale = true;
    const { state, presence } = told;
    this.help = this.needed();
    this.name = state?.board.trim() || this.id;
    this.shared = state?.shared || this.id;
    this.node.dataset.game = state?.game ?? "";
    this.node.classList.toggle("attention", this.help !== "");
    this.node.classList.toggle("away", presence !== "online");
    this.node.classList.toggle("blank", !state);
    this.node.classList.toggle("over", Boolean(state?.result));
    this.find = [this.id, this.name, state?.title, ...Object.values(state?.players ?? {})]
      .join(" ").toLowerCase();
    setText(this.node.querySelector(".game"), state ? [state.title, state.options].filter(Boolean).join(" · ") : "");
    setText(this.node.querySelector(".says"), state ? [state.result, state.headline].filter(Boolean).join(" ") : "");
    const trouble = this.help || (presence === "online" ? "" : say(`wall-${presence}`));
    const troubled = this.node.querySelector(".trouble");
    setText(troubled, trouble);
    troubled.hidden = !trouble;
    this.draw();
  }

  // Why this board needs somebody, empty if it does not.
  needed() {
    const { state, presence, unreadable } = this.told;
    if (presence === "silent") return say("wall-silent");
    if (presence === "offline") return PLAYED.includes(state?.phase) ? say("wall-lost") : "";
    if (unreadable) return say(unreadable[0], { where: unreadable[1] });
    if (presence === "unheard") return ""; // what is kept of it may be from long ago
    if (state?.link) return state.link;
    if (state?.faults.length) return `${say("wall-faults")} ${state.faults.join(" ")}`;
    return state?.urgent ? state.headline : "";
  }

  // Who needs somebody comes first, then games that are played, then the rest.
  rank() {
    if (this.help) return 0;
    if (this.told.presence !== "online") return 3;
    return PLAYED.includes(this.told.state?.phase) ? 1 : 2;
  }

  place(order) {
    this.node.hidden = order < 0;
    this.node.style.order = order;
  }

  draw() {
    if (!this.seen || !this.stale || !this.told.state) return;
    this.stale = false;
    const { state } = this.told;
    const pieces = Object.fromEntries(Object.entries(state.pieces).map(([square, text]) => {
      const [piece, ...marks] = text.split(":");
      return [square, { kind: piece[1], side: SIDES[piece[0]], marks }];
    }));
    const { white = "", black = "" } = state.players;
    this.board.draw({
      ground: state.ground, squares: state.squares.split(" "), regions: state.regions, pieces, lights: state.lights,
      restore: [], revealed: [], discs: state.discs,
      described: `${say("wall-board-of")} ${white}, ${black}. ${state.headline}`,
    });
    for (const row of this.node.querySelectorAll(".player")) {
      setText(row.querySelector("b"), state.players[row.dataset.side] ?? "");
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

// Cards are as large as lets all of them stand here; if they would be too small, pages turn.
let shown = 0;

const sorted = (some) => [...some].sort(
  (a, b) => a.rank() - b.rank() || names.compare(a.name, b.name) || names.compare(a.id, b.id));

// Two boards that play one game are one card: that of the first of them, under both their names.
const games = () => {
  const found = new Map();
  for (const card of sorted(cards.values())) {
    found.set(card.shared, [...(found.get(card.shared) ?? []), card]);
  }
  return [...found.values()];
};

const arrange = () => {
  const wanted = part("find").value.trim().toLowerCase();
  const order = games().filter((boards) => boards.some((card) => card.find.includes(wanted))).map((boards) => {
    setText(boards[0].node.querySelector("h3"), boards.map((card) => card.name).join(" – "));
    return boards[0];
  });
  part("none").hidden = order.length > 0;
  setText(part("none"), say(cards.size ? "wall-search-none" : "wall-none"));
  const helped = order.filter((card) => card.help).length;
  const list = part("cards");
  const found = fit(list, order.length, helped);
  for (const [name, value] of Object.entries(found.style)) list.style.setProperty(name, value);
  list.dataset.size = found.size;
  const all = pages(order, helped, found);
  shown %= all.length;
  const places = new Map(all[shown].map((card, index) => [card, index]));
  for (const card of cards.values()) card.place(places.get(card) ?? -1);
  part("page").hidden = all.length === 1;
  setText(part("page"), say("wall-page", { page: shown + 1, pages: all.length }));
  return helped;
};

const turn = () => {
  shown += 1;
  arrange();
};

const show = (scene) => {
  for (const told of scene.cards) {
    if (!cards.has(told.id)) cards.set(told.id, new Card(told.id));
    cards.get(told.id).take(told);
  }
  part("no-broker").hidden = scene.connected;
  part("results").hidden = scene.results.length === 0;
  part("result-list").replaceChildren(...scene.results.map((result) => {
    const item = document.createElement("li");
    const [mark, board, players] = ["b", "bdi", "bdi"].map((tag) => document.createElement(tag));
    mark.textContent = result.result;
    board.textContent = result.board;
    players.textContent = result.players;
    item.append(board, ": ", mark, " ", players);
    return item;
  }));
  const helped = arrange();
  setText(part("totals"), [
    sayCount("wall-boards", scene.totals.boards),
    say("wall-online", { count: scene.totals.online }),
    ...(helped ? [sayCount("wall-help", helped)] : []),
  ].join(", "));
};

part("find").addEventListener("input", arrange);
addEventListener("resize", arrange);
setInterval(turn, TURN);
setInterval(() => { for (const card of cards.values()) card.count(); }, 250);
new Live(page.dataset.events, {
  onScene: show,
  onLost: () => { part("lost").hidden = false; },
  onFound: () => { part("lost").hidden = true; },
});
