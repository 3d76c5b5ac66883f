// Soft tones, where the settings have them on.

import { setting } from "./settings.js";

const TONES = { turn: [660, 880], over: [440] };
const LENGTH_S = 0.14;
let context = null;

export function sound(name) {
  if (!setting("sound")) return;
  context ??= new AudioContext();
  TONES[name].forEach((pitch, i) => {
    const start = context.currentTime + i * LENGTH_S;
    const tone = new OscillatorNode(context, { frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.linearRampToValueAtTime(0.08, start + 0.02);
    volume.gain.linearRampToValueAtTime(0, start + LENGTH_S);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH_S);
  });
}
