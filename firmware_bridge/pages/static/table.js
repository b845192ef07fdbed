// What the pages of players and referee share: showing a scene, sending what people do.

import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { onSubmit } from "./forms.js";
import { Live } from "./live.js";

export const page = document.documentElement;
export const part = (name) => document.querySelector(`[data-part="${name}"]`);

// The words of a page are painted before what scripts draw: they are read first.
// A tab that nobody sees paints nothing.
export const painted = () => new Promise((done) => {
  if (document.hidden) done();
  else requestAnimationFrame(() => setTimeout(done));
});

export const setText = (node, text) => {
  if (!node) return;
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
};

// Each sentence stands on its own line; an offence alone interrupts what is read aloud.
const setHeadline = (node, { headline, sentences, tone }) => {
  node.className = `headline ${tone}`;
  node.ariaLive = tone === "urgent" ? "assertive" : "polite";
  node.hidden = !headline;
  if (node.textContent === headline) return;
  node.replaceChildren(...sentences.flatMap((sentence) => (
    [Object.assign(document.createElement("span"), { textContent: sentence }), " "])).slice(0, -1));
};

// What stood there already is left where it is: a reader of screens reads aloud what comes.
export const setList = (node, texts, tag = "li") => {
  for (const item of [...node.children]) if (!texts.includes(item.textContent)) item.remove();
  texts.forEach((text, at) => {
    if (node.children[at]?.textContent === text) return;
    const item = Object.assign(document.createElement(tag), { textContent: text });
    node.insertBefore(item, node.children[at] ?? null);
  });
  while (node.children.length > texts.length) node.lastChild.remove();
  node.hidden = texts.length === 0;
};

// Sends JSON and gives back the answer's status and content; a dead line is status 0.
export const post = async (address, body) => {
  try {
    const response = await fetch(address, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    return { status: response.status, ...(await response.json().catch(() => ({}))) };
  } catch {
    return { status: 0 };
  }
};

// Shows clocks, headline, link and board of every scene and calls `more(scene, run)` for the rest.
export const showTable = (more, options = {}) => {
  const svg = document.querySelector(".board");
  const board = svg && new Board(svg, page.dataset.drawings, options);
  const cards = document.querySelectorAll(".clock");
  const clocks = new Clocks(cards);
  const show = (scene, run) => {
    const { activeElement } = document;
    board?.draw(scene);
    const { field } = options;
    field?.style.setProperty("--board-shape", svg.style.getPropertyValue("--board-shape"));
    clocks.set(scene.clocks);
    setText(part("line"), scene.line);
    setHeadline(part("headline"), scene);
    setList(part("more"), scene.more);
    setText(part("link"), scene.link);
    if (part("how")) part("how").pathname = `/learn/${scene.game}/1`;
    showWhy(scene.why);
    for (const card of cards) {
      const side = scene.sides[card.dataset.side];
      setText(card.querySelector("b"), side.name);
      setText(card.querySelector(".note"), side.note);
      card.classList.toggle("to-act", side.to_act);
      card.classList.toggle("asked", side.asked);
      card.classList.toggle("won", Boolean(scene.fallen) && scene.fallen !== card.dataset.side);
    }
    page.dataset.phase = scene.phase;
    page.dataset.game = scene.game;
    const emblem = document.querySelector(":is(.game, h1) .emblem use");
    emblem?.setAttribute("href", emblem.getAttribute("href").replace(/#.*/, `#${scene.game}`));
    if (part("rematch")) part("rematch").hidden = scene.phase !== "over" || scene.puzzle !== "";
    showFollowing(scene.following);
    if (part("computer")) part("computer").hidden = !scene.alone;
    if (part("again")) part("again").hidden = scene.phase !== "over" || scene.puzzle !== "";
    if (part("another")) part("another").hidden = scene.phase !== "over";
    showLegend(board ? [...scene.legend, ...scene.marked] : scene.legend);
    showOpponents(scene.opponents);
    part("news")?.classList.toggle("urgent", scene.loud);
    for (const button of document.querySelectorAll("[data-in]")) {
      button.hidden = !button.dataset.in.split(" ").includes(scene.phase);
    }
    more(scene, run);
    if (activeElement.checkVisibility?.() === false) part("headline").focus(); // what was in focus is gone
  };
  const first = document.getElementById("scene");
  if (first) show(JSON.parse(first.textContent));
  for (const button of document.querySelectorAll("[data-begins]")) {
    const { puzzle } = button.dataset;
    const body = () => (puzzle === undefined ? {} : { puzzle: button.dataset.puzzle });
    button.addEventListener("click", () => act(body(), part("refused"), button.dataset.begins));
  }
  const lost = part("lost").textContent;
  new Live(page.dataset.events, {
    onScene: show,
    onBeat: (beat) => clocks.set(beat.clocks),
    onLost: () => { clocks.lose(); setText(part("lost"), lost); },
    onLent: () => setText(part("lost"), part("lost").dataset.lent ?? lost),
    onFound: () => { part("lost").hidden = true; },
  });
};

// Where it is shown why a turn is illegal.
const showWhy = (why) => {
  const link = part("why");
  if (!link) return;
  link.hidden = !why;
  if (why) link.href = `${link.dataset.at}${why.address}?language=${page.lang}`;
  if (why) link.textContent = why.label;
};

// The lights that are lit now, each with its colour and what it means, and marks that are drawn here.
const showLegend = (legend) => {
  const list = part("legend");
  if (!list || list.dataset.shown === JSON.stringify(legend)) return;
  list.dataset.shown = JSON.stringify(legend);
  list.replaceChildren(...legend.map(({ signal, label }) => {
    const item = document.createElement("li");
    const light = document.createElement("span");
    light.className = `swatch ${signal}`;
    item.append(light, label);
    return item;
  }));
  list.hidden = legend.length === 0;
};

// Does one thing and says so in `refused` when it was refused; `false` then.
export const act = async (action, refused = part("refused"), address = page.dataset.actions) => {
  const answer = await post(address, action);
  if (answer.status === 403) location.reload();
  setText(refused, answer.status === 202 ? "" : answer.message ?? answer.error ?? "⚠");
  return answer.status === 202;
};

// Buttons with `data-call` do that, those with `data-leave` leave that side's seat; with `data-sure`
// they ask once more.
export const listen = () => {
  for (const button of document.querySelectorAll("[data-call], [data-leave]")) {
    const { call, leave } = button.dataset;
    touch(button, () => (call ? act({ call }) : leaveSeat(leave)));
  }
};

// Lets a button do something; with `data-sure` only when it is touched again.
export const touch = (button, deed) => {
  const name = [...button.childNodes];
  const calm = () => { button.replaceChildren(...name); delete button.dataset.asked; };
  button.addEventListener("click", () => {
    if (button.dataset.sure && !button.dataset.asked) {
      button.textContent = button.dataset.sure;
      button.dataset.asked = "yes";
      setTimeout(calm, 4000);
      return;
    }
    calm();
    deed();
  });
};

const leaveSeat = async (side) => {
  const answer = await post(`/api/v1/seat/${side}/leave`, {});
  if (answer.status !== 202) setText(part("refused"), answer.message ?? answer.error ?? "⚠");
  else if (page.dataset.side) location.reload(); // it was this page's own
};

// Buttons made from a scene; the same ones are left where they are, so that a finger on its way
// finds them.
const shown = new Map();
const offer = (name, choices, deed, draw) => {
  if (shown.get(name) === JSON.stringify(choices)) return;
  shown.set(name, JSON.stringify(choices));
  part(name).classList.toggle("many", choices.length > 8);
  part(name).replaceChildren(...choices.map((choice) => {
    const button = document.createElement("button");
    button.textContent = choice.label;
    if (choice.sure) button.dataset.sure = choice.sure;
    draw?.(button, choice);
    touch(button, () => deed(choice));
    return button;
  }));
};

// The answers to open offers, questions and decisions.
export const showAnswers = (choices) => offer("answers", choices, ({ text, call }) => act(call ? { call } : { answer: text }));

// What may be declared of the turn that is being made, unless it is asked for.
export const showDeclarations = ({ declarations, question }) =>
  offer("declarations", declarations.filter(({ call }) => call || question.every((asked) => asked.call)), ({ what, call }) => act(call ? { call } : { declare: what }));

// How a game is left before its end.
export const showExits = (exits) => offer("exits", exits, ({ call }) => act({ call }));

// After a lesson or puzzle comes the next one.
const showFollowing = (following) => {
  const button = part("following");
  if (!button) return;
  setText(button, following?.label ?? "");
  button.dataset.puzzle = following?.puzzle ?? "";
};

// Who else might play: a person, or a computer of each level, with their faces.
const showOpponents = (opponents) => {
  const panel = part("opponents-panel");
  if (!panel) return;
  panel.hidden = opponents.length === 0;
  offer("opponents", opponents, async ({ level }) => {
    if (await act({ level }, part("refused"), part("opponents").dataset.at)) panel.open = false;
  }, (button, { level, label, chosen }) => {
    const drawing = new URL(`emblems.svg#level-${level}`, import.meta.url);
    button.innerHTML = `<svg class="emblem" viewBox="0 0 24 24" aria-hidden="true"><use href="${drawing}"/></svg>`;
    const name = Object.assign(document.createElement("span"), { textContent: label, className: level ? "unseen" : "" });
    const short = Object.assign(document.createElement("span"), { textContent: level || "", ariaHidden: "true" });
    button.append(short, name);
    button.setAttribute("aria-pressed", String(chosen));
  });
};

const ASK_MS = 2000; // a phone that asks for a seat waits so long for the answer, and asks again

// Shows a key or PIN; who asks for a seat that is taken goes on asking.
const send = async (key, address = page.dataset.entry) => {
  const answer = await post(address, { key });
  if (answer.status === 202) location.reload();
  else if (answer.status === 429) setText(part("refused"), part("wait").textContent);
  else if (answer.error === "wrong-key") setText(part("refused"), part("wrong").textContent);
  else setText(part("refused"), answer.message ?? "⚠");
  if (answer.error === "seat-asked") setTimeout(() => send(key), ASK_MS);
};

// The form that asks for a PIN. Where there is more than one way to go on, each has its button.
export const enter = (form) => {
  onSubmit(form, (event) => {
    const key = new FormData(form).get("key").trim();
    form.reset();
    send(key, event.submitter?.dataset.entry);
  });
};

// The key in the address's fragment, which a code to be scanned leads to, is used at once.
export const enterByCode = () => {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  send(key);
};
