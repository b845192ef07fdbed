// The simulated board's page: listens to the board, and sends it what the hands do.

import { Hands } from "./hands.js";
import { Layout } from "./layout.js";
import { beep } from "./sound.js";
import { showTold } from "./told.js";
import { View } from "./view.js";
import { say } from "./words.js";

const find = (id) => document.getElementById(id);
const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`).value;

// One order after the other, as one pair of hands would. Gives the revision of the board's state from which on it is
// done, 0 where it was not.
let orders = Promise.resolve();
function send(path, order) {
  orders = orders.then(async () => {
    const body = JSON.stringify(order);
    const answer = await fetch(path, { method: "POST", body, headers: { "content-type": "application/json" } });
    if (!answer.ok) find("live").textContent = say("refused", { error: (await answer.json()).error });
    return Number(answer.headers.get("revision"));
  }).catch(() => {
    find("lost").hidden = false;
    return 0;
  });
  return orders;
}

function show(state, view) {
  const sounded = view.state && state.sounds.count > view.state.sounds.count;
  view.show(state);
  const host = find("host");
  host.textContent = say(!state.plugged ? "cable-is-out" : state.online ? "connected" : "nobody-listens");
  host.className = `chip ${state.plugged && state.online ? "good" : ""}`;
  find("cable").textContent = say(state.plugged ? "pull" : "plug");
  find("cable").setAttribute("aria-pressed", String(!state.plugged));
  find("bounce").checked = state.faults.bounce;
  if (!sounded) return;
  const heard = find("heard");
  heard.textContent = `♪ ${say(`sound-${state.sounds.last}`, { otherwise: state.sounds.last })}`;
  heard.hidden = false;
  heard.dataset.sound = state.sounds.last;
  if (find("audible").checked) beep(state.sounds.last);
}

function listen(view) {
  const stream = new EventSource("/events");
  stream.addEventListener("open", () => view.expectNothing()); // a board that was started anew counts anew
  stream.addEventListener("state", (event) => {
    find("lost").hidden = true;
    show(JSON.parse(event.data), view);
  });
  stream.addEventListener("error", () => {
    find("lost").hidden = false;
    if (stream.readyState === EventSource.CLOSED) location.reload(); // it asks for the PIN again
  });
}

// What a button is for, where its name does not tell.
function explain(name, button) {
  const purpose = say(`button-${name}-for`, { otherwise: "" });
  if (!purpose) return;
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.id = `for-${name}`;
  hint.textContent = `${button.textContent}: ${purpose}`;
  button.setAttribute("aria-describedby", hint.id);
  find("purposes").append(hint);
}

function wire(about, view) {
  for (const name of about.buttons) {
    const plate = document.querySelector(`[data-plate="${name}"]`);
    const button = plate ?? document.createElement("button");
    button.dataset.button = name;
    button.disabled = false;
    button.addEventListener("click", () => send("/hands", { steps: [{ button: name }] }));
    if (plate) continue;
    button.textContent = say(`button-${name}`, { otherwise: name });
    find("presses").append(button);
    explain(name, button);
  }
  for (const name of about.arrangements) find("arrangement").append(new Option(say(`arrangement-${name}`, { otherwise: name.replaceAll("-", " ") }), name));
  if (about.arrangements.includes("start")) find("arrangement").value = "start";
  // What is opened is seen: the drawer is the last of what stands beside the board.
  document.querySelector(".drawer").addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }));
  find("whole").addEventListener("change", (event) => view.showWhole(event.target.checked));
  find("arrange").addEventListener("click", () => send("/arrange", { name: find("arrangement").value }));
  find("cable").addEventListener("click", () => send("/cable", { plugged: !view.state.plugged }));
  find("reset").addEventListener("click", () => send("/reset", {}));
  const faults = (change) => send("/faults", { ...view.state.faults, ...change });
  find("bounce").addEventListener("change", (event) => faults({ bounce: event.target.checked }));
  find("mend").addEventListener("click", () => {
    send("/faults", {});
    if (!view.state.plugged) send("/cable", { plugged: true });
  });
  new Hands(view, send, {
    slides: () => chosen("hands") === "slide",
    breaks: () => chosen("break") !== "",
    onBreak(cell) {
      const kind = chosen("break");
      const cells = view.state.faults[kind];
      faults({ [kind]: cells.includes(cell) ? cells.filter((other) => other !== cell) : [...cells, cell] });
    },
  });
}

const about = JSON.parse(find("about").textContent);
const view = new View(find("board"), about, new Layout(about));
wire(about, view);
listen(view);
if (document.documentElement.dataset.events) {
  showTold(view).catch(() => {
    // The service died before the display's scripts had come, and a browser does not ask for a script twice.
    document.querySelector('[data-part="lost"]').hidden = false;
    setTimeout(() => location.reload(), 1000);
  });
}
