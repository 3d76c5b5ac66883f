// Which page is shown: #/ the lobby, #/game/NAME a table, #/replay/NAME recorded hands.

import { h, isTyping } from "./dom.js";
import { GamePage } from "./game.js";
import { LobbyPage } from "./lobby.js";
import { ReplayPage } from "./replay.js";
import { settingsButton } from "./settings.js";

const page = document.getElementById("page");
const status = document.getElementById("status");
const help = document.getElementById("help");
let current = null;

function route() {
  current?.close();
  scrollTo(0, 0);
  status.replaceChildren();
  page.replaceChildren();
  document.getElementById("toasts").replaceChildren(); // what went wrong elsewhere
  const [, kind, name] = location.hash.split("/");
  const show = { page, status };
  if (kind === "game" && name) current = new GamePage(show, name);
  else if (kind === "replay" && name) current = new ReplayPage(show, name);
  else current = new LobbyPage(show);
}

document.getElementById("help-button").addEventListener("click", () => help.showModal());
addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (isTyping(event)) return;
  if (event.key === "?") {
    event.preventDefault();
    help.showModal();
  } else if (current?.key?.(event)) {
    event.preventDefault();
  }
});
addEventListener("error", () => {
  if (!page.childElementCount) page.append(h("p", { class: "notice" }, "Something went wrong; reload the page."));
});

document.getElementById("top-actions").prepend(settingsButton(["four-colours"]));
route();
