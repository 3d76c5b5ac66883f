// The link to this table for other people, or the reason why there is none.

import { fetchJson, h } from "./dom.js";

const HERE = ["localhost", "127.0.0.1", "[::1]"];

export class Invitation {
  constructor() {
    this.field = h("input", { type: "text", readonly: true, "aria-label": "Link to this table", onfocus: (event) => event.target.select() });
    this.note = h("p", { class: "fine" });
    this.code = h("img", { class: "code", alt: "QR code of the link to this table", hidden: true });
    this.copied = h("span", { class: "fine", role: "status" });
    this.element = h("div", { class: "box" }, h("p", {}, "A seat is open. Anyone with this link can take it or watch."),
      h("div", { class: "link" }, this.field, h("button", { type: "button", onclick: () => this.copy() }, "Copy")), this.copied, this.code, this.note);
    this.show(location.origin);
    if (HERE.includes(location.hostname)) this.find();
  }

  show(origin, reason = "") {
    this.field.value = `${origin}/${location.hash}`;
    this.note.textContent = reason;
    this.code.hidden = HERE.includes(new URL(origin).hostname);
    if (!this.code.hidden) this.code.src = `/api/games/${location.hash.split("/")[2]}/invitation.svg`;
  }

  /** A page that was opened as "this machine" requests the address in the network. */
  async find() {
    try {
      const { origin, reason } = await fetchJson("/api/invitation");
      this.show(origin ?? location.origin, reason);
    } catch {
      // the link of this machine stays
    }
  }

  async copy() {
    this.field.select();
    // Browsers lend the clipboard to pages of this machine and of https alone; what is selected can be copied by hand.
    const done = await navigator.clipboard?.writeText(this.field.value).then(() => true).catch(() => false);
    this.copied.textContent = done ? "Copied." : "Selected. Copy it with Ctrl+C or ⌘C.";
  }
}
