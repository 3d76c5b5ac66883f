// Which page is shown: #/ the list of runs, #/run/NAME one of them, #/compare/NAME/NAME several.

import { h } from "/static/js/dom.js";
import { settingsButton } from "/static/js/settings.js";
import { ComparePage } from "./compare_page.js";
import { ListPage } from "./list_page.js";
import { RunPage } from "./run_page.js";

const page = document.getElementById("page");
let current = null;

function route() {
  const [, kind, ...names] = location.hash.split("/").map(decodeURIComponent);
  if (!["run", "compare", "", undefined].includes(kind)) return;
  current?.close();
  document.getElementById("status").replaceChildren();
  page.replaceChildren();
  if (kind === "run" && names[0]) current = new RunPage(page, names[0]);
  else if (kind === "compare" && names.length) current = new ComparePage(page, names);
  else current = new ListPage(page);
  scrollTo(0, 0);
}

document.getElementById("top-actions").append(settingsButton());
addEventListener("hashchange", route);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  page.focus();
});
addEventListener("error", () => {
  if (!page.childElementCount) page.append(h("p", { class: "notice" }, "Something went wrong; reload the page."));
});
route();
