// Turns what mouse, fingers and keys do into what hands do to the pieces.

const KNOCK = 0.06; // seconds between knocking a piece off and putting another down

export class Hands {
  constructor(view, send, options) {
    this.view = view;
    this.send = send;
    this.options = options; // { slides(), breaks(), onBreak(cell) }
    this.fingers = new Map(); // pointer id -> what it holds
    this.tapped = null; // the piece that the last finger touched and left where it was
    this.keyboard = { cell: null, piece: null, from: null };
    const { svg } = view;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", (event) => this.#up(event, true));
    svg.addEventListener("dblclick", () => this.tapped && this.flip(this.tapped));
    svg.addEventListener("keydown", (event) => this.#key(event));
    svg.addEventListener("focusin", (event) => { this.keyboard.cell = event.target.dataset.cell ?? null; });
  }

  #down(event) {
    this.tapped = null;
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
    const finger = { piece, from: lifted ?? at, at, slides, moved: false, start: point };
    this.fingers.set(event.pointerId, finger);
    if (!slides) this.#carry(finger, "hand");
    this.view.hold(piece, this.#held(point, finger));
  }

  #move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const point = this.view.point(event);
    finger.moved ||= Math.hypot(point.x - finger.start.x, point.y - finger.start.y) > 20;
    this.view.hold(finger.piece, this.#held(point, finger));
    if (!finger.slides) return;
    const cell = this.view.layout.cellAt(point);
    if (cell && cell !== finger.at) this.#carry(finger, cell);
  }

  #up(event, cancelled = false) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    this.fingers.delete(event.pointerId);
    const target = cancelled || !finger.moved ? finger.from : this.view.layout.cellAt(this.view.point(event)) ?? "tray";
    this.#putDown(finger.piece, target);
    this.view.hold(finger.piece, null);
    this.tapped = finger.moved ? null : finger.piece;
  }

  #held(point, finger) {
    return { x: point.x, y: point.y - (finger.slides ? 0 : 12), scale: finger.slides ? 1 : 1.1 };
  }

  #carry(finger, to) {
    finger.at = to;
    this.#tell([{ piece: finger.piece, to }]);
  }

  #putDown(piece, target) {
    const victims = Object.entries(this.view.state.pieces)
      .filter(([name, { at }]) => at === target && name !== piece && target !== "tray")
      .map(([name]) => name);
    const steps = victims.map((victim) => ({ piece: victim, to: "tray" }));
    steps.push({ t: victims.length ? KNOCK : 0, piece, to: target });
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
    if (event.key === "f" || event.key === "F") {
      const held = [...this.fingers.values()][0]?.piece ?? this.keyboard.piece;
      const piece = held ?? (cell && this.view.pieceOn(cell));
      if (piece) this.flip(piece);
    } else if (event.key.startsWith("Arrow")) {
      this.#step(event.key);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#takeOrPut(cell);
    } else if (event.key === "Escape" && this.keyboard.piece) {
      this.#release(this.keyboard.from);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      if (this.keyboard.piece) this.#release("tray");
      else if (cell && this.view.pieceOn(cell)) this.#putDown(this.view.pieceOn(cell), "tray");
    } else {
      return;
    }
    event.preventDefault();
  }

  #takeOrPut(cell) {
    if (!cell) return;
    if (this.keyboard.piece) {
      this.#release(cell);
      return;
    }
    const piece = this.view.pieceOn(cell);
    if (!piece) return;
    Object.assign(this.keyboard, { piece, from: cell });
    this.#tell([{ piece, to: "hand" }]);
    this.#follow(cell);
  }

  #release(target) {
    const { piece } = this.keyboard;
    Object.assign(this.keyboard, { piece: null, from: null });
    this.#putDown(piece, target);
    this.view.hold(piece, null);
  }

  #step(key) {
    const here = this.view.layout.centre(this.keyboard.cell ?? this.view.layout.cells.keys().next().value);
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null;
    for (const cell of this.view.layout.cells.keys()) {
      const { x, y } = this.view.layout.centre(cell);
      const along = (x - here.x) * dx + (y - here.y) * dy;
      const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
      if (along > 20 && (!best || along + 3 * aside < best.cost)) best = { cell, cost: along + 3 * aside };
    }
    if (!best) return;
    this.view.cells.get(best.cell).square.focus();
    this.#follow(best.cell);
  }

  #follow(cell) {
    if (!this.keyboard.piece) return;
    const { x, y } = this.view.layout.centre(cell);
    this.view.hold(this.keyboard.piece, { x: x + 10, y: y - 24, scale: 1.1 });
  }
}
