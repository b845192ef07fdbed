// Shows the clocks between two words of the service: it says where they stand, we count on.

export const clockText = (ms) => {
  const left = Math.max(0, ms);
  if (left < 20_000) return `0:${(Math.floor(left / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  if (hours >= 24) return `${Math.floor(hours / 24)}d ${hours % 24}h`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
};

export class Clocks {
  // `cards` are elements with `data-side`; each holds an element with class `time`.
  constructor(cards) {
    this.cards = new Map([...cards].map((card) => [card.dataset.side, card]));
    this.faces = {};
    this.known = false;
    setInterval(() => this.show(), 100);
  }

  // `faces`: side -> {left_ms, running, fallen, delay_ms}, as they stand now.
  set(faces) {
    this.faces = faces;
    this.since = performance.now();
    this.known = true;
    this.show();
  }

  // The line is dead: a clock that may be wrong is not shown at all.
  lose() {
    this.known = false;
    this.show();
  }

  left(side) {
    const face = this.faces[side];
    if (!face.running) return face.left_ms;
    const gone = performance.now() - this.since - (face.delay_ms ?? 0);
    return face.left_ms - Math.max(0, gone);
  }

  show() {
    for (const [side, card] of this.cards) {
      const face = this.faces[side];
      if (!face) continue;
      const untimed = face.left_ms === null;
      const time = card.querySelector(".time");
      const text = this.known ? (untimed ? "" : clockText(this.left(side))) : "–:––";
      if (time.textContent !== text) time.textContent = text;
      card.classList.toggle("running", this.known && face.running);
      card.classList.toggle("fallen", this.known && face.fallen);
      card.classList.toggle("untimed", untimed);
      card.classList.toggle("short", this.known && !untimed && this.left(side) < 20_000);
    }
  }
}
