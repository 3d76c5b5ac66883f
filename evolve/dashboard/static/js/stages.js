// The status of a run as text and as a badge.

import { h } from "/static/js/dom.js";
import { count, duration, share, short } from "./format.js";

const STAGES = {
  waiting: ["○", "starting"],
  running: ["●", "running"],
  quiet: ["‖", "no update"],
  finished: ["✓", "finished"],
  unreadable: ["!", "unreadable"],
  gone: ["×", "gone"],
};

export function badge(stage) {
  const [sign, text] = STAGES[stage];
  return h("span", { class: `badge ${stage}` }, h("span", { "aria-hidden": "true" }, sign), text);
}

/** Generation so and so of so many, and how long it will still take. */
export function progressText(status) {
  const parts = [`generation ${count(status.generation)}${status.generations ? ` of ${count(status.generations)}` : ""}`];
  if (status.most_hands) parts.push(`${short(status.hands)} of ${short(status.most_hands)} hands`);
  if (status.stage === "running" && status.seconds_left !== null) parts.push(`about ${duration(status.seconds_left)} left`);
  return parts.join(" · ");
}

export function progressBar(status) {
  return h("progress", { max: "1", value: String(status.share), "aria-label": "Progress of the run" }, share(status.share));
}
