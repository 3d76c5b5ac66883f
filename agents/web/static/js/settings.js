// Settings of this browser: colours, units, sound, notifications, amounts. The server does not receive them.

import { h, storage } from "./dom.js";

const SWITCHES = {
  "four-colours": ["Four-colour deck", "A different colour for each suit."],
  "big-blinds": ["Amounts in big blinds", "At the table, including the amounts that you enter."],
  "stack-blinds": ["Stacks in big blinds too", "Beside the chips of each player."],
  sound: ["Sound", "A tone on your turn and at the end of each hand."],
  notify: ["Notify me of my turn", "When this page is in the background. The browser asks for permission."],
};
const THEMES = [["system", "System"], ["light", "Light"], ["dark", "Dark"]];
const listeners = new Set();

export function setting(name) {
  return storage.get(name, name === "theme" ? "system" : false);
}

/** Call `listener` whenever a setting has changed; what is returned ends that. */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function change(name, value) {
  storage.set(name, value);
  apply();
  for (const listener of [...listeners]) listener();
}

function apply() {
  const theme = setting("theme");
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.body.classList.toggle("four-colours", setting("four-colours"));
}

/** A button that opens the settings; `switches` are the names of those that the page has, `parts` what else it has. */
export function settingsButton(switches = [], parts = []) {
  const dialog = h("dialog", { id: "settings", "aria-labelledby": "settings-title" },
    h("form", { method: "dialog" }, h("button", { class: "quiet close", "aria-label": "Close" }, "×")),
    h("h2", { id: "settings-title" }, "Settings"),
    h("fieldset", { class: "choice" }, h("legend", {}, "Colours"), h("div", { class: "segmented" }, ...THEMES.map(([value, text]) => h("label", {},
      h("input", { type: "radio", name: "theme", value, checked: setting("theme") === value, onchange: () => change("theme", value) }), text)))),
    ...switches.map((name) => h("label", { class: "switch" },
      h("input", { type: "checkbox", checked: setting(name), onchange: (event) => change(name, event.target.checked) }),
      h("span", {}, SWITCHES[name][0], h("small", { class: "fine" }, SWITCHES[name][1])))),
    ...parts);
  document.body.append(dialog);
  apply();
  return h("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", onclick: () => dialog.showModal() }, "Settings");
}
