// The chat of the people at the table.

import { announce, h } from "./dom.js";

export class Chat {
  /** `send(text)` is called with a line, `onUnread()` when lines have come that may not have been seen. */
  constructor(send, onUnread) {
    this.onUnread = onUnread;
    this.last = 0;
    this.lines = h("ol", { class: "chat", "aria-label": "Chat" });
    this.field = h("input", { type: "text", maxlength: 200, "aria-label": "Message", placeholder: "Message", autocomplete: "off" });
    this.form = h("form", { class: "link", onsubmit: (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) send(text);
      this.field.value = "";
    } }, this.field, h("button", { type: "submit" }, "Send"));
    this.element = h("div", {}, this.lines, this.form);
  }

  /** Spectators may read but not write. */
  show({ viewer }) {
    this.form.hidden = viewer === null;
  }

  /** Lines from the server; `earlier` are those of before the connection, which this page may know. */
  receive(lines, earlier = false) {
    const first = earlier && this.last === 0;
    const before = this.last;
    for (const { number, name, text } of lines) {
      if (number <= this.last) continue;
      this.last = number;
      this.lines.append(h("li", {}, h("b", {}, name), ` ${text}`));
      if (!first) announce(`${name} says: ${text}`);
    }
    if (!first) this.onUnread(this.last - before);
    this.lines.lastElementChild?.scrollIntoView({ block: "nearest" });
  }
}
