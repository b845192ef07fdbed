// Where everything lies on the drawing: squares of 100 units, reserves above and below, the tray.

const STRIP = 88;
const GAP = 14;
const FRAME = 34;
const TRAY_STEP = 58;

export class Layout {
  constructor(about) {
    const { files, ranks, squares, reserves } = about;
    this.width = files * 100;
    this.cells = new Map();
    const black = reserves.filter((cell) => cell.startsWith("hb"));
    const white = reserves.filter((cell) => cell.startsWith("hw"));
    this.top = FRAME + (black.length ? STRIP + GAP : 0);
    for (const cell of squares) {
      const x = cell.charCodeAt(0) - 97;
      const y = ranks - Number(cell.slice(1));
      this.cells.set(cell, { x: x * 100, y: this.top + y * 100, size: 100, dark: (x + ranks - 1 - y) % 2 === 0 });
    }
    this.bottom = this.top + ranks * 100;
    this.#strip(black, 0);
    this.#strip(white, this.bottom + FRAME + GAP);
    this.trayTop = this.bottom + FRAME + (white.length ? STRIP + GAP : 0) + GAP;
    this.perRow = Math.floor(this.width / TRAY_STEP);
    this.frame = FRAME;
    this.ranks = ranks;
    this.files = files;
  }

  #strip(cells, y) {
    const size = Math.min(80, this.width / Math.max(cells.length, 1));
    const left = (this.width - size * cells.length) / 2;
    cells.forEach((cell, index) => {
      this.cells.set(cell, { x: left + index * size, y: y + (STRIP - size) / 2, size, reserve: true });
    });
  }

  height(inTray) {
    return this.trayTop + Math.max(2, Math.ceil(inTray / this.perRow)) * TRAY_STEP + 10;
  }

  centre(cell) {
    const { x, y, size } = this.cells.get(cell);
    return { x: x + size / 2, y: y + size / 2, scale: size / 100 };
  }

  trayPlace(index) {
    const row = Math.floor(index / this.perRow);
    const column = index % this.perRow;
    return { x: (column + 0.5) * TRAY_STEP, y: this.trayTop + (row + 0.5) * TRAY_STEP, scale: 0.56 };
  }

  cellAt({ x, y }) {
    for (const [cell, place] of this.cells) {
      if (x >= place.x && x < place.x + place.size && y >= place.y && y < place.y + place.size) return cell;
    }
    return null;
  }
}
