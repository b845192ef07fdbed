// The connection to the service: an event stream that notices by itself when it has died.

const SILENCE_MS = 2500; // the service is heard every second; two missed beats are a lost line

export class Live {
  // onScene(scene), onBeat(beat), onLost(), onFound() are called as things happen.
  constructor(address, { onScene, onBeat = () => {}, onLost = () => {}, onFound = () => {} }) {
    this.address = address;
    this.calls = { onScene, onBeat, onLost, onFound };
    this.last = "";
    this.lost = false;
    this.heard = performance.now();
    this.open();
    this.watch = setInterval(() => this.check(), 250);
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && location.reload());
  }

  open() {
    const resume = this.last ? `?after=${encodeURIComponent(this.last)}` : "";
    this.stream = new EventSource(this.address + resume);
    this.opened = performance.now();
    this.stream.addEventListener("scene", (event) => {
      this.last = event.lastEventId;
      this.hear();
      this.calls.onScene(JSON.parse(event.data));
    });
    this.stream.addEventListener("beat", (event) => {
      this.hear();
      this.calls.onBeat(JSON.parse(event.data));
    });
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
    if (!this.lost) {
      this.lost = true;
      this.calls.onLost();
    }
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
