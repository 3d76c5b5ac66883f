// What stands below a table that can no longer be reached: why, and the ways on.

import { h, toast } from "./dom.js";
import { openGame, originOf, requestOf } from "./open_game.js";

const REASONS = {
  closed: "The host has closed this table.",
  gone: "This table no longer exists: the server was restarted, or the table was closed.",
  stranger: "This browser has lost its session cookie. Reload the page to get a new one.",
};

/** `state` is a final state of the connection. */
export function tableEnd(state, game) {
  const request = state === "stranger" ? null : requestOf(game);
  const again = request && h("button", { type: "button", class: "primary", onclick: async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    await openGame(request, originOf(game)).catch((error) => toast(error.message));
    button.disabled = false;
  } }, "Same game again");
  const reload = state === "stranger" && h("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Reload");
  return h("div", { class: "table-end", role: "status" }, h("p", {}, h("b", {}, REASONS[state])),
    h("div", { class: "row" }, again, reload, h("a", { class: "button", href: "#/" }, "All tables")));
}
