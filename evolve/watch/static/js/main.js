// Which page is shown: #/ the list of runs, #/run/NAME one of them.

import { h } from "/static/js/dom.js";
import { ListPage } from "./list_page.js";
import { RunPage } from "./run_page.js";

const page = document.getElementById("page");
let current = null;

function route() {
  const [, kind, name] = location.hash.split("/");
  if (kind !== undefined && kind !== "" && kind !== "run") return;
  current?.close();
  document.getElementById("status").replaceChildren();
  page.replaceChildren();
  current = kind === "run" && name ? new RunPage(page, decodeURIComponent(name)) : new ListPage(page);
  scrollTo(0, 0);
}

addEventListener("hashchange", route);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  page.focus();
});
addEventListener("error", () => {
  if (!page.childElementCount) page.append(h("p", { class: "notice" }, "Something went wrong; reload the page."));
});
route();
