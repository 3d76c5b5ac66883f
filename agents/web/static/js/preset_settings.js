// The part of the settings in which the amounts beside the slider are chosen.

import { h } from "./dom.js";
import { DEFAULT_PRESETS, parsePresets } from "./presets.js";
import { change, setting } from "./settings.js";

const FIELDS = { preflop: "Before the flop", postflop: "After the flop" };

/** Fields for the amounts; what is refused is not kept, and the message says why. */
export function presetSettings() {
  const error = h("p", { class: "form-error", id: "presets-error", role: "alert" });
  const fields = Object.keys(FIELDS).map((street) => h("input", {
    type: "text", id: `presets-${street}`, autocomplete: "off", spellcheck: "false", "aria-describedby": "presets-help presets-error",
    value: textOf(street), onchange: (event) => keep(street, event.target),
  }));

  function keep(street, field) {
    try {
      parsePresets(field.value);
    } catch (problem) {
      error.textContent = `${FIELDS[street]}: ${problem.message}`;
      field.setAttribute("aria-invalid", "true");
      return;
    }
    change(`presets-${street}`, field.value);
    accept(field);
  }

  function accept(field) {
    error.textContent = "";
    field.removeAttribute("aria-invalid");
  }

  function reset() {
    Object.keys(FIELDS).forEach((street, i) => {
      change(`presets-${street}`, null);
      fields[i].value = DEFAULT_PRESETS[street];
      accept(fields[i]);
    });
  }

  return h("fieldset", { class: "preset-settings" }, h("legend", {}, "Bet sizes beside the slider"),
    h("p", { class: "fine", id: "presets-help" }, "Up to five: min, pot, all-in, a share of the pot (33%) or a multiple of the bet (2.5x). Keys 1 to 5 select them."),
    ...Object.entries(FIELDS).map(([street, title], i) => h("div", { class: "field" }, h("label", { for: `presets-${street}` }, title), fields[i])),
    error, h("button", { type: "button", class: "quiet", onclick: reset }, "Reset sizes"));
}

/** The amounts that this browser keeps for a street, as text. */
function textOf(street) {
  const kept = setting(`presets-${street}`);
  return typeof kept === "string" ? kept : DEFAULT_PRESETS[street];
}

/** The amounts for a street; the defaults if what is kept is of no use. */
export function presetsOf(street) {
  const kind = street === "preflop" ? "preflop" : "postflop";
  try {
    return parsePresets(textOf(kind));
  } catch {
    return parsePresets(DEFAULT_PRESETS[kind]);
  }
}
