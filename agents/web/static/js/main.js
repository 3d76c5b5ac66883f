// Which page is shown: #/ the lobby, #/game/NAME a table, #/setup a hand that is set up, #/replay/NAME
// recorded hands and #/hand/TEXT one that is in the link.

import { h, isText, isTyping } from "./dom.js";
import { GamePage } from "./game.js";
import { parseAddress } from "./links.js";
import { LobbyPage } from "./lobby.js";
import { originOf } from "./open_game.js";
import { presetSettings } from "./preset_settings.js";
import { ReplayPage } from "./replay.js";
import { settingsButton } from "./settings.js";
import { SetupPage } from "./setup.js";

const page = document.getElementById("page");
const status = document.getElementById("status");
const help = document.getElementById("help");
const ONCE = /^(.|Enter)$/; // keys that act once, however long they are held
let current = null;

function route() {
  current?.close();
  scrollTo(0, 0);
  status.replaceChildren();
  page.replaceChildren();
  document.getElementById("toasts").replaceChildren(); // what went wrong elsewhere
  const address = parseAddress(location.hash);
  const { kind, name } = address;
  drawOrigin(kind === "game" ? originOf(name) : null);
  const show = { page, status };
  if (kind === "game" && name) current = new GamePage(show, name);
  else if ((kind === "replay" || kind === "hand") && name) current = new ReplayPage(show, address);
  else if (kind === "setup") current = new SetupPage(show, address);
  else current = new LobbyPage(show);
}

/** A link back to the page that has opened a table, among the actions at the top. */
function drawOrigin(origin) {
  document.getElementById("origin")?.remove();
  if (origin) document.getElementById("top-actions").prepend(h("a", { id: "origin", class: "button quiet", href: origin.path, title: origin.title }, origin.text));
}

document.getElementById("help-button").addEventListener("click", () => help.showModal());
addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (event.repeat && ONCE.test(event.key) && !isText(event.target)) event.preventDefault(); // one press, one action
  else if (isTyping(event)) return;
  else if (event.key === "?") {
    event.preventDefault();
    help.showModal();
  } else if (current?.key?.(event)) {
    event.preventDefault();
  }
});
addEventListener("error", () => {
  if (!page.childElementCount) page.append(h("p", { class: "notice" }, "Something went wrong; reload the page."));
});

document.getElementById("top-actions").prepend(settingsButton(["four-colours", "big-blinds", "stack-blinds", "sound", "notify"], [presetSettings()]));
route();
