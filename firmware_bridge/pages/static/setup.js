// The set-up page: what is agreed before a game.

import { onSubmit } from "./forms.js";
import { Live } from "./live.js";
import { drawLots, optionsOf } from "./options.js";
import { leave, sure } from "./setup_ends.js";
import { page, part, post, setText } from "./table.js";

const form = part("setup");
const SIDES = ["white", "black"];
const tableRules = form.querySelectorAll("[data-rule] input");
const sets = [...form.querySelectorAll("[data-for]")];

// Only what is told of the chosen game, and its options, are shown and sent.
const choose = () => {
  const chosen = form.elements.game.value;
  page.dataset.game = chosen; // the page has its colour
  for (const set of sets) {
    const other = set.dataset.for !== chosen;
    set.hidden = other;
    set.disabled = other;
  }
  const { time, penalty, sealed, rules } = form.querySelector('[name="game"]:checked')?.dataset ?? {};
  form.elements.time.placeholder = time ?? "";
  form.elements.penalty.placeholder = penalty ?? "";
  const seal = form.elements.sealed;
  if (!seal.dataset.touched) seal.checked = sealed !== undefined;
  for (const rule of tableRules) rule.closest("label").hidden = !rules?.split(" ").includes(rule.name);
};

// Time and penalty as typed; where Black has a time of his own, both sides' times in one text.
const written = () => {
  const [time, black, penalty] = ["time", "time_black", "penalty"].map((name) => form.elements[name].value.trim());
  if (!form.elements.odds.checked || !black) return { time, penalty };
  const { ownTime } = form.querySelector('[name="game"]:checked').dataset;
  return { time: `${time || ownTime} vs ${black}`, penalty };
};

drawLots(form);

// A person by name, or a computer by its level.
const player = (side) => form.elements[`seat_${side}`].value || form.elements[side].value;

const settings = () => {
  const agreed = {};
  const { time, penalty } = written();
  if (time) agreed.time = time;
  if (penalty) agreed.penalty = penalty;
  for (const rule of tableRules) agreed[rule.name] = rule.checked && !rule.closest("label").hidden;
  return agreed;
};

// The usual ones, to be chosen by a touch; the one that is written is marked.
const fills = [...form.querySelectorAll("[data-fill]")];
const mark = () => {
  for (const button of fills) {
    button.setAttribute("aria-pressed", String(form.elements[button.dataset.fill].value.trim() === button.dataset.value));
  }
  for (const side of SIDES) form.elements[side].disabled = form.elements[`seat_${side}`].value !== "";
  const odds = form.elements.odds.checked;
  part("odds").hidden = !odds;
  const { both, one } = part("time-label").dataset;
  part("time-label").textContent = odds ? one : both;
  part("time-agreed").textContent = written().time || form.elements.time.placeholder;
};
for (const button of fills) {
  button.addEventListener("click", () => { form.elements[button.dataset.fill].value = button.dataset.value; mark(); });
}

// Who plays is asked in one word, and said to each side: whoever wants it otherwise says so there.
const showSeats = () => {
  const { who } = form.elements;
  part("levels").hidden = who.value === "people";
  part("mine").hidden = who.value !== "computer";
};
const seat = () => {
  const { who, level, mine } = form.elements;
  for (const side of SIDES) {
    const person = who.value === "people" || (who.value === "computer" && side === mine.value);
    form.elements[`seat_${side}`].value = person ? "" : `computer ${level.value}`;
  }
  showSeats();
};
const seated = () => {
  const { who, mine } = form.elements;
  const people = SIDES.filter((side) => !form.elements[`seat_${side}`].value);
  who.value = ["computers", "computer", "people"][people.length];
  if (people.length === 1) [mine.value] = people;
  showSeats();
};
for (const field of form.querySelectorAll('[name="who"], [name="level"], [name="mine"]')) field.addEventListener("change", seat);
for (const side of SIDES) form.elements[`seat_${side}`].addEventListener("change", seated);

// What was chosen last is chosen already, but for names and the game.
const KEPT = "setup";
const fields = () => [...form.querySelectorAll("select[name], input[name]")].filter((field) =>
  !field.closest("[data-for]") && !["game", "white", "black"].includes(field.name));
const keep = () => {
  localStorage.setItem(KEPT, JSON.stringify(fields().map((field) => [
    field.name, field.value, ["radio", "checkbox"].includes(field.type) ? field.checked : null,
  ])));
};
const recall = () => {
  if (page.classList.contains("kiosk")) return; // strangers leave nothing behind
  for (const [name, value, checked] of JSON.parse(localStorage.getItem(KEPT) ?? "[]")) {
    for (const field of fields().filter((one) => one.name === name)) {
      if (checked === null) field.value = value;
      else if (field.value === value) field.checked = checked;
    }
  }
  showSeats();
};

form.elements.sealed.addEventListener("change", () => { form.elements.sealed.dataset.touched = "yes"; });
form.addEventListener("change", () => { choose(); mark(); });
// What is opened is seen: not behind the button that stays at the bottom.
form.addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }), true);
form.addEventListener("input", mark);

// What was typed wrongly is in sight, beside what is said of it.
const pointAt = ([name]) => {
  const wrong = form.elements[name];
  if (!wrong) return;
  wrong.closest("details").open = true;
  wrong.focus();
  wrong.scrollIntoView({ block: "center" });
};

onSubmit(form, async () => {
  const game = form.elements.game.value;
  const wanted = {
    game,
    options: optionsOf(form, game),
    settings: settings(),
    players: { white: player("white"), black: player("black") },
  };
  // What cannot be is said first: nobody is asked to end a game for nothing.
  const checked = await post(page.dataset.check, wanted);
  if (checked.status !== 200) { leave(checked); pointAt(checked.fields ?? []); return; }
  keep();
  setText(part("refused"), "");
  if (await sure(part("begin"))) leave(await post(page.dataset.begin, wanted));
});
for (const button of document.querySelectorAll("[data-take-up]")) {
  button.addEventListener("click", async () => {
    if (await sure(button)) leave(await post(button.dataset.takeUp, {}));
  });
}
recall();
choose();
mark();
new Live(page.dataset.events, { onScene: (scene) => setText(part("link"), scene.link) });
