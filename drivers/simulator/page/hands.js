// Turns what mouse, fingers and keys do into what hands do to the pieces.

const KNOCK = 0.06; // seconds between knocking a piece off and putting another down
const TOUCH = 0.2; // seconds for which a hand that touches a piece has it off its square at least; less is a knock
const TWICE_MS = 500; // a second tap on a piece within so long touches it no more: it may turn it over

export class Hands {
  constructor(view, send, options) {
    this.view = view;
    this.send = send;
    this.options = options; // { slides(), breaks(), onBreak(cell) }
    this.fingers = new Map(); // pointer id -> what it holds
    this.tapped = {}; // the piece that the last finger touched and left where it was, and since when
    this.keyboard = { cell: null, beside: null, piece: null, from: null }; // where it is, and what it holds
    const { svg } = view;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", (event) => this.#up(event, true));
    svg.addEventListener("dblclick", () => this.tapped.piece && this.flip(this.tapped.piece));
    svg.addEventListener("keydown", (event) => this.#key(event));
    svg.addEventListener("focusin", ({ target: { dataset } }) => {
      Object.assign(this.keyboard, { cell: dataset.cell ?? null, beside: dataset.piece ?? null });
    });
  }

  #down(event) {
    const { tapped } = this;
    this.tapped = {};
    if (event.button !== 0 || !this.view.state) return;
    const point = this.view.point(event);
    const cell = this.view.layout.cellAt(point);
    if (this.options.breaks()) {
      if (cell) this.options.onBreak(cell);
      return;
    }
    const piece = this.view.pieceAt(point);
    if (!piece || [...this.fingers.values()].some((finger) => finger.piece === piece)) return;
    event.preventDefault();
    this.view.svg.setPointerCapture(event.pointerId);
    const { at, lifted } = this.view.state.pieces[piece];
    const slides = (this.options.slides() || event.shiftKey) && at === cell;
    const again = tapped.piece === piece && event.timeStamp - tapped.since < TWICE_MS;
    const finger = { piece, from: lifted ?? at, at, slides, again, moved: false, start: point, since: event.timeStamp };
    this.fingers.set(event.pointerId, finger);
    if (!slides && !again) this.#carry(finger, "hand");
    this.view.hold(piece, this.#held(point, finger));
  }

  #move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const point = this.view.point(event);
    if (!finger.moved && Math.hypot(point.x - finger.start.x, point.y - finger.start.y) > 20) {
      finger.moved = true;
      if (!finger.slides && finger.again) this.#carry(finger, "hand");
    }
    this.view.hold(finger.piece, this.#held(point, finger));
    if (!finger.slides) return;
    const cell = this.view.layout.cellAt(point);
    if (cell && cell !== finger.at) this.#carry(finger, cell);
  }

  #up(event, cancelled = false) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    this.fingers.delete(event.pointerId);
    const { piece, from, again, moved, since } = finger;
    if (moved || !again) {
      const target = cancelled || !moved ? from : this.view.layout.cellAt(this.view.point(event)) ?? "tray";
      this.#putDown(piece, target, moved ? 0 : TOUCH - (event.timeStamp - since) / 1000);
    }
    this.tapped = moved || cancelled ? {} : { piece, since };
    this.view.hold(piece, null);
  }

  #held(point, finger) {
    return { x: point.x, y: point.y - (finger.slides ? 0 : 12), scale: finger.slides ? 1 : 1.1 };
  }

  #carry(finger, to) {
    finger.at = to;
    this.#tell([{ piece: finger.piece, to }]);
  }

  #putDown(piece, target, t = 0) {
    const victims = Object.entries(this.view.state.pieces)
      .filter(([name, { at }]) => at === target && name !== piece && target !== "tray")
      .map(([name]) => name);
    const steps = victims.map((victim) => ({ piece: victim, to: "tray" }));
    steps.push({ t: Math.max(t, victims.length ? KNOCK : 0), piece, to: target });
    this.#tell(steps);
  }

  // Shows at once what the board will confirm in a moment.
  #tell(steps) {
    this.view.expect(steps, this.send("/hands", { steps }));
  }

  flip(piece) {
    const { at } = this.view.state.pieces[piece];
    const held = at === "hand" || at === "tray";
    const turn = { t: held ? 0 : 0.08, piece, flip: true };
    const steps = held ? [turn] : [{ piece, to: "hand" }, turn, { t: 0.16, piece, to: at }];
    this.#tell(steps);
  }

  #key(event) {
    const { cell } = this.keyboard;
    const there = this.keyboard.beside ?? (cell && this.view.pieceOn(cell));
    if (event.key === "f" || event.key === "F") {
      const held = [...this.fingers.values()][0]?.piece ?? this.keyboard.piece;
      if (held ?? there) this.flip(held ?? there);
    } else if (event.key.startsWith("Arrow")) {
      this.#step(event.key);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#takeOrPut(cell, there);
    } else if (event.key === "Escape" && this.keyboard.piece) {
      this.#release(this.keyboard.from);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      if (this.keyboard.piece) this.#release("tray");
      else if (there) this.#putDown(there, "tray");
    } else {
      return;
    }
    event.preventDefault();
  }

  #takeOrPut(cell, piece) {
    if (this.keyboard.piece) {
      this.#release(cell);
      return;
    }
    if (!piece) return;
    const here = this.view.places().find(({ node }) => node === document.activeElement);
    Object.assign(this.keyboard, { piece, from: cell ?? "tray" });
    this.#tell([{ piece, to: "hand" }]);
    const far = ({ x, y }) => Math.hypot(x - here.x, y - here.y);
    this.#goTo(this.view.places(false).reduce((one, other) => (far(other) < far(one) ? other : one)));
  }

  #release(target) {
    const { piece } = this.keyboard;
    Object.assign(this.keyboard, { piece: null, from: null });
    this.#putDown(piece, target);
    this.view.hold(piece, null);
  }

  #step(key) {
    const places = this.view.places(!this.keyboard.piece);
    const here = places.find(({ node }) => node === document.activeElement) ?? places[0];
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null;
    for (const place of places) {
      const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
      const aside = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
      if (along > 20 && (!best || along + 3 * aside < best.cost)) best = { ...place, cost: along + 3 * aside };
    }
    if (best) this.#goTo(best);
  }

  // What the keyboard holds goes along.
  #goTo({ x, y, node }) {
    node.focus();
    if (this.keyboard.piece) this.view.hold(this.keyboard.piece, { x: x + 10, y: y - 24, scale: 1.1 });
  }
}
