// Where everything lies on the drawing: squares of 100 units, reserves above and below them, and the
// tray beside them, or below where the drawing has no room beside.

const STRIP = 88;
const GAP = 14;
const FRAME = 34;
const TRAY_STEP = 58;
const TRAY_ROWS = 2;

export class Layout {
  constructor({ squares, reserves }) {
    this.squares = squares;
    this.reserves = reserves;
    this.frame = FRAME;
    this.arrange(new Set([...squares, ...reserves]), null);
  }

  // Lays out these cells alone. `room` is the width of the drawing by its height; without one the
  // drawing is as high as it comes.
  arrange(shown, room) {
    const squares = this.squares.filter((cell) => shown.has(cell));
    const [files, ranks] = [(cell) => cell.charCodeAt(0) - 97, (cell) => Number(cell.slice(1))]
      .map((place) => [Math.min(...squares.map(place)), Math.max(...squares.map(place))]);
    const strip = (side) => this.reserves.filter((cell) => shown.has(cell) && cell.startsWith(side));
    const [black, white] = [strip("hb"), strip("hw")];
    this.cells = new Map();
    [this.files, this.ranks] = [files, ranks];
    this.width = (files[1] - files[0] + 1) * 100;
    this.top = FRAME + (black.length ? STRIP + GAP : 0);
    this.bottom = this.top + (ranks[1] - ranks[0] + 1) * 100;
    for (const cell of squares) {
      const [x, y] = [cell.charCodeAt(0) - 97 - files[0], ranks[1] - Number(cell.slice(1))];
      this.cells.set(cell, { x: x * 100, y: this.top + y * 100, size: 100, dark: (cell.charCodeAt(0) + Number(cell.slice(1))) % 2 === 0 });
    }
    this.#strip(black, 0);
    this.#strip(white, this.bottom + FRAME + GAP);
    this.#tray(this.bottom + FRAME + (white.length ? STRIP + GAP : 0), room);
  }

  #strip(cells, y) {
    const size = Math.min(80, this.width / Math.max(cells.length, 1));
    const left = (this.width - size * cells.length) / 2;
    cells.forEach((cell, index) => {
      this.cells.set(cell, { x: left + index * size, y: y + (STRIP - size) / 2, size, reserve: true });
    });
  }

  #tray(end, room) {
    const board = this.width + 2 * FRAME;
    const beside = room ? (end + 2 * GAP) * room - board - 2 * GAP : 0;
    this.beside = beside > 2 * TRAY_STEP;
    const across = this.beside ? beside : board;
    this.perRow = Math.floor(across / TRAY_STEP);
    this.tray = this.beside
      ? { x: this.width + FRAME + GAP, y: this.top - FRAME, width: across, height: this.bottom - this.top + 2 * FRAME }
      : { x: -FRAME, y: end + GAP, width: across, height: TRAY_ROWS * TRAY_STEP + 10 };
    this.end = end;
  }

  // The part of the drawing that is seen, with so many pieces in the tray.
  box(inTray) {
    const rows = Math.ceil(inTray / this.perRow);
    if (!this.beside) this.tray.height = Math.max(TRAY_ROWS, rows) * TRAY_STEP + 10;
    const width = this.width + 2 * FRAME + (this.beside ? GAP + this.tray.width : 0);
    const height = Math.max(this.end, this.tray.y + this.tray.height);
    return [-FRAME - 4, -4, width + 8, height + 8];
  }

  centre(cell) {
    const { x, y, size } = this.cells.get(cell);
    return { x: x + size / 2, y: y + size / 2, scale: size / 100 };
  }

  trayPlace(index) {
    const row = Math.floor(index / this.perRow);
    const column = index % this.perRow;
    return { x: this.tray.x + 4 + (column + 0.5) * TRAY_STEP, y: this.tray.y + 6 + (row + 0.5) * TRAY_STEP, scale: 0.56 };
  }

  cellAt({ x, y }) {
    for (const [cell, place] of this.cells) {
      if (x >= place.x && x < place.x + place.size && y >= place.y && y < place.y + place.size) return cell;
    }
    return null;
  }

  // The letters of the files and the numbers of the ranks: [text, x, y].
  names() {
    const letters = [];
    for (let file = this.files[0]; file <= this.files[1]; file += 1) {
      letters.push([String.fromCharCode(97 + file), (file - this.files[0]) * 100 + 50, this.bottom + 24]);
    }
    for (let rank = this.ranks[0]; rank <= this.ranks[1]; rank += 1) {
      letters.push([String(rank), -18, this.top + (this.ranks[1] - rank) * 100 + 58]);
    }
    return letters;
  }
}
