// Which page is shown: #/ the lobby, #/game/NAME a table, #/replay/NAME recorded hands.

import { h, isTyping, remembered } from "./dom.js";
import { GamePage } from "./game.js";
import { LobbyPage } from "./lobby.js";
import { ReplayPage } from "./replay.js";

const page = document.getElementById("page");
const status = document.getElementById("status");
const help = document.getElementById("help");
const deck = document.getElementById("deck");
let current = null;

function route() {
  current?.close();
  status.replaceChildren();
  page.replaceChildren();
  document.getElementById("toasts").replaceChildren(); // what went wrong elsewhere
  const [, kind, name] = location.hash.split("/");
  const show = { page, status };
  if (kind === "game" && name) current = new GamePage(show, name);
  else if (kind === "replay" && name) current = new ReplayPage(show, name);
  else current = new LobbyPage(show);
}

function setDeck(four) {
  document.body.classList.toggle("four-colours", four);
  deck.setAttribute("aria-pressed", String(four));
  remembered.set("four-colours", four);
}

deck.addEventListener("click", () => setDeck(deck.getAttribute("aria-pressed") !== "true"));
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

setDeck(remembered.get("four-colours", false));
route();
