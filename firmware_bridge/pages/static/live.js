// The connection to the service: an event stream that notices by itself when it has died.

const SILENCE_MS = 2500; // the service is heard every second; two missed beats are a lost line

export class Live {
  // onScene(scene, run), onBeat(beat), onLost(), onLent(), onFound() are called as things happen.
  constructor(address, { onScene, onBeat = () => {}, onLost = () => {}, onLent = () => {}, onFound = () => {} }) {
    this.address = address;
    this.calls = { onScene, onBeat, onLost, onLent, onFound };
    this.last = "";
    this.lost = false;
    this.heard = performance.now();
    this.open();
    this.watch = setInterval(() => this.check(), 250);
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && location.reload());
  }

  open() {
    const address = new URL(this.address, location.href);
    if (this.last) address.searchParams.set("after", this.last);
    this.stream = new EventSource(address);
    this.opened = performance.now();
    this.stream.addEventListener("scene", (event) => {
      this.last = event.lastEventId;
      this.hear();
      this.calls.onScene(JSON.parse(event.data), event.lastEventId.split("-")[0]);
    });
    this.stream.addEventListener("beat", (event) => {
      this.hear();
      this.calls.onBeat(JSON.parse(event.data));
    });
    this.stream.addEventListener("error", () => {
      this.lose();
      if (this.stream.readyState === EventSource.CLOSED) this.ask();
    });
  }

  // The stream was refused: perhaps this seat belongs to another game now, or the address is lent to the walk over a
  // new board.
  async ask() {
    const answer = await fetch(this.address.replace("/events", "/state")).catch(() => null);
    if (answer?.status === 403) location.reload();
    if (answer?.status === 404) this.calls.onLent();
  }

  lose() {
    if (this.lost) return;
    this.lost = true;
    this.calls.onLost();
  }

  hear() {
    this.heard = performance.now();
    if (this.lost) {
      this.lost = false;
      this.calls.onFound();
    }
  }

  check() {
    const now = performance.now();
    if (now - this.heard < SILENCE_MS) return;
    this.lose();
    // A browser waits ever longer between its own attempts; a board wants its page back at once.
    if (now - this.opened > SILENCE_MS) {
      this.stream.close();
      this.open();
    }
  }

  close() {
    clearInterval(this.watch);
    this.stream.close();
  }
}
