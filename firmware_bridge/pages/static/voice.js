// Says aloud what is announced where the service has no voice of its own: by the browser's speech,
// or by a tone where it has none either. A button switches it; each browser remembers its choice.

import { beep } from "./sound.js";

const WAITING = 4; // sentences; more of them are old news
const MEMORY = "voice";

export class Voice {
  // `volume` is 0 to 1; `tones` allows tones; `on` is the choice of a browser that has made none.
  constructor(button, { language, volume, tones, on }) {
    this.button = button;
    this.language = language;
    this.volume = volume;
    this.tones = tones;
    this.heard = null;
    this.waiting = new Set();
    const chosen = localStorage.getItem(MEMORY);
    this.switch(chosen === null ? on : chosen === "on");
    button.addEventListener("click", () => {
      localStorage.setItem(MEMORY, this.on ? "off" : "on");
      this.switch(!this.on);
    });
  }

  switch(on) {
    this.on = on;
    this.button.setAttribute("aria-pressed", on);
    if (!on) this.hush();
  }

  // `aloud` is the scene's: whether pages are to speak, and what was announced, oldest first.
  // `run` names the run of the service, which numbers what it announces from 1.
  hear({ wanted, said }, run) {
    this.button.hidden = !wanted;
    if (this.run && run !== this.run) this.heard = 0;
    // What was said before this page was opened is past.
    const fresh = this.heard === null ? [] : said.filter(({ number }) => number > this.heard);
    this.run = run;
    this.heard = Math.max(this.heard ?? 0, ...said.map(({ number }) => number));
    if (wanted && this.on) for (const { text } of fresh) this.say(text);
  }

  say(text) {
    if (!window.speechSynthesis) {
      this.beep();
      return;
    }
    if (this.waiting.size >= WAITING) this.hush();
    const sentence = new SpeechSynthesisUtterance(text);
    sentence.lang = this.language;
    sentence.volume = this.volume;
    this.waiting.add(sentence);
    sentence.onend = () => this.waiting.delete(sentence);
    sentence.onerror = ({ error }) => {
      this.waiting.delete(sentence);
      if (!["canceled", "interrupted"].includes(error)) this.beep();
    };
    speechSynthesis.speak(sentence);
  }

  hush() {
    this.waiting.clear();
    window.speechSynthesis?.cancel();
  }

  beep() {
    if (this.tones) beep("attention");
  }
}
