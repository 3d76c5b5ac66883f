// What stands below a table that can no longer be reached: why, and the ways on.

import { h, toast } from "./dom.js";
import { openGame, originOf, requestOf } from "./open_game.js";

const REASONS = {
  closed: "This table has been closed by the person who opened it.",
  gone: "The server does not have this table any more: it has been started anew, or the table was closed.",
  stranger: "This browser has lost the cookie by which the server knows you. Reload the page to get a new one.",
};

/** `state` is a final state of the connection. */
export function tableEnd(state, game) {
  const request = state === "stranger" ? null : requestOf(game);
  const again = request && h("button", { type: "button", class: "primary", onclick: async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    await openGame(request, originOf(game)).catch((error) => toast(error.message));
    button.disabled = false;
  } }, "Deal the same game again");
  const reload = state === "stranger" && h("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Reload");
  return h("div", { class: "table-end", role: "status" }, h("p", {}, h("b", {}, REASONS[state])),
    h("div", { class: "row" }, again, reload, h("a", { class: "button", href: "#/" }, "All tables")));
}
