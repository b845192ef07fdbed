// Draws a board of any geometry as SVG: squares, coordinates, pieces, lights, the way back.
// `scene` holds: ground (chequered or uniform), squares [name], pieces {square: {kind, side, marks, under}} (`under` is the face
// that lies down, where all is open; a kind that nobody knows is ""; the mark "lifted" is a piece that is off its square now), lights {cell: signal id},
// regions and outlined ["a1 a2 b1 b2"] (parts of the board, and those of them to be looked at),
// restore [{source, target}], advised [{source, target}] (what a hint shows), revealed [{square, side, faces}], discs (two-faced pieces),
// fallen (the side that has lost: its king lies).

const SVG = "http://www.w3.org/2000/svg";
const CELL = 100;
const MARGIN = 46;
const ARROWS = 6;
const FADE_MS = 350;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

const element = (name, attributes = {}, parent = null) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
};

const fileOf = (square) => square.charCodeAt(0) - 97;
const rankOf = (square) => Number(square[1]) - 1;
const isSquare = (cell) => /^[a-h][1-9]$/.test(cell);

export class Board {
  // `drawings` is the address of the piece drawings; `turned` puts Black's side at the bottom; `named`
  // writes the squares' letters and numbers beside them.
  constructor(svg, drawings, { turned = false, named = true } = {}) {
    this.svg = svg;
    this.drawings = drawings;
    this.turned = turned;
    this.margin = named ? MARGIN : 6;
    this.named = named;
    this.geometry = "";
    this.pieces = new Map();
  }

  draw(scene) {
    this.svg.dataset.ground = scene.ground;
    this.fallen = scene.fallen; // the side that has lost
    const regions = scene.regions ?? [];
    const geometry = [...scene.squares, ...regions].join();
    if (geometry !== this.geometry) {
      this.geometry = geometry;
      this.layOut(scene.squares);
      this.outline("regions", regions);
    }
    this.outline("outlined", scene.outlined ?? []);
    this.drawPieces(scene);
    this.drawLights(scene.lights);
    this.layers.way.replaceChildren();
    this.drawWay(scene.restore, scene.tone === "urgent" ? "offence" : "");
    this.drawWay(scene.advised ?? [], "advised");
    this.drawRevealed(scene.revealed);
    this.svg.setAttribute("aria-label", scene.described ?? "");
  }

  centre(square) {
    let column = fileOf(square) - this.left;
    let row = this.top - rankOf(square);
    if (this.turned) {
      column = this.columns - 1 - column;
      row = this.rows - 1 - row;
    }
    return [this.margin + (column + 0.5) * CELL, (row + 0.5) * CELL + this.margin / 4];
  }

  layOut(squares) {
    const files = squares.map(fileOf);
    const ranks = squares.map(rankOf);
    this.left = Math.min(...files);
    this.top = Math.max(...ranks);
    this.columns = Math.max(...files) - this.left + 1;
    this.rows = this.top - Math.min(...ranks) + 1;
    this.svg.replaceChildren();
    this.pieces.clear();
    this.revealed = "";
    const width = this.columns * CELL + this.margin * 1.25;
    const height = this.rows * CELL + this.margin * 1.25;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.style.setProperty("--board-shape", `${width} / ${height}`);
    const ground = element("g", { class: "squares" }, this.svg);
    const present = new Set(squares);
    for (const square of squares) this.layOutSquare(square, ground);
    if (this.named) this.layOutNames(present, element("g", { class: "names" }, this.svg));
    this.layers = {};
    for (const name of ["regions", "lights", "pieces", "marks", "outlined", "way", "revealed"]) {
      this.layers[name] = element("g", { class: name }, this.svg);
    }
    this.layOutArrowHeads();
  }

  outline(layer, regions) {
    const lines = regions.map((region) => border(region, (square) => this.centre(square), this.turned));
    this.layers[layer].replaceChildren();
    if (lines.length) element("path", { d: lines.join("") }, this.layers[layer]);
  }

  layOutSquare(square, ground) {
    const [x, y] = this.centre(square);
    const dark = (fileOf(square) + rankOf(square)) % 2 === 0;
    element("rect", {
      class: dark ? "square dark" : "square light",
      x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL,
      "data-square": square,
    }, ground);
  }

  // A file's letter stands under its lowest square, a rank's number beside its outermost one.
  layOutNames(present, names) {
    const down = this.turned ? 1 : -1;
    for (const square of present) {
      const [file, rank] = [fileOf(square), rankOf(square)];
      const [x, y] = this.centre(square);
      if (!present.has(squareName(file, rank + down))) {
        this.name(names, square[0], x, y + CELL / 2 + 26);
      }
      if (!present.has(squareName(file + down, rank))) {
        this.name(names, square[1], x - CELL / 2 - 22, y + 9);
      }
    }
  }

  name(names, text, x, y) {
    element("text", { x, y, "aria-hidden": "true" }, names).textContent = text;
  }

  // A head does not take the colour of its arrow: each kind has its own.
  layOutArrowHeads() {
    const heads = element("defs", {}, this.svg);
    for (const kind of ["", "advised", "offence"]) {
      const head = element("marker", {
        id: `arrow-head${kind}`, class: kind, viewBox: "0 0 10 10", refX: 6, refY: 5,
        markerWidth: 4, markerHeight: 4, orient: "auto-start-reverse",
      }, heads);
      element("path", { d: "M0 0 10 5 0 10z", class: "arrow-head" }, head);
    }
  }

  drawPieces(scene) {
    const wanted = new Map(Object.entries(scene.pieces));
    const key = (piece) => JSON.stringify([piece.kind, piece.side, piece.under]);
    const gone = [];
    for (const [square, shown] of this.pieces) {
      const piece = wanted.get(square);
      if (piece && key(piece) === shown.key) this.mark(shown.node, piece);
      else gone.push([square, shown]);
    }
    for (const [square] of gone) this.pieces.delete(square);
    let turned = 0;
    for (const [square, piece] of wanted) {
      if (this.pieces.has(square)) continue;
      // A piece that left elsewhere is carried here, so that the eye can follow it.
      const from = gone.findIndex(([, shown]) => shown.key === key(piece));
      const node = from >= 0 ? gone.splice(from, 1)[0][1].node : this.piece(piece, scene.discs);
      const turns = gone.some(([was]) => was === square) && from < 0;
      node.classList.toggle("turned", turns);
      if (turns) node.style.setProperty("--before", turned++);
      this.mark(node, piece);
      this.put(node, square);
      this.pieces.set(square, { node, key: key(piece) });
    }
    for (const [, shown] of gone) this.leave(shown.node);
  }

  // A captured piece fades, so that the eye sees it go.
  leave(node) {
    delete node.dataset.square;
    if (STILL.matches) node.remove();
    else node.animate({ opacity: 0 }, FADE_MS).onfinish = () => node.remove();
  }

  piece(piece, disc) {
    const node = element("g", { class: `piece ${piece.side ?? "nobody"}` }, this.layers.pieces);
    if (disc || !piece.kind) element("circle", { r: 43, class: "disc" }, node);
    if (!piece.kind) return node;
    const size = disc ? 70 : 92;
    element("use", {
      href: `${this.drawings}#${piece.kind}`,
      x: -size / 2, y: -size / 2 - (disc ? 2 : 0), width: size, height: size,
    }, node);
    if (piece.under) this.under(piece.under, node);
    return node;
  }

  // The face that lies down, small, where a game is open to all.
  under(kind, node) {
    element("circle", { class: "disc", cx: 28, cy: 28, r: 21 }, node);
    element("use", { href: `${this.drawings}#${kind}`, x: 10, y: 9, width: 36, height: 36 }, node);
  }

  mark(node, piece) {
    for (const mark of ["invisible", "frozen", "lifted"]) {
      node.classList.toggle(mark, (piece.marks ?? []).includes(mark));
    }
    node.classList.toggle("fallen", piece.kind === "K" && Boolean(piece.side) && piece.side === this.fallen);
  }

  put(node, square) {
    const [x, y] = this.centre(square);
    node.style.transform = `translate(${x}px, ${y}px)`;
    node.dataset.square = square;
  }

  drawLights(lights) {
    this.layers.lights.replaceChildren();
    this.layers.marks.replaceChildren();
    for (const [cell, signal] of Object.entries(lights)) {
      if (!isSquare(cell)) continue;
      const [x, y] = this.centre(cell);
      const box = { x: x - 50, y: y - 50, width: 100, height: 100 };
      element("rect", { class: `glow ${signal}`, "data-light": cell, ...box }, this.layers.lights);
      element("rect", {
        class: `rim ${signal}`, x: x - 45, y: y - 45, width: 90, height: 90, rx: 10,
      }, this.layers.marks);
    }
  }

  // Arrows for the movements to be made first: lights and outlines tell the rest.
  drawWay(moves, kind = "") {
    const way = element("g", { class: kind }, this.layers.way);
    for (const { source, target } of moves.slice(0, ARROWS)) {
      const from = source && isSquare(source) ? this.centre(source) : null;
      const to = target && isSquare(target) ? this.centre(target) : null;
      if (from && to && source !== target) this.arrow(from, to, way);
      else if (from && to) element("circle", { class: "turn", cx: to[0], cy: to[1], r: 40 }, way);
      else if (to) this.arrow(this.outside(to), to, way);
      else if (from) this.arrow(from, this.outside(from), way);
    }
  }

  // The nearest place beside the board, where captured pieces stand.
  outside([x, y]) {
    const width = this.columns * CELL + this.margin * 1.25;
    return [x * 2 < width ? 4 : width - 4, y];
  }

  arrow([x1, y1], [x2, y2], way) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const back = 22 / length;
    element("line", {
      class: "arrow", x1, y1, x2: x2 - (x2 - x1) * back, y2: y2 - (y2 - y1) * back,
      "marker-end": `url(#arrow-head${way.getAttribute("class")})`,
    }, way);
  }

  // What is shown opens once, and stays as it is until it is gone.
  drawRevealed(revealed) {
    if (JSON.stringify(revealed) === this.revealed) return;
    this.revealed = JSON.stringify(revealed);
    this.layers.revealed.replaceChildren();
    for (const { square, side, faces } of revealed) {
      const [x, y] = this.centre(square);
      const node = element("g", { class: `piece open ${side}` }, this.layers.revealed);
      node.style.transform = `translate(${x}px, ${y}px)`;
      element("rect", { class: "disc", x: -66, y: -44, width: 132, height: 88, rx: 44 }, node);
      [...faces].forEach((kind, index) => element("use", {
        href: `${this.drawings}#${kind}`, x: index ? 2 : -60, y: -30, width: 58, height: 58,
      }, node));
    }
  }
}

// The outline of a region ("a1 a2 b1 b2") as a path, around squares of 100 by 100.
export const border = (region, centre, turned = false) => {
  const squares = new Set(region.split(" "));
  const lines = [];
  for (const square of squares) {
    const [x, y] = centre(square);
    for (const [right, up] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      if (squares.has(squareName(fileOf(square) + right, rankOf(square) + up))) continue;
      const [dx, dy] = turned ? [-right, up] : [right, -up];
      lines.push(`M${x + 50 * (dx - dy)} ${y + 50 * (dy + dx)}L${x + 50 * (dx + dy)} ${y + 50 * (dy - dx)}`);
    }
  }
  return lines.join("");
};

const squareName = (file, rank) => `${String.fromCharCode(97 + file)}${rank + 1}`;
