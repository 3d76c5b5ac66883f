// The form to take an open seat: a name and a button.

import { h, storage } from "./dom.js";

export class SeatForm {
  /** `sit(name)` is called with the name from the form. */
  constructor(sit) {
    this.field = h("input", {
      id: "seat-name", type: "text", required: true, maxlength: 20, autocomplete: "nickname", ".value": storage.get("name", ""),
    });
    this.element = h("form", { class: "seat-form", hidden: true, onsubmit: (event) => {
      event.preventDefault();
      const name = this.field.value.trim();
      storage.set("name", name);
      sit(name);
    } },
    h("label", { for: "seat-name" }, "Your name"), this.field,
    h("button", { type: "submit", class: "primary" }, "Take seat"));
  }

  /** Shown where the viewer has no seat and there is one. */
  show({ viewer, participants, phase }) {
    const open = viewer === null && phase !== "game over" && Object.values(participants).some((participant) => !participant.taken);
    this.element.hidden = !open;
  }
}
