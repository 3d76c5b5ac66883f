// What people at the table say to each other.

import { announce, h } from "./dom.js";

export class Chat {
  /** `say(text)` is called with a line. */
  constructor(say) {
    this.last = 0;
    this.lines = h("ol", { class: "chat", "aria-label": "What was said" });
    this.field = h("input", { type: "text", maxlength: 200, "aria-label": "Say something", placeholder: "Say something", autocomplete: "off" });
    this.form = h("form", { class: "link", onsubmit: (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) say(text);
      this.field.value = "";
    } }, this.field, h("button", { type: "submit" }, "Say"));
    this.element = h("div", {}, this.lines, this.form);
  }

  /** Who watches reads along. */
  show({ you }) {
    this.form.hidden = you === null;
  }

  /** Lines from the server; after a broken line it tells old ones again. */
  hear(lines) {
    const first = this.last === 0;
    for (const { number, name, text } of lines) {
      if (number <= this.last) continue;
      this.last = number;
      this.lines.append(h("li", {}, h("b", {}, name), ` ${text}`));
      if (!first) announce(`${name} says: ${text}`);
    }
    this.lines.lastElementChild?.scrollIntoView({ block: "nearest" });
  }
}
