// The board's buzzer: one short tone, two low ones, or a rising pair.

const TUNES = {
  accepted: [[880, 0, 0.12]],
  illegal: [[196, 0, 0.18], [165, 0.24, 0.28]],
  attention: [[660, 0, 0.1], [880, 0.14, 0.14]],
};

let audio = null;

export function beep(name) {
  if (!navigator.userActivation?.hasBeenActive) return; // browsers let nobody sound before a touch
  audio ??= new AudioContext();
  for (const [pitch, start, length] of TUNES[name] ?? []) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    const from = audio.currentTime + start;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.2, from);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(loudness).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}
