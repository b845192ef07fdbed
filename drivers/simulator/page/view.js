// Draws the board, its lights and its pieces from the state that the server tells.

import { draw, make, spoken } from "./pieces.js";
import { say } from "./words.js";

// What is set anew is laid out anew, even if it is the same.
const change = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
};

export class View {
  constructor(svg, about, layout) {
    this.svg = svg;
    this.about = about;
    this.layout = layout;
    this.cells = new Map();
    this.pieces = new Map();
    this.held = new Map(); // piece -> where a hand holds it
    this.expected = new Map(); // piece -> { at, lifted, since }: where hands put it, told by the board since that revision
    this.told = null; // the board's own last word
    this.state = null; // what is shown: that, and what is expected
    this.#build();
  }

  #build() {
    const { svg } = this;
    this.wood = make("rect", { class: "frame", rx: 16 });
    this.tray = make("rect", { class: "tray", rx: 16 });
    this.names = make("g");
    const ground = make("g", { class: "ground" }, this.wood, this.tray, this.names);
    const lights = make("g", { class: "lights" });
    for (const [cell, { reserve, dark }] of this.layout.cells) {
      const kind = reserve ? "reserve" : dark ? "dark" : "light";
      const square = make("rect", { class: `cell ${kind}`, "data-cell": cell, tabindex: "-1", role: "button" });
      const led = make("rect", { class: "led", "data-led": cell, rx: 10 });
      const broken = make("path", { class: "broken" });
      ground.append(square);
      lights.append(led, broken);
      this.cells.set(cell, { square, led, broken });
    }
    this.layer = make("g", { class: "pieces" });
    this.regions = make("path", { class: "regions" });
    this.outlined = make("path", { class: "outlined" });
    svg.replaceChildren(ground, this.regions, lights, this.outlined, this.layer);
    this.#place();
    new ResizeObserver(() => this.#arrange()).observe(svg);
  }

  // The cells of the game that is played, and those that anything is the matter with; all of them
  // where there is no game, or somebody wants to see them.
  #shown() {
    if (this.wanted || !this.played) return new Set(this.cells.keys());
    const at = Object.values(this.state?.pieces ?? {}).map((piece) => piece.lifted ?? piece.at);
    const { stuck = [], dead = [], missed = [] } = this.state?.faults ?? {};
    const matter = [...at, ...Object.keys(this.state?.lights ?? {}), ...stuck, ...dead, ...missed];
    return new Set([...this.played, ...matter.filter((cell) => this.cells.has(cell))]);
  }

  // Lays the cells out anew, if they are others or have another room.
  #arrange() {
    const shown = this.#shown();
    const style = getComputedStyle(this.svg);
    const room = style.getPropertyValue("--filled") ? this.svg.clientWidth / this.svg.clientHeight : null;
    const key = JSON.stringify([[...shown].sort(), room]);
    if (key === this.arranged) return;
    this.arranged = key;
    this.layout.arrange(shown, room);
    this.#place();
    if (this.state) this.#showPieces();
    this.onArranged?.();
  }

  #place() {
    const { layout } = this;
    change(this.wood, {
      x: -layout.frame, width: layout.width + 2 * layout.frame,
      y: layout.top - layout.frame, height: layout.bottom - layout.top + 2 * layout.frame,
    });
    this.names.replaceChildren(...layout.names().map(([text, x, y]) => make("text", { class: "coordinate", x, y }, text)));
    const first = layout.cells.keys().next().value;
    for (const [cell, { square, led, broken }] of this.cells) {
      const place = layout.cells.get(cell);
      for (const node of [square, led, broken]) node.toggleAttribute("hidden", !place);
      if (!place) continue;
      const { x, y, size } = place;
      const inset = 7 * size / 100;
      change(square, { x, y, width: size, height: size });
      change(led, { x: x + inset, y: y + inset, width: size - 2 * inset, height: size - 2 * inset });
      square.setAttribute("tabindex", cell === first ? "0" : "-1");
      change(broken, { d: `M${x + 8} ${y + 8}l${size - 16} ${size - 16}m0 ${16 - size}l${16 - size} ${size - 16}` });
    }
  }

  // Shows all that the board has, or what the game uses alone.
  showWhole(wanted) {
    this.wanted = wanted;
    this.#arrange();
  }

  // Lines of the game that is played: the parts of its board, and those to be looked at.
  drawRegions(all, outlined) {
    this.regions.setAttribute("d", all);
    this.outlined.setAttribute("d", outlined);
  }

  playOn(squares) {
    this.played = squares;
    this.#arrange();
  }

  centre(cell) {
    const { x, y } = this.layout.centre(cell);
    return [x, y];
  }

  // Shows at once what an order will do. States that are still on their way from before do not undo it.
  expect(steps, done) {
    const { pieces } = this.state;
    const lifted = ({ piece, to }) => (to === "hand" ? pieces[piece].lifted ?? pieces[piece].at : undefined);
    const places = steps.filter(({ to }) => to).map((step) => [step.piece, { at: step.to, lifted: lifted(step), since: Infinity }]);
    for (const [piece, place] of places) this.expected.set(piece, place);
    this.show(this.told);
    done.then((revision) => {
      for (const [, place] of places) place.since = revision;
      this.show(this.told);
    });
  }

  expectNothing() {
    this.expected.clear();
  }

  show(told) {
    this.told = told;
    const pieces = { ...told.pieces };
    for (const [name, { at, lifted, since }] of this.expected) {
      if (told.revision < since) pieces[name] = { ...pieces[name], at, lifted };
      else this.expected.delete(name);
    }
    this.state = { ...told, pieces };
    this.#arrange();
    this.#showPieces();
    this.#showLights();
    this.#describe();
  }

  // Shows a piece where a hand holds it, or, with null, where the board has it.
  hold(piece, point) {
    if (point) this.held.set(piece, point);
    else this.held.delete(piece);
    if (this.state) this.#showPieces();
  }

  #showPieces() {
    const tray = this.inTray();
    change(this.svg, { viewBox: this.layout.box(tray.length).join(" ") });
    change(this.tray, this.layout.tray);
    const crowd = new Map();
    for (const [name, { at, lifted, look }] of Object.entries(this.state.pieces)) {
      const place = this.held.get(name) ?? this.#placeOf(name, lifted ?? at, tray, crowd, at === "hand");
      const element = this.#element(name, look);
      element.toggleAttribute("hidden", !place);
      if (!place) continue;
      change(element, { "data-at": at });
      const transform = `translate(${place.x}px, ${place.y}px) scale(${place.scale})`;
      if (element.placed !== transform) element.style.transform = element.placed = transform;
      const inAir = this.held.has(name) || at === "hand";
      // On top of all others, once: what is put in anew cannot glide.
      if (inAir && !element.classList.contains("held")) this.layer.append(element);
      element.classList.toggle("held", inAir);
    }
  }

  // What other hands hold, or this page's before it was loaded, is in the air above where it was lifted.
  #placeOf(name, at, tray, crowd, inAir) {
    const index = tray.indexOf(name);
    if (at === "tray" && index < 0) return null;
    const { x, y, scale } = at === "tray" ? this.layout.trayPlace(index) : this.layout.centre(at);
    if (inAir) return { x: x + 10, y: y - 24, scale: 1.1 * scale };
    const others = at === "tray" ? 0 : crowd.get(at) ?? 0;
    crowd.set(at, others + 1);
    return { x: x + others * 18, y: y - others * 14, scale };
  }

  #element(name, look) {
    let known = this.pieces.get(name);
    if (!known) {
      known = { element: make("g", { "data-piece": name }), look: null };
      this.pieces.set(name, known);
      this.layer.append(known.element);
    }
    if (known.look !== look) {
      draw(known.element, look, this.about.pieces[name].shape);
      known.element.classList.toggle("turned", known.look !== null);
      known.look = look;
    }
    return known.element;
  }

  // The pieces beside the board, of the boxes that are in use.
  inTray() {
    const { pieces } = this.state;
    const boxOf = (name) => this.about.pieces[name].set;
    const inUse = new Set(Object.keys(pieces).filter((name) => pieces[name].at !== "tray").map(boxOf));
    const order = "KQRBNP";
    const rank = (name) => 10 * "wnb".indexOf(pieces[name].look[0]) + order.indexOf(pieces[name].look[1]);
    return Object.keys(pieces)
      .filter((name) => (pieces[name].lifted ?? pieces[name].at) === "tray" && (inUse.size === 0 || inUse.has(boxOf(name))))
      .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  }

  #showLights() {
    const { faults, lights } = this.state;
    for (const [cell, { led, broken }] of this.cells) {
      const light = lights[cell];
      const signal = light && this.about.signals[light.signal];
      change(led, {
        class: signal ? `led on ${signal.pattern} place-${light.phase}` : "led",
        "data-signal": light?.signal ?? "",
      });
      const colour = this.about.colour ? signal?.colour : [255, 120, 40];
      if (signal) led.style.setProperty("--colour", `rgb(${colour.join(" ")})`);
      const fault = ["stuck", "dead", "missed"].find((kind) => faults[kind].includes(cell));
      change(broken, { class: fault ? `broken ${fault}` : "broken" });
    }
  }

  #describe() {
    const on = new Map();
    for (const { lifted, look } of Object.values(this.state.pieces)) on.set(lifted, say("in-hand", { piece: spoken(look) }));
    for (const { at, look } of Object.values(this.state.pieces)) on.set(at, spoken(look));
    const beside = new Set(this.inTray());
    for (const [name, { element }] of this.pieces) {
      if (beside.has(name)) change(element, { role: "button", tabindex: "-1", "aria-label": spoken(this.state.pieces[name].look) });
      else for (const attribute of ["role", "tabindex", "aria-label"]) element.removeAttribute(attribute);
    }
    for (const [cell, { square }] of this.cells) {
      const signal = this.state.lights[cell]?.signal;
      const light = signal && say(`signal-${signal}`, { otherwise: signal.replaceAll("-", " ") });
      change(square, { "aria-label": [cell, on.get(cell) ?? say("empty"), light].filter(Boolean).join(", ") });
    }
  }

  // Where keys lead: the cells that are shown, and the pieces beside the board.
  places(beside = true) {
    const cells = [...this.layout.cells.keys()].map((cell) => ({ ...this.layout.centre(cell), node: this.cells.get(cell).square }));
    const tray = beside ? this.inTray() : [];
    return [...cells, ...tray.map((name, at) => ({ ...this.layout.trayPlace(at), node: this.pieces.get(name).element }))];
  }

  // The piece that a finger on this point would take: the topmost one.
  pieceAt(point) {
    const cell = this.layout.cellAt(point);
    if (cell) return this.pieceOn(cell);
    const tray = this.inTray();
    const near = (name, index) => {
      const place = this.layout.trayPlace(index);
      return Math.hypot(place.x - point.x, place.y - point.y) < 30;
    };
    return tray.find(near) ?? null;
  }

  pieceOn(cell) {
    const { pieces } = this.state;
    const names = Object.keys(pieces);
    return names.findLast((name) => pieces[name].at === cell) ?? names.find((name) => pieces[name].lifted === cell) ?? null;
  }

  point(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = point.matrixTransform(this.svg.getScreenCTM().inverse());
    return { x, y };
  }
}
