// The turn that gave most away, as a picture, once a game is over: beside the board its review is
// asked for when the end has been looked at for a moment, and shown when it is there.

import { Board } from "./board.js";
import { page, part, post, setText } from "./table.js";

const LOOKED_MS = 2500;
const AGAIN_MS = 1500;

export class Worst {
  constructor(link) {
    this.link = link;
    this.game = "";
    this.waits = 0;
  }

  show({ id, phase, puzzle }) {
    const game = phase === "over" && !puzzle ? id : "";
    if (game === this.game) return;
    this.game = game;
    this.link.hidden = true;
    clearTimeout(this.waits);
    if (game && page.dataset.actions) this.waits = setTimeout(() => this.ask(game), LOOKED_MS);
  }

  async ask(game) {
    const answer = await post(`/api/v1/games/${game}/review`, {});
    if (answer.status === 202) this.look(game);
  }

  async look(game) {
    const answer = await fetch(`/api/v1/games/${game}/review/state?language=${page.lang}`).catch(() => null);
    const state = answer?.ok ? await answer.json() : { goes_on: true };
    if (game !== this.game) return;
    if (state.goes_on) this.waits = setTimeout(() => this.look(game), AGAIN_MS);
    if (state.worst) this.draw(state.worst);
  }

  draw({ frame, title, text }) {
    this.board ??= new Board(this.link.querySelector("svg"), page.dataset.drawings, { named: false });
    this.board.draw({ ...frame, described: title });
    setText(part("worst-title"), title);
    setText(part("worst-text"), text);
    this.link.hidden = false;
  }
}
