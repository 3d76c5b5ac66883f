// Who comes to a table with an open seat says a name, and sits down.

import { h, remembered } from "./dom.js";

export class Door {
  /** `sit(name)` is called with the name of who wants the seat. */
  constructor(sit) {
    this.field = h("input", {
      id: "door-name", type: "text", required: true, maxlength: 20, autocomplete: "nickname", ".value": remembered.get("name", ""),
    });
    this.element = h("form", { class: "door", hidden: true, onsubmit: (event) => {
      event.preventDefault();
      const name = this.field.value.trim();
      remembered.set("name", name);
      sit(name);
    } },
    h("label", { for: "door-name" }, "Your name"), this.field,
    h("button", { type: "submit", class: "primary" }, "Take the open seat"));
  }

  /** Stands open where the viewer has no seat and there is one. */
  show({ you, people, phase }) {
    const open = you === null && phase !== "game over" && Object.values(people).some((person) => !person.taken);
    this.element.hidden = !open;
  }
}
